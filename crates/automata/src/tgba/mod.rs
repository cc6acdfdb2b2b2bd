//! Generalised Büchi automata with acceptance marks on transitions (TGBA), the automata of Couvreur
//! \[Cou99\].
//!
//! - the automaton: [`Tgba`]: [`add_state`](Tgba::add_state),
//!   [`add_transition`](Tgba::add_transition), [`successors`](Tgba::successors)
//! - its components, class and figures: [`Components`], [`AcceptanceClass`], [`TgbaStatistics`]
//! - does it accept a word: [`accepts`]
//! - fewer transitions: [`Tgba::merge_transitions`]
//! - fewer states: [`Tgba::restricted`], [`reachable`], [`trim`](trim())
//! - fewer propositions: [`Tgba::projected`]
//! - one mark: [`degeneralise`](degeneralise())
//! - two automata: [`intersection`], [`union`]
//! - an alternating automaton: [`to_alternating`](to_alternating())
//! - a picture: [`to_dot`]

mod class;
mod combine;
mod components;
mod degeneralise;
mod dot;
mod graph;
mod letters;
mod membership;
mod merge;
mod project;
mod random;
mod reduce;
mod statistics;
mod to_alternating;
mod trim;

pub(crate) use degeneralise::raised;
pub(crate) use dot::small_cover;
pub(crate) use reduce::ObligationCandidate;
pub(crate) use to_alternating::Labels;

pub use class::AcceptanceClass;
pub use combine::{intersection, union};
pub use components::Components;
pub use degeneralise::{Buchi, degeneralise};
pub use dot::to_dot;
pub use graph::{Marks, State, Tgba, Transition};
pub use membership::accepts;
pub use random::RandomTgba;
pub use reduce::{Effort, reduce, reduce_on_states};
pub use statistics::TgbaStatistics;
pub use to_alternating::to_alternating;
pub use trim::{reachable, trim};
