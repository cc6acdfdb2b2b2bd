//! Several engines on one problem: the first sound answer counts.
//!
//! No engine is the best on all problems, and most problems are easy for some engine. So engines get slices of time
//! ([`Schedule`]) and take turns on a few threads, each turn twice as long as the one before; a turn is a run from the
//! start, and with twice as much each time at most half of the work is wasted. Where there are as many threads as
//! engines, nobody is interrupted. Who answers first cancels the others.
//!
//! [`in_steps`] is the same on one thread, and counts the steps of engines instead of time: the answer, the
//! word and who found it are the same on every machine. The command `kermode` has processes instead of threads, which
//! can crash or be killed without harm to the others.

mod schedule;

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use schedule::{Schedule, Turn};

use crate::frame::answer::{InternalError, LeftOut, Verdict, Witness};
use crate::frame::budget::{Budget, Cancellation, Stop};
use crate::frame::decide::{WitnessPolicy, decide};
use crate::frame::engine::EngineSpec;
use crate::frame::observer::{Silent, Statistics};
use crate::frame::problem::Problem;

/// What a portfolio comes to.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The verdict.
    pub verdict: Verdict,
    /// Whose verdict it is, if it is one.
    pub engine: Option<EngineSpec>,
    /// What that engine counted.
    pub statistics: Statistics,
    /// The engines that broke, and how. They do not decide.
    pub failures: Vec<(EngineSpec, InternalError)>,
}

/// Lets the engines of a schedule take turns on so many threads, besides those that come first.
pub fn on_threads(
    problem: &Problem,
    schedule: &Schedule,
    policy: WitnessPolicy,
    threads: usize,
    budget: &Budget,
) -> Result<Decided, InternalError> {
    let mut table = Table::new(schedule);
    for turn in &schedule.first {
        let part = budget.slice(turn.slice);
        let (said, statistics) = said(problem, &turn.engine, policy, &part);
        table.hear(&turn.engine, said, statistics)?;
        if table.is_settled(budget) {
            return Ok(table.decided(budget));
        }
    }
    let (cancellation, table) = (budget.cancellation().inner(), Mutex::new(table));
    let race = Race { problem, policy, budget, cancellation, table: &table, threads };
    let results: Vec<Result<(), InternalError>> = match threads {
        1 => vec![race.take_turns()],
        _ => std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(|| race.take_turns())).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().map(join).collect()
        }),
    };
    results.into_iter().collect::<Result<(), InternalError>>()?;
    Ok(table.into_inner().unwrap_or_else(PoisonError::into_inner).decided(budget))
}

/// Lets the engines of a schedule take turns one after the other, by steps and not by time. What comes of it is the
/// same on every machine, unless time or memory ends before.
pub fn in_steps(
    problem: &Problem,
    schedule: &Schedule,
    policy: WitnessPolicy,
    budget: &Budget,
) -> Result<Decided, InternalError> {
    on_threads(problem, schedule, policy, 1, &budget.in_steps())
}

fn said(
    problem: &Problem,
    engine: &EngineSpec,
    policy: WitnessPolicy,
    budget: &Budget,
) -> (Result<Verdict, InternalError>, Statistics) {
    let mut observer = Silent::default();
    let verdict = decide(problem, engine, policy, budget, &mut observer);
    (verdict, observer.statistics)
}

/// What all threads share.
struct Race<'r> {
    problem: &'r Problem<'r>,
    policy: WitnessPolicy,
    budget: &'r Budget,
    cancellation: Cancellation,
    table: &'r Mutex<Table>,
    threads: usize,
}

impl Race<'_> {
    /// Takes turns until there is an answer or nobody is left to give one.
    fn take_turns(&self) -> Result<(), InternalError> {
        while let Some((turn, interrupted)) = self.next() {
            let all = self.budget.part(self.cancellation.clone());
            let part = if interrupted { all.slice(turn.slice) } else { all };
            let (said, statistics) = said(self.problem, &turn.engine, self.policy, &part);
            let once_more =
                matches!(said, Ok(Verdict::Unknown(Stop::Timeout) | Verdict::Satisfiable(_)));
            let mut table = self.locked();
            table.at_work -= 1;
            if self.cancellation.is_cancelled() {
                return Ok(());
            }
            let heard = table.hear(&turn.engine, said, statistics);
            if heard.is_err() || table.is_settled(self.budget) {
                self.cancellation.cancel();
            } else if once_more && interrupted {
                let slice = turn.slice.saturating_mul(2);
                table.waiting.push_back(Turn { slice, ..turn });
            }
            heard?;
        }
        Ok(())
    }

    /// The next turn, and whether it ends by its slice: with a thread for each engine it does not.
    fn next(&self) -> Option<(Turn, bool)> {
        let mut table = self.locked();
        let left = table.waiting.len() + table.at_work;
        let turn = table.waiting.pop_front().filter(|_| !self.cancellation.is_cancelled())?;
        table.at_work += 1;
        Some((turn, left > self.threads))
    }

    fn locked(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Who waits, and what was heard.
struct Table {
    waiting: VecDeque<Turn>,
    /// How many are at work.
    at_work: usize,
    answer: Option<(EngineSpec, Verdict, Statistics)>,
    failures: Vec<(EngineSpec, InternalError)>,
    /// Why engines gave up for good.
    stops: Vec<(EngineSpec, Stop)>,
}

impl Table {
    fn new(schedule: &Schedule) -> Self {
        let waiting = schedule.turns.iter().cloned().collect();
        Table { waiting, at_work: 0, answer: None, failures: Vec::new(), stops: Vec::new() }
    }

    /// Takes down what an engine said. A word that fails its replay ends everything, and so does an answer to the contrary.
    fn hear(
        &mut self,
        engine: &EngineSpec,
        said: Result<Verdict, InternalError>,
        statistics: Statistics,
    ) -> Result<(), InternalError> {
        match said {
            Ok(Verdict::Unknown(Stop::Timeout | Stop::Cancelled)) => {}
            Ok(Verdict::Unknown(stop)) => self.stops.push((engine.clone(), stop)),
            Ok(verdict) => {
                if let Some((other, known, _)) = &self.answer {
                    agreement((other, known), (engine, &verdict))?;
                }
                self.answer = Some((engine.clone(), verdict, statistics));
            }
            Err(error @ InternalError::Panic { .. }) => self.failures.push((engine.clone(), error)),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Whether there is an answer that nobody need improve: a word that only a slice was too short for may still be found.
    fn is_settled(&self, budget: &Budget) -> bool {
        let left_out = Witness::LeftOut(LeftOut::Stopped(Stop::Timeout));
        let Some((_, verdict, _)) = &self.answer else { return budget.check_now().is_err() };
        *verdict != Verdict::Satisfiable(left_out) || budget.check().is_err()
    }

    fn decided(self, budget: &Budget) -> Decided {
        let Table { answer, failures, stops, .. } = self;
        let (engine, verdict, statistics) = match answer {
            Some((engine, verdict, statistics)) => (Some(engine), verdict, statistics),
            None => {
                let stop = budget.check_now().err().unwrap_or_else(|| nobody_is_left(&stops));
                (None, Verdict::Unknown(stop), Statistics::default())
            }
        };
        Decided { verdict, engine, statistics, failures }
    }
}

/// That two verdicts, neither of which is unknown, are the same.
pub fn agreement(
    first: (&EngineSpec, &Verdict),
    second: (&EngineSpec, &Verdict),
) -> Result<(), InternalError> {
    let says_no = |(_, verdict): (&EngineSpec, &Verdict)| *verdict == Verdict::Unsatisfiable;
    let (yes, no) = match (says_no(first), says_no(second)) {
        (false, true) => (first.0, second.0),
        (true, false) => (second.0, first.0),
        _ => return Ok(()),
    };
    let (satisfiable, unsatisfiable) = (yes.to_string(), no.to_string());
    Err(InternalError::Disagreement { satisfiable, unsatisfiable })
}

/// Why there is no answer although there is time left.
pub fn nobody_is_left(stops: &[(EngineSpec, Stop)]) -> Stop {
    match stops {
        _ if stops.iter().any(|(_, stop)| *stop == Stop::Memory) => Stop::Memory,
        [] => Stop::Limit("all engines of the schedule gave up".to_owned()),
        [(_, stop), others @ ..] if others.iter().all(|(_, other)| other == stop) => stop.clone(),
        stops => {
            let reasons = stops.iter().map(|(engine, stop)| format!("{engine}: {stop}"));
            Stop::Limit(format!("no engine is left; {}", reasons.collect::<Vec<_>>().join("; ")))
        }
    }
}
