//! Types of variables.

use kermode_base::Diagnostic;

use super::expressions::Place;
use super::hints;
use super::kinds::ExpressionKind;
use super::operators::{infix, level};
use super::parser::{Failed, Parser};
use super::token::{Kind, Reserved, Sign};
use super::tree::{BaseType, EnumerationValue, Expression, Name, Span, TypeSyntax, VariableKind};

/// The largest number of dimensions of an array.
const DIMENSION_LIMIT: usize = 64;

/// Bounds of ranges and widths of words.
const BOUND: Place = Place { kind: ExpressionKind::Simple, max: level::SHIFT, arrays: false };

impl Parser<'_> {
    /// Reads the type of a variable.
    pub(super) fn type_of(&mut self, kind: VariableKind) -> Result<TypeSyntax, Failed> {
        let start = self.token.span;
        let mut dimensions = Vec::new();
        while self.token.is_word(Reserved::Array) {
            let keyword = self.token.span;
            self.advance();
            dimensions.push(self.dimension(keyword)?);
            if dimensions.len() > DIMENSION_LIMIT {
                let message = format!("an array has at most {DIMENSION_LIMIT} dimensions");
                let error = Diagnostic::error(keyword.range(), message)
                    .label("one dimension too many begins here");
                return Err(self.fail(error));
            }
        }
        let base = self.base_type(kind, !dimensions.is_empty())?;
        Ok(TypeSyntax { dimensions, base, span: start.to(self.previous) })
    }

    /// Reads `low..high of`.
    fn dimension(&mut self, keyword: Span) -> Result<(Expression, Expression), Failed> {
        match self.token.kind {
            Kind::Reserved(Reserved::Of) => {
                return Err(self.fail(hints::array_without_bounds(keyword.to(self.token.span))));
            }
            Kind::Reserved(
                Reserved::Word | Reserved::CapitalWord | Reserved::Unsigned | Reserved::Signed,
            ) => {
                return Err(self.fail(hints::unbounded_array(keyword.to(self.token.span))));
            }
            Kind::Name(name) if self.file.names.text(name) == "integer" => {
                let span = self.token.span;
                self.advance();
                if self.token.is_word(Reserved::Of) {
                    return Err(self.fail(hints::unbounded_array(keyword.to(span))));
                }
                let low = self.expression_after_name(BOUND, name, span)?;
                return self.rest_of_dimension(low);
            }
            _ => {}
        }
        let low = self.expression(BOUND)?;
        self.rest_of_dimension(low)
    }

    fn rest_of_dimension(&mut self, low: Expression) -> Result<(Expression, Expression), Failed> {
        let high = self.upper_bound()?;
        if !self.token.is_word(Reserved::Of) {
            return Err(self.unexpected("`of` and the type of the elements"));
        }
        self.advance();
        Ok((low, high))
    }

    /// Reads `..` and an upper bound.
    fn upper_bound(&mut self) -> Result<Expression, Failed> {
        self.expect(Sign::Range, "`..` and an upper bound")?;
        self.expression(BOUND)
    }

    fn base_type(&mut self, kind: VariableKind, element: bool) -> Result<BaseType, Failed> {
        let span = self.token.span;
        match self.token.kind {
            Kind::Reserved(Reserved::Boolean) => {
                self.advance();
                Ok(BaseType::Boolean)
            }
            Kind::Sign(Sign::OpenBrace) => self.enumeration(),
            Kind::Reserved(Reserved::Word | Reserved::CapitalWord) => self.word(false),
            Kind::Reserved(word @ (Reserved::Unsigned | Reserved::Signed)) => {
                self.advance();
                if !self.token.is_word(Reserved::Word) && !self.token.is_word(Reserved::CapitalWord)
                {
                    return Err(self.unexpected("`word[..]`"));
                }
                self.word(word == Reserved::Signed)
            }
            Kind::Reserved(Reserved::Bool) => Err(self.fail(hints::foreign_type("bool", span))),
            Kind::Reserved(Reserved::Process) => {
                self.allow_instance(kind, element)?;
                self.advance();
                let (module, module_span) = self.name("the name of a module")?;
                self.instance(module, module_span, true)
            }
            Kind::Name(name) => {
                self.advance();
                if self.continues_bound() {
                    let low = self.expression_after_name(BOUND, name, span)?;
                    return self.rest_of_range(low);
                }
                let foreign = self.note_foreign_type(name, span);
                if !foreign && (element || kind != VariableKind::State) {
                    return Err(self.fail(hints::instance_refused(kind, element, span)));
                }
                self.instance(name, span, false)
            }
            Kind::Reserved(Reserved::Of) | Kind::Sign(Sign::Semicolon) | Kind::End => {
                Err(self.unexpected("a type"))
            }
            Kind::Reserved(word) if word.begins_section() => Err(self.unexpected("a type")),
            _ => {
                let low = self.expression(BOUND)?;
                self.rest_of_range(low)
            }
        }
    }

    fn rest_of_range(&mut self, low: Expression) -> Result<BaseType, Failed> {
        let high = self.upper_bound()?;
        Ok(BaseType::Range(low, high))
    }

    /// Whether the token behind a name makes it part of a bound.
    fn continues_bound(&self) -> bool {
        match self.token.kind {
            Kind::Sign(Sign::Range | Sign::Dot | Sign::OpenBracket) => true,
            kind => infix(kind).is_some_and(|infix| infix.level <= level::SHIFT),
        }
    }

    fn allow_instance(&mut self, kind: VariableKind, element: bool) -> Result<(), Failed> {
        if element || kind != VariableKind::State {
            let span = self.token.span;
            return Err(self.fail(hints::instance_refused(kind, element, span)));
        }
        Ok(())
    }

    /// Keeps types of other languages until the end of the text. Only then it is known whether
    /// there is a module of that name.
    fn note_foreign_type(&mut self, name: Name, span: Span) -> bool {
        let foreign = hints::is_foreign_type(self.file.names.text(name));
        if foreign {
            self.foreign_types.push((name, span));
        }
        foreign
    }

    fn word(&mut self, signed: bool) -> Result<BaseType, Failed> {
        self.advance();
        if !self.token.is(Sign::OpenBracket) {
            return Err(self.fail(hints::word_without_width(self.token.span)));
        }
        self.advance();
        let width = self.expression(Place::any(ExpressionKind::Simple))?;
        self.expect(Sign::CloseBracket, "`]` after the width")?;
        Ok(BaseType::Word { signed, width })
    }

    fn enumeration(&mut self) -> Result<BaseType, Failed> {
        self.advance();
        let mut values = Vec::new();
        loop {
            values.push(self.enumeration_value()?);
            if self.token.is(Sign::CloseBrace) {
                self.advance();
                return Ok(BaseType::Enumeration(values));
            }
            if self.token.is(Sign::Dot) {
                let span = values.last().map_or(self.token.span, |&(_, span)| span);
                return Err(self.fail(hints::dotted_constant(span.to(self.token.span))));
            }
            self.expect(Sign::Comma, "`,` or `}`")?;
        }
    }

    fn enumeration_value(&mut self) -> Result<(EnumerationValue, Span), Failed> {
        let start = self.token.span;
        let negative = self.token.is(Sign::Minus);
        let signed = negative || self.token.is(Sign::Plus);
        if signed {
            self.advance();
        }
        let value = match self.token.kind {
            Kind::Integer(value) if negative => EnumerationValue::Integer(-(value as i32)),
            Kind::Integer(value) => EnumerationValue::Integer(value as i32),
            Kind::Name(name) if !signed => EnumerationValue::Symbol(name),
            Kind::Reserved(word) => {
                return Err(self.fail(hints::reserved_value(word, self.token.span)));
            }
            _ => return Err(self.unexpected("a symbolic constant or an integer")),
        };
        self.advance();
        Ok((value, start.to(self.previous)))
    }

    fn instance(
        &mut self,
        module: Name,
        module_span: Span,
        process: bool,
    ) -> Result<BaseType, Failed> {
        let mut actuals = Vec::new();
        if self.token.is(Sign::Open) {
            self.advance();
            if !self.token.is(Sign::Close) {
                loop {
                    actuals.push(self.expression(Place::any(ExpressionKind::Next))?);
                    if !self.token.is(Sign::Comma) {
                        break;
                    }
                    self.advance();
                }
            }
            self.expect(Sign::Close, "`,` or `)` after the parameter")?;
        }
        Ok(BaseType::Instance { module, module_span, actuals, process })
    }
}
