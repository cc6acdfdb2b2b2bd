//! Engines that ask a SAT solver. They need no automaton and never list the successors of a state,
//! so they suit formulas whose single steps are too large for decision diagrams.
//!
//! | file | |
//! |---|---|
//! | `circuit.rs` | expressions over a step as clauses |
//! | `closure.rs` | a formula as what it demands now, next and before |
//! | `context.rs` | a solver under a budget |
//! | `unrolling.rs` | a formula over the positions of a word |
//! | `model.rs` | a model over the positions of a path |
//! | `paths.rs` | questions about the paths of a model |
//! | `bmc.rs` | `sat:bmc`: words of growing length |
//! | `tableau.rs` | `sat:tableau`: the same, and branches without progress are pruned |
//! | `step.rs` | one position: a state, its letter and its successor |
//! | `explicit/` | `sat:explicit`: states one by one, their components on the fly |
//! | `frames.rs` | `sat:frames`: frames of conflicts, for finite words |
//! | `k_liveness.rs` | `sat:k-liveness`: refutations of infinite words by frames |

mod bmc;
mod circuit;
mod closure;
mod context;
mod explicit;
mod frames;
mod k_liveness;
mod mistakes;
mod model;
mod paths;
mod step;
mod tableau;
mod unrolling;

#[cfg(test)]
mod mutant_tests;

pub(crate) use bmc::BMC;
pub(crate) use context::SatContext;
pub(crate) use explicit::EXPLICIT;
pub(crate) use frames::FRAMES;
pub(crate) use k_liveness::K_LIVENESS;
pub(crate) use tableau::TABLEAU;
