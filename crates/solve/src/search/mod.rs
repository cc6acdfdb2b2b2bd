//! Explicit emptiness checks that build a state space step by step and end as soon as they have the
//! answer.
//!
//! They work on any [`SearchGraph`]. A [`Traversal`] makes one of a
//! [`Space`](kermode_automata::space::Space) with acceptance marks on its steps: explicit automata,
//! the construction from formulas, state spaces of alternating automata, and products. Fairness of
//! a system needs no construction: it is marks on the steps of the system, beside those of the
//! property.
//!
//! | what a caller wants | where it is |
//! |---|---|
//! | to traverse a space | [`Traversal`] |
//! | an accepting component | [`couvreur`](couvreur()) |
//! | an accepting cycle with one mark, as the paper compares | [`magic`](magic()) in [`Levels`] |
//! | its word | [`Traversal::word`] |

mod couvreur;
pub(crate) mod edge_list;
mod fair_cycle;
mod graph;
mod lasso;
mod levels;
mod magic;
mod traversal;

pub use couvreur::couvreur;
pub(crate) use fair_cycle::{Leaving, MarkedGraph};
pub(crate) use graph::push_slowly;
pub use graph::{MarkSet, MarkSets, SearchGraph, Taken};
pub(crate) use lasso::{FairLasso, fair_lasso};
pub use levels::Levels;
pub(crate) use levels::raised;
pub use magic::magic;
pub use traversal::{SearchCounts, Traversal};
