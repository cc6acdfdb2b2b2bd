//! Runs engines and compares their answers.
//!
//! A replayed word proves that a formula is satisfiable: an engine that says unsatisfiable is
//! wrong, even if others agree with it. Without such a word a disagreement only proves that one of
//! two engines is wrong. Agreement on unsatisfiable proves nothing.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kermode_solve::{
    Budget, Cancellation, EngineSpec, InternalError, Limits, Stop, Verdict, Witness,
};

use super::sample::Sample;
use crate::workers::locked;

/// How much longer than its budget an engine may take; the contract is one second.
const PATIENCE: Duration = Duration::from_secs(3);
/// How much longer until the search gives up on it.
const LAST_PATIENCE: Duration = Duration::from_secs(60);

/// The engines, and the limits of each for a sample.
#[derive(Debug)]
pub(crate) struct Panel {
    pub(crate) engines: Vec<EngineSpec>,
    pub(crate) limits: Limits,
    pub(crate) cancellation: Cancellation,
}

/// The answer of an engine; nothing if it does not support the sample.
pub(crate) type EngineAnswer = Option<Answer>;

#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) result: Result<Verdict, InternalError>,
    pub(crate) wall: Duration,
}

/// A fault, and the engines that show it, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// One says satisfiable, the other unsatisfiable.
    Disagreement { yes: usize, no: usize },
    /// A word does not satisfy the formula.
    Witness(usize),
    /// It panicked.
    Panic(usize),
    /// It did not stop when its time was over.
    Overrun(usize),
}

impl Fault {
    /// The engines that show it.
    pub(crate) fn engines(self) -> Vec<usize> {
        match self {
            Fault::Disagreement { yes, no } => vec![yes, no],
            Fault::Witness(engine) | Fault::Panic(engine) | Fault::Overrun(engine) => vec![engine],
        }
    }

    /// The engine whose answer is proved wrong.
    pub(crate) fn culprit(self, said: &[EngineAnswer]) -> Option<usize> {
        let is_proved = |engine: usize| said[engine].as_ref().is_some_and(Answer::is_proved);
        match self {
            Fault::Disagreement { yes, no } => is_proved(yes).then_some(no),
            Fault::Witness(engine) => Some(engine),
            Fault::Panic(_) | Fault::Overrun(_) => None,
        }
    }
}

/// The state of a worker, for the watching thread.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    number: AtomicU64,
    waiting: Mutex<Option<Waiting>>,
}

/// An engine at work.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    pub(crate) engine: usize,
    pub(crate) sample: Arc<Sample>,
    /// The number of the drawn sample, of which this one may be a simpler form.
    pub(crate) number: u64,
    since: Instant,
}

impl Desk {
    /// The worker starts with the sample of this number.
    pub(crate) fn begin(&self, number: u64) {
        self.number.store(number, Ordering::Relaxed);
    }

    /// The engine that it waits for.
    pub(crate) fn waiting(&self) -> Option<Waiting> {
        locked(&self.waiting).clone()
    }

    fn wait_for(&self, engine: usize, sample: &Arc<Sample>) {
        let number = self.number.load(Ordering::Relaxed);
        let (sample, since) = (Arc::clone(sample), Instant::now());
        *locked(&self.waiting) = Some(Waiting { engine, sample, number, since });
    }
}

impl Panel {
    /// The answers of some of the engines.
    pub(crate) fn ask(&self, sample: &Sample, who: &[usize], desk: &Desk) -> Vec<EngineAnswer> {
        let sample = Arc::new(sample.clone());
        let ask = |engine| who.contains(&engine).then(|| self.ask_one(&sample, engine, desk));
        (0..self.engines.len()).map(|engine| ask(engine).flatten()).collect()
    }

    fn ask_one(&self, sample: &Arc<Sample>, engine: usize, desk: &Desk) -> EngineAnswer {
        let spec = &self.engines[engine];
        if !sample.suits(spec.info().accepts) {
            return None;
        }
        desk.wait_for(engine, sample);
        let budget = Budget::new(self.limits, self.cancellation.clone());
        let result = sample.ask(spec, &budget);
        let wall = budget.elapsed();
        *locked(&desk.waiting) = None;
        Some(Answer { result, wall })
    }

    /// All faults of these answers, the gravest first.
    pub(crate) fn faults(&self, said: &[EngineAnswer]) -> Vec<Fault> {
        let answers = || said.iter().enumerate().filter_map(|(i, said)| Some((i, said.as_ref()?)));
        let mut faults: Vec<Fault> =
            answers().filter_map(|(i, answer)| broken(i, answer)).collect();
        let yes = answers().filter(|(_, answer)| answer.is_yes());
        // An engine with a replayed word comes first.
        if let Some((yes, _)) = yes.min_by_key(|(_, answer)| !answer.is_proved()) {
            let no = answers().filter(|(_, answer)| matches!(answer.result, Ok(Verdict::Empty(_))));
            faults.extend(no.map(|(no, _)| Fault::Disagreement { yes, no }));
        }
        let late = answers().filter(|(_, answer)| self.is_late(answer.wall, PATIENCE));
        faults.extend(late.map(|(i, _)| Fault::Overrun(i)));
        faults
    }

    /// A fault of the new answers that counts as the same as an earlier one: it is equal, or the
    /// same engine is proved to have given a wrong answer.
    pub(crate) fn same_fault(
        &self,
        before: (Fault, &[EngineAnswer]),
        now: &[EngineAnswer],
    ) -> Option<Fault> {
        let (fault, said) = before;
        let culprit = fault.culprit(said);
        let same =
            |other: &Fault| *other == fault || culprit.is_some() && other.culprit(now) == culprit;
        self.faults(now).into_iter().find(same)
    }

    /// Whether an engine is too late to wait for.
    pub(crate) fn is_hopeless(&self, waiting: &Waiting) -> bool {
        self.is_late(waiting.since.elapsed(), LAST_PATIENCE)
    }

    fn is_late(&self, wall: Duration, patience: Duration) -> bool {
        self.limits.wall.is_some_and(|limit| wall > limit + patience)
    }
}

impl Answer {
    fn is_yes(&self) -> bool {
        matches!(self.result, Ok(Verdict::Nonempty(_)))
    }

    /// Whether it says that there is no word.
    pub(crate) fn is_no(&self) -> bool {
        matches!(self.result, Ok(Verdict::Empty(_)))
    }

    /// Whether there is a word that was replayed.
    pub(crate) fn is_proved(&self) -> bool {
        matches!(self.result, Ok(Verdict::Nonempty(Ok(Witness::Word(_)))))
    }
}

fn broken(engine: usize, answer: &Answer) -> Option<Fault> {
    match answer.result {
        Err(InternalError::WitnessFails { .. }) => Some(Fault::Witness(engine)),
        Err(InternalError::Panic { .. }) => Some(Fault::Panic(engine)),
        // One engine alone does not disagree.
        Err(InternalError::Disagreement { .. }) => None,
        Ok(_) => None,
    }
}

/// How often an engine gave each kind of answer; one counter per [`Tally::COLUMNS`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally([u64; 7]);

impl Tally {
    const COLUMNS: [&str; 7] =
        ["satisfiable", "unsatisfiable", "timeout", "memory", "limit", "unsupported", "error"];

    /// One more answer.
    pub(crate) fn count(&mut self, said: &EngineAnswer) {
        let column = match said.as_ref().map(|answer| &answer.result) {
            Some(Ok(Verdict::Nonempty(_))) => 0,
            Some(Ok(Verdict::Empty(_))) => 1,
            Some(Ok(Verdict::Unknown(Stop::Timeout | Stop::Cancelled))) => 2,
            Some(Ok(Verdict::Unknown(Stop::Memory | Stop::Nodes))) => 3,
            Some(Ok(Verdict::Unknown(Stop::Limit(_)))) => 4,
            None | Some(Ok(Verdict::Unknown(Stop::Unsupported(_)))) => 5,
            Some(Err(_)) => 6,
        };
        self.0[column] += 1;
    }

    /// The counters by name.
    pub(crate) fn columns(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Self::COLUMNS.into_iter().zip(self.0)
    }
}
