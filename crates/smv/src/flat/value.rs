//! Values of variables and expressions.

use std::fmt;

/// A symbolic constant of a flat model, by the index of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// A word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Word {
    /// The bits; those above the width are 0.
    pub bits: u64,
    /// The number of bits, from 1 to 64.
    pub width: u8,
    /// Whether it is signed.
    pub signed: bool,
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// `TRUE` or `FALSE`.
    Boolean(bool),
    /// An integer.
    Integer(i32),
    /// A symbolic constant.
    Symbol(Symbol),
    /// A word.
    Word(Word),
}

impl Word {
    /// The word as a number: negative if it is signed and its highest bit is 1.
    pub fn number(self) -> i128 {
        let bits = i128::from(self.bits);
        let negative = self.signed && self.bits >> (self.width - 1) & 1 == 1;
        if negative { bits - (1 << self.width) } else { bits }
    }
}

impl fmt::Display for Word {
    /// As NuSMV writes it: `0ud4_3`, `0sd4_3`, `-0sd4_3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.number();
        let sign = if number < 0 { "-" } else { "" };
        let letter = if self.signed { 's' } else { 'u' };
        write!(f, "{sign}0{letter}d{}_{}", self.width, number.unsigned_abs())
    }
}
