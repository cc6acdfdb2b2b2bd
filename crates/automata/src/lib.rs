//! Alternating automata over infinite and finite words: data, translation from LTL, the algorithms that
//! judge them, and the texts they are read from and written to.

pub mod alternating;
pub mod expression;
pub mod from_ltl;

pub use alternating::{AlternatingAutomaton, Location};
pub use expression::{Expression, Expressions, Term};
pub use from_ltl::{Untranslatable, from_ltl};
