//! Modules, sections and their elements.
//!
//! After an error, reading goes on behind the next `;` or at the next word that begins a section.

use kermode_base::Diagnostic;

use super::expressions::{Frame, FrameKind, Operand, Place};
use super::hints;
use super::kinds::ExpressionKind;
use super::lexer::Lexer;
use super::token::{Kind, Reserved, Sign, Token};
use super::tree::{
    AssignmentKind, ConstraintKind, Declaration, Expression, File, Item, Module, Name, NodeId,
    PropertyKind, Span, Syntax, UnaryOperator, VariableKind,
};
use super::unexpected::Unexpected;

/// A syntax error that was reported.
pub(super) struct Failed;

/// The reader of a text.
pub(super) struct Parser<'t> {
    pub(super) lexer: Lexer<'t>,
    pub(super) file: File,
    /// The next token.
    pub(super) token: Token,
    /// The place of the token before it.
    pub(super) previous: Span,
    pub(super) frames: Vec<Frame>,
    pub(super) operands: Vec<Operand>,
    /// The word that began the present section.
    pub(super) section: Reserved,
    /// The first node of the present expression.
    pub(super) first: usize,
    /// Whether the present expression contains `next`.
    pub(super) has_next: bool,
    /// Whether the present expression contains a temporal operator.
    pub(super) has_temporal: bool,
    /// Types that look like types of other languages, but could be modules.
    pub(super) foreign_types: Vec<(Name, Span)>,
}

impl<'t> Parser<'t> {
    /// A reader at the first token.
    pub(super) fn new(mut lexer: Lexer<'t>, mut file: File) -> Self {
        let token = lexer.next(&mut file);
        Parser {
            lexer,
            file,
            token,
            previous: Span::default(),
            frames: Vec::new(),
            operands: Vec::new(),
            section: Reserved::Module,
            first: 0,
            has_next: false,
            has_temporal: false,
            foreign_types: Vec::new(),
        }
    }

    /// Goes to the next token.
    pub(super) fn advance(&mut self) {
        self.previous = self.token.span;
        self.token = self.lexer.next(&mut self.file);
    }

    /// Reports an error at which the present element cannot be read further.
    pub(super) fn fail(&mut self, diagnostic: Diagnostic) -> Failed {
        // A token that cannot be read has its message already.
        if self.token.kind != Kind::Bad {
            self.lexer.report(diagnostic);
        }
        Failed
    }

    /// Reports an error at the present token.
    pub(super) fn fail_at_token(
        &mut self,
        diagnostic: impl FnOnce(&str, Span) -> Diagnostic,
    ) -> Failed {
        let span = self.token.span;
        let diagnostic = diagnostic(&self.lexer.text[span.range()], span);
        self.fail(diagnostic)
    }

    /// Reports that the present token is not what is expected.
    pub(super) fn unexpected(&mut self, expected: &str) -> Failed {
        self.unexpected_in_bracket(expected, None)
    }

    /// Reports that the present token is not what is expected in a bracket that is open, and that
    /// begins at a place.
    pub(super) fn unexpected_in_bracket(
        &mut self,
        expected: &str,
        bracket: Option<(FrameKind, u32)>,
    ) -> Failed {
        let context = Unexpected {
            text: self.lexer.text,
            token: self.token,
            previous: self.previous,
            section: self.section,
            expected,
            bracket,
        };
        let diagnostic = context.diagnostic();
        self.fail(diagnostic)
    }

    /// Reports that neither an element nor a section begins with the present token.
    fn unexpected_section(&mut self) -> Failed {
        let context = Unexpected {
            text: self.lexer.text,
            token: self.token,
            previous: self.previous,
            section: self.section,
            expected: "a section such as VAR or ASSIGN",
            bracket: None,
        };
        let diagnostic = context.section();
        self.fail(diagnostic)
    }

    pub(super) fn unexpected_after_function(&mut self, word: Reserved) -> Failed {
        let diagnostic = hints::after_function(word, self.token, self.previous);
        self.fail(diagnostic)
    }

    pub(super) fn unexpected_after_quantifier(&mut self, word: Reserved) -> Failed {
        let diagnostic = hints::after_quantifier(word, self.token);
        self.fail(diagnostic)
    }

    /// Reads a sign.
    pub(super) fn expect(&mut self, sign: Sign, expected: &str) -> Result<(), Failed> {
        if !self.token.is(sign) {
            return Err(self.unexpected(expected));
        }
        self.advance();
        Ok(())
    }

    /// Reads a sign if it is there.
    fn skip(&mut self, sign: Sign) {
        if self.token.is(sign) {
            self.advance();
        }
    }

    /// Reads a name.
    pub(super) fn name(&mut self, expected: &str) -> Result<(Name, Span), Failed> {
        match self.token.kind {
            Kind::Name(name) => {
                let span = self.token.span;
                self.advance();
                Ok((name, span))
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// Whether the present token begins a section or ends the text.
    fn at_section(&self) -> bool {
        match self.token.kind {
            Kind::End => true,
            Kind::Reserved(word) => word.begins_section(),
            _ => false,
        }
    }

    /// Skips the rest of an element with an error: up to a `;` outside of `case`, or to a section.
    fn recover(&mut self) {
        let mut cases = self.open_cases();
        self.frames.clear();
        while !self.at_section() {
            match self.token.kind {
                Kind::Reserved(Reserved::Case) => cases += 1,
                Kind::Reserved(Reserved::Esac) => cases = cases.saturating_sub(1),
                Kind::Sign(Sign::Semicolon) if cases == 0 => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips everything up to a section.
    fn recover_to_section(&mut self) {
        self.frames.clear();
        while !self.at_section() {
            self.advance();
        }
    }

    /// Reads the whole text.
    pub(super) fn file(&mut self) {
        if !self.token.is_word(Reserved::Module) {
            let rest = &self.lexer.text[self.token.span.start as usize..];
            let diagnostic = hints::no_module(self.token.span, rest);
            self.fail(diagnostic);
        }
        while self.token.kind != Kind::End {
            if self.token.is_word(Reserved::Module) {
                self.module();
            } else {
                // Sections before the first module.
                self.advance();
            }
        }
        self.refuse_foreign_types();
    }

    fn refuse_foreign_types(&mut self) {
        for (name, span) in std::mem::take(&mut self.foreign_types) {
            if !self.file.modules.iter().any(|module| module.name == name) {
                self.lexer.report(hints::foreign_type(self.file.names.text(name), span));
            }
        }
    }

    fn module(&mut self) {
        self.section = Reserved::Module;
        self.advance();
        let mut module = match self.module_head() {
            Ok(module) => module,
            Err(Failed) => {
                self.recover_to_section();
                let (name, span) = (self.file.names.intern(""), self.previous);
                Module { name, span, parameters: Vec::new(), items: Vec::new() }
            }
        };
        loop {
            match self.token.kind {
                Kind::End | Kind::Reserved(Reserved::Module) => break,
                Kind::Reserved(word) if word.begins_section() => {
                    self.section(word, &mut module.items);
                }
                _ => {
                    self.unexpected_section();
                    self.recover_to_section();
                }
            }
        }
        self.file.modules.push(module);
    }

    /// Reads the name and the parameters of a module.
    fn module_head(&mut self) -> Result<Module, Failed> {
        let (name, span) = self.name("the name of the module")?;
        let mut parameters = Vec::new();
        if self.token.is(Sign::Open) {
            self.advance();
            if !self.token.is(Sign::Close) {
                loop {
                    parameters.push(self.name("the name of a parameter")?);
                    if !self.token.is(Sign::Comma) {
                        break;
                    }
                    self.advance();
                }
            }
            self.expect(Sign::Close, "`,` or `)`")?;
        }
        Ok(Module { name, span, parameters, items: Vec::new() })
    }

    fn section(&mut self, word: Reserved, items: &mut Vec<Item>) {
        let keyword = self.token.span;
        self.section = word;
        self.advance();
        match word {
            Reserved::Var => self.elements(items, |p| p.variable(VariableKind::State)),
            Reserved::Ivar => self.elements(items, |p| p.variable(VariableKind::Input)),
            Reserved::Frozenvar => self.elements(items, |p| p.variable(VariableKind::Frozen)),
            Reserved::Define => self.elements(items, |p| p.define(false, keyword)),
            Reserved::Mdefine => self.elements(items, |p| p.define(true, keyword)),
            Reserved::Assign => self.elements(items, |p| p.assignment()),
            Reserved::Constants => self.single(items, |p| p.constants()),
            Reserved::Isa => self.single(items, |p| {
                let (name, span) = p.name("the name of a module")?;
                Ok(Item::Isa(name, span))
            }),
            Reserved::Compassion => self.single(items, |p| p.compassion()),
            Reserved::Init => self.constraint(ConstraintKind::Init, items),
            Reserved::Invar => self.constraint(ConstraintKind::Invar, items),
            Reserved::Trans => self.constraint(ConstraintKind::Trans, items),
            Reserved::Fairness | Reserved::Justice => {
                self.constraint(ConstraintKind::Justice, items);
            }
            _ => self.single(items, |p| p.property(word, keyword)),
        }
    }

    /// Reads the elements of a section, each with its `;`.
    fn elements(
        &mut self,
        items: &mut Vec<Item>,
        mut element: impl FnMut(&mut Self) -> Result<Item, Failed>,
    ) {
        while !self.at_section() {
            let begins_element = matches!(
                self.token.kind,
                Kind::Name(_)
                    | Kind::Reserved(Reserved::InitOf | Reserved::Next | Reserved::SelfInstance)
            );
            let result = if begins_element {
                element(self).and_then(|item| {
                    self.expect(Sign::Semicolon, "`;`")?;
                    Ok(item)
                })
            } else {
                Err(self.unexpected_section())
            };
            match result {
                Ok(item) => items.push(item),
                Err(Failed) => self.recover(),
            }
        }
    }

    /// Reads the only element of a section.
    fn single(
        &mut self,
        items: &mut Vec<Item>,
        element: impl FnOnce(&mut Self) -> Result<Item, Failed>,
    ) {
        match element(self) {
            Ok(item) => items.push(item),
            Err(Failed) => self.recover_to_section(),
        }
    }

    fn variable(&mut self, kind: VariableKind) -> Result<Item, Failed> {
        let declaration = self.declaration()?;
        self.expect(Sign::Colon, "`:` and a type")?;
        let ty = self.type_of(kind)?;
        Ok(Item::Variable { kind, declaration, ty })
    }

    /// Reads a name with suffixes `.name`, `.7` and `[7]`.
    fn declaration(&mut self) -> Result<Declaration, Failed> {
        let (name, span) = self.name("a name")?;
        if !self.token.is(Sign::Dot) && !self.token.is(Sign::OpenBracket) {
            return Ok(Declaration { name, span, path: None });
        }
        let path = self.path(name, span, true)?;
        let span = self.file.span(path.root);
        let text = self.path_text(path);
        let name = self.file.names.intern(&text);
        Ok(Declaration { name, span, path: Some(path) })
    }

    /// Reads the suffixes of a name. If it is declared, indices are literals.
    fn path(&mut self, name: Name, span: Span, declared: bool) -> Result<Expression, Failed> {
        if !declared {
            let place = Place::any(ExpressionKind::Simple);
            return self.expression_after_name(Place { max: 1, ..place }, name, span);
        }
        let first = self.push_node(Syntax::Name(name), span);
        let mut root = first;
        loop {
            if self.token.is(Sign::Dot) {
                self.advance();
                let name = self.component_name()?;
                root = self.push_node(Syntax::Component(root, name), span.to(self.previous));
            } else if self.token.is(Sign::OpenBracket) {
                self.advance();
                let index = self.literal_index()?;
                self.expect(Sign::CloseBracket, "`]`")?;
                root = self.push_node(Syntax::Index(root, index), span.to(self.previous));
            } else {
                return Ok(Expression { first, root });
            }
        }
    }

    /// Reads the number in the brackets of a declared name.
    fn literal_index(&mut self) -> Result<NodeId, Failed> {
        let sign = self.token.span;
        let negative = self.token.is(Sign::Minus);
        if negative {
            self.advance();
        }
        let Kind::Integer(value) = self.token.kind else {
            return Err(self.unexpected("a number"));
        };
        let mut index = self.push_node(Syntax::Integer(value), self.token.span);
        if negative {
            let minus = Syntax::Unary(UnaryOperator::Minus, index);
            index = self.push_node(minus, sign.to(self.token.span));
        }
        self.advance();
        Ok(index)
    }

    fn push_node(&mut self, node: Syntax, span: Span) -> NodeId {
        self.file.nodes.push(node);
        self.file.spans.push(span);
        NodeId(self.file.nodes.len() as u32 - 1)
    }

    /// A declared name with its suffixes, without blanks.
    fn path_text(&self, path: Expression) -> String {
        let mut text = String::new();
        for index in path.first.index()..=path.root.index() {
            match self.file.nodes[index] {
                Syntax::Name(name) => text.push_str(self.file.names.text(name)),
                Syntax::Component(_, name) => {
                    text.push('.');
                    text.push_str(self.file.names.text(name));
                }
                Syntax::Index(_, index) => match self.file.node(index) {
                    Syntax::Integer(value) => text.push_str(&format!("[{value}]")),
                    // The literal is the operand of a minus sign, and the node before it.
                    _ => {
                        if let Syntax::Integer(value) = self.file.nodes[index.index() - 1] {
                            text.push_str(&format!("[-{value}]"));
                        }
                    }
                },
                _ => {}
            }
        }
        text
    }

    fn define(&mut self, arrays_only: bool, section: Span) -> Result<Item, Failed> {
        let declaration = self.declaration()?;
        self.expect(Sign::Assign, "`:=` and what the name stands for")?;
        if arrays_only && !self.token.is(Sign::OpenBracket) {
            return Err(self.unexpected("`[`: MDEFINE defines arrays"));
        }
        let place = Place { arrays: true, ..Place::any(ExpressionKind::Next) };
        let body = self.expression(place)?;
        Ok(Item::Define { declaration, body, section })
    }

    fn constants(&mut self) -> Result<Item, Failed> {
        let mut constants = Vec::new();
        if !self.token.is(Sign::Semicolon) {
            loop {
                constants.push(self.constant()?);
                if !self.token.is(Sign::Comma) {
                    break;
                }
                self.advance();
            }
        }
        self.expect(Sign::Semicolon, "`,` or `;`")?;
        Ok(Item::Constants(constants))
    }

    /// Reads a symbolic constant, which may have points here.
    fn constant(&mut self) -> Result<(Name, Span), Failed> {
        let (name, span) = self.name("a symbolic constant")?;
        if !self.token.is(Sign::Dot) {
            return Ok((name, span));
        }
        let mut text = self.file.names.text(name).to_owned();
        while self.token.is(Sign::Dot) {
            self.advance();
            let name = self.component_name()?;
            text.push('.');
            text.push_str(self.file.names.text(name));
        }
        Ok((self.file.names.intern(&text), span.to(self.previous)))
    }

    fn assignment(&mut self) -> Result<Item, Failed> {
        let kind = match self.token.kind {
            Kind::Reserved(Reserved::InitOf) => AssignmentKind::Init,
            Kind::Reserved(Reserved::Next) => AssignmentKind::Next,
            _ => AssignmentKind::Current,
        };
        let target = match kind {
            AssignmentKind::Current => self.target()?,
            _ => {
                self.advance();
                self.expect(Sign::Open, "`(` and a variable")?;
                let target = self.target()?;
                self.expect(Sign::Close, "`)`")?;
                target
            }
        };
        self.expect(Sign::Assign, "`:=`")?;
        let value = match kind {
            AssignmentKind::Next => ExpressionKind::Next,
            _ => ExpressionKind::Simple,
        };
        let value = self.expression(Place::any(value))?;
        Ok(Item::Assignment { kind, target, value })
    }

    /// Reads a variable to which a value is assigned.
    fn target(&mut self) -> Result<Expression, Failed> {
        if self.token.is_word(Reserved::SelfInstance) {
            return self.expression(Place { max: 1, ..Place::any(ExpressionKind::Simple) });
        }
        let (name, span) = self.name("a variable")?;
        self.path(name, span, false)
    }

    fn constraint(&mut self, kind: ConstraintKind, items: &mut Vec<Item>) {
        let of = match kind {
            ConstraintKind::Trans => ExpressionKind::Next,
            _ => ExpressionKind::Simple,
        };
        self.single(items, |p| {
            let condition = p.expression(Place::any(of))?;
            p.skip(Sign::Semicolon);
            Ok(Item::Constraint { kind, condition })
        });
    }

    fn compassion(&mut self) -> Result<Item, Failed> {
        let place = Place::any(ExpressionKind::Simple);
        self.expect(Sign::Open, "`(`: COMPASSION has a pair `(p, q)`")?;
        let first = self.expression(place)?;
        self.expect(Sign::Comma, "`,`: COMPASSION has a pair `(p, q)`")?;
        let second = self.expression(place)?;
        self.expect(Sign::Close, "`)`")?;
        self.skip(Sign::Semicolon);
        Ok(Item::Compassion(first, second))
    }

    fn property(&mut self, word: Reserved, keyword: Span) -> Result<Item, Failed> {
        let name = self.property_name()?;
        let start = self.token.span;
        if word == Reserved::Pslspec {
            return self.skip_psl(name, keyword);
        }
        let (kind, operands) = match word {
            Reserved::Ltlspec => {
                let place = Place::any(ExpressionKind::Ltl);
                (PropertyKind::Ltl, vec![self.expression(place)?])
            }
            Reserved::Invarspec => {
                let place = Place::any(ExpressionKind::Next);
                (PropertyKind::Invariant, vec![self.expression(place)?])
            }
            Reserved::Compute => self.compute()?,
            _ => {
                let place = Place::any(ExpressionKind::Ctl);
                (PropertyKind::Ctl, vec![self.expression(place)?])
            }
        };
        let span = start.to(self.previous);
        let context = if self.token.is_word(Reserved::InInstance) {
            self.advance();
            let place = Place { max: 1, ..Place::any(ExpressionKind::Simple) };
            let (name, span) = self.name("the name of an instance")?;
            Some(self.expression_after_name(place, name, span)?)
        } else {
            None
        };
        self.skip(Sign::Semicolon);
        Ok(Item::Property { kind, name, context, operands, span, keyword })
    }

    /// Reads `NAME id :=` if it is there.
    fn property_name(&mut self) -> Result<Option<(Name, Span)>, Failed> {
        if !self.token.is_word(Reserved::NameWord) {
            return Ok(None);
        }
        self.advance();
        let Declaration { name, span, .. } = self.declaration()?;
        self.expect(Sign::Assign, "`:=` and the formula")?;
        Ok(Some((name, span)))
    }

    fn compute(&mut self) -> Result<(PropertyKind, Vec<Expression>), Failed> {
        let kind = match self.token.kind {
            Kind::Reserved(Reserved::ComputeMin) => PropertyKind::ComputeMin,
            Kind::Reserved(Reserved::ComputeMax) => PropertyKind::ComputeMax,
            _ => return Err(self.unexpected("`MIN [p, q]` or `MAX [p, q]`")),
        };
        self.advance();
        let place = Place::any(ExpressionKind::Ctl);
        self.expect(Sign::OpenBracket, "`[`")?;
        let first = self.expression(place)?;
        self.expect(Sign::Comma, "`,` and the second set of states")?;
        let second = self.expression(place)?;
        self.expect(Sign::CloseBracket, "`]`")?;
        Ok((kind, vec![first, second]))
    }

    /// Skips a property of PSL, which is another language.
    fn skip_psl(&mut self, name: Option<(Name, Span)>, keyword: Span) -> Result<Item, Failed> {
        let span = self.lexer.skip_property(self.token.span.start, &mut self.file);
        self.advance();
        if !self.token.is(Sign::Semicolon) {
            return Err(self.fail(hints::psl_without_end(keyword)));
        }
        self.advance();
        let (kind, operands, context) = (PropertyKind::Psl, Vec::new(), None);
        Ok(Item::Property { kind, name, context, operands, span, keyword })
    }
}
