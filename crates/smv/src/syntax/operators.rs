//! The operators of expressions and their precedences.

use super::token::{Kind, Reserved, Sign};
use super::tree::{BinaryOperator, UnaryOperator};

/// The levels of operators, the tightest first.
pub(super) mod level {
    pub(crate) const PRIMARY: u8 = 1;
    pub(crate) const PREFIX: u8 = 2;
    pub(crate) const CONCATENATION: u8 = 3;
    pub(crate) const PRODUCT: u8 = 4;
    pub(crate) const SUM: u8 = 5;
    pub(crate) const SHIFT: u8 = 6;
    pub(crate) const SET: u8 = 7;
    pub(crate) const UNION: u8 = 8;
    pub(crate) const IN: u8 = 9;
    pub(crate) const COMPARISON: u8 = 10;
    pub(crate) const CTL: u8 = 11;
    pub(crate) const LTL: u8 = 12;
    pub(crate) const UNTIL: u8 = 13;
    pub(crate) const AND: u8 = 14;
    pub(crate) const OR: u8 = 15;
    pub(crate) const CONDITIONAL: u8 = 16;
    pub(crate) const IFF: u8 = 17;
    pub(crate) const IMPLIES: u8 = 18;
    /// An array literal is no operand of anything.
    pub(crate) const ARRAY: u8 = 19;
}

/// An infix operator.
pub(super) struct Infix {
    pub(super) operator: BinaryOperator,
    pub(super) level: u8,
    /// The largest level of its right operand.
    pub(super) right: u8,
}

/// The infix operator of a token.
pub(super) fn infix(kind: Kind) -> Option<Infix> {
    use BinaryOperator as B;
    let (operator, level) = match kind {
        Kind::Sign(sign) => match sign {
            Sign::Concatenate => (B::Concatenate, level::CONCATENATION),
            Sign::Times => (B::Multiply, level::PRODUCT),
            Sign::Divide => (B::Divide, level::PRODUCT),
            Sign::Plus => (B::Add, level::SUM),
            Sign::Minus => (B::Subtract, level::SUM),
            Sign::ShiftLeft => (B::ShiftLeft, level::SHIFT),
            Sign::ShiftRight => (B::ShiftRight, level::SHIFT),
            Sign::Equal => (B::Equal, level::COMPARISON),
            Sign::NotEqual => (B::NotEqual, level::COMPARISON),
            Sign::Less => (B::Less, level::COMPARISON),
            Sign::LessEqual => (B::LessEqual, level::COMPARISON),
            Sign::Greater => (B::Greater, level::COMPARISON),
            Sign::GreaterEqual => (B::GreaterEqual, level::COMPARISON),
            Sign::And => (B::And, level::AND),
            Sign::Or => (B::Or, level::OR),
            Sign::Iff => (B::Iff, level::IFF),
            Sign::Implies => (B::Implies, level::IMPLIES),
            _ => return None,
        },
        Kind::Reserved(word) => match word {
            Reserved::Mod => (B::Modulo, level::PRODUCT),
            Reserved::Union => (B::Union, level::UNION),
            Reserved::In => (B::In, level::IN),
            Reserved::U => (B::Until, level::UNTIL),
            Reserved::V => (B::Release, level::UNTIL),
            Reserved::S => (B::Since, level::UNTIL),
            Reserved::T => (B::Triggered, level::UNTIL),
            Reserved::Xor => (B::Xor, level::OR),
            Reserved::Xnor => (B::Xnor, level::OR),
            _ => return None,
        },
        _ => return None,
    };
    // Only `->` associates to the right.
    let right = if level == level::IMPLIES { level } else { level - 1 };
    Some(Infix { operator, level, right })
}

/// A temporal operator before its operand.
#[derive(Clone, Copy)]
pub(super) enum Prefix {
    Ctl(UnaryOperator),
    /// Followed by `i..j`.
    BoundedCtl(UnaryOperator),
    Ltl(UnaryOperator),
    /// `A` or `E`, followed by `[p U q]`.
    Until(BinaryOperator),
}

/// The temporal operator of a reserved word.
pub(super) fn prefix(word: Reserved) -> Option<Prefix> {
    use UnaryOperator as O;
    Some(match word {
        Reserved::X => Prefix::Ltl(O::LtlNext),
        Reserved::Y => Prefix::Ltl(O::Yesterday),
        Reserved::Z => Prefix::Ltl(O::WeakYesterday),
        Reserved::F => Prefix::Ltl(O::Eventually),
        Reserved::G => Prefix::Ltl(O::Globally),
        Reserved::H => Prefix::Ltl(O::Historically),
        Reserved::O => Prefix::Ltl(O::Once),
        Reserved::Ex => Prefix::Ctl(O::ExistsNext),
        Reserved::Ax => Prefix::Ctl(O::AllNext),
        Reserved::Ef => Prefix::Ctl(O::ExistsEventually),
        Reserved::Af => Prefix::Ctl(O::AllEventually),
        Reserved::Eg => Prefix::Ctl(O::ExistsGlobally),
        Reserved::Ag => Prefix::Ctl(O::AllGlobally),
        Reserved::Ebf => Prefix::BoundedCtl(O::ExistsEventually),
        Reserved::Abf => Prefix::BoundedCtl(O::AllEventually),
        Reserved::Ebg => Prefix::BoundedCtl(O::ExistsGlobally),
        Reserved::Abg => Prefix::BoundedCtl(O::AllGlobally),
        Reserved::A => Prefix::Until(BinaryOperator::AllUntil),
        Reserved::E => Prefix::Until(BinaryOperator::ExistsUntil),
        _ => return None,
    })
}

/// What is written as a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Function {
    Unary(UnaryOperator),
    Binary(BinaryOperator),
    Count,
}

impl Function {
    pub(super) fn smallest_arity(self) -> usize {
        if matches!(self, Function::Binary(_)) { 2 } else { 1 }
    }

    pub(super) fn largest_arity(self) -> usize {
        match self {
            Function::Unary(_) => 1,
            Function::Binary(_) => 2,
            Function::Count => usize::MAX,
        }
    }
}

/// The function of a reserved word.
pub(super) fn function(word: Reserved) -> Option<Function> {
    use {BinaryOperator as B, UnaryOperator as O};
    Some(match word {
        Reserved::Next => Function::Unary(O::Next),
        Reserved::Bool => Function::Unary(O::Bool),
        Reserved::Toint => Function::Unary(O::ToInt),
        Reserved::Word1 => Function::Unary(O::Word1),
        Reserved::Signed => Function::Unary(O::Signed),
        Reserved::Unsigned => Function::Unary(O::Unsigned),
        Reserved::Abs => Function::Unary(O::Abs),
        Reserved::Sizeof => Function::Unary(O::SizeOf),
        Reserved::Min => Function::Binary(B::Min),
        Reserved::Max => Function::Binary(B::Max),
        Reserved::Extend => Function::Binary(B::Extend),
        Reserved::Resize => Function::Binary(B::Resize),
        Reserved::Uwconst => Function::Binary(B::UnsignedConstant),
        Reserved::Swconst => Function::Binary(B::SignedConstant),
        Reserved::Count => Function::Count,
        _ => return None,
    })
}
