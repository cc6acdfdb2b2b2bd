//! Several engines on one problem, which is how questions are answered unless an engine is named.
//!
//! The engines that the schedule has first are tried in this process, one after the other: most
//! problems are easy, and are decided before another process would have begun. The others race in
//! processes of their own (`race`, `runners`), since an engine that crashes, takes too much memory
//! or does not stop must not take the answer of another with it. A problem that cannot be written
//! down for them is left to threads. `worker` is the process, `process` what its parent knows of
//! it.

mod process;
mod race;
mod runners;
pub(crate) mod worker;

use kermode::solve::portfolio::wire::WrittenProblem;
use kermode::solve::portfolio::{
    Decided, Schedule, SharedTally, Turn, in_steps, take_turns, try_first,
};
use kermode::solve::{Budget, Problem, Stop};

use crate::progress::Progress;
use race::{Race, Rules};

/// How the engines of a schedule are run.
#[derive(Clone, Debug)]
pub(crate) struct Portfolio {
    /// How many run at a time.
    pub(crate) jobs: usize,
    /// Whether all are waited for.
    pub(crate) all: bool,
    /// Whether steps are counted and not time.
    pub(crate) deterministic: bool,
}

impl Portfolio {
    /// Decides a problem. What is known of engines meanwhile is in the tally.
    pub(crate) fn decide(
        &self,
        problem: &Problem,
        schedule: &Schedule,
        budget: &Budget,
        progress: &mut Progress,
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

    /// Lets the others race, in processes if the problem can be written down.
    fn race(
        &self,
        problem: &Problem,
        schedule: &Schedule,
        budget: &Budget,
        progress: &mut Progress,
        tally: &SharedTally,
    ) -> Decided {
        let turns = self.turns(schedule);
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

    /// The engines that race; where all are waited for, also those that come first otherwise.
    fn turns(&self, schedule: &Schedule) -> Vec<Turn> {
        let mut turns = schedule.turns.clone();
        if self.all {
            let names: Vec<String> = turns.iter().map(|turn| turn.engine.to_string()).collect();
            let others = schedule.first.iter();
            turns.extend(others.filter(|turn| !names.contains(&turn.engine.to_string())).cloned());
        }
        turns
    }
}
