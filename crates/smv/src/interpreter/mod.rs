//! The explicit interpreter: values of expressions, states, steps and traces of a flat model.
//!
//! It shares no code with the encoding into symbolic systems, so that each can be checked against
//! the other.
//!
//! - the value of an expression: [`Evaluation`], of a constant one: [`Constants`]

mod evaluate;
mod operations;
mod sets;

pub use evaluate::{Constants, Evaluation, Outcome, Time};
pub use operations::{Failure, FailureReason};
pub use sets::ValueSet;
