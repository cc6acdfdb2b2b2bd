//! Formulas as NuSMV prints them: rebuilt from the syntax tree, names as they are written.
//!
//! Each operator has a weight. An expression stands in parentheses if its weight is not larger than
//! that of the operator around it; Boolean connectives, `U` and `S` always do. Some operators have
//! another form than in the text: `a V b` is `!(!a U !b)`, a set is a `union`, and `abs`, `min` and
//! `max` are conditional expressions.
//!
//! Nothing recurses: what is still to be written waits on a stack. `min` and `max` repeat their
//! operands, so that the text can be exponential in their nesting: it ends after [`LONGEST`] bytes.

use crate::flat::Word;
use crate::syntax::{BinaryOperator, File, List, NodeId, Syntax, UnaryOperator, WordLiteral};

/// The length of a text, about.
const LONGEST: usize = 1 << 20;

/// The weights of operators, and that of a place where everything stands without parentheses.
const ANYTHING: u8 = 0;
const RANGE: u8 = 3;
const TEMPORAL: u8 = 8;
const COMPARISON: u8 = 9;
const MEMBERSHIP: u8 = 10;
const UNION: u8 = 11;
const SHIFT: u8 = 12;
const SUM: u8 = 13;
const REMAINDER: u8 = 14;
const PRODUCT: u8 = 15;
const CONCATENATION: u8 = 16;
const PREFIX: u8 = 17;

/// What is still to be written.
enum Piece {
    Text(&'static str),
    Owned(String),
    /// An expression below an operator with this weight.
    Node(NodeId, u8),
    /// Its negation or negative, below an operator with this weight.
    Prefixed(&'static str, NodeId, u8),
    /// The union of the first elements of a list, at least one of them.
    Union(List, u32, u8),
}

use Piece::{Node, Owned, Prefixed, Text, Union};

/// The text of an expression.
pub fn formula_text(file: &File, root: NodeId) -> String {
    text_below(file, root, ANYTHING)
}

/// The text of an operand of COMPUTE.
pub(super) fn operand_text(file: &File, root: NodeId) -> String {
    text_below(file, root, TEMPORAL)
}

fn text_below(file: &File, root: NodeId, weight: u8) -> String {
    let (mut text, mut stack) = (String::new(), vec![Node(root, weight)]);
    while let Some(piece) = stack.pop() {
        if text.len() > LONGEST {
            text.push_str("...");
            break;
        }
        match piece {
            Text(part) => text.push_str(part),
            Owned(part) => text.push_str(&part),
            Node(node, around) => match file.node(node) {
                Syntax::Set(list) => stack.push(Union(list, list.len, around)),
                _ => open(pieces(file, node), around, &mut stack),
            },
            Prefixed(sign, node, around) => open(prefixed(file, sign, node), around, &mut stack),
            // A set with one element is that element.
            Union(list, 1, around) => stack.push(Node(file.list(list)[0], around)),
            Union(list, count, around) => {
                let last = Node(file.list(list)[count as usize - 1], UNION);
                let pieces = vec![Union(list, count - 1, UNION), Text(" union "), last];
                open((Some(UNION), pieces), around, &mut stack);
            }
        }
    }
    text
}

/// How an expression is written: its weight if it may stand in parentheses, and its pieces.
type Form = (Option<u8>, Vec<Piece>);

/// Puts the pieces of an expression on the stack.
fn open((weight, pieces): Form, around: u8, stack: &mut Vec<Piece>) {
    let is_enclosed = weight.is_some_and(|weight| weight <= around);
    if is_enclosed {
        stack.push(Text(")"));
    }
    stack.extend(pieces.into_iter().rev());
    if is_enclosed {
        stack.push(Text("("));
    }
}

/// The value of a word literal.
fn word_of(file: &File, word: u32) -> Word {
    let WordLiteral { bits, width, signed } = file.words[word as usize];
    Word { bits, width, signed }
}

fn pieces(file: &File, node: NodeId) -> Form {
    match file.node(node) {
        Syntax::Boolean(true) => (None, vec![Text("TRUE")]),
        Syntax::Boolean(false) => (None, vec![Text("FALSE")]),
        Syntax::Integer(value) => (None, vec![Owned(value.to_string())]),
        Syntax::Word(word) => (None, vec![Owned(word_of(file, word).to_string())]),
        Syntax::Name(name) => (None, vec![Owned(file.names.text(name).to_owned())]),
        Syntax::SelfInstance => (None, vec![Text("self")]),
        Syntax::Component(base, name) => {
            let name = format!(".{}", file.names.text(name));
            (None, vec![Node(base, PREFIX), Owned(name)])
        }
        Syntax::Index(base, index) => {
            (None, vec![Node(base, PREFIX), Text("["), Node(index, ANYTHING), Text("]")])
        }
        Syntax::Bits(word, high, low) => {
            let bounds = [Node(high, ANYTHING), Text(" : "), Node(low, ANYTHING), Text("]")];
            let mut all = vec![Node(word, PREFIX), Text("[")];
            all.extend(bounds);
            (None, all)
        }
        Syntax::Range(low, high) => (Some(RANGE), vec![Owned(format!("{low} .. {high}"))]),
        Syntax::Set(list) | Syntax::Array(list) => (None, listed("[", file.list(list), "]")),
        Syntax::Count(list) => (None, listed("count(", file.list(list), ")")),
        Syntax::Case(list) => (None, case(file.list(list))),
        Syntax::Unary(operator, a) => unary(file, operator, a),
        Syntax::BoundedUnary(operator, a, bounds) => {
            bounded_unary(operator, a, file.bounds[bounds as usize])
        }
        Syntax::Binary(operator, a, b) => binary(operator, a, b),
        Syntax::BoundedBinary(operator, a, b, bounds) => {
            let (low, high) = file.bounds[bounds as usize];
            quantified(operator, a, format!(" BU {low}..{high} "), b)
        }
        Syntax::Conditional(c, a, b) => {
            let [c, a, b] = [c, a, b].map(|operand| Node(operand, ANYTHING));
            (None, vec![Text(" ("), c, Text(" ? "), a, Text(" : "), b, Text(") ")])
        }
        Syntax::Error => (None, vec![Text("?")]),
    }
}

/// `!e` or `-e`.
fn prefixed(file: &File, sign: &'static str, node: NodeId) -> Form {
    let is_negative = match file.node(node) {
        Syntax::Word(word) => word_of(file, word).number() < 0,
        _ => false,
    };
    // Two signs do not touch each other.
    let sign = if is_negative && sign == "-" { "- " } else { sign };
    (Some(PREFIX), vec![Text(sign), Node(node, PREFIX)])
}

fn listed(open: &'static str, elements: &[NodeId], close: &'static str) -> Vec<Piece> {
    let mut pieces = vec![Text(open)];
    for (place, &element) in elements.iter().enumerate() {
        if place > 0 {
            pieces.push(Text(", "));
        }
        pieces.push(Node(element, ANYTHING));
    }
    pieces.push(Text(close));
    pieces
}

/// `case`, each branch and `esac` in lines of their own.
fn case(branches: &[NodeId]) -> Vec<Piece> {
    let mut pieces = vec![Text("case\n")];
    for branch in branches.chunks(2) {
        if let &[condition, value] = branch {
            pieces.extend([Node(condition, ANYTHING), Text(" : ")]);
            pieces.extend([Node(value, ANYTHING), Text(";\n")]);
        }
    }
    pieces.push(Text("esac"));
    pieces
}

fn unary(file: &File, operator: UnaryOperator, a: NodeId) -> Form {
    use UnaryOperator as Op;
    let call = |function| (None, vec![Text(function), Node(a, ANYTHING), Text(")")]);
    match operator {
        Op::Not => prefixed(file, "!", a),
        Op::Minus => prefixed(file, "-", a),
        Op::Next => call("next("),
        Op::Bool => call("bool("),
        Op::ToInt => call("toint("),
        Op::Word1 => call("word1("),
        Op::Signed => call("signed("),
        Op::Unsigned => call("unsigned("),
        Op::SizeOf => call("sizeof("),
        Op::Abs => {
            let negative = Prefixed("-", a, ANYTHING);
            let (sign, value) = (Node(a, COMPARISON), Node(a, ANYTHING));
            let pieces = vec![Text(" ("), sign, Text(" >= 0 ? "), value, Text(" : "), negative];
            (None, pieces.into_iter().chain([Text(") ")]).collect())
        }
        _ => {
            let letters = letters(operator);
            let blank = if letters.len() == 1 { " " } else { "" };
            let prefix = format!("{blank}{letters} ");
            (Some(TEMPORAL), vec![Owned(prefix), Node(a, TEMPORAL)])
        }
    }
}

fn bounded_unary(operator: UnaryOperator, a: NodeId, (low, high): (u32, u32)) -> Form {
    let letters = letters(operator);
    if letters.len() == 1 {
        return (None, vec![Owned(format!(" {letters} [{low},{high}] ")), Node(a, ANYTHING)]);
    }
    // `EF` with bounds is `EBF`.
    let (quantifier, letter) = letters.split_at(1);
    let prefix = format!("{quantifier}B{letter} {low}..{high} ");
    (Some(TEMPORAL), vec![Owned(prefix), Node(a, TEMPORAL)])
}

/// The letters of a temporal operator.
fn letters(operator: UnaryOperator) -> &'static str {
    use UnaryOperator as Op;
    match operator {
        Op::LtlNext => "X",
        Op::Eventually => "F",
        Op::Globally => "G",
        Op::Yesterday => "Y",
        Op::WeakYesterday => "Z",
        Op::Once => "O",
        Op::Historically => "H",
        Op::ExistsNext => "EX",
        Op::AllNext => "AX",
        Op::ExistsEventually => "EF",
        Op::AllEventually => "AF",
        Op::ExistsGlobally => "EG",
        Op::AllGlobally => "AG",
        _ => "?",
    }
}

fn binary(operator: BinaryOperator, a: NodeId, b: NodeId) -> Form {
    use BinaryOperator as Op;
    let infix =
        |symbol, weight| (Some(weight), vec![Node(a, weight), Text(symbol), Node(b, weight)]);
    // In parentheses everywhere; the operands are weighed by the operator.
    let enclosed = |symbol, weight| {
        let operands = (Node(a, weight), Node(b, weight));
        (None, vec![Text("("), operands.0, Text(symbol), operands.1, Text(")")])
    };
    let call = |function, comma| {
        let operands = (Node(a, ANYTHING), Node(b, ANYTHING));
        (None, vec![Text(function), operands.0, Text(comma), operands.1, Text(")")])
    };
    let negated = |symbol| {
        let operands = (Prefixed("!", a, TEMPORAL), Prefixed("!", b, TEMPORAL));
        (Some(PREFIX), vec![Text("!("), operands.0, Text(symbol), operands.1, Text(")")])
    };
    let smaller = |then: NodeId, otherwise: NodeId| {
        let test = [Text(" ("), Node(a, COMPARISON), Text(" < "), Node(b, COMPARISON)];
        let mut pieces: Vec<Piece> = test.into_iter().collect();
        pieces.extend([Text(" ? "), Node(then, ANYTHING)]);
        pieces.extend([Text(" : "), Node(otherwise, ANYTHING), Text(") ")]);
        (None, pieces)
    };
    match operator {
        Op::And => enclosed(" & ", 6),
        Op::Or => enclosed(" | ", 5),
        Op::Xor => enclosed(" xor ", 4),
        Op::Xnor => enclosed(" xnor ", 4),
        Op::Implies => enclosed(" -> ", 4),
        Op::Iff => enclosed(" <-> ", 4),
        Op::Equal => infix(" = ", COMPARISON),
        Op::NotEqual => infix(" != ", COMPARISON),
        Op::Less => infix(" < ", COMPARISON),
        Op::LessEqual => infix(" <= ", COMPARISON),
        Op::Greater => infix(" > ", COMPARISON),
        Op::GreaterEqual => infix(" >= ", COMPARISON),
        Op::Add => infix(" + ", SUM),
        Op::Subtract => infix(" - ", SUM),
        Op::Multiply => infix(" * ", PRODUCT),
        Op::Divide => infix(" / ", PRODUCT),
        Op::Modulo => infix(" mod ", REMAINDER),
        Op::ShiftLeft => infix(" << ", SHIFT),
        Op::ShiftRight => infix(" >> ", SHIFT),
        Op::Concatenate => infix(" :: ", CONCATENATION),
        Op::Union => infix(" union ", UNION),
        Op::In => infix(" in ", MEMBERSHIP),
        Op::Min => smaller(a, b),
        Op::Max => smaller(b, a),
        Op::Extend => call("extend(", " , "),
        Op::Resize => call("resize(", ", "),
        Op::UnsignedConstant => call("uwconst(", ", "),
        Op::SignedConstant => call("swconst(", ", "),
        Op::Until => enclosed(" U ", TEMPORAL),
        Op::Since => enclosed(" S ", TEMPORAL),
        Op::Release => negated(" U "),
        Op::Triggered => negated(" S "),
        Op::ExistsUntil | Op::AllUntil => quantified(operator, a, " U ".to_owned(), b),
    }
}

/// `A [ a U b ] ` and its kin.
fn quantified(operator: BinaryOperator, a: NodeId, until: String, b: NodeId) -> Form {
    let quantifier = match operator {
        BinaryOperator::AllUntil => "A [ ",
        _ => "E [ ",
    };
    let operands = (Node(a, TEMPORAL), Node(b, TEMPORAL));
    (None, vec![Text(quantifier), operands.0, Owned(until), operands.1, Text(" ] ")])
}
