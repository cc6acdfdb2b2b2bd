//! Expressions: operator precedence with an explicit stack.
//!
//! Two stacks drive the parser. `operands` has the finished operands, `frames` the operators that
//! wait for an operand and the brackets that are open. Each operand has a *level*, which is the
//! number of its operator in the table of precedences, and each frame has the largest level that
//! its operand may have. An infix operator first finishes all frames whose operand may not contain
//! it.
//!
//! Two rules go beyond levels. `!` takes operands of the tightest levels, but may stand before a
//! temporal operator where that operator itself may stand, so a frame has a second bound for
//! temporal operators. And a range of two literals is recognised at its `..`, when its first
//! literal is an operand already.

use super::hints;
use super::kinds::{self, ExpressionKind};
use super::operators::{Function, Infix, Prefix, function, infix, level, prefix};
use super::parser::{Failed, Parser};
use super::token::{Kind, Reserved, Sign};
use super::tree::{BinaryOperator, Expression, List, Name, NodeId, Span, Syntax, UnaryOperator};

/// A finished operand.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    node: NodeId,
    level: u8,
    /// Whether components, indices and bits may be taken from it.
    takes_postfix: bool,
    /// With parentheses around it.
    span: Span,
}

/// An operator that waits for an operand, or an open bracket.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    kind: FrameKind,
    /// The largest level of the operand.
    max: u8,
    /// The largest level of a temporal operator with which the operand begins.
    temporal: u8,
    /// Whether it is in `A [..]` or `E [..]`, where neither LTL nor `?:` may stand.
    in_until: bool,
    /// Where it begins.
    start: u32,
    /// The number of operands below it.
    base: u32,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum FrameKind {
    // Brackets that are open.
    Top,
    Parenthesis,
    Set,
    Array,
    CaseCondition,
    CaseValue,
    Call(Function),
    Index,
    Bits,
    /// Between `?` and `:`.
    Then,
    UntilLeft(BinaryOperator),
    UntilRight(BinaryOperator, Option<u32>),
    // Operators.
    Prefix(UnaryOperator, Option<u32>),
    Infix(BinaryOperator, u8),
    Else,
}

impl FrameKind {
    fn is_open(self) -> bool {
        !matches!(self, FrameKind::Prefix(..) | FrameKind::Infix(..) | FrameKind::Else)
    }
}

/// What comes after a token.
enum Step {
    Operand,
    Operator,
    Done,
}

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) kind: ExpressionKind,
    /// The largest level.
    pub(super) max: u8,
    /// Whether it may be an array literal.
    pub(super) arrays: bool,
}

impl Place {
    /// Any expression of a kind.
    pub(super) fn any(kind: ExpressionKind) -> Place {
        Place { kind, max: level::IMPLIES, arrays: false }
    }
}

impl Parser<'_> {
    /// Reads an expression.
    pub(super) fn expression(&mut self, place: Place) -> Result<Expression, Failed> {
        self.begin_expression(place.max);
        self.rest_of_expression(place, Step::Operand)
    }

    /// Reads an expression whose first token, a name, was read already.
    pub(super) fn expression_after_name(
        &mut self,
        place: Place,
        name: Name,
        span: Span,
    ) -> Result<Expression, Failed> {
        self.begin_expression(place.max);
        self.leaf(Syntax::Name(name), span, true);
        self.rest_of_expression(place, Step::Operator)
    }

    fn begin_expression(&mut self, max: u8) {
        self.frames.clear();
        self.operands.clear();
        self.first = self.file.nodes.len();
        (self.has_next, self.has_temporal) = (false, false);
        let start = self.token.span.start;
        let (kind, temporal) = (FrameKind::Top, max);
        self.frames.push(Frame { kind, max, temporal, in_until: false, start, base: 0 });
    }

    fn rest_of_expression(&mut self, place: Place, mut step: Step) -> Result<Expression, Failed> {
        loop {
            step = match step {
                Step::Operand => self.operand(place)?,
                Step::Operator => self.operator()?,
                Step::Done => break,
            };
        }
        self.frames.clear();
        let root = self.pop().node;
        let expression = Expression { first: NodeId(self.first as u32), root };
        if (self.has_next || self.has_temporal)
            && let Err(diagnostic) = kinds::check(&self.file, expression, place.kind)
        {
            // The expression has the right shape, so that reading goes on behind it.
            self.lexer.report(diagnostic);
        }
        Ok(expression)
    }

    fn top(&self) -> Frame {
        *self.frames.last().expect("the top frame is the last one to go")
    }

    fn pop(&mut self) -> Operand {
        self.operands.pop().expect("each operator has its operands")
    }

    fn node(&mut self, node: Syntax, span: Span) -> NodeId {
        self.file.nodes.push(node);
        self.file.spans.push(span);
        NodeId(self.file.nodes.len() as u32 - 1)
    }

    fn push(&mut self, node: Syntax, span: Span, level: u8, takes_postfix: bool) {
        let node = self.node(node, span);
        self.operands.push(Operand { node, level, takes_postfix, span });
    }

    fn leaf(&mut self, node: Syntax, span: Span, takes_postfix: bool) {
        self.push(node, span, level::PRIMARY, takes_postfix);
    }

    /// Opens a bracket that began at the present token or before.
    fn open(&mut self, kind: FrameKind, start: u32) {
        let base = self.operands.len() as u32;
        let in_until = matches!(kind, FrameKind::UntilLeft(_));
        let max = level::IMPLIES;
        let temporal = if in_until { level::CTL } else { max };
        self.frames.push(Frame { kind, max, temporal, in_until, start, base });
    }

    fn push_operator(&mut self, kind: FrameKind, max: u8, temporal: u8, start: u32) {
        let in_until = self.top().in_until;
        let temporal = if in_until { temporal.min(level::CTL) } else { temporal };
        let base = self.operands.len() as u32;
        self.frames.push(Frame { kind, max, temporal, in_until, start, base });
    }

    /// Reads the beginning of an operand.
    fn operand(&mut self, place: Place) -> Result<Step, Failed> {
        let (token, frame) = (self.token, self.top());
        let (span, start) = (token.span, token.span.start);
        match token.kind {
            Kind::Name(name) => self.leaf(Syntax::Name(name), span, true),
            Kind::Integer(value) => self.leaf(Syntax::Integer(value), span, false),
            Kind::WordLiteral(word) => self.leaf(Syntax::Word(word), span, true),
            Kind::Reserved(Reserved::True) => self.leaf(Syntax::Boolean(true), span, true),
            Kind::Reserved(Reserved::False) => self.leaf(Syntax::Boolean(false), span, true),
            Kind::Reserved(Reserved::SelfInstance) => self.leaf(Syntax::SelfInstance, span, true),
            Kind::Sign(Sign::Open) => {
                self.advance();
                self.open(FrameKind::Parenthesis, start);
                return Ok(Step::Operand);
            }
            Kind::Sign(Sign::Not) => {
                self.advance();
                let kind = FrameKind::Prefix(UnaryOperator::Not, None);
                self.push_operator(kind, level::PREFIX, frame.temporal, start);
                return Ok(Step::Operand);
            }
            Kind::Sign(Sign::Minus) => {
                self.advance();
                let kind = FrameKind::Prefix(UnaryOperator::Minus, None);
                self.push_operator(kind, level::PREFIX, level::PREFIX, start);
                return Ok(Step::Operand);
            }
            Kind::Sign(Sign::Plus) => {
                self.advance();
                let Kind::Integer(value) = self.token.kind else {
                    return Err(self.fail(hints::unary_plus(span)));
                };
                self.leaf(Syntax::Integer(value), span.to(self.token.span), false);
            }
            Kind::Sign(Sign::OpenBrace) if frame.max >= level::SET => {
                self.advance();
                self.open(FrameKind::Set, start);
                return Ok(Step::Operand);
            }
            Kind::Sign(Sign::OpenBracket)
                if frame.kind == FrameKind::Array
                    || place.arrays && frame.kind == FrameKind::Top =>
            {
                self.advance();
                self.open(FrameKind::Array, start);
                return Ok(Step::Operand);
            }
            Kind::Reserved(Reserved::Case) => {
                self.advance();
                self.open(FrameKind::CaseCondition, start);
                return Ok(Step::Operand);
            }
            Kind::Reserved(Reserved::Esac)
                if frame.kind == FrameKind::CaseCondition
                    && self.operands.len() > frame.base as usize =>
            {
                self.close(Syntax::Case, level::PRIMARY);
                return Ok(Step::Operator);
            }
            Kind::Reserved(word) => return self.reserved_operand(word, frame),
            _ => return Err(self.unexpected_operand()),
        }
        self.advance();
        Ok(Step::Operator)
    }

    /// Reads a function or a temporal operator.
    fn reserved_operand(&mut self, word: Reserved, frame: Frame) -> Result<Step, Failed> {
        let start = self.token.span.start;
        if let Some(function) = function(word) {
            self.advance();
            if !self.token.is(Sign::Open) {
                return Err(self.unexpected_after_function(word));
            }
            self.advance();
            self.open(FrameKind::Call(function), start);
            return Ok(Step::Operand);
        }
        let Some(prefix) = prefix(word) else { return Err(self.unexpected_operand()) };
        let (level, operator) = match prefix {
            Prefix::Ctl(operator) | Prefix::BoundedCtl(operator) => (level::CTL, Some(operator)),
            Prefix::Ltl(operator) => (level::LTL, Some(operator)),
            Prefix::Until(_) => (level::CTL, None),
        };
        if level > frame.temporal {
            let previous = &self.lexer.text[self.previous.range()];
            let in_until = frame.in_until;
            let error = hints::misplaced_temporal(word, self.token.span, previous, in_until);
            return Err(self.fail(error));
        }
        self.has_temporal = true;
        self.advance();
        let Some(operator) = operator else {
            let Prefix::Until(operator) = prefix else { return Err(self.unexpected_operand()) };
            if !self.token.is(Sign::OpenBracket) {
                return Err(self.unexpected_after_quantifier(word));
            }
            self.advance();
            self.open(FrameKind::UntilLeft(operator), start);
            return Ok(Step::Operand);
        };
        let bounds = match prefix {
            Prefix::BoundedCtl(_) => Some(self.range_bounds()?),
            Prefix::Ltl(operator) if self.token.is(Sign::OpenBracket) => {
                Some(self.bracket_bounds(operator)?)
            }
            _ => None,
        };
        self.push_operator(FrameKind::Prefix(operator, bounds), level, level, start);
        Ok(Step::Operand)
    }

    /// Reads what follows an operand.
    fn operator(&mut self) -> Result<Step, Failed> {
        match self.token.kind {
            Kind::Sign(Sign::Dot) => self.component(),
            Kind::Sign(Sign::OpenBracket) => {
                if !self.operands.last().is_some_and(|operand| operand.takes_postfix) {
                    return self.stop();
                }
                self.advance();
                // The operand from which the index is taken is below the frame.
                self.open(FrameKind::Index, self.previous.start);
                Ok(Step::Operand)
            }
            Kind::Sign(Sign::Range) => self.range(),
            Kind::Sign(Sign::Question) => self.question(),
            Kind::Sign(Sign::Colon) => self.colon(),
            Kind::Sign(Sign::Comma) => self.comma(),
            Kind::Sign(Sign::Semicolon) => {
                self.finish_operators();
                if self.top().kind != FrameKind::CaseValue {
                    return self.stop();
                }
                self.advance();
                self.set_top(FrameKind::CaseCondition);
                Ok(Step::Operand)
            }
            Kind::Sign(Sign::Close | Sign::CloseBracket | Sign::CloseBrace) => self.closing(),
            Kind::Reserved(Reserved::U | Reserved::Bu) if self.open_frame_is_until() => {
                self.until()
            }
            kind => match infix(kind) {
                Some(infix) => self.infix(infix),
                None => self.stop(),
            },
        }
    }

    /// Reads an infix operator, after it finished the operators that bind tighter.
    fn infix(&mut self, Infix { operator, level, right }: Infix) -> Result<Step, Failed> {
        if self.top().in_until && level == level::UNTIL {
            return Err(self.unexpected_operator());
        }
        while self.top().max < level && !self.top().kind.is_open() {
            self.finish_operator();
        }
        if self.top().max < level {
            return self.stop();
        }
        if self.operands.last().is_some_and(|operand| operand.level > level) {
            return Err(self.unexpected_operator());
        }
        if level == level::UNTIL {
            self.has_temporal = true;
        }
        let start = self.token.span.start;
        self.advance();
        self.push_operator(FrameKind::Infix(operator, level), right, right, start);
        Ok(Step::Operand)
    }

    fn question(&mut self) -> Result<Step, Failed> {
        if self.top().in_until {
            return Err(self.unexpected_operator());
        }
        while self.top().max < level::CONDITIONAL && !self.top().kind.is_open() {
            self.finish_operator();
        }
        if self.top().max < level::CONDITIONAL {
            return self.stop();
        }
        let start = self.token.span.start;
        self.advance();
        self.open(FrameKind::Then, start);
        Ok(Step::Operand)
    }

    fn colon(&mut self) -> Result<Step, Failed> {
        self.finish_operators();
        match self.top().kind {
            FrameKind::Then => {
                let frame = self.frames.pop().unwrap_or_else(|| self.top());
                let (start, max) = (frame.start, level::CONDITIONAL);
                self.push_operator(FrameKind::Else, max, max, start);
            }
            FrameKind::Index => self.set_top(FrameKind::Bits),
            FrameKind::CaseCondition => self.set_top(FrameKind::CaseValue),
            _ => return self.stop(),
        }
        self.advance();
        Ok(Step::Operand)
    }

    fn comma(&mut self) -> Result<Step, Failed> {
        self.finish_operators();
        let frame = self.top();
        let arguments = self.operands.len() - frame.base as usize;
        match frame.kind {
            FrameKind::Set | FrameKind::Array => {}
            FrameKind::Call(function) if arguments < function.largest_arity() => {}
            FrameKind::Call(function) => {
                return Err(self.wrong_arity(function, frame.start));
            }
            _ => return self.stop(),
        }
        self.advance();
        Ok(Step::Operand)
    }

    /// Reads a closing bracket.
    fn closing(&mut self) -> Result<Step, Failed> {
        self.finish_operators();
        let frame = self.top();
        let arguments = self.operands.len() - frame.base as usize;
        let Kind::Sign(sign) = self.token.kind else { return self.stop() };
        match (frame.kind, sign) {
            (FrameKind::Parenthesis, Sign::Close) => {
                let mut operand = self.pop();
                operand.span = Span { start: frame.start, end: self.token.span.end };
                (operand.level, operand.takes_postfix) = (level::PRIMARY, true);
                self.operands.push(operand);
                self.frames.pop();
                self.advance();
            }
            (FrameKind::Call(function), Sign::Close) => {
                if arguments < function.smallest_arity() {
                    return Err(self.wrong_arity(function, frame.start));
                }
                self.call(function, frame.start);
            }
            (FrameKind::Set, Sign::CloseBrace) => self.close(Syntax::Set, level::SET),
            (FrameKind::Array, Sign::CloseBracket) => self.close(Syntax::Array, level::ARRAY),
            (FrameKind::Index, Sign::CloseBracket) => {
                let (index, whole) = (self.pop(), self.pop());
                self.postfix(Syntax::Index(whole.node, index.node), whole.span);
            }
            (FrameKind::Bits, Sign::CloseBracket) => {
                let (low, high, whole) = (self.pop(), self.pop(), self.pop());
                self.postfix(Syntax::Bits(whole.node, high.node, low.node), whole.span);
            }
            (FrameKind::UntilRight(operator, bounds), Sign::CloseBracket) => {
                let (right, left) = (self.pop().node, self.pop().node);
                let node = match bounds {
                    None => Syntax::Binary(operator, left, right),
                    Some(bounds) => Syntax::BoundedBinary(operator, left, right, bounds),
                };
                let span = Span { start: frame.start, end: self.token.span.end };
                self.frames.pop();
                self.push(node, span, level::CTL, false);
                self.advance();
            }
            _ => return self.stop(),
        }
        Ok(Step::Operator)
    }

    /// Ends `e[..]`, of which `whole` is the place of `e`.
    fn postfix(&mut self, node: Syntax, whole: Span) {
        self.frames.pop();
        self.push(node, whole.to(self.token.span), level::PRIMARY, true);
        self.advance();
    }

    /// Ends a bracket with any number of operands.
    fn close(&mut self, node: impl FnOnce(List) -> Syntax, level: u8) {
        let frame = self.top();
        let operands = &self.operands[frame.base as usize..];
        let list = List { start: self.file.lists.len() as u32, len: operands.len() as u32 };
        self.file.lists.extend(operands.iter().map(|operand| operand.node));
        self.operands.truncate(frame.base as usize);
        self.frames.pop();
        let span = Span { start: frame.start, end: self.token.span.end };
        self.push(node(list), span, level, level == level::PRIMARY);
        self.advance();
    }

    fn wrong_arity(&mut self, function: Function, start: u32) -> Failed {
        let call = &self.lexer.text[start as usize..];
        self.fail(hints::arity(function, call, self.token.span))
    }

    fn call(&mut self, function: Function, start: u32) {
        let span = Span { start, end: self.token.span.end };
        let node = match function {
            Function::Count => return self.close(Syntax::Count, level::PRIMARY),
            Function::Unary(operator) => {
                self.has_next |= operator == UnaryOperator::Next;
                Syntax::Unary(operator, self.pop().node)
            }
            Function::Binary(operator) => {
                let (right, left) = (self.pop().node, self.pop().node);
                Syntax::Binary(operator, left, right)
            }
        };
        self.frames.pop();
        self.leaf(node, span, true);
        self.advance();
    }

    fn component(&mut self) -> Result<Step, Failed> {
        if !self.operands.last().is_some_and(|operand| operand.takes_postfix) {
            return self.stop();
        }
        self.advance();
        let name = self.component_name()?;
        let whole = self.pop();
        let node = Syntax::Component(whole.node, name);
        self.push(node, whole.span.to(self.previous), level::PRIMARY, true);
        Ok(Step::Operator)
    }

    /// Reads the name or number behind a point.
    pub(super) fn component_name(&mut self) -> Result<Name, Failed> {
        let name = match self.token.kind {
            Kind::Name(name) => name,
            Kind::Integer(value) => self.file.names.intern(&value.to_string()),
            _ => return Err(self.unexpected("the name of a component")),
        };
        self.advance();
        Ok(name)
    }

    /// Reads `..` behind a literal, and the literal behind it.
    fn range(&mut self) -> Result<Step, Failed> {
        let low = match self.operands.last() {
            Some(&operand) if operand.level == level::PRIMARY && !operand.takes_postfix => {
                match self.file.node(operand.node) {
                    Syntax::Integer(value) => Some((operand, value as i32)),
                    _ => None,
                }
            }
            _ => None,
        };
        let negative = self.top().kind == FrameKind::Prefix(UnaryOperator::Minus, None);
        let outer = self.frames[self.frames.len() - 1 - usize::from(negative)];
        let Some((operand, low)) = low.filter(|_| outer.max >= level::SET) else {
            return self.stop();
        };
        let (mut start, mut low) = (operand.span.start, low);
        if negative {
            (start, low) = (self.top().start, -low);
            self.frames.pop();
        }
        self.advance();
        let high = self.signed_literal()?;
        self.pop();
        // The literal was the last node; the range replaces it.
        self.file.nodes.pop();
        self.file.spans.pop();
        let span = Span { start, end: self.previous.end };
        self.push(Syntax::Range(low, high), span, level::SET, false);
        Ok(Step::Operator)
    }

    /// Reads an integer literal with an optional sign.
    fn signed_literal(&mut self) -> Result<i32, Failed> {
        let negative = self.token.is(Sign::Minus);
        if negative || self.token.is(Sign::Plus) {
            self.advance();
        }
        let Kind::Integer(value) = self.token.kind else {
            return Err(self.fail_at_token(hints::range_bound));
        };
        self.advance();
        Ok(if negative { -(value as i32) } else { value as i32 })
    }

    /// Reads `i..j` of a bounded CTL operator.
    fn range_bounds(&mut self) -> Result<u32, Failed> {
        let start = self.token.span;
        let low = self.bound("..")?;
        if !self.token.is(Sign::Range) {
            return Err(self.unexpected("`..` between the bounds"));
        }
        self.advance();
        let high = self.bound("..")?;
        self.add_bounds(low, high, start.to(self.previous))
    }

    /// Reads `[a,b]` of a bounded LTL operator.
    fn bracket_bounds(&mut self, operator: UnaryOperator) -> Result<u32, Failed> {
        use UnaryOperator::{Eventually, Globally, Historically, Once};
        let start = self.token.span;
        if !matches!(operator, Eventually | Globally | Historically | Once) {
            return Err(self.fail(hints::no_bounds(start)));
        }
        self.advance();
        let low = self.bound(",")?;
        if !self.token.is(Sign::Comma) {
            return Err(self.unexpected("`,` between the bounds"));
        }
        self.advance();
        let high = self.bound(",")?;
        if !self.token.is(Sign::CloseBracket) {
            return Err(self.unexpected("`]` after the bounds"));
        }
        self.advance();
        self.add_bounds(low, high, start.to(self.previous))
    }

    /// Reads one bound of a temporal operator.
    fn bound(&mut self, separator: &str) -> Result<u32, Failed> {
        let Kind::Integer(value) = self.token.kind else {
            return Err(self.fail_at_token(|text, span| hints::bound(text, span, separator)));
        };
        self.advance();
        Ok(value)
    }

    fn add_bounds(&mut self, low: u32, high: u32, span: Span) -> Result<u32, Failed> {
        if low > high {
            return Err(self.fail(hints::reversed_bounds(low, high, span)));
        }
        self.file.bounds.push((low, high));
        Ok(self.file.bounds.len() as u32 - 1)
    }

    fn open_frame_is_until(&self) -> bool {
        let open = self.frames.iter().rev().find(|frame| frame.kind.is_open());
        open.is_some_and(|frame| matches!(frame.kind, FrameKind::UntilLeft(_)))
    }

    /// Reads `U` or `BU i..j` in `A [..]` or `E [..]`.
    fn until(&mut self) -> Result<Step, Failed> {
        self.finish_operators();
        let FrameKind::UntilLeft(operator) = self.top().kind else { return self.stop() };
        let bounded = self.token.is_word(Reserved::Bu);
        self.advance();
        let bounds = if bounded { Some(self.range_bounds()?) } else { None };
        self.set_top(FrameKind::UntilRight(operator, bounds));
        Ok(Step::Operand)
    }

    fn set_top(&mut self, kind: FrameKind) {
        if let Some(frame) = self.frames.last_mut() {
            frame.kind = kind;
        }
    }

    /// Ends the expression at a token that does not belong to it, unless a bracket is open.
    fn stop(&mut self) -> Result<Step, Failed> {
        self.finish_operators();
        match self.top().kind {
            FrameKind::Top => Ok(Step::Done),
            kind => Err(self.unexpected_in(kind)),
        }
    }

    /// Finishes all operators above the last open bracket.
    fn finish_operators(&mut self) {
        while !self.top().kind.is_open() {
            self.finish_operator();
        }
    }

    /// Makes a node of the last operator, which is complete.
    fn finish_operator(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        let last = self.pop();
        let (node, start, level) = match frame.kind {
            FrameKind::Prefix(operator, bounds) => {
                let node = match bounds {
                    None => Syntax::Unary(operator, last.node),
                    Some(bounds) => Syntax::BoundedUnary(operator, last.node, bounds),
                };
                (node, frame.start, frame.max.max(last.level))
            }
            FrameKind::Infix(operator, level) => {
                let left = self.pop();
                (Syntax::Binary(operator, left.node, last.node), left.span.start, level)
            }
            FrameKind::Else => {
                let (then, condition) = (self.pop(), self.pop());
                let node = Syntax::Conditional(condition.node, then.node, last.node);
                (node, condition.span.start, level::CONDITIONAL)
            }
            _ => {
                // Brackets are finished by their closing sign.
                self.operands.push(last);
                return;
            }
        };
        self.push(node, Span { start, end: last.span.end }, level, false);
    }

    /// The number of `case` that are open, where reading failed.
    pub(super) fn open_cases(&self) -> usize {
        let is_case =
            |frame: &&Frame| matches!(frame.kind, FrameKind::CaseCondition | FrameKind::CaseValue);
        self.frames.iter().filter(is_case).count()
    }

    fn unexpected_operand(&mut self) -> Failed {
        let kind = self.top().kind;
        let empty = self.operands.len() == self.top().base as usize;
        match (kind, self.token.kind) {
            (FrameKind::CaseCondition, Kind::Reserved(Reserved::Esac)) => {
                self.fail(hints::empty_case(self.token.span))
            }
            (FrameKind::CaseCondition, _) if !empty => self.unexpected_in(kind),
            _ => self.unexpected("an expression"),
        }
    }

    fn unexpected_in(&mut self, kind: FrameKind) -> Failed {
        let open = self.frames.iter().rev().find(|frame| frame.kind.is_open());
        let open = open.map_or(self.token.span.start, |frame| frame.start);
        let branches = self.operands.len() > self.top().base as usize;
        let expected = match kind {
            FrameKind::Parenthesis | FrameKind::Call(_) => "an operator or `)`",
            FrameKind::Set => "`,` or `}`",
            FrameKind::Array => "`,` or `]`",
            FrameKind::CaseCondition if branches => "`:` after the condition, or `esac`",
            FrameKind::CaseCondition => "`:` after the condition",
            FrameKind::CaseValue => "`;` after the value",
            FrameKind::Index | FrameKind::Bits | FrameKind::UntilRight(..) => "an operator or `]`",
            FrameKind::Then => "`:` and the other value",
            FrameKind::UntilLeft(_) => "`U` or `BU`",
            _ => "an operator",
        };
        self.unexpected_in_bracket(expected, Some((kind, open)))
    }

    fn unexpected_operator(&mut self) -> Failed {
        let is_set = self.operands.last().is_some_and(|operand| operand.level == level::SET);
        let is_array = self.operands.last().is_some_and(|operand| operand.level == level::ARRAY);
        let in_until = self.top().in_until;
        let span = self.token.span;
        let spelling = &self.lexer.text[span.range()];
        self.fail(hints::misplaced_operator(spelling, span, is_set, is_array, in_until))
    }
}
