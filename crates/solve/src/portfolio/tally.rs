//! The record of a portfolio: which engines ran, and how each ended. Engines on threads, in worker
//! processes and in the process itself share one record.
//!
//! Invariant: verdicts in the record agree. A verdict that contradicts an earlier one, and a
//! witness that fails its replay, are errors that end the portfolio. An engine that panics gives no
//! verdict.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::frame::answer::{InternalError, LeftOut, Verdict};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::EngineSpec;
use crate::frame::observer::Statistics;

/// The outcome of a portfolio.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The verdict, or an error of an engine.
    pub verdict: Result<Verdict, InternalError>,
    /// The engine that gave the verdict; `None` if there are several and none had an answer.
    pub engine: Option<EngineSpec>,
    /// The statistics of that engine.
    pub statistics: Statistics,
    /// All engines that ran.
    pub entrants: Vec<Entrant>,
    /// CPU time of worker processes.
    pub worker_cpu: Duration,
}

/// One engine and its outcome.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// The engine.
    pub engine: EngineSpec,
    /// How it ended.
    pub end: End,
    /// When it ended, since the problem was asked.
    pub wall: Duration,
    /// The CPU time that it used.
    pub cpu: Duration,
}

/// How the run of an engine ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It answered that the language is nonempty, or that it is empty.
    Answered {
        /// Whether the language has a word.
        nonempty: bool,
    },
    /// It gave up.
    Stopped(Stop),
    /// It failed, with a message.
    Failed(String),
    /// It was ended because another engine had answered, or by the end of the budget, with the
    /// reason.
    Ended(Option<Stop>),
}

/// The record of a running portfolio.
#[derive(Debug, Default)]
pub struct Tally {
    answer: Option<Found>,
    error: Option<InternalError>,
    entrants: Vec<Entrant>,
    /// Running engines, each with the CPU time of the budget when it began.
    at_work: Vec<(EngineSpec, Duration)>,
    worker_cpu: Duration,
}

#[derive(Debug)]
struct Found {
    engine: EngineSpec,
    verdict: Verdict,
    statistics: Statistics,
}

/// Wall-clock time since the problem was asked, and CPU time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// Wall-clock time since the problem was asked.
    pub wall: Duration,
    /// CPU time, of one engine or of the budget, as each method says.
    pub cpu: Duration,
}

impl Tally {
    /// Records the start of an engine; `spent` is that of the budget.
    pub fn begin(&mut self, engine: &EngineSpec, spent: Spent) {
        self.at_work.push((engine.clone(), spent.cpu));
    }

    /// The number of running engines.
    pub fn at_work(&self) -> usize {
        self.at_work.len()
    }

    /// Records the end of a run. An engine whose earlier turns ran out of time has one entry for
    /// all its turns.
    pub fn enter(&mut self, mut entrant: Entrant) {
        let is_this = |other: &EngineSpec| is_same(other, &entrant.engine);
        if let Some(place) = self.at_work.iter().position(|(engine, _)| is_this(engine)) {
            self.at_work.remove(place);
        }
        let superseded =
            |other: &Entrant| other.end == End::Stopped(Stop::Timeout) && is_this(&other.engine);
        if let Some(place) = self.entrants.iter().position(superseded) {
            entrant.cpu += self.entrants.remove(place).cpu;
        }
        if let Some(Found { engine, verdict, .. }) = &self.answer
            && is_same(engine, &entrant.engine)
            && matches!(entrant.end, End::Ended(_))
        {
            entrant.end = End::Answered { nonempty: verdict.is_nonempty() };
        }
        self.entrants.push(entrant);
    }

    /// Records the checked answer of an engine; `spent` is that of the engine.
    pub fn hear(
        &mut self,
        engine: &EngineSpec,
        said: Result<Verdict, InternalError>,
        statistics: Statistics,
        spent: Spent,
    ) {
        let end = match said {
            Ok(Verdict::Unknown(Stop::Cancelled)) if self.is_decided() => End::Ended(None),
            Ok(Verdict::Unknown(stop)) => End::Stopped(stop),
            Ok(verdict) => {
                let nonempty = verdict.is_nonempty();
                self.found(Found { engine: engine.clone(), verdict, statistics });
                End::Answered { nonempty }
            }
            Err(error) => {
                let end = End::Failed(error.to_string());
                if !matches!(error, InternalError::Panic { .. }) {
                    self.error = Some(error);
                }
                end
            }
        };
        let Spent { wall, cpu } = spent;
        self.enter(Entrant { engine: engine.clone(), end, wall, cpu });
    }

    /// Records that a running engine knows that there is a word and is building it.
    pub fn know_nonempty(&mut self, engine: &EngineSpec) {
        let verdict = Verdict::Nonempty(Err(LeftOut::Stopped(Stop::Timeout)));
        let statistics = Statistics::default();
        self.found(Found { engine: engine.clone(), verdict, statistics });
    }

    /// Adds an answer. It must agree with the first one, and replaces it if it is more informative.
    fn found(&mut self, found: Found) {
        let Some(known) = &self.answer else {
            self.answer = Some(found);
            return;
        };
        if let Some((nonempty, empty)) = match (&known.verdict, &found.verdict) {
            (Verdict::Nonempty(_), Verdict::Empty(_)) => Some((&known.engine, &found.engine)),
            (Verdict::Empty(_), Verdict::Nonempty(_)) => Some((&found.engine, &known.engine)),
            _ => None,
        } {
            let (nonempty, empty) = (nonempty.to_string(), empty.to_string());
            self.error = Some(InternalError::Disagreement { nonempty, empty });
        } else if worth(&found.verdict) > worth(&known.verdict)
            || (is_same(&known.engine, &found.engine)
                && worth(&found.verdict) == worth(&known.verdict))
        {
            self.answer = Some(found);
        }
    }

    /// Adds CPU time of a worker process.
    pub fn add_worker_cpu(&mut self, cpu: Duration) {
        self.worker_cpu += cpu;
    }

    /// CPU time of the worker processes that have ended.
    pub fn worker_cpu(&self) -> Duration {
        self.worker_cpu
    }

    /// Whether there is an answer or an error.
    pub fn is_decided(&self) -> bool {
        self.answer.is_some() || self.error.is_some()
    }

    /// Whether an engine contradicts the semantics, which ends the portfolio.
    pub fn has_error(&self) -> bool {
        self.error.is_some()
    }

    /// Whether there is an answer that longer turns cannot improve. A witness that did not fit into
    /// a slice may still be found.
    pub fn is_settled(&self) -> bool {
        let out_of_time = Verdict::Nonempty(Err(LeftOut::Stopped(Stop::Timeout)));
        let settled = self.answer.as_ref().is_some_and(|found| found.verdict != out_of_time);
        self.error.is_some() || settled
    }

    /// Ends all running engines because the budget has ended; `spent` is that of the budget.
    pub fn end_all(&mut self, stop: &Stop, spent: Spent) {
        for (engine, before) in std::mem::take(&mut self.at_work) {
            let cpu = spent.cpu.saturating_sub(before);
            let end = End::Ended(Some(stop.clone()));
            self.enter(Entrant { engine, end, wall: spent.wall, cpu });
        }
    }

    /// The outcome. If there is no answer, the reason is the end of the budget, or the reasons of
    /// the engines.
    pub fn decided(self, over: Option<Stop>) -> Decided {
        let Tally { answer, error, entrants, worker_cpu, .. } = self;
        let (engine, verdict, statistics) = match answer {
            Some(Found { engine, verdict, statistics }) => (Some(engine), verdict, statistics),
            None => {
                let stop = over.unwrap_or_else(|| no_engine_is_left(&entrants));
                (None, Verdict::Unknown(stop), Statistics::default())
            }
        };
        let verdict = error.map_or(Ok(verdict), Err);
        Decided { verdict, engine, statistics, entrants, worker_cpu }
    }
}

/// Whether two engines are the same, options included.
fn is_same(one: &EngineSpec, other: &EngineSpec) -> bool {
    one.to_string() == other.to_string()
}

/// The rank of a verdict: a witness is better than the reason for its absence, and a definite
/// reason is better than an interrupted search for the witness.
fn worth(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Unknown(_) | Verdict::Nonempty(Err(LeftOut::Stopped(_))) => 0,
        Verdict::Nonempty(Err(_)) => 1,
        Verdict::Nonempty(Ok(_)) | Verdict::Empty(_) => 2,
    }
}

/// The reason for the missing answer if time is left.
fn no_engine_is_left(entrants: &[Entrant]) -> Stop {
    let stops = entrants.iter().filter_map(|entrant| match &entrant.end {
        End::Stopped(Stop::Timeout | Stop::Cancelled) => None,
        End::Stopped(stop) => Some((&entrant.engine, stop)),
        _ => None,
    });
    let stops: Vec<(&EngineSpec, &Stop)> = stops.collect();
    match &stops[..] {
        stops if stops.iter().any(|(_, stop)| matches!(stop, Stop::Memory | Stop::Nodes)) => {
            Stop::Memory
        }
        [] => Stop::Limit("all engines of the schedule gave up".to_owned()),
        [(_, stop), others @ ..] if others.iter().all(|(_, other)| other == stop) => {
            (*stop).clone()
        }
        stops => {
            let reasons = stops.iter().map(|(engine, stop)| format!("{engine}: {stop}"));
            Stop::Limit(format!("no engine is left; {}", reasons.collect::<Vec<_>>().join("; ")))
        }
    }
}

/// A record that several threads write. A reader may find running engines in it.
#[derive(Clone, Debug, Default)]
pub struct SharedTally(Arc<Mutex<Tally>>);

impl SharedTally {
    /// A budget for an engine that notifies the record as soon as the engine knows that there is a
    /// word.
    pub fn listening(&self, budget: Budget, engine: &EngineSpec) -> Budget {
        let (tally, engine) = (self.clone(), engine.clone());
        budget.listened_to(move || tally.lock().know_nonempty(&engine))
    }

    /// Locks the record.
    pub fn lock(&self) -> MutexGuard<'_, Tally> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the record out.
    pub fn take(&self) -> Tally {
        std::mem::take(&mut self.lock())
    }
}

#[cfg(test)]
mod tests {
    use kermode_ltl::{Letter, Word};

    use super::*;
    use crate::frame::answer::Witness;

    fn engines() -> [EngineSpec; 2] {
        ["tgba:magic", "antichain:forward"].map(|engine| engine.parse().expect("an engine"))
    }

    fn spent(seconds: u64) -> Spent {
        Spent { wall: Duration::from_secs(seconds), cpu: Duration::from_secs(seconds) }
    }

    #[test]
    fn an_engine_at_work_when_the_budget_ends_is_ended_by_it() {
        let (tally, [first, second]) = (SharedTally::default(), engines());
        tally.lock().begin(&first, spent(0));
        let timeout = Ok(Verdict::Unknown(Stop::Timeout));
        tally.lock().hear(&first, timeout, Statistics::default(), spent(2));
        tally.lock().begin(&second, spent(2));
        tally.lock().end_all(&Stop::Cancelled, spent(5));
        let decided = tally.take().decided(Some(Stop::Cancelled));
        let [stopped, ended] = &decided.entrants[..] else { panic!("two engines: {decided:?}") };
        assert_eq!((stopped.engine.to_string(), stopped.cpu), (first.to_string(), spent(2).cpu));
        assert_eq!(ended.engine.to_string(), second.to_string());
        assert_eq!((&ended.end, ended.cpu), (&End::Ended(Some(Stop::Cancelled)), spent(3).cpu));
        assert_eq!(decided.verdict, Ok(Verdict::Unknown(Stop::Cancelled)));
    }

    #[test]
    fn turns_of_one_engine_are_one_entry() {
        let (mut tally, [first, _]) = (Tally::default(), engines());
        for seconds in [1, 2] {
            let timeout = Ok(Verdict::Unknown(Stop::Timeout));
            tally.hear(&first, timeout, Statistics::default(), spent(seconds));
        }
        tally.hear(&first, Ok(Verdict::Empty(None)), Statistics::default(), spent(4));
        let decided = tally.decided(None);
        let [entrant] = &decided.entrants[..] else { panic!("one engine: {decided:?}") };
        assert_eq!(entrant.cpu, Duration::from_secs(7));
        assert_eq!(entrant.end, End::Answered { nonempty: false });
    }

    #[test]
    fn answers_must_agree_and_a_witness_is_better_than_none() {
        let word = Word::lasso(Vec::new(), vec![Letter::default()]);
        let witness = || Ok(Verdict::Nonempty(Ok(Witness::Word(word.clone()))));
        let no_time = || Ok(Verdict::Nonempty(Err(LeftOut::Stopped(Stop::Timeout))));
        let [first, second] = engines();
        let mut tally = Tally::default();
        tally.hear(&first, no_time(), Statistics::default(), spent(1));
        assert!(tally.is_decided() && !tally.is_settled());
        // An engine that is cancelled during its search for a witness does not replace a definite
        // reason.
        let too_long = LeftOut::NotMade { limit: 1 };
        let mut other = Tally::default();
        let said = Ok(Verdict::Nonempty(Err(too_long.clone())));
        other.hear(&first, said, Statistics::default(), spent(1));
        let cancelled = Ok(Verdict::Nonempty(Err(LeftOut::Stopped(Stop::Cancelled))));
        other.hear(&second, cancelled, Statistics::default(), spent(1));
        assert_eq!(other.decided(None).verdict, Ok(Verdict::Nonempty(Err(too_long))));
        tally.hear(&second, witness(), Statistics::default(), spent(1));
        assert!(tally.is_settled());
        tally.hear(&first, no_time(), Statistics::default(), spent(1));
        tally.hear(&first, Ok(Verdict::Empty(None)), Statistics::default(), spent(1));
        assert!(tally.has_error());
        let decided = tally.decided(None);
        let (nonempty, empty) = (second.to_string(), first.to_string());
        assert_eq!(decided.verdict, Err(InternalError::Disagreement { nonempty, empty }));
    }
}
