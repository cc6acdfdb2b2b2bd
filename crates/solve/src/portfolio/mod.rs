//! Several engines on one problem: the first sound answer counts.
//!
//! No engine is the best on all problems, and most problems are easy for some engine. So engines get slices of time
//! ([`Schedule`]) and take turns on a few threads, each turn twice as long as the one before; a turn is a run from the
//! start, and with twice as much each time at most half of the work is wasted. Where there are as many threads as
//! engines, nobody is interrupted. Who answers first cancels the others.
//!
//! [`in_steps`] is the same on one thread, and counts the steps of engines instead of time: the answer, the
//! word and who found it are the same on every machine. The command `kermode` has processes instead of threads, which
//! can crash or be killed without harm to the others; [`wire`] is how they are asked.

pub mod processes;
mod schedule;
mod tally;
pub mod wire;

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use schedule::{Schedule, Turn};
pub use tally::{Decided, End, Entrant, SharedTally, Spent, Tally};

use crate::frame::answer::Verdict;
use crate::frame::budget::{Budget, Cancellation, Stop};
use crate::frame::decide::decide;
use crate::frame::observer::{Observer, Silent};
use crate::frame::problem::Problem;

/// Lets the engines of a schedule take turns on so many threads, besides those that come first.
pub fn on_threads(
    problem: &Problem,
    schedule: &Schedule,
    threads: usize,
    budget: &Budget,
) -> Decided {
    let tally = SharedTally::default();
    try_first(problem, schedule, budget, &tally, &mut Silent::default());
    if !tally.lock().is_settled() && budget.check_now().is_ok() {
        let cancellation = budget.cancellation().inner();
        let waiting = Mutex::new(schedule.turns.iter().cloned().collect());
        let race = Race { problem, budget, cancellation, tally: &tally, waiting, threads };
        race.run();
    }
    tally.take().decided(budget.check_now().err())
}

/// Lets the engines of a schedule take turns one after the other, by steps and not by time. What comes of it is the
/// same on every machine, unless time or memory ends before.
pub fn in_steps(problem: &Problem, schedule: &Schedule, budget: &Budget) -> Decided {
    on_threads(problem, schedule, 1, &budget.in_steps())
}

/// Tries the engines that come first, one after the other, until one settles the problem.
pub fn try_first(
    problem: &Problem,
    schedule: &Schedule,
    budget: &Budget,
    tally: &SharedTally,
    observer: &mut dyn Observer,
) {
    for turn in &schedule.first {
        tally.lock().begin(&turn.engine, spent(budget));
        run_turn(problem, turn, &budget.slice(turn.slice), budget, tally, observer);
        if tally.lock().is_settled() || budget.check().is_err() {
            return;
        }
    }
}

/// What was spent of a budget.
fn spent(budget: &Budget) -> Spent {
    Spent { wall: budget.elapsed(), cpu: budget.cpu_elapsed() }
}

/// Runs an engine under a part of the budget and records what became of it. Says whether more time may help.
fn run_turn(
    problem: &Problem,
    turn: &Turn,
    part: &Budget,
    budget: &Budget,
    tally: &SharedTally,
    observer: &mut dyn Observer,
) -> bool {
    let mut counting = Counting { counted: Silent::default(), observer };
    let said = decide(problem, &turn.engine, part, &mut counting);
    let statistics = counting.counted.statistics;
    let more_time_may_help =
        matches!(said, Ok(Verdict::Unknown(Stop::Timeout) | Verdict::Nonempty(_)));
    let spent = Spent { wall: budget.elapsed(), cpu: part.cpu_elapsed() };
    tally.lock().hear(&turn.engine, said, statistics, spent);
    more_time_may_help
}

/// Keeps the counters of one engine, and passes everything on.
struct Counting<'o> {
    counted: Silent,
    observer: &'o mut dyn Observer,
}

impl Observer for Counting<'_> {
    fn statistic(&mut self, name: &'static str, value: u64) {
        self.counted.statistic(name, value);
        self.observer.statistic(name, value);
    }

    fn progress(&mut self, describe: &dyn Fn() -> String) {
        self.observer.progress(describe);
    }
}

/// What all threads share.
struct Race<'r> {
    problem: &'r Problem<'r>,
    budget: &'r Budget,
    cancellation: Cancellation,
    tally: &'r SharedTally,
    waiting: Mutex<VecDeque<Turn>>,
    threads: usize,
}

impl Race<'_> {
    fn run(&self) {
        if self.threads == 1 {
            return self.take_turns();
        }
        std::thread::scope(|scope| {
            (0..self.threads).for_each(|_| drop(scope.spawn(|| self.take_turns())));
        });
    }

    /// Takes turns until there is an answer or nobody is left to give one.
    fn take_turns(&self) {
        while let Some((turn, interrupted)) = self.next() {
            let all = self.budget.part(self.cancellation.clone());
            let part = if interrupted { all.slice(turn.slice) } else { all };
            let observer = &mut Silent::default();
            let more_time_may_help =
                run_turn(self.problem, &turn, &part, self.budget, self.tally, observer);
            if self.cancellation.is_cancelled() {
                return;
            }
            if self.tally.lock().is_settled() || self.budget.check_now().is_err() {
                self.cancellation.cancel();
            } else if more_time_may_help && interrupted {
                let slice = turn.slice.saturating_mul(2);
                self.waiting().push_back(Turn { slice, ..turn });
            }
        }
    }

    /// The next turn, and whether it ends by its slice: with a thread for each engine it does not.
    fn next(&self) -> Option<(Turn, bool)> {
        let mut waiting = self.waiting();
        let mut tally = self.tally.lock();
        let left = waiting.len() + tally.at_work();
        let turn = waiting.pop_front().filter(|_| !self.cancellation.is_cancelled())?;
        tally.begin(&turn.engine, spent(self.budget));
        Some((turn, left > self.threads))
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Turn>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
