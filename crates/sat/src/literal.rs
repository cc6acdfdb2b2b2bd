//! Literals: a variable or its negation in four bytes.

use std::fmt;
use std::ops::Not;

/// A variable of some solver, or its negation. It has no meaning for any other solver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(u32);

impl Literal {
    /// The positive literal of the variable with this number.
    pub fn positive(variable: usize) -> Literal {
        let number = u32::try_from(variable).expect("a solver has fewer than 2^31 variables");
        assert!(number < 1 << 31, "a solver has fewer than 2^31 variables");
        Literal(number << 1)
    }

    /// The number of its variable.
    pub fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the negation of its variable.
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    /// The literal as the DIMACS format writes it.
    pub fn dimacs(self) -> i64 {
        let number = (self.variable() + 1) as i64;
        if self.is_negative() { -number } else { number }
    }
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.dimacs())
    }
}
