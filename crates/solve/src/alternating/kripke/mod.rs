//! Products of a symbolic model with the state spaces of an alternating automaton: section 5 of
//! \[DDMR08\], and the spaces `kripke_miyano_hayashi` and `kripke_afa_subset` of \[DDMR08b\].
//!
//! A state is a pair of a state of the model and a state of the property: a pair of Miyano and
//! Hayashi, a set of locations of a very weak automaton, or a set of locations over finite words.
//! The order compares states of the property and leaves the state of the model as it is. Sets of
//! states are closed in this order, upwards if steps go forward and downwards if they go backward,
//! and are represented in two ways:
//!
//! - *semi-symbolic*: antichains of pairs of a diagram and a state of the property (`region`);
//! - *fully symbolic*: one diagram over the variables of both parts (`symbolic`).
//!
//! Over infinite words the letter belongs to the step: it may depend on inputs and next values.
//! Over finite words it belongs to the state, and the last state has a letter as well.

pub(crate) mod algebra;
#[cfg(test)]
mod algebra_tests;
pub(crate) mod components;
#[cfg_attr(not(test), expect(dead_code, reason = "a toolkit: engines use one representation"))]
pub(crate) mod convert;
#[cfg_attr(not(test), expect(dead_code, reason = "for debugging and tests"))]
pub(crate) mod display;
pub(crate) mod mistakes;
pub(crate) mod property;
pub(crate) mod region;
#[cfg(test)]
mod region_tests;
pub(crate) mod states;
pub(crate) mod symbolic;
