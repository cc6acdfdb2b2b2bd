//! How properties are decided: by named engines, or by the engines of a schedule.

use crate::frame::budget::Budget;
use crate::frame::engine::EngineSpec;
use crate::frame::observer::Observer;
use crate::frame::problem::{Problem, WitnessPolicy};
use crate::portfolio::{Decided, Schedule, Turn, on_threads};

/// One engine for each kind of property.
const ONE_EACH: [&str; 3] = ["product:syntactic/el", "invariant:forward", "ctl:fixpoint"];

/// How properties are decided.
#[derive(Clone, Debug)]
pub struct CheckSettings {
    /// The engines. A property is decided by the first one that supports it. If there is none, the
    /// schedule is used.
    pub engines: Vec<EngineSpec>,
    /// The schedule. Engines that do not support a property are left out.
    pub schedule: Schedule,
    /// Whether traces are wanted.
    pub witness: WitnessPolicy,
}

impl Default for CheckSettings {
    fn default() -> Self {
        let (schedule, witness) = (Schedule::checking(), WitnessPolicy::default());
        CheckSettings { engines: Vec::new(), schedule, witness }
    }
}

impl CheckSettings {
    /// One engine for each kind of property, which run to their end.
    pub fn one_engine_each() -> Self {
        let engine = |name: &str| name.parse().expect("a name of the table");
        let engines = ONE_EACH.into_iter().map(engine).collect();
        CheckSettings { engines, ..CheckSettings::default() }
    }
}

/// What became of a turn before the others.
#[derive(Debug)]
pub enum EarlyTurn {
    /// The engine did not run: it must run with the others.
    NotTaken,
    /// There is no final answer. What the engine said counts when the others have run.
    Undecided,
    /// The result.
    Decided(Box<Decided>),
}

/// Runs the engines of a schedule on a problem about a model.
pub trait PropertyRace: Sync {
    /// Runs one engine before the model is prepared for the others. The problem is about the model
    /// as it is, and has the same answer as that of the others.
    fn early_turn(
        &self,
        _problem: &Problem,
        _turn: &Turn,
        _budget: &Budget,
        _observer: &mut dyn Observer,
    ) -> EarlyTurn {
        EarlyTurn::NotTaken
    }

    /// Decides the problem. All engines of the schedule support it.
    fn decide(
        &self,
        problem: &Problem,
        schedule: &Schedule,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Decided;
}

/// The engines take turns on the thread of the caller.
pub(super) struct InProcess;

impl PropertyRace for InProcess {
    fn decide(
        &self,
        problem: &Problem,
        schedule: &Schedule,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Decided {
        on_threads(problem, schedule, 1, budget, observer)
    }
}
