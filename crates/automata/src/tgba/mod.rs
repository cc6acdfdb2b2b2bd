//! Generalised Büchi automata with acceptance marks on transitions (TGBA), the automata of Couvreur
//! \[Cou99\].
//!
//! - the automaton: [`Tgba`]: [`add_state`](Tgba::add_state),
//!   [`add_transition`](Tgba::add_transition), [`successors`](Tgba::successors)
//! - its components, its class: [`Components`], [`AcceptanceClass`]
//! - its figures, the size of its products: [`TgbaStatistics`], [`ProductSize`]
//! - does it accept a word: [`accepts`]
//! - a transition on every letter: [`Tgba::completed`]
//! - fewer transitions: [`Tgba::merge_transitions`]
//! - fewer states: [`Tgba::restricted`], [`reachable`], [`trim`](trim())
//! - fewer propositions: [`Tgba::projected`]
//! - one mark: [`degeneralise`](degeneralise()), [`small_buchi`]
//! - two automata: [`intersection`], [`union`]
//! - the other words: [`complement`](complement()), on demand [`SliceComplement`]
//! - an alternating automaton: [`to_alternating`](to_alternating())
//! - a picture: [`to_dot`]

mod accepting_states;
mod buchi;
mod class;
mod combine;
mod complement;
mod complete;
mod components;
mod degeneralise;
mod dot;
mod graph;
mod letter_set;
mod letters;
mod membership;
mod merge;
mod project;
mod random;
mod reduce;
mod regions;
mod sampled_product;
mod slice_space;
mod slices;
mod statistics;
mod to_alternating;
mod trim;

pub(crate) use degeneralise::raised;
pub(crate) use membership::LassoProduct;
pub(crate) use reduce::{ObligationCandidate, breakpoint_complement, merged_by_language};
pub(crate) use to_alternating::Labels;

pub use buchi::small_buchi;
pub use class::AcceptanceClass;
pub use combine::{intersection, union};
pub use complement::{ComplementStop, Uncomplemented, complement, deterministic_complement};
pub use components::Components;
pub use degeneralise::{Buchi, degeneralise};
pub use dot::to_dot;
pub use graph::{Marks, State, Tgba, Transition};
pub use membership::accepts;
pub use random::RandomTgba;
pub use reduce::{Effort, reduce, reduce_on_states};
pub use sampled_product::ProductSize;
pub use slices::{Slice, SliceComplement};
pub use statistics::TgbaStatistics;
pub use to_alternating::to_alternating;
pub use trim::{reachable, trim};
