//! How properties are decided: by named engines, or by the engines of a schedule.

use crate::frame::budget::Budget;
use crate::frame::engine::EngineSpec;
use crate::frame::observer::Observer;
use crate::frame::problem::{Problem, WitnessPolicy};
use crate::portfolio::{Decided, Schedule, on_threads};

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

/// Runs the engines of a schedule on a problem about a model.
pub trait PropertyRace: Sync {
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
