//! The types of expressions and the domains of variables.

use super::value::{Value, Word};

/// The type of an expression. All ranges and all enumerations of integers have one type, and so
/// have all enumerations of symbols. Arrays and instances are no types here: flattening expands
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `TRUE` and `FALSE`.
    Boolean,
    /// 32-bit integers.
    Integer,
    /// Symbolic constants.
    Symbolic,
    /// Symbolic constants and integers.
    Mixed,
    /// Words.
    Word {
        /// Whether they are signed.
        signed: bool,
        /// The number of bits, from 1 to 64.
        width: u8,
    },
    /// Sets of Boolean values.
    BooleanSet,
    /// Sets of integers.
    IntegerSet,
    /// Sets of symbolic constants.
    SymbolicSet,
    /// Sets of symbolic constants and integers.
    MixedSet,
}

impl Type {
    /// Whether expressions of this type denote sets.
    pub fn is_set(self) -> bool {
        matches!(self, Type::BooleanSet | Type::IntegerSet | Type::SymbolicSet | Type::MixedSet)
    }

    /// The type of the elements of a set; other types are their own.
    pub fn element(self) -> Type {
        match self {
            Type::BooleanSet => Type::Boolean,
            Type::IntegerSet => Type::Integer,
            Type::SymbolicSet => Type::Symbolic,
            Type::MixedSet => Type::Mixed,
            scalar => scalar,
        }
    }

    /// The type of sets of this type. Words have none.
    pub fn set(self) -> Option<Type> {
        match self {
            Type::Boolean => Some(Type::BooleanSet),
            Type::Integer => Some(Type::IntegerSet),
            Type::Symbolic => Some(Type::SymbolicSet),
            Type::Mixed => Some(Type::MixedSet),
            Type::Word { .. } => None,
            set => Some(set),
        }
    }
}

/// The values of a variable. It has at least two: a variable with one value becomes a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// `TRUE` and `FALSE`.
    Boolean,
    /// The integers from the first to the second.
    Range(i32, i32),
    /// The values in the order of their declaration: symbols, integers, or both.
    Enumeration(Vec<Value>),
    /// Words.
    Word {
        /// Whether they are signed.
        signed: bool,
        /// The number of bits, from 1 to 64.
        width: u8,
    },
}

impl Domain {
    /// The type of expressions with these values.
    pub fn ty(&self) -> Type {
        match self {
            Domain::Boolean => Type::Boolean,
            Domain::Range(..) => Type::Integer,
            &Domain::Word { signed, width } => Type::Word { signed, width },
            Domain::Enumeration(values) => {
                let integers = values.iter().filter(|value| matches!(value, Value::Integer(_)));
                match integers.count() {
                    0 => Type::Symbolic,
                    all if all == values.len() => Type::Integer,
                    _ => Type::Mixed,
                }
            }
        }
    }

    /// The number of values.
    pub fn size(&self) -> u128 {
        match self {
            Domain::Boolean => 2,
            &Domain::Range(low, high) => (i64::from(high) - i64::from(low) + 1) as u128,
            Domain::Enumeration(values) => values.len() as u128,
            Domain::Word { width, .. } => 1 << width,
        }
    }

    /// The value with a code from 0 to one less than the size: the order of the values is that of
    /// their declaration, and words are in the order of their bits as unsigned numbers.
    pub fn value(&self, code: u64) -> Option<Value> {
        if u128::from(code) >= self.size() {
            return None;
        }
        Some(match self {
            Domain::Boolean => Value::Boolean(code == 1),
            &Domain::Range(low, _) => Value::Integer((i64::from(low) + code as i64) as i32),
            Domain::Enumeration(values) => values[code as usize],
            &Domain::Word { signed, width } => Value::Word(Word { bits: code, width, signed }),
        })
    }

    /// The code of a value, if it is one of the domain.
    pub fn code(&self, value: Value) -> Option<u64> {
        match (self, value) {
            (Domain::Boolean, Value::Boolean(value)) => Some(value.into()),
            (&Domain::Range(low, high), Value::Integer(value)) => {
                (low..=high).contains(&value).then(|| (i64::from(value) - i64::from(low)) as u64)
            }
            (Domain::Enumeration(values), value) => {
                values.iter().position(|&known| known == value).map(|code| code as u64)
            }
            (&Domain::Word { signed, width }, Value::Word(word)) => {
                ((word.signed, word.width) == (signed, width)).then_some(word.bits)
            }
            _ => None,
        }
    }
}
