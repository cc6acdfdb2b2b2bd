//! The explicit interpreter: values of expressions, states, steps and traces of a flat model.
//!
//! It shares no code with the encoding into symbolic systems, so that each can be checked against
//! the other.
//!
//! - the value of an expression: [`Evaluation`], of a constant one: [`Constants`]
//! - initial states and steps: [`Interpreter`], whose [`State`]s are read with a [`Layout`]
//! - the reachable states, counted: [`explore()`]
//! - whether all states have successors: [`totality()`]
//! - whether a trace is a path of the model: [`Replay`]
//! - random paths: [`random_walk()`]

mod dead_loops;
mod evaluate;
mod explore;
mod network;
mod operations;
mod replay;
mod search;
mod sets;
mod space;
mod state;
mod totality;
mod walk;

pub use evaluate::{Constants, Evaluation, Outcome, Time};
pub use explore::{Exploration, explore};
pub use operations::{Failure, FailureReason};
pub use replay::{Fairness, Replay, Rule, Trace, Violation};
pub use sets::ValueSet;
pub use space::Interpreter;
pub use state::{Layout, State};
pub use totality::{Totality, totality};
pub use walk::{WalkEnd, random_walk};
