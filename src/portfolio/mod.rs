//! Several engines on one problem. Questions are answered in this way unless the user names an
//! engine.
//!
//! The engines marked `first` run in this process, one after the other: most problems are easy and
//! are decided before another process has started. The other engines race in processes of their own
//! (`race`, `runners`), because an engine that crashes, takes too much memory or does not stop must
//! not affect the others. If a problem cannot be written for a worker, the engines run on threads.
//! `worker` is the code of the process, `process` is the parent's view of it.

mod process;
mod race;
mod runners;
pub(crate) mod worker;

use kermode::solve::portfolio::wire::WrittenProblem;
use kermode::solve::portfolio::{
    Decided, Schedule, SharedTally, Turn, in_steps, take_turns, try_first,
};
use kermode::solve::{Budget, Observer, Problem, Stop};

use race::{Race, Rules};

/// How the engines of a schedule are run.
#[derive(Clone, Debug)]
pub(crate) struct Portfolio {
    /// The number of engines that run at the same time.
    pub(crate) jobs: usize,
    /// Whether to wait for all engines.
    pub(crate) all: bool,
    /// Whether steps are counted instead of time.
    pub(crate) deterministic: bool,
}

impl Portfolio {
    /// Decides a problem. The tally has the state of the engines meanwhile.
    pub(crate) fn decide(
        &self,
        problem: &Problem,
        schedule: &Schedule,
        budget: &Budget,
        progress: &mut dyn Observer,
        tally: &SharedTally,
    ) -> Decided {
        if self.deterministic {
            return in_steps(problem, schedule, budget, progress);
        }
        let schedule = &schedule.clone().within(budget, self.jobs);
        if !self.all {
            try_first(problem, schedule, budget, tally, progress);
            if tally.lock().is_settled() {
                return tally.take().decided(None);
            }
        }
        self.race(problem, schedule, budget, progress, tally)
    }

    /// Runs the other engines, in processes if the problem can be written.
    fn race(
        &self,
        problem: &Problem,
        schedule: &Schedule,
        budget: &Budget,
        progress: &mut dyn Observer,
        tally: &SharedTally,
    ) -> Decided {
        let turns = self.turns(problem, schedule);
        if turns.is_empty() {
            return tally.take().decided(budget.check_now().err());
        }
        let written = WrittenProblem::of(problem).ok();
        let written = written.and_then(|question| serde_json::to_string(&question).ok());
        let Some(question) = written else {
            let schedule = Schedule { first: Vec::new(), turns };
            take_turns(problem, &schedule, self.jobs, budget, tally, progress);
            return tally.take().decided(budget.check_now().err());
        };
        let rules = Rules { jobs: self.jobs, all: self.all };
        let race = Race::new(problem, &question, turns, rules, budget, tally);
        let over = match race.run(progress) {
            Ok(over) => over,
            Err(error) => Some(Stop::Limit(format!("processes: {error}"))),
        };
        tally.take().decided(over)
    }

    /// The engines that race; if all engines are waited for, also those marked `first`. Engines
    /// that do not support the problem start no process, unless none supports it: then they say
    /// why.
    fn turns(&self, problem: &Problem, schedule: &Schedule) -> Vec<Turn> {
        let mut turns = schedule.turns.clone();
        if self.all {
            for turn in &schedule.first {
                let name = turn.engine.to_string();
                if turns.iter().all(|other| other.engine.to_string() != name) {
                    turns.push(turn.clone());
                }
            }
        }
        let suits = |turn: &Turn| turn.engine.info().accepts.lacks(problem).is_none();
        if turns.iter().any(suits) {
            turns.retain(suits);
        }
        turns
    }
}
