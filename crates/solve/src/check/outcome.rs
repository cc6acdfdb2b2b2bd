//! What is known of a property after its check.

use std::time::Duration;

use super::counterexample::Counterexample;
use super::examine::CheckWarning;
use crate::engines::ctl::ComputeResult;
use crate::frame::answer::{InternalError, LeftOut};
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Statistics;
use crate::portfolio::Entrant;

/// The outcome of one property.
#[derive(Clone, Debug)]
pub struct CheckOutcome {
    /// The engine that answered, if one was asked.
    pub engine: Option<String>,
    /// What is said before the verdict.
    pub warnings: Vec<CheckWarning>,
    /// The verdict.
    pub result: Result<CheckVerdict, InternalError>,
    /// What the engine counted.
    pub statistics: Statistics,
    /// The engines of a schedule that ran.
    pub entrants: Vec<Entrant>,
    /// The time of the check.
    pub wall: Duration,
    /// The CPU time of the check, worker processes included.
    pub cpu: Duration,
}

impl CheckOutcome {
    /// The outcome of a property whose budget ended while its engine was busy. The engine may have
    /// found before that it is violated.
    pub fn stopped(stop: Stop, is_violated: bool, budget: &Budget) -> CheckOutcome {
        let verdict = match is_violated {
            true => CheckVerdict::Violated(Err(budget.explain(LeftOut::Stopped(stop)))),
            false => CheckVerdict::Unknown(stop),
        };
        CheckOutcome {
            engine: None,
            warnings: Vec::new(),
            result: Ok(verdict),
            statistics: Statistics::default(),
            entrants: Vec::new(),
            wall: budget.elapsed(),
            cpu: budget.cpu_used(),
        }
    }
}

/// The answer to a property.
#[derive(Clone, Debug)]
pub enum CheckVerdict {
    /// It holds.
    Holds,
    /// It does not hold; a replayed counterexample, or the reason why it is not shown.
    Violated(Result<Box<Counterexample>, LeftOut>),
    /// The number that COMPUTE asks for.
    Computed(ComputeResult),
    /// There is no answer.
    Unknown(Stop),
}

impl CheckVerdict {
    /// The verdict as a word.
    pub fn word(&self) -> &'static str {
        match self {
            CheckVerdict::Holds => "holds",
            CheckVerdict::Violated(_) => "violated",
            CheckVerdict::Computed(_) => "computed",
            CheckVerdict::Unknown(_) => "unknown",
        }
    }
}
