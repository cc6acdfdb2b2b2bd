//! Two oracles that decide satisfiability from the definitions alone, without rewriting or any
//! other preprocessing, for comparison with every engine: [`enumerate`] tries words, and
//! [`tableau`] searches the textbook graph of atoms. They support every operator, past and bounded
//! ones included, and are meant for small formulas. [`TableauSteps`] is the tableau for products
//! with models.

mod enumerate;
#[cfg(feature = "mutants")]
pub mod mutants;
mod steps;
mod tableau;

pub use enumerate::enumerate;
pub use steps::{Atom, Row, TableauSteps};

use crate::normal::ExpansionTooLarge;
use crate::store::{Formula, Store};
use crate::word::{Word, WordKind};

/// Decides a formula: a word that satisfies it, or nothing if there is none. The word is short, but
/// not always the shortest. Bounded operators are expanded.
pub fn tableau<E>(
    store: &Store,
    formula: Formula,
    words: WordKind,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Word>, TableauStop<E>> {
    tableau::tableau_by(tableau::law, store, formula, words, interrupt)
}

/// Why the tableau gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableauStop<E> {
    /// The graph would not fit.
    #[error("{elementary} propositions and temporal subformulas, where the tableau takes {limit}")]
    TooLarge {
        /// Propositions and temporal subformulas.
        elementary: usize,
        /// The largest supported number.
        limit: usize,
    },
    /// The bounds are too large.
    #[error(transparent)]
    Expansion(#[from] ExpansionTooLarge),
    /// The error of `interrupt`.
    #[error("interrupted")]
    Interrupted(E),
}
