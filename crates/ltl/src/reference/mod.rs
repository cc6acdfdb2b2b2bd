//! Two oracles that decide satisfiability from the definitions alone, without rewriting or any other
//! preprocessing, so that every engine can be measured against them: [`enumerate`] tries words, and
//! [`tableau`] searches the textbook graph of atoms. They read every operator, past and bounded ones
//! included, and are meant for small formulas.

mod components;
mod enumerate;
mod tableau;

pub use enumerate::enumerate;
pub use tableau::tableau;

use crate::normal::ExpansionTooLarge;

/// Why the tableau gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableauStop<E> {
    /// The graph would not fit.
    #[error("{elementary} propositions and temporal subformulas, where the tableau takes {limit}")]
    TooLarge {
        /// Propositions and temporal subformulas.
        elementary: usize,
        /// How many would do.
        limit: usize,
    },
    /// The bounds are too far.
    #[error(transparent)]
    Expansion(#[from] ExpansionTooLarge),
    /// `interrupt` said so.
    #[error("interrupted")]
    Interrupted(E),
}
