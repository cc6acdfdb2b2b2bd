//! An explicit judge of properties, for comparison with every engine.
//!
//! It is slow and meant to be obviously right. It enumerates the reachable states by the
//! [`interpreter`](crate::interpreter), and shares with the engines neither the encoding into bits
//! nor rewriting nor the elimination of past operators:
//!
//! - the reachable states, and the steps with the values of what is observed: [`Graph`]
//! - is there a fair path, or a finite one, that satisfies a formula: [`fair_path`],
//!   [`finite_path`], by the product with the reference tableau
//! - does an automaton accept the word of some path, does it reject one: [`fair_words`],
//!   [`finite_words`], by the classes of lassos that the automaton cannot tell apart
//! - the states that satisfy a CTL formula: [`label`]
//! - COMPUTE: [`shortest`] and [`longest`]
//! - invariants and dead ends: [`violation`] and [`dead_end`]
//! - the verdict on a specification of a model: [`verdict`]

mod automata;
pub mod cases;
mod compute;
mod ctl;
mod fair;
mod finite;
mod graph;
mod invariant;
mod lassos;
mod ltl;
mod product;
mod verdict;

pub use automata::{Acceptance, fair_words, finite_words};
pub use compute::{Length, longest, shortest};
pub use ctl::{Labelling, label};
pub use finite::{Ending, finite_path};
pub use graph::{Edge, Graph, Limits};
pub use invariant::{dead_end, violation};
pub use ltl::fair_path;
pub use verdict::{Verdict, verdict};

use kermode_ltl::reference::TableauStop;

/// Why the judge gives no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unjudged<E> {
    /// The model, the formula or their product exceeds a limit.
    #[error("too large for the explicit judge: more than {limit} {what}")]
    TooLarge {
        /// What is counted.
        what: &'static str,
        /// The largest supported number.
        limit: usize,
    },
    /// PSL.
    #[error("this kind of specification is not supported")]
    Unsupported,
    /// The error of `interrupt`.
    #[error("interrupted")]
    Interrupted(E),
}

impl<E> Unjudged<E> {
    fn of_tableau(stop: TableauStop<E>) -> Self {
        match stop {
            TableauStop::TooLarge { limit, .. } => {
                Unjudged::TooLarge { what: "temporal subformulas", limit }
            }
            TableauStop::Expansion(too_large) => Unjudged::TooLarge {
                what: "subformulas of bounded operators",
                limit: usize::try_from(too_large.limit).unwrap_or(usize::MAX),
            },
            TableauStop::Interrupted(error) => Unjudged::Interrupted(error),
        }
    }
}
