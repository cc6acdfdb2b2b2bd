//! What is asked.

use kermode_ltl::{Formula, Store, WordKind};

/// Is there a word of this kind that satisfies the formula?
///
/// Validity, implication and equivalence are asked through the negation. The store is frozen: engines
/// that build formulas clone what they need.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'s> {
    /// The owner of the formula.
    pub store: &'s Store,
    /// What the word is to satisfy.
    pub formula: Formula,
    /// Which words come into question.
    pub words: WordKind,
}
