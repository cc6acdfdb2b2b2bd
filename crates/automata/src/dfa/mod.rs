//! Deterministic automata over finite words, with transitions as decision diagrams.
//!
//! - the automaton: [`Dfa`]: [`next`](Dfa::next), [`accepts`](Dfa::accepts),
//!   [`targets`](Dfa::targets)
//! - of a formula: [`deterministic`]; of an alternating automaton: [`Dfa::of_alternating`]
//! - the minimal automaton: [`Dfa::minimised`]
//! - operations: [`Dfa::complement`], [`combine`](combine()) by a [`Connective`],
//!   [`Dfa::projected`]
//! - with or without the sink: [`Extent`]; its edges and figures: [`Edges`], [`DfaStatistics`]
//! - an alternating automaton: [`Dfa::to_alternating`]; texts: [`Dfa::to_mona`], [`Dfa::to_dot`]

mod combine;
mod diagram;
mod dot;
mod edges;
mod graph;
mod implications;
mod minimise;
mod mona;
mod of_formula;
mod progression;
mod project;
mod statistics;
mod to_alternating;

pub use combine::{Connective, combine};
pub use diagram::{Diagram, DiagramNode, DiagramPair, Diagrams};
pub use edges::{DfaRow, Edges, Extent};
pub use graph::{Dfa, DfaState};
pub use mona::TooManyPaths;
pub use of_formula::deterministic;
pub use statistics::DfaStatistics;
