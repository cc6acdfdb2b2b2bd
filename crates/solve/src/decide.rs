//! From a problem to a verdict: run the engine, then replay its word.
//!
//! Invariant: a [`Witness::Replayed`] satisfies the formula by the semantics. Replay runs inside the
//! budget; if that ends there, the verdict stands and the word is left out.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use kermode_ltl::{Word, semantics};

use crate::budget::{Budget, Stop};
use crate::engine::{EngineSpec, SpecError};
use crate::observer::Observer;
use crate::problem::Problem;
use crate::verdict::{Answer, InternalError, LeftOut, Verdict, Witness};

/// Whether a word is wanted, and how long it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WitnessPolicy {
    /// Whether a word is wanted at all.
    pub wanted: bool,
    /// The most letters that are replayed.
    pub limit: usize,
}

impl Default for WitnessPolicy {
    fn default() -> Self {
        WitnessPolicy { wanted: true, limit: 1_000_000 }
    }
}

/// Asks an engine and checks what it says.
pub fn decide(
    problem: &Problem,
    engine: &EngineSpec,
    policy: WitnessPolicy,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Verdict, InternalError> {
    let name = engine.to_string();
    let run = || match engine.build() {
        Ok(engine) => engine.solve(problem, budget, observer),
        Err(error) => Err(refused(&error)),
    };
    let answer = catch_unwind(AssertUnwindSafe(run)).map_err(|panic| InternalError::Panic {
        engine: name.clone(),
        message: message(&*panic),
    })?;
    match answer {
        Err(stop) => Ok(Verdict::Unknown(stop)),
        Ok(Answer::Unsatisfiable) => Ok(Verdict::Unsatisfiable),
        Ok(Answer::Satisfiable(word)) => {
            replay(problem, word.shortened(), policy, budget, name).map(Verdict::Satisfiable)
        }
    }
}

fn refused(error: &SpecError) -> Stop {
    Stop::Unsupported(error.to_string())
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

fn replay(
    problem: &Problem,
    word: Word,
    policy: WitnessPolicy,
    budget: &Budget,
    engine: String,
) -> Result<Witness, InternalError> {
    let Problem { store, formula, words } = *problem;
    if !policy.wanted {
        return Ok(Witness::LeftOut(LeftOut::NotAsked));
    }
    let fits = word.kind() == words && !word.is_empty();
    if !fits {
        return Err(InternalError::WitnessFails { engine, word });
    }
    let length = semantics::unrolled_length(store, formula, &word);
    if length > policy.limit {
        return Ok(Witness::LeftOut(LeftOut::TooLong { length, limit: policy.limit }));
    }
    match semantics::satisfies(store, formula, &word, &mut || budget.check()) {
        Ok(true) => Ok(Witness::Replayed(word)),
        Ok(false) => Err(InternalError::WitnessFails { engine, word }),
        Err(stop) => Ok(Witness::LeftOut(LeftOut::Stopped(stop))),
    }
}
