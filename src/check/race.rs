//! The engines of a schedule on a property: the first ones in this process, the others in worker
//! processes.

use kermode::solve::check::{EarlyTurn, PropertyRace};
use kermode::solve::portfolio::{
    Decided, Entrant, Schedule, SharedTally, Spent, Turn, processors, try_first,
};
use kermode::solve::{Budget, Observer, Problem, Stop};

use crate::args::CheckRacing;
use crate::portfolio::Portfolio;

/// The races of one thread, one after the other.
pub(super) struct WorkerRace {
    portfolio: Portfolio,
    /// The state of the present race.
    tally: SharedTally,
}

impl WorkerRace {
    /// Races of one of several threads, which share the jobs.
    pub(super) fn new(racing: &CheckRacing, threads: usize) -> Self {
        let jobs = racing.jobs.unwrap_or_else(processors) / threads;
        let portfolio =
            Portfolio { jobs: jobs.max(1), all: racing.all, deterministic: racing.deterministic };
        WorkerRace { portfolio, tally: SharedTally::default() }
    }

    /// Forgets the last race.
    pub(super) fn begin(&self) {
        self.tally.take();
    }

    /// Ends a race whose budget has ended, while an engine is still busy. Returns whether an engine
    /// has found a counterexample, and the engines that ran.
    pub(super) fn end(&self, stop: &Stop, budget: &Budget) -> (bool, Vec<Entrant>) {
        let mut known = self.tally.take();
        known.end_all(stop, Spent { wall: budget.elapsed(), cpu: budget.cpu_used() });
        let decided = known.decided(Some(stop.clone()));
        let is_nonempty = decided.verdict.is_ok_and(|verdict| verdict.is_nonempty());
        (is_nonempty, decided.entrants)
    }
}

impl PropertyRace for WorkerRace {
    fn early_turn(
        &self,
        problem: &Problem,
        turn: &Turn,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> EarlyTurn {
        let Portfolio { jobs, all, deterministic } = self.portfolio;
        if all || deterministic {
            return EarlyTurn::NotTaken;
        }
        let schedule = Schedule { first: vec![turn.clone()], turns: Vec::new() };
        try_first(problem, &schedule.within(budget, jobs), budget, &self.tally, observer);
        if !self.tally.lock().is_settled() {
            return EarlyTurn::Undecided;
        }
        EarlyTurn::Decided(Box::new(self.tally.take().decided(None)))
    }

    fn decide(
        &self,
        problem: &Problem,
        schedule: &Schedule,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Decided {
        self.portfolio.decide(problem, schedule, budget, observer, &self.tally)
    }
}
