//! The text of an expression, with parentheses only where the levels of operators ask for them.
//!
//! Nothing recurses: what is still to be written waits on a stack.

use rustc_hash::FxHashMap;

use crate::flat::{
    Bounds, FlatBinary, FlatExpression, FlatModel, FlatTerm, FlatUnary, PathBinary, PathUnary,
    Type, Value,
};

/// The level of operators that bind most tightly. Larger levels bind less.
const PRIMARY: u8 = 1;
const PREFIX: u8 = 2;
const INTERVAL: u8 = 7;
const CTL_PREFIX: u8 = 11;
const LTL_PREFIX: u8 = 12;
const LTL_BINARY: u8 = 13;
const OR: u8 = 15;
const CONDITIONAL: u8 = 16;
const IMPLIES: u8 = 18;

/// Any level: no parentheses are needed.
pub(super) const ANY: u8 = IMPLIES;

/// What is still to be written.
enum Piece {
    Text(&'static str),
    Owned(String),
    /// An expression, in parentheses if its level is larger.
    Expression(FlatExpression, u8),
}

use Piece::{Expression, Owned, Text};

/// Writes expressions of a model.
pub(super) struct Printer<'m> {
    pub(super) model: &'m FlatModel,
    /// The names that are written in place of expressions.
    pub(super) names: FxHashMap<FlatExpression, String>,
    /// The texts of symbolic constants.
    pub(super) symbols: Vec<String>,
}

impl Printer<'_> {
    /// The text of an expression. If it has a name, that is the text.
    pub(super) fn text(&self, expression: FlatExpression) -> String {
        self.write(vec![Expression(expression, ANY)])
    }

    /// The text of an expression whose outermost operator is written even if it has a name.
    pub(super) fn body(&self, expression: FlatExpression) -> String {
        let mut stack = Vec::new();
        self.open(expression, ANY, &mut stack);
        self.write(stack)
    }

    /// The text of an expression whose outermost conjunctions are written even if they have names.
    pub(super) fn conjunction(&self, expression: FlatExpression) -> String {
        let (mut parts, mut stack) = (Vec::new(), vec![expression]);
        while let Some(part) = stack.pop() {
            match self.model.expressions.term(part) {
                FlatTerm::Binary(FlatBinary::And, a, b)
                    if self.model.expressions.ty(part) == Type::Boolean =>
                {
                    stack.extend([b, a]);
                }
                _ => parts.push(part),
            }
        }
        if parts.len() == 1 {
            return self.body(expression);
        }
        let parts: Vec<_> =
            parts.iter().map(|&part| self.write(vec![Expression(part, LTL_BINARY)])).collect();
        parts.join(" & ")
    }

    fn write(&self, mut stack: Vec<Piece>) -> String {
        let mut text = String::new();
        while let Some(piece) = stack.pop() {
            match piece {
                Text(part) => text.push_str(part),
                Owned(part) => text.push_str(&part),
                Expression(expression, level) => match self.names.get(&expression) {
                    Some(name) => text.push_str(name),
                    None => self.open(expression, level, &mut stack),
                },
            }
        }
        text
    }

    /// Puts the pieces of an expression on the stack.
    fn open(&self, expression: FlatExpression, most: u8, stack: &mut Vec<Piece>) {
        let (level, pieces) = self.pieces(expression);
        if level > most {
            stack.push(Text(")"));
        }
        stack.extend(pieces.into_iter().rev());
        if level > most {
            stack.push(Text("("));
        }
    }

    /// The level of an expression and its pieces.
    fn pieces(&self, expression: FlatExpression) -> (u8, Vec<Piece>) {
        let expressions = &self.model.expressions;
        match expressions.term(expression) {
            FlatTerm::Constant(constant) => {
                let value = expressions.value(constant);
                let level = if is_negative(value) { PREFIX } else { PRIMARY };
                (level, vec![Owned(self.value(value))])
            }
            FlatTerm::Interval(low, high) => (INTERVAL, vec![Owned(format!("{low}..{high}"))]),
            FlatTerm::Variable(id) => (PRIMARY, vec![Owned(self.model.variable(id).name.clone())]),
            FlatTerm::Next(a) => (PRIMARY, call("next", a)),
            FlatTerm::Unary(operator, a) => self.unary(operator, a),
            FlatTerm::Bits { word, high, low } => {
                let bits = format!("[{high}:{low}]");
                (PRIMARY, vec![Expression(word, PRIMARY), Owned(bits)])
            }
            FlatTerm::Binary(operator, a, b) => {
                let (symbol, level) = binary(operator);
                let (left, right) = match operator {
                    FlatBinary::Implies => (level - 1, level),
                    _ => (level, level - 1),
                };
                (level, vec![Expression(a, left), Text(symbol), Expression(b, right)])
            }
            FlatTerm::IfThenElse(..) => self.conditional(expression),
            FlatTerm::Failure(_, ty) => {
                (PRIMARY, vec![Owned(format!("case FALSE : {}; esac", self.example(ty)))])
            }
            FlatTerm::PathUnary(operator, a, bounds) => {
                let (symbol, level) = path_unary(operator);
                let bounds = match (expressions.bounds(bounds), level) {
                    (Some(Bounds { low, high }), LTL_PREFIX) => format!("{symbol} [{low},{high}] "),
                    (Some(Bounds { low, high }), _) => {
                        // `EF` with bounds is `EBF`.
                        let (quantifier, operator) = symbol.split_at(1);
                        format!("{quantifier}B{operator} {low}..{high} ")
                    }
                    (None, _) => format!("{symbol} "),
                };
                (level, vec![Owned(bounds), Expression(a, level)])
            }
            FlatTerm::PathBinary(operator, a, b, bounds) => {
                let quantified = |quantifier: &'static str| {
                    let until = match expressions.bounds(bounds) {
                        Some(Bounds { low, high }) => format!(" BU {low}..{high} "),
                        None => " U ".to_owned(),
                    };
                    let operands = [Expression(a, OR), Owned(until), Expression(b, OR)];
                    let mut pieces = vec![Text(quantifier)];
                    pieces.extend(operands);
                    pieces.push(Text("]"));
                    (CTL_PREFIX, pieces)
                };
                let infix = |symbol| {
                    let operands = (Expression(a, LTL_BINARY), Expression(b, LTL_PREFIX));
                    (LTL_BINARY, vec![operands.0, Text(symbol), operands.1])
                };
                match operator {
                    PathBinary::Until => infix(" U "),
                    PathBinary::Release => infix(" V "),
                    PathBinary::Since => infix(" S "),
                    PathBinary::Triggered => infix(" T "),
                    PathBinary::ExistsUntil => quantified("E ["),
                    PathBinary::AllUntil => quantified("A ["),
                }
            }
        }
    }

    fn unary(&self, operator: FlatUnary, a: FlatExpression) -> (u8, Vec<Piece>) {
        match operator {
            FlatUnary::Not => (PREFIX, vec![Text("!"), Expression(a, PREFIX)]),
            // `--` would begin a comment.
            FlatUnary::Minus => (PREFIX, vec![Text("-"), Expression(a, PRIMARY)]),
            // NuSMV refuses this in specifications.
            FlatUnary::Bool if self.model.expressions.ty(a) == Type::Boolean => {
                (PRIMARY, vec![Text("("), Expression(a, ANY), Text(")")])
            }
            FlatUnary::Bool => (PRIMARY, call("bool", a)),
            FlatUnary::ToInt => (PRIMARY, call("toint", a)),
            FlatUnary::Word1 => (PRIMARY, call("word1", a)),
            FlatUnary::Signed => (PRIMARY, call("signed", a)),
            FlatUnary::Unsigned => (PRIMARY, call("unsigned", a)),
            FlatUnary::Extend(bits) => {
                (PRIMARY, vec![Text("extend("), Expression(a, ANY), Owned(format!(", {bits})"))])
            }
            FlatUnary::Resize(bits) => {
                (PRIMARY, vec![Text("resize("), Expression(a, ANY), Owned(format!(", {bits})"))])
            }
        }
    }

    /// A choice is written with `?:`, a chain of choices or one that may fail with `case`.
    fn conditional(&self, expression: FlatExpression) -> (u8, Vec<Piece>) {
        let expressions = &self.model.expressions;
        let (mut branches, mut rest) = (Vec::new(), expression);
        while let FlatTerm::IfThenElse(c, a, b) = expressions.term(rest) {
            if rest != expression && self.names.contains_key(&rest) {
                break;
            }
            branches.push((c, a));
            rest = b;
        }
        let fails = matches!(expressions.term(rest), FlatTerm::Failure(..));
        if let ([(c, a)], false) = (branches.as_slice(), fails) {
            let (then, otherwise) = (Expression(*a, OR), Expression(rest, OR));
            let pieces = vec![Expression(*c, OR), Text(" ? "), then, Text(" : "), otherwise];
            return (CONDITIONAL, pieces);
        }
        let mut pieces = vec![Text("case ")];
        for (c, a) in branches {
            pieces.extend([Expression(c, OR), Text(" : "), Expression(a, OR), Text("; ")]);
        }
        if !fails {
            pieces.extend([Text("TRUE : "), Expression(rest, OR), Text("; ")]);
        }
        pieces.push(Text("esac"));
        (PRIMARY, pieces)
    }

    /// The text of a value.
    pub(super) fn value(&self, value: Value) -> String {
        match value {
            Value::Symbol(symbol) => self.symbols[symbol.0 as usize].clone(),
            // The literal would be too large.
            Value::Integer(i32::MIN) => format!("(-{} - 1)", i32::MAX),
            other => self.model.show(other),
        }
    }

    /// The text of some value of a type, or of an element of a set.
    fn example(&self, ty: Type) -> String {
        match ty.element() {
            Type::Boolean => "FALSE".to_owned(),
            Type::Symbolic => self.symbols.first().cloned().unwrap_or_else(|| "0".to_owned()),
            Type::Word { signed, width } => {
                format!("0{}d{width}_0", if signed { 's' } else { 'u' })
            }
            _ => "0".to_owned(),
        }
    }
}

fn is_negative(value: Value) -> bool {
    match value {
        Value::Integer(value) => value < 0 && value != i32::MIN,
        Value::Word(word) => word.number() < 0,
        _ => false,
    }
}

fn call(function: &'static str, a: FlatExpression) -> Vec<Piece> {
    vec![Text(function), Text("("), Expression(a, ANY), Text(")")]
}

/// The text and the level of an operator.
fn binary(operator: FlatBinary) -> (&'static str, u8) {
    match operator {
        FlatBinary::Concatenate => (" :: ", 3),
        FlatBinary::Multiply => (" * ", 4),
        FlatBinary::Divide => (" / ", 4),
        FlatBinary::Modulo => (" mod ", 4),
        FlatBinary::Add => (" + ", 5),
        FlatBinary::Subtract => (" - ", 5),
        FlatBinary::ShiftLeft => (" << ", 6),
        FlatBinary::ShiftRight => (" >> ", 6),
        FlatBinary::Union => (" union ", 8),
        FlatBinary::In => (" in ", 9),
        FlatBinary::Equal => (" = ", 10),
        FlatBinary::NotEqual => (" != ", 10),
        FlatBinary::Less => (" < ", 10),
        FlatBinary::LessEqual => (" <= ", 10),
        FlatBinary::Greater => (" > ", 10),
        FlatBinary::GreaterEqual => (" >= ", 10),
        FlatBinary::And => (" & ", 14),
        FlatBinary::Or => (" | ", OR),
        FlatBinary::Xor => (" xor ", OR),
        FlatBinary::Xnor => (" xnor ", OR),
        FlatBinary::Iff => (" <-> ", 17),
        FlatBinary::Implies => (" -> ", IMPLIES),
    }
}

/// The text and the level of an operator.
fn path_unary(operator: PathUnary) -> (&'static str, u8) {
    match operator {
        PathUnary::Next => ("X", LTL_PREFIX),
        PathUnary::Eventually => ("F", LTL_PREFIX),
        PathUnary::Globally => ("G", LTL_PREFIX),
        PathUnary::Yesterday => ("Y", LTL_PREFIX),
        PathUnary::WeakYesterday => ("Z", LTL_PREFIX),
        PathUnary::Once => ("O", LTL_PREFIX),
        PathUnary::Historically => ("H", LTL_PREFIX),
        PathUnary::ExistsNext => ("EX", CTL_PREFIX),
        PathUnary::AllNext => ("AX", CTL_PREFIX),
        PathUnary::ExistsEventually => ("EF", CTL_PREFIX),
        PathUnary::AllEventually => ("AF", CTL_PREFIX),
        PathUnary::ExistsGlobally => ("EG", CTL_PREFIX),
        PathUnary::AllGlobally => ("AG", CTL_PREFIX),
    }
}
