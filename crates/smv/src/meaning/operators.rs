//! The types of operators: which operands they take, and the type of the result.

use kermode_base::Diagnostic;

use super::Flattener;
use super::evaluate::Context;
use super::messages::called;
use super::scope::{ArrayId, Operand};
use crate::flat::expression::BoundsId;
use crate::flat::{
    FailureKind, Features, FlatBinary, FlatExpression, FlatTerm, FlatUnary, PathBinary, PathUnary,
    Type, Value, Word,
};
use crate::syntax::{BinaryOperator, List, NodeId, Syntax, UnaryOperator};

impl Flattener<'_> {
    pub(super) fn intern(&mut self, term: FlatTerm, ty: Type) -> FlatExpression {
        self.model.expressions.intern(term, ty)
    }

    pub(super) fn ty(&self, expression: FlatExpression) -> Type {
        self.model.expressions.ty(expression)
    }

    /// The error that an operator does not take these operands.
    fn mismatch(&mut self, node: NodeId, operator: &str, types: &[Type], help: &str) -> Operand {
        let span = match self.file.node(node) {
            Syntax::Binary(_, left, right) => self.between(node, left, right),
            _ => self.file.span(node),
        };
        let types: Vec<String> = types.iter().map(|&ty| called(ty)).collect();
        let message = format!("`{operator}` does not apply to {}", types.join(" and "));
        self.wrong(Diagnostic::error(span.range(), message).label("type error").help(help))
    }

    pub(super) fn unary(
        &mut self,
        context: Context,
        node: NodeId,
        operator: UnaryOperator,
        a: NodeId,
        value: Operand,
    ) -> Operand {
        if let Some(operator) = path_unary(operator) {
            return self.path_operand(a, value).map_or(Operand::Error, |a| {
                let term = FlatTerm::PathUnary(operator, a, BoundsId::NONE);
                Operand::Scalar(self.intern(term, Type::Boolean))
            });
        }
        if operator == UnaryOperator::Next {
            return self.next(node, a, value);
        }
        let Some(operand) = self.scalar(value, a) else { return Operand::Error };
        let ty = self.ty(operand);
        let made = |flattener: &mut Self, operator: FlatUnary, ty: Type| {
            Operand::Scalar(flattener.intern(FlatTerm::Unary(operator, operand), ty))
        };
        match (operator, ty) {
            (UnaryOperator::Not, Type::Boolean | Type::Word { .. }) => {
                made(self, FlatUnary::Not, ty)
            }
            (UnaryOperator::Not, _) => {
                let help = "it takes a Boolean value or a word, and binds tighter than `=`: write `!(x = 1)`";
                self.mismatch(node, "!", &[ty], help)
            }
            (UnaryOperator::Minus, Type::Integer) => {
                // The sign of a literal.
                if let FlatTerm::Constant(constant) = self.model.expressions.term(operand)
                    && let Value::Integer(value) = self.model.expressions.value(constant)
                {
                    return self.constant(Value::Integer(value.wrapping_neg()));
                }
                made(self, FlatUnary::Minus, ty)
            }
            (UnaryOperator::Minus, Type::Word { .. }) => made(self, FlatUnary::Minus, ty),
            (UnaryOperator::Minus, _) => {
                self.mismatch(node, "-", &[ty], "it takes an integer or a word")
            }
            (UnaryOperator::Bool, Type::Integer | Type::Word { signed: false, width: 1 }) => {
                made(self, FlatUnary::Bool, Type::Boolean)
            }
            (UnaryOperator::Bool, Type::Boolean) if !context.is_property => {
                made(self, FlatUnary::Bool, Type::Boolean)
            }
            (UnaryOperator::Bool, _) => {
                let help = "it takes an integer or an unsigned word of 1 bit";
                self.mismatch(node, "bool", &[ty], help)
            }
            (UnaryOperator::ToInt, Type::Boolean | Type::Integer)
            | (UnaryOperator::ToInt, Type::Word { signed: false, width: ..=31 })
            | (UnaryOperator::ToInt, Type::Word { signed: true, width: ..=32 }) => {
                made(self, FlatUnary::ToInt, Type::Integer)
            }
            (UnaryOperator::ToInt, _) => {
                let help = "it takes a Boolean value, an integer, an unsigned word of up to 31 bits or a signed word of up to 32 bits";
                self.mismatch(node, "toint", &[ty], help)
            }
            (UnaryOperator::Word1, Type::Boolean) => {
                made(self, FlatUnary::Word1, Type::Word { signed: false, width: 1 })
            }
            (UnaryOperator::Word1, _) => {
                let help =
                    "it takes a Boolean value; an integer constant becomes a word by `uwconst`";
                self.mismatch(node, "word1", &[ty], help)
            }
            (UnaryOperator::Signed, Type::Word { signed: false, width }) => {
                made(self, FlatUnary::Signed, Type::Word { signed: true, width })
            }
            (UnaryOperator::Signed, _) => {
                self.mismatch(node, "signed", &[ty], "it takes an unsigned word")
            }
            (UnaryOperator::Unsigned, Type::Word { signed: true, width }) => {
                made(self, FlatUnary::Unsigned, Type::Word { signed: false, width })
            }
            (UnaryOperator::Unsigned, _) => {
                self.mismatch(node, "unsigned", &[ty], "it takes a signed word")
            }
            (UnaryOperator::SizeOf, Type::Word { width, .. }) => {
                self.constant(Value::Integer(width.into()))
            }
            (UnaryOperator::SizeOf, _) => self.mismatch(node, "sizeof", &[ty], "it takes a word"),
            (UnaryOperator::Abs, Type::Integer) => {
                let zero = self.model.expressions.constant(Value::Integer(0));
                let term = FlatTerm::Binary(FlatBinary::Less, operand, zero);
                let negative = self.intern(term, Type::Boolean);
                let minus = self.intern(FlatTerm::Unary(FlatUnary::Minus, operand), ty);
                let term = FlatTerm::IfThenElse(negative, minus, operand);
                Operand::Scalar(self.intern(term, ty))
            }
            (UnaryOperator::Abs, _) => self.mismatch(node, "abs", &[ty], "it takes an integer"),
            _ => unreachable!("temporal operators and `next` were handled above"),
        }
    }

    /// `next` of a scalar, or of all elements of an array.
    fn next(&mut self, node: NodeId, a: NodeId, value: Operand) -> Operand {
        if let Operand::Array(array) = value {
            let array = self.arrays[array.0 as usize].clone();
            let elements = array.elements.iter().map(|&element| self.next(node, a, element));
            let elements: Vec<Operand> = elements.collect();
            return Operand::Array(self.array(array.low, elements));
        }
        let Some(operand) = self.scalar(value, a) else { return Operand::Error };
        let features = self.model.expressions.features(operand);
        let problem = if features.has(Features::NEXT) {
            Some((
                "`next` cannot be nested",
                "only the next state can be described; remove one `next`",
            ))
        } else if features.has(Features::INPUT) {
            Some((
                "an input variable is not allowed under `next`",
                "inputs belong to steps: use a state variable, or in LTLSPEC `X`",
            ))
        } else {
            None
        };
        if let Some((message, help)) = problem {
            let span = self.file.span(node);
            let error = Diagnostic::error(span.range(), message);
            return self.wrong(error.label("in what this stands for").help(help));
        }
        let ty = self.ty(operand);
        Operand::Scalar(self.intern(FlatTerm::Next(operand), ty))
    }

    pub(super) fn binary(
        &mut self,
        node: NodeId,
        operator: BinaryOperator,
        nodes: [NodeId; 2],
        values: [Operand; 2],
    ) -> Operand {
        use BinaryOperator as B;
        if path_binary(operator).is_some() {
            return self.path_binary(operator, nodes, values, BoundsId::NONE);
        }
        if let ([Operand::Array(a), Operand::Array(b)], B::Equal | B::NotEqual) = (values, operator)
        {
            return self.compare_arrays(node, operator, [a, b]);
        }
        let [Some(a), Some(b)] = [0, 1].map(|i| self.scalar(values[i], nodes[i])) else {
            return Operand::Error;
        };
        let types = [self.ty(a), self.ty(b)];
        let result = match operator {
            B::Min | B::Max => return self.extremum(node, operator, [a, b]),
            B::Extend | B::Resize => return self.resized(node, operator, nodes, [a, b]),
            B::UnsignedConstant | B::SignedConstant => {
                return self.word_constant(node, operator, nodes, [a, b]);
            }
            B::ShiftLeft | B::ShiftRight => return self.shift(node, operator, nodes[1], [a, b]),
            _ => result_type(operator, types),
        };
        let (Some(ty), Some((flat, _))) = (result, flat_binary(operator)) else {
            let spelling = flat_binary(operator).map_or("operator", |(_, spelling)| spelling);
            let help = help_for(operator, types);
            return self.mismatch(node, spelling, &types, help);
        };
        let made = self.intern(FlatTerm::Binary(flat, a, b), ty);
        if ty == Type::Integer && matches!(operator, B::Add | B::Subtract | B::Multiply) {
            self.warn_about_overflow(made, self.between(node, nodes[0], nodes[1]));
        }
        if matches!(operator, B::Divide | B::Modulo) {
            self.note_failure(made, self.between(node, nodes[0], nodes[1]));
        }
        Operand::Scalar(made)
    }

    /// `=` and `!=` of arrays, element by element.
    fn compare_arrays(
        &mut self,
        node: NodeId,
        operator: BinaryOperator,
        [a, b]: [ArrayId; 2],
    ) -> Operand {
        let mut equal: Vec<FlatExpression> = Vec::new();
        let mut todo = vec![(Operand::Array(a), Operand::Array(b))];
        while let Some(pair) = todo.pop() {
            match pair {
                (Operand::Array(a), Operand::Array(b)) => {
                    let [a, b] = [a, b].map(|array| &self.arrays[array.0 as usize]);
                    if (a.low, a.elements.len()) != (b.low, b.elements.len()) {
                        return self.unequal_arrays(node);
                    }
                    let pairs = a.elements.iter().copied().zip(b.elements.iter().copied());
                    todo.extend(pairs.rev());
                }
                (Operand::Scalar(a), Operand::Scalar(b)) => {
                    let types = [self.ty(a), self.ty(b)];
                    if result_type(BinaryOperator::Equal, types).is_none() {
                        return self.mismatch(node, "=", &types, "elements must be comparable");
                    }
                    let term = FlatTerm::Binary(FlatBinary::Equal, a, b);
                    equal.push(self.intern(term, Type::Boolean));
                }
                (Operand::Error, _) | (_, Operand::Error) => return Operand::Error,
                _ => return self.unequal_arrays(node),
            }
        }
        let mut all = self.model.expressions.constant(Value::Boolean(true));
        for (number, next) in equal.into_iter().enumerate() {
            let term = FlatTerm::Binary(FlatBinary::And, all, next);
            all = if number == 0 { next } else { self.intern(term, Type::Boolean) };
        }
        if operator == BinaryOperator::NotEqual {
            all = self.intern(FlatTerm::Unary(FlatUnary::Not, all), Type::Boolean);
        }
        Operand::Scalar(all)
    }

    fn unequal_arrays(&mut self, node: NodeId) -> Operand {
        let span = self.file.span(node);
        let error = Diagnostic::error(span.range(), "the arrays have different bounds")
            .label("elements without partner");
        self.wrong(error.help("only arrays with the same bounds can be compared"))
    }

    /// `min` and `max`, as a conditional.
    fn extremum(
        &mut self,
        node: NodeId,
        operator: BinaryOperator,
        [a, b]: [FlatExpression; 2],
    ) -> Operand {
        let types = [self.ty(a), self.ty(b)];
        let (compare, spelling) = match operator {
            BinaryOperator::Min => (FlatBinary::Less, "min"),
            _ => (FlatBinary::Greater, "max"),
        };
        if result_type(BinaryOperator::Less, types).is_none() {
            let help = "it takes two integers or two words of the same type";
            return self.mismatch(node, spelling, &types, help);
        }
        let condition = self.intern(FlatTerm::Binary(compare, a, b), Type::Boolean);
        let term = FlatTerm::IfThenElse(condition, a, b);
        Operand::Scalar(self.intern(term, types[0]))
    }

    /// The value of a constant integer operand.
    pub(super) fn constant_operand(
        &mut self,
        node: NodeId,
        operand: FlatExpression,
        what: &str,
    ) -> Option<i32> {
        let value = self.constants.value(&self.model.expressions, operand);
        if let Some(Ok(Value::Integer(value))) = value {
            return Some(value);
        }
        let span = self.file.span(node);
        let error = Diagnostic::error(span.range(), format!("{what} must be a constant integer"));
        self.report(error.help("use a literal, or a DEFINE or parameter that stands for one"));
        None
    }

    fn resized(
        &mut self,
        node: NodeId,
        operator: BinaryOperator,
        nodes: [NodeId; 2],
        [word, amount]: [FlatExpression; 2],
    ) -> Operand {
        let spelling = if operator == BinaryOperator::Extend { "extend" } else { "resize" };
        let Type::Word { signed, width } = self.ty(word) else {
            let types = [self.ty(word), self.ty(amount)];
            return self.mismatch(node, spelling, &types, "it takes a word and a constant integer");
        };
        let Some(bits) = self.constant_operand(nodes[1], amount, "the number of bits") else {
            return Operand::Error;
        };
        let (fits, total) = match operator {
            BinaryOperator::Extend => (bits >= 0, i64::from(width) + i64::from(bits)),
            _ => (bits >= 1, i64::from(bits)),
        };
        if !fits || total > 64 {
            let span = self.file.span(nodes[1]);
            let message =
                format!("`{spelling}` of a word of {width} bits by {bits} is not possible");
            let error = Diagnostic::error(span.range(), message);
            return self.wrong(error.help("the result must have at least one bit and at most 64"));
        }
        let operator = match operator {
            BinaryOperator::Extend => FlatUnary::Extend(bits as u8),
            _ => FlatUnary::Resize(bits as u8),
        };
        let ty = Type::Word { signed, width: total as u8 };
        Operand::Scalar(self.intern(FlatTerm::Unary(operator, word), ty))
    }

    /// `uwconst` and `swconst`.
    fn word_constant(
        &mut self,
        node: NodeId,
        operator: BinaryOperator,
        nodes: [NodeId; 2],
        [value, width]: [FlatExpression; 2],
    ) -> Operand {
        let signed = operator == BinaryOperator::SignedConstant;
        let spelling = if signed { "swconst" } else { "uwconst" };
        let what = format!("the value of `{spelling}`");
        let value = self.constant_operand(nodes[0], value, &what);
        let width = self.constant_operand(nodes[1], width, "the number of bits");
        let (Some(value), Some(width)) = (value, width) else { return Operand::Error };
        if !(1..=64).contains(&width) {
            let span = self.file.span(nodes[1]);
            let message = format!("a word cannot have {width} bits");
            let error = Diagnostic::error(span.range(), message);
            return self.wrong(error.help("words have 1 to 64 bits"));
        }
        let half = 1_i128 << (width - 1);
        let end = if signed { half } else { 2 * half };
        if !(-half..end).contains(&i128::from(value)) {
            let span = self.file.span(node);
            let message = format!("{value} does not fit a word of {width} bits");
            let error = Diagnostic::error(span.range(), message);
            return self.wrong(error.label("too few bits").help("use a larger width"));
        }
        let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        let bits = i64::from(value) as u64 & mask;
        self.constant(Value::Word(Word { bits, width: width as u8, signed }))
    }

    fn shift(
        &mut self,
        node: NodeId,
        operator: BinaryOperator,
        amount_node: NodeId,
        [word, amount]: [FlatExpression; 2],
    ) -> Operand {
        let types = [self.ty(word), self.ty(amount)];
        let (flat, spelling) = match operator {
            BinaryOperator::ShiftLeft => (FlatBinary::ShiftLeft, "<<"),
            _ => (FlatBinary::ShiftRight, ">>"),
        };
        let (Type::Word { width, .. }, Type::Integer | Type::Word { signed: false, .. }) =
            (types[0], types[1])
        else {
            let help = "the left operand is a word, the right one an integer or an unsigned word";
            return self.mismatch(node, spelling, &types, help);
        };
        let constant = self.constants.value(&self.model.expressions, amount);
        if let Some(Ok(Value::Integer(amount))) = constant
            && !(0..=i32::from(width)).contains(&amount)
        {
            let span = self.file.span(amount_node);
            let message = format!("a word of {width} bits cannot be shifted by {amount}");
            let error = Diagnostic::error(span.range(), message);
            return self.wrong(error.help(format!("the amount is from 0 to {width}")));
        }
        let made = self.intern(FlatTerm::Binary(flat, word, amount), types[0]);
        self.note_failure(made, self.file.span(amount_node));
        Operand::Scalar(made)
    }

    /// `{e, ..}`: the union of its elements.
    pub(super) fn set(&mut self, list: List, values: &[Operand]) -> Operand {
        let mut union: Option<FlatExpression> = None;
        for (&element, &value) in self.file.list(list).iter().zip(values) {
            let Some(value) = self.scalar(value, element) else { return Operand::Error };
            union = Some(match union {
                None => value,
                Some(before) => {
                    let types = [self.ty(before), self.ty(value)];
                    let Some(ty) = result_type(BinaryOperator::Union, types) else {
                        let help = "elements of a set are all Boolean, or integers and symbolic constants; compare words by `=`, joined by `|`";
                        return self.mismatch(element, "{..}", &types, help);
                    };
                    self.intern(FlatTerm::Binary(FlatBinary::Union, before, value), ty)
                }
            });
        }
        union.map_or(Operand::Error, Operand::Scalar)
    }

    /// `count(b, ..)`: the sum of the operands as numbers.
    pub(super) fn count(&mut self, list: List, values: &[Operand]) -> Operand {
        let mut sum: Option<FlatExpression> = None;
        for (&node, &value) in self.file.list(list).iter().zip(values) {
            let Some(value) = self.scalar(value, node) else { return Operand::Error };
            let ty = self.ty(value);
            if ty != Type::Boolean {
                return self.mismatch(
                    node,
                    "count",
                    &[ty],
                    "it counts Boolean values that are true",
                );
            }
            let number = self.intern(FlatTerm::Unary(FlatUnary::ToInt, value), Type::Integer);
            sum = Some(match sum {
                None => number,
                Some(before) => {
                    let term = FlatTerm::Binary(FlatBinary::Add, before, number);
                    self.intern(term, Type::Integer)
                }
            });
        }
        sum.map_or(Operand::Error, Operand::Scalar)
    }

    /// `case c : e; .. esac`: nested conditionals, with a failure at the end.
    pub(super) fn case(&mut self, node: NodeId, list: List, values: &[Operand]) -> Operand {
        let nodes = self.file.list(list);
        let mut branches = Vec::with_capacity(values.len() / 2);
        let mut ty: Option<Type> = None;
        for (pair, value) in nodes.chunks_exact(2).zip(values.chunks_exact(2)) {
            let condition = self.guard(pair[0], value[0]);
            let branch = self.scalar(value[1], pair[1]);
            let (Some(condition), Some(branch)) = (condition, branch) else {
                return Operand::Error;
            };
            let here = self.ty(branch);
            ty = match ty {
                None => Some(here),
                Some(before) => match common(before, here) {
                    Some(ty) => Some(ty),
                    None => return self.different_branches(pair[1], before, here),
                },
            };
            branches.push((condition, branch));
        }
        let mut rest = None;
        while let Some((condition, branch)) = branches.pop() {
            rest = Some(if self.is_true(condition) {
                branch
            } else {
                let here = self.ty(branch);
                let rest = rest.unwrap_or_else(|| {
                    let failure = self.intern(FlatTerm::Failure(FailureKind::NoCase, here), here);
                    self.note_failure(failure, self.file.span(node));
                    failure
                });
                // Equal terms have equal types: that of the operands, not that of the whole case.
                let ty = common(here, self.ty(rest)).unwrap_or(here);
                self.intern(FlatTerm::IfThenElse(condition, branch, rest), ty)
            });
        }
        rest.map_or(Operand::Error, Operand::Scalar)
    }

    pub(super) fn conditional(&mut self, [c, t, e]: [NodeId; 3], values: [Operand; 3]) -> Operand {
        let condition = self.guard(c, values[0]);
        let branches = [self.scalar(values[1], t), self.scalar(values[2], e)];
        let (Some(condition), [Some(yes), Some(no)]) = (condition, branches) else {
            return Operand::Error;
        };
        let types = [self.ty(yes), self.ty(no)];
        let Some(ty) = common(types[0], types[1]) else {
            return self.different_branches(e, types[0], types[1]);
        };
        Operand::Scalar(self.intern(FlatTerm::IfThenElse(condition, yes, no), ty))
    }

    /// A condition of `case` or `?:`.
    fn guard(&mut self, node: NodeId, value: Operand) -> Option<FlatExpression> {
        let condition = self.scalar(value, node)?;
        let ty = self.ty(condition);
        if ty == Type::Boolean {
            return Some(condition);
        }
        let span = self.file.span(node);
        let message = format!("a condition must be Boolean, and this is {}", called(ty));
        let help = match self.file.node(node) {
            Syntax::Integer(1) => "the last condition of a `case` is written `TRUE`, not `1`",
            _ => "compare it with a value, for instance by `=`",
        };
        self.report(Diagnostic::error(span.range(), message).label("not Boolean").help(help));
        None
    }

    fn different_branches(&mut self, node: NodeId, before: Type, here: Type) -> Operand {
        let span = self.file.span(node);
        let message =
            format!("the branches have different types: {} and {}", called(before), called(here));
        self.wrong(
            Diagnostic::error(span.range(), message)
                .label(format!("this is {}", called(here)))
                .help(
                    "all branches must have one type; integers and symbolic constants may be mixed",
                ),
        )
    }

    fn is_true(&self, expression: FlatExpression) -> bool {
        let expressions = &self.model.expressions;
        match expressions.term(expression) {
            FlatTerm::Constant(constant) => expressions.value(constant) == Value::Boolean(true),
            _ => false,
        }
    }

    /// The Boolean operand of a temporal operator.
    fn path_operand(&mut self, node: NodeId, value: Operand) -> Option<FlatExpression> {
        let operand = self.scalar(value, node)?;
        let ty = self.ty(operand);
        if ty == Type::Boolean {
            return Some(operand);
        }
        let span = self.file.span(node);
        let message =
            format!("temporal operators apply to Boolean expressions, not to {}", called(ty));
        let error = Diagnostic::error(span.range(), message).label("not Boolean");
        self.report(error.help("compare it with a value, for instance by `=`"));
        None
    }

    pub(super) fn path_unary(
        &mut self,
        operator: UnaryOperator,
        a: NodeId,
        value: Operand,
        bounds: BoundsId,
    ) -> Operand {
        let (Some(operator), Some(a)) = (path_unary(operator), self.path_operand(a, value)) else {
            return Operand::Error;
        };
        let term = FlatTerm::PathUnary(operator, a, bounds);
        Operand::Scalar(self.intern(term, Type::Boolean))
    }

    pub(super) fn path_binary(
        &mut self,
        operator: BinaryOperator,
        nodes: [NodeId; 2],
        values: [Operand; 2],
        bounds: BoundsId,
    ) -> Operand {
        let operands = [0, 1].map(|i| self.path_operand(nodes[i], values[i]));
        let (Some(operator), [Some(a), Some(b)]) = (path_binary(operator), operands) else {
            return Operand::Error;
        };
        let term = FlatTerm::PathBinary(operator, a, b, bounds);
        Operand::Scalar(self.intern(term, Type::Boolean))
    }
}

/// The common type of two branches.
pub(super) fn common(a: Type, b: Type) -> Option<Type> {
    if a == b {
        return Some(a);
    }
    let is_enumeration = |ty| matches!(ty, Type::Integer | Type::Symbolic | Type::Mixed);
    let element = match (a.element(), b.element()) {
        (a, b) if a == b => a,
        (a, b) if is_enumeration(a) && is_enumeration(b) => Type::Mixed,
        _ => return None,
    };
    if a.is_set() || b.is_set() { element.set() } else { Some(element) }
}

/// Whether values of two scalar types can be compared by `=`.
fn are_comparable(a: Type, b: Type) -> bool {
    let is_enumeration = |ty| matches!(ty, Type::Integer | Type::Symbolic | Type::Mixed);
    let mixed = (a == Type::Mixed || b == Type::Mixed) && is_enumeration(a) && is_enumeration(b);
    !a.is_set() && (a == b || mixed)
}

/// The type of the result, if the operator takes operands of these types.
fn result_type(operator: BinaryOperator, [a, b]: [Type; 2]) -> Option<Type> {
    use BinaryOperator as B;
    let is_word = matches!(a, Type::Word { .. });
    match operator {
        B::And | B::Or | B::Xor | B::Xnor | B::Implies | B::Iff => {
            (a == b && (a == Type::Boolean || is_word)).then_some(a)
        }
        B::Equal | B::NotEqual => are_comparable(a, b).then_some(Type::Boolean),
        B::Less | B::LessEqual | B::Greater | B::GreaterEqual => {
            (a == b && (a == Type::Integer || is_word)).then_some(Type::Boolean)
        }
        B::Add | B::Subtract | B::Multiply | B::Divide | B::Modulo => {
            (a == b && (a == Type::Integer || is_word)).then_some(a)
        }
        B::Concatenate => match (a, b) {
            (Type::Word { width: high, .. }, Type::Word { width: low, .. }) => {
                (high + low <= 64).then_some(Type::Word { signed: false, width: high + low })
            }
            _ => None,
        },
        B::Union => common(a, b)?.set(),
        B::In => {
            let (a, b) = (a.element(), b.element());
            (!matches!(a, Type::Word { .. }) && are_comparable(a, b)).then_some(Type::Boolean)
        }
        _ => None,
    }
}

/// Advice for operands that an operator does not take.
fn help_for(operator: BinaryOperator, [a, b]: [Type; 2]) -> &'static str {
    use BinaryOperator as B;
    match operator {
        B::And | B::Or | B::Xor | B::Xnor | B::Implies | B::Iff => {
            "both operands are Boolean, or words of the same type; compare integers first, for instance `x != 0`"
        }
        B::Equal | B::NotEqual if a.is_set() || b.is_set() => {
            "a value is compared with a set by `in`, for instance `x in {1, 2}`"
        }
        B::Equal | B::NotEqual if [a, b].contains(&Type::Boolean) => {
            "Boolean values are `TRUE` and `FALSE`; `toint` and `bool` convert"
        }
        B::Equal | B::NotEqual => {
            "the operands must have one type; words also the same width and sign"
        }
        B::Less | B::LessEqual | B::Greater | B::GreaterEqual
            if [a, b].contains(&Type::Boolean) =>
        {
            "integers or words have an order, Boolean values have none; `1 < x < 3` is written `1 < x & x < 3`"
        }
        B::Less | B::LessEqual | B::Greater | B::GreaterEqual => {
            "both operands are integers, or words of the same type"
        }
        B::Concatenate => "both operands are words, with at most 64 bits together",
        B::Union | B::In => {
            "elements are all Boolean, or integers and symbolic constants; words have no sets"
        }
        _ if [a, b].contains(&Type::Boolean) => {
            "both operands are integers, or words of the same type; `toint(b)` is 1 if `b` is true, `count` adds several"
        }
        _ if matches!(
            [a, b],
            [Type::Word { .. }, Type::Integer] | [Type::Integer, Type::Word { .. }]
        ) =>
        {
            "write the integer as a word of the same type, such as `0ud8_1`, or convert the word by `toint`"
        }
        _ if [a, b].contains(&Type::Mixed) => {
            "a type with symbolic constants has no arithmetic: use a range, and a number for each constant"
        }
        _ => {
            "both operands are integers, or words of the same type; `resize`, `signed` and `unsigned` convert words"
        }
    }
}

fn flat_binary(operator: BinaryOperator) -> Option<(FlatBinary, &'static str)> {
    use BinaryOperator as B;
    Some(match operator {
        B::And => (FlatBinary::And, "&"),
        B::Or => (FlatBinary::Or, "|"),
        B::Xor => (FlatBinary::Xor, "xor"),
        B::Xnor => (FlatBinary::Xnor, "xnor"),
        B::Implies => (FlatBinary::Implies, "->"),
        B::Iff => (FlatBinary::Iff, "<->"),
        B::Equal => (FlatBinary::Equal, "="),
        B::NotEqual => (FlatBinary::NotEqual, "!="),
        B::Less => (FlatBinary::Less, "<"),
        B::LessEqual => (FlatBinary::LessEqual, "<="),
        B::Greater => (FlatBinary::Greater, ">"),
        B::GreaterEqual => (FlatBinary::GreaterEqual, ">="),
        B::Add => (FlatBinary::Add, "+"),
        B::Subtract => (FlatBinary::Subtract, "-"),
        B::Multiply => (FlatBinary::Multiply, "*"),
        B::Divide => (FlatBinary::Divide, "/"),
        B::Modulo => (FlatBinary::Modulo, "mod"),
        B::Concatenate => (FlatBinary::Concatenate, "::"),
        B::Union => (FlatBinary::Union, "union"),
        B::In => (FlatBinary::In, "in"),
        _ => return None,
    })
}

fn path_unary(operator: UnaryOperator) -> Option<PathUnary> {
    use UnaryOperator as U;
    Some(match operator {
        U::LtlNext => PathUnary::Next,
        U::Eventually => PathUnary::Eventually,
        U::Globally => PathUnary::Globally,
        U::Yesterday => PathUnary::Yesterday,
        U::WeakYesterday => PathUnary::WeakYesterday,
        U::Once => PathUnary::Once,
        U::Historically => PathUnary::Historically,
        U::ExistsNext => PathUnary::ExistsNext,
        U::AllNext => PathUnary::AllNext,
        U::ExistsEventually => PathUnary::ExistsEventually,
        U::AllEventually => PathUnary::AllEventually,
        U::ExistsGlobally => PathUnary::ExistsGlobally,
        U::AllGlobally => PathUnary::AllGlobally,
        _ => return None,
    })
}

fn path_binary(operator: BinaryOperator) -> Option<PathBinary> {
    use BinaryOperator as B;
    Some(match operator {
        B::Until => PathBinary::Until,
        B::Release => PathBinary::Release,
        B::Since => PathBinary::Since,
        B::Triggered => PathBinary::Triggered,
        B::ExistsUntil => PathBinary::ExistsUntil,
        B::AllUntil => PathBinary::AllUntil,
        _ => return None,
    })
}
