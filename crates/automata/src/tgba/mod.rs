//! Generalised Büchi automata with acceptance marks on transitions (TGBA), the automata of Couvreur \[Cou99\].
//!
//! | what a caller wants | where it is |
//! |---|---|
//! | the automaton | [`Tgba`]: [`add_state`](Tgba::add_state), [`add_transition`](Tgba::add_transition), [`successors`](Tgba::successors) |
//! | its components | [`Components`] |
//! | fewer transitions | [`Tgba::merge_transitions`] |
//! | fewer states | [`Tgba::restricted`], [`reachable`], [`trim`](trim()) |

mod components;
mod graph;
mod merge;
mod trim;

pub use components::Components;
pub use graph::{Marks, State, Tgba, Transition};
pub use trim::{reachable, trim};
