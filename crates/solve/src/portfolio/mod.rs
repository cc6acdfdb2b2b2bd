//! Portfolios: several engines on one problem, of which the first sound answer counts.
//!
//! No engine is the best on all problems, and most problems are easy for some engine. So engines
//! get slices of time ([`Schedule`]) and take turns on a few threads. Each turn is a run from the
//! start and twice as long as the previous turn of the same engine, so at most half of the work is
//! wasted. If there are as many threads as engines, no engine is interrupted. The first answer
//! cancels the other engines.
//!
//! [`in_steps`] runs the engines on one thread and counts their steps instead of time: the answer,
//! the word and the engine that found it are the same on every machine. The command `kermode` uses
//! processes instead of threads, because they can crash or be killed without harm to the others.
//! [`wire`] is the format of their problems and answers.

pub mod processes;
mod schedule;
mod solver;
mod tally;
pub mod wire;
mod wire_model;

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub use schedule::{Schedule, Turn};
pub use solver::{Solver, SolverError, processors};
pub use tally::{Decided, End, Entrant, SharedTally, Spent, Tally};

use crate::frame::answer::Verdict;
use crate::frame::budget::{Budget, Cancellation, Stop};
use crate::frame::decide::decide;
use crate::frame::observer::{NodeSample, Observer, Silent};
use crate::frame::problem::Problem;

/// The time between two progress reports of a thread.
const BETWEEN_LINES: Duration = Duration::from_millis(100);

/// Runs a schedule: first the engines marked `first`, then the others in turns on the given number
/// of threads. The observer gets the progress of all engines. It gets the statistics of those that
/// run on the caller's thread: the engines marked `first`, and all engines if there is one thread.
pub fn on_threads(
    problem: &Problem,
    schedule: &Schedule,
    threads: usize,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Decided {
    let tally = SharedTally::default();
    let schedule = &schedule.clone().within(budget, threads);
    try_first(problem, schedule, budget, &tally, observer);
    take_turns(problem, schedule, threads, budget, &tally, observer);
    tally.take().decided(budget.check_now().err())
}

/// Runs the engines of a schedule in turns on the given number of threads, without those marked
/// `first`, unless the problem is settled. Their answers are added to the tally.
pub fn take_turns(
    problem: &Problem,
    schedule: &Schedule,
    threads: usize,
    budget: &Budget,
    tally: &SharedTally,
    observer: &mut dyn Observer,
) {
    if tally.lock().is_settled() || budget.check_now().is_err() {
        return;
    }
    let cancellation = budget.cancellation().inner();
    let waiting = Mutex::new(schedule.turns.iter().cloned().collect());
    Race { problem, budget, cancellation, tally, waiting, threads }.run(observer);
}

/// Runs the engines of a schedule in turns on one thread, with slices in steps instead of time. The
/// result is the same on every machine, unless time or memory runs out.
pub fn in_steps(
    problem: &Problem,
    schedule: &Schedule,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Decided {
    on_threads(problem, schedule, 1, &budget.in_steps(), observer)
}

/// Runs the engines marked `first`, one after the other, until one settles the problem. An engine
/// that stands there several times has no further turn if more time cannot help it.
pub fn try_first(
    problem: &Problem,
    schedule: &Schedule,
    budget: &Budget,
    tally: &SharedTally,
    observer: &mut dyn Observer,
) {
    let suits = |turn: &&Turn| turn.engine.info().accepts.lacks(problem).is_none();
    let mut given_up: Vec<String> = Vec::new();
    for turn in schedule.first.iter().filter(suits) {
        let name = turn.engine.to_string();
        if given_up.contains(&name) {
            continue;
        }
        tally.lock().begin(&turn.engine, spent(budget));
        if !run_turn(problem, turn, budget.slice(turn.slice), budget, tally, observer) {
            given_up.push(name);
        }
        if tally.lock().is_settled() || budget.check().is_err() {
            return;
        }
    }
}

/// The time spent since the start of a budget.
fn spent(budget: &Budget) -> Spent {
    Spent { wall: budget.elapsed(), cpu: budget.cpu_elapsed() }
}

/// Runs an engine under a part of the budget and records the result. Returns whether more time may
/// help.
fn run_turn(
    problem: &Problem,
    turn: &Turn,
    part: Budget,
    budget: &Budget,
    tally: &SharedTally,
    observer: &mut dyn Observer,
) -> bool {
    let mut counting = Counting::new(observer);
    let part = tally.listening(part, &turn.engine);
    let said = decide(problem, &turn.engine, &part, &mut counting);
    let statistics = counting.counted.statistics;
    let more_time_may_help =
        matches!(said, Ok(Verdict::Unknown(Stop::Timeout) | Verdict::Nonempty(_)));
    let spent = Spent { wall: budget.elapsed(), cpu: part.cpu_elapsed() };
    tally.lock().hear(&turn.engine, said, statistics, spent);
    more_time_may_help
}

/// Keeps the counters of one engine, and passes all reports on.
pub(crate) struct Counting<'o> {
    pub(crate) counted: Silent,
    observer: &'o mut dyn Observer,
}

impl<'o> Counting<'o> {
    pub(crate) fn new(observer: &'o mut dyn Observer) -> Self {
        Counting { counted: Silent::default(), observer }
    }
}

impl Observer for Counting<'_> {
    fn statistic(&mut self, name: &'static str, value: u64) {
        self.counted.statistic(name, value);
        self.observer.statistic(name, value);
    }

    fn timeline(&mut self, samples: &[NodeSample]) {
        self.counted.timeline(samples);
        self.observer.timeline(samples);
    }

    fn progress(&mut self, describe: &dyn Fn() -> String) {
        self.observer.progress(describe);
    }
}

/// Sends progress to another thread at intervals.
struct Relay {
    to: Sender<String>,
    told: Instant,
}

impl Observer for Relay {
    fn progress(&mut self, describe: &dyn Fn() -> String) {
        if self.told.elapsed() >= BETWEEN_LINES {
            self.told = Instant::now();
            // The work continues even if the receiver is gone.
            let _ = self.to.send(describe());
        }
    }
}

/// The data that all threads share.
struct Race<'r> {
    problem: &'r Problem<'r>,
    budget: &'r Budget,
    cancellation: Cancellation,
    tally: &'r SharedTally,
    waiting: Mutex<VecDeque<Turn>>,
    threads: usize,
}

impl Race<'_> {
    fn run(&self, observer: &mut dyn Observer) {
        if self.threads == 1 {
            return self.take_turns(observer);
        }
        std::thread::scope(|scope| {
            let (to, from): (Sender<String>, Receiver<String>) = channel();
            for _ in 0..self.threads {
                let mut relay = Relay { to: to.clone(), told: Instant::now() };
                scope.spawn(move || self.take_turns(&mut relay));
            }
            // The channel closes with the last thread.
            drop(to);
            from.iter().for_each(|line| observer.progress(&|| line.clone()));
        });
    }

    /// Runs turns until there is an answer or no engine is left.
    fn take_turns(&self, observer: &mut dyn Observer) {
        while let Some((turn, interrupted)) = self.next() {
            let all = self.budget.part(self.cancellation.clone());
            let part = if interrupted { all.slice(turn.slice) } else { all };
            let more_time_may_help =
                run_turn(self.problem, &turn, part, self.budget, self.tally, observer);
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

    /// The next turn, and whether its slice limits it. Slices do not apply if each engine has a
    /// thread.
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
