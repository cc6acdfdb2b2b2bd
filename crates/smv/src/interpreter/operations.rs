//! The value of one operator for the values of its operands.
//!
//! There are three kinds of results besides scalars: sets, failures, and unknown values. `&`, `|`,
//! `->` and `?:` on Boolean values are decided by one operand if it suffices, in either order, also
//! if the other operand fails or is unknown. All other operators fail if an operand fails. A result
//! is unknown if it depends on what is unknown: then a definite result, also a failure, does not
//! change when more becomes known.

use super::sets::{SetId, Sets, ValueSet};
use crate::flat::{FailureKind, FlatBinary, FlatExpression, FlatTerm, FlatUnary, Value, Word};

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureReason {
    /// No condition of a `case` is true.
    NoCase,
    /// An array index is outside of the bounds.
    OutOfBounds,
    /// The divisor of `/` or `mod` is 0.
    DivisionByZero,
    /// A word is shifted by a negative amount or by more than its width.
    ShiftAmount,
}

/// The failure of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Failure {
    /// The reason.
    pub reason: FailureReason,
    /// The subexpression that fails.
    pub expression: FlatExpression,
}

/// The result of an expression, with sets by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Unknown,
    Scalar(Value),
    Set(SetId),
    Failure(Failure),
}

impl Slot {
    pub(super) const TRUE: Slot = Slot::Scalar(Value::Boolean(true));
    pub(super) const FALSE: Slot = Slot::Scalar(Value::Boolean(false));

    pub(super) fn boolean(value: bool) -> Slot {
        Slot::Scalar(Value::Boolean(value))
    }

    pub(super) fn is_known(self) -> bool {
        self != Slot::Unknown
    }
}

/// The result of a term whose operands have these results; operands that it does not have are
/// ignored. Constants, variables, `next` and temporal operators are left to the caller: they are
/// unknown here.
///
/// # Panics
/// When the term is not well typed.
pub(super) fn apply(
    term: FlatTerm,
    expression: FlatExpression,
    [a, b, c]: [Slot; 3],
    sets: &mut Sets,
) -> Slot {
    match term {
        FlatTerm::Interval(low, high) => Slot::Set(sets.intern(ValueSet::interval(low, high))),
        FlatTerm::Failure(kind, _) => {
            let reason = match kind {
                FailureKind::NoCase => FailureReason::NoCase,
                FailureKind::OutOfBounds => FailureReason::OutOfBounds,
            };
            Slot::Failure(Failure { reason, expression })
        }
        FlatTerm::Unary(operator, _) => strict([a], |[a]| unary(operator, a)),
        FlatTerm::Bits { high, low, .. } => strict([a], |[a]| {
            let (bits, width) = (word(a).bits >> low, high - low + 1);
            Value::Word(wrapped(bits, width, false))
        }),
        FlatTerm::Binary(operator, ..) => binary(operator, expression, a, b, sets),
        FlatTerm::IfThenElse(..) => match a {
            Slot::TRUE => b,
            Slot::FALSE => c,
            failure_or_unknown => failure_or_unknown,
        },
        FlatTerm::Constant(_)
        | FlatTerm::Variable(_)
        | FlatTerm::Next(_)
        | FlatTerm::PathUnary(..)
        | FlatTerm::PathBinary(..) => Slot::Unknown,
    }
}

/// The result of an operator that fails if an operand fails.
fn strict<const N: usize>(operands: [Slot; N], result: impl FnOnce([Value; N]) -> Value) -> Slot {
    match strict_slot(&operands) {
        Some(slot) => slot,
        None => Slot::Scalar(result(operands.map(scalar))),
    }
}

/// The first failure, or else unknown if an operand is. `None` if all operands have values.
fn strict_slot(operands: &[Slot]) -> Option<Slot> {
    let failure = operands.iter().find(|slot| matches!(slot, Slot::Failure(_)));
    let unknown = || operands.iter().find(|slot| **slot == Slot::Unknown);
    failure.or_else(unknown).copied()
}

fn scalar(slot: Slot) -> Value {
    match slot {
        Slot::Scalar(value) => value,
        other => panic!("{other:?} is no scalar"),
    }
}

fn word(value: Value) -> Word {
    match value {
        Value::Word(word) => word,
        other => panic!("{other:?} is no word"),
    }
}

fn boolean(value: Value) -> bool {
    match value {
        Value::Boolean(value) => value,
        other => panic!("{other:?} is no Boolean value"),
    }
}

/// The word with these bits, those above the width removed.
fn wrapped(bits: u64, width: u8, signed: bool) -> Word {
    Word { bits: bits & (u64::MAX >> (64 - width)), width, signed }
}

/// The word with the bits of this number.
fn of_number(number: i128, like: Word) -> Word {
    wrapped(number as u64, like.width, like.signed)
}

pub(super) fn unary(operator: FlatUnary, a: Value) -> Value {
    match (operator, a) {
        (FlatUnary::Not, Value::Boolean(a)) => Value::Boolean(!a),
        (FlatUnary::Not, Value::Word(a)) => Value::Word(wrapped(!a.bits, a.width, a.signed)),
        (FlatUnary::Minus, Value::Integer(a)) => Value::Integer(a.wrapping_neg()),
        (FlatUnary::Minus, Value::Word(a)) => Value::Word(of_number(-a.number(), a)),
        (FlatUnary::Bool, Value::Boolean(a)) => Value::Boolean(a),
        (FlatUnary::Bool, Value::Integer(a)) => Value::Boolean(a != 0),
        (FlatUnary::Bool, Value::Word(a)) => Value::Boolean(a.bits != 0),
        (FlatUnary::ToInt, Value::Boolean(a)) => Value::Integer(a.into()),
        (FlatUnary::ToInt, Value::Integer(a)) => Value::Integer(a),
        (FlatUnary::ToInt, Value::Word(a)) => Value::Integer(a.number() as i32),
        (FlatUnary::Word1, Value::Boolean(a)) => Value::Word(wrapped(a.into(), 1, false)),
        (FlatUnary::Signed, Value::Word(a)) => Value::Word(Word { signed: true, ..a }),
        (FlatUnary::Unsigned, Value::Word(a)) => Value::Word(Word { signed: false, ..a }),
        (FlatUnary::Extend(more), Value::Word(a)) => {
            Value::Word(wrapped(a.number() as u64, a.width + more, a.signed))
        }
        (FlatUnary::Resize(width), Value::Word(a)) if a.signed && width < a.width => {
            let sign = a.bits >> (a.width - 1) & 1;
            let rest = a.bits & !(u64::MAX << (width - 1));
            Value::Word(wrapped(sign << (width - 1) | rest, width, true))
        }
        (FlatUnary::Resize(width), Value::Word(a)) => {
            Value::Word(wrapped(a.number() as u64, width, a.signed))
        }
        (operator, a) => panic!("{operator:?} is not defined on {a:?}"),
    }
}

fn binary(
    operator: FlatBinary,
    expression: FlatExpression,
    a: Slot,
    b: Slot,
    sets: &mut Sets,
) -> Slot {
    match (operator, a, b) {
        (FlatBinary::And, Slot::FALSE, _) | (FlatBinary::And, _, Slot::FALSE) => Slot::FALSE,
        (FlatBinary::Or, Slot::TRUE, _) | (FlatBinary::Or, _, Slot::TRUE) => Slot::TRUE,
        (FlatBinary::Implies, Slot::FALSE, _) | (FlatBinary::Implies, _, Slot::TRUE) => Slot::TRUE,
        // The other operand may still decide.
        (FlatBinary::And | FlatBinary::Or | FlatBinary::Implies, Slot::Unknown, _)
        | (FlatBinary::And | FlatBinary::Or | FlatBinary::Implies, _, Slot::Unknown) => {
            Slot::Unknown
        }
        (FlatBinary::Union | FlatBinary::In, ..) => {
            if let Some(slot) = strict_slot(&[a, b]) {
                return slot;
            }
            match (operator, a, b) {
                (FlatBinary::In, Slot::Scalar(a), Slot::Scalar(b)) => Slot::boolean(a == b),
                (FlatBinary::In, Slot::Scalar(a), Slot::Set(b)) => {
                    Slot::boolean(sets.get(b).contains(a))
                }
                _ => {
                    let (a, b) = (as_set(a, sets), as_set(b, sets));
                    if operator == FlatBinary::In {
                        Slot::boolean(sets.get(a).is_subset(sets.get(b)))
                    } else {
                        Slot::Set(sets.union(a, b))
                    }
                }
            }
        }
        _ => match strict_slot(&[a, b]) {
            Some(slot) => slot,
            None => match scalar_binary(operator, scalar(a), scalar(b)) {
                Ok(value) => Slot::Scalar(value),
                Err(reason) => Slot::Failure(Failure { reason, expression }),
            },
        },
    }
}

/// The set that a scalar or set stands for.
fn as_set(slot: Slot, sets: &mut Sets) -> SetId {
    match slot {
        Slot::Set(set) => set,
        other => sets.singleton(scalar(other)),
    }
}

pub(super) fn scalar_binary(
    operator: FlatBinary,
    a: Value,
    b: Value,
) -> Result<Value, FailureReason> {
    use FlatBinary as Op;
    Ok(match operator {
        Op::Equal => Value::Boolean(a == b),
        Op::NotEqual => Value::Boolean(a != b),
        Op::And | Op::Or | Op::Xor | Op::Xnor | Op::Implies | Op::Iff => connective(operator, a, b),
        Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
            let order = match (a, b) {
                (Value::Integer(a), Value::Integer(b)) => a.cmp(&b),
                (a, b) => word(a).number().cmp(&word(b).number()),
            };
            Value::Boolean(match operator {
                Op::Less => order.is_lt(),
                Op::LessEqual => order.is_le(),
                Op::Greater => order.is_gt(),
                _ => order.is_ge(),
            })
        }
        Op::Concatenate => {
            let (a, b) = (word(a), word(b));
            let high = a.bits.checked_shl(b.width.into()).unwrap_or(0);
            Value::Word(wrapped(high | b.bits, a.width + b.width, false))
        }
        Op::ShiftLeft | Op::ShiftRight => {
            let a = word(a);
            let amount = match b {
                Value::Integer(b) => i128::from(b),
                b => word(b).number(),
            };
            if !(0..=i128::from(a.width)).contains(&amount) {
                return Err(FailureReason::ShiftAmount);
            }
            let number = a.number();
            let left = operator == Op::ShiftLeft;
            Value::Word(of_number(if left { number << amount } else { number >> amount }, a))
        }
        _ => arithmetic(operator, a, b)?,
    })
}

fn connective(operator: FlatBinary, a: Value, b: Value) -> Value {
    let combine = |a: u64, b: u64| match operator {
        FlatBinary::And => a & b,
        FlatBinary::Or => a | b,
        FlatBinary::Xor => a ^ b,
        FlatBinary::Implies => !a | b,
        _ => !(a ^ b),
    };
    match (a, b) {
        (Value::Word(a), Value::Word(b)) => {
            Value::Word(wrapped(combine(a.bits, b.bits), a.width, a.signed))
        }
        (a, b) => Value::Boolean(combine(boolean(a).into(), boolean(b).into()) & 1 == 1),
    }
}

fn arithmetic(operator: FlatBinary, a: Value, b: Value) -> Result<Value, FailureReason> {
    let (x, y) = match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => (a.into(), b.into()),
        (a, b) => (word(a).number(), word(b).number()),
    };
    let number = match operator {
        FlatBinary::Add => x + y,
        FlatBinary::Subtract => x - y,
        FlatBinary::Multiply => x.wrapping_mul(y),
        FlatBinary::Divide | FlatBinary::Modulo if y == 0 => {
            return Err(FailureReason::DivisionByZero);
        }
        FlatBinary::Divide => x / y,
        FlatBinary::Modulo => x % y,
        other => panic!("{other:?} is no arithmetic operator"),
    };
    Ok(match a {
        Value::Word(like) => Value::Word(of_number(number, like)),
        _ => Value::Integer(number as i32),
    })
}
