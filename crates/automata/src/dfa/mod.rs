//! Deterministic automata over finite words, with transitions as decision diagrams.
//!
//! - the automaton: [`Dfa`]: [`next`](Dfa::next), [`accepts`](Dfa::accepts),
//!   [`targets`](Dfa::targets)
//! - of a formula: [`deterministic`]; of an alternating automaton: [`Dfa::of_alternating`]
//! - the minimal automaton: [`Dfa::minimised`]
//! - operations: [`Dfa::complement`], [`combine`](combine()) by a [`Connective`],
//!   [`Dfa::projected`]

mod combine;
mod diagram;
mod graph;
mod implications;
mod minimise;
mod of_formula;
mod progression;
mod project;

pub use combine::{Connective, combine};
pub use diagram::{Diagram, DiagramNode, DiagramPair, Diagrams};
pub use graph::{Dfa, DfaState};
pub use of_formula::deterministic;
