//! The search loop: workers draw samples and run the engines until there is a fault or the time is
//! over.
//!
//! Invariant: the findings depend on the seed and not on the number of workers, as far as engines
//! are deterministic. Numbers are handed out in order, and of all samples with faults the one with
//! the smallest number counts.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use kermode_ltl::WordKind;
use kermode_solve::{Cancellation, EngineSpec, Limits};

use super::check::{Answer, Desk, EngineAnswer, Fault, Panel, Tally, Waiting};
use super::draw::Drawing;
use super::report::{Finding, Summary};
use super::sample::Sample;
use super::shrink::shrink;
use crate::progress::Progress;
use crate::workers::{locked, together, watched};

/// How much longer than the time that is left shrinking may take.
const GRACE: Duration = Duration::from_secs(10);
/// How often a fault is tried again before it counts as intermittent.
const REPEATS: usize = 3;
const TICK: Duration = Duration::from_millis(100);

/// A search for wrong engines: the engines, the formulas and the limits.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// How long to search; no limit if absent.
    pub time: Option<Duration>,
    /// How many formulas to try; no limit if absent.
    pub formulas: Option<u64>,
    /// The seed of the random formulas: the same seed draws the same formulas.
    pub seed: u64,
    /// The most nodes of a formula, at least one.
    pub size: usize,
    /// The kinds of words that formulas are about, at least one.
    pub words: Vec<WordKind>,
    /// The limits of an engine for one formula.
    pub limits: Limits,
    /// How many formulas are tried at a time.
    pub jobs: usize,
    /// Whether to go on after a finding.
    pub keep_going: bool,
}

/// Follows a search.
pub trait Listener: Progress {
    /// A fault was found. An error ends the hunt.
    fn found(&self, finding: &Finding) -> io::Result<()>;

    /// An engine ran far beyond its time limit. Only the end of the process ends its thread, so
    /// this must end the process.
    fn lost(&self, finding: &Finding) -> !;
}

impl Hunt {
    /// Searches until a fault is found, a limit is reached, or the flag is raised.
    pub fn run(
        &self,
        cancellation: &Cancellation,
        listener: &dyn Listener,
    ) -> anyhow::Result<Summary> {
        let shared = Shared::new(self, cancellation.clone(), listener);
        shared.work()?;
        Ok(shared.summary())
    }
}

/// A sample with a fault, as it was drawn.
#[derive(Debug)]
struct Catch {
    number: u64,
    sample: Sample,
    fault: Fault,
    said: Vec<EngineAnswer>,
}

/// What the workers share.
struct Shared<'h> {
    hunt: &'h Hunt,
    listener: &'h dyn Listener,
    panel: Panel,
    drawing: Drawing,
    started: Instant,
    deadline: Option<Instant>,
    /// The number of the next sample.
    next: AtomicU64,
    /// How many samples were tried.
    tried: AtomicUsize,
    /// Set when the search can end.
    enough: AtomicBool,
    catches: Mutex<Vec<Catch>>,
    /// The findings shown so far, without details that differ between runs.
    shown: Mutex<Vec<String>>,
    tallies: Mutex<Vec<Tally>>,
    /// One for each worker.
    desks: Vec<Desk>,
}

impl<'h> Shared<'h> {
    fn new(hunt: &'h Hunt, cancellation: Cancellation, listener: &'h dyn Listener) -> Self {
        let Hunt { engines, limits, seed, size, words, .. } = hunt;
        let started = Instant::now();
        Shared {
            hunt,
            listener,
            panel: Panel { engines: engines.clone(), limits: *limits, cancellation },
            drawing: Drawing { seed: *seed, size: *size, kinds: words.clone() },
            started,
            deadline: hunt.time.and_then(|time| started.checked_add(time)),
            next: AtomicU64::new(0),
            tried: AtomicUsize::new(0),
            enough: AtomicBool::new(false),
            catches: Mutex::default(),
            shown: Mutex::default(),
            tallies: Mutex::new(vec![Tally::default(); engines.len()]),
            desks: (0..hunt.jobs).map(|_| Desk::default()).collect(),
        }
    }

    /// Searches, and shows findings.
    fn work(&self) -> anyhow::Result<()> {
        let workers = self.desks.iter().map(|desk| || self.worker(desk));
        let search = || together(workers).and_then(|()| self.show_first());
        watched(|ended| self.watch(ended), search)
    }

    /// Shows progress, and gives up on an engine that does not return: nothing else can end it.
    fn watch(&self, ended: &AtomicBool) {
        while !ended.load(Ordering::Relaxed) {
            self.listener.tick();
            let mut waiting = self.desks.iter().filter_map(Desk::waiting);
            if let Some(lost) = waiting.find(|waiting| self.panel.is_hopeless(waiting)) {
                self.listener.lost(&self.lost(lost));
            }
            thread::park_timeout(TICK);
        }
    }

    fn worker(&self, desk: &Desk) -> anyhow::Result<()> {
        let all: Vec<usize> = (0..self.panel.engines.len()).collect();
        while let Some(number) = self.next_number() {
            let sample = self.drawing.sample(number);
            desk.begin(number);
            let said = self.panel.ask(&sample, &all, desk);
            if self.panel.cancellation.is_cancelled() {
                return Ok(());
            }
            self.count(&said);
            let faults = self.panel.faults(&said);
            let catch = |fault| Catch { number, sample: sample.clone(), fault, said: said.clone() };
            for catch in faults.into_iter().map(catch) {
                self.catch(catch, desk)?;
            }
        }
        Ok(())
    }

    fn next_number(&self) -> Option<u64> {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late || self.enough.load(Ordering::Relaxed) {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.hunt.formulas.is_none_or(|formulas| number < formulas).then_some(number)
    }

    fn count(&self, said: &[EngineAnswer]) {
        locked(&self.tallies).iter_mut().zip(said).for_each(|(tally, said)| tally.count(said));
        self.tried.fetch_add(1, Ordering::Relaxed);
        self.listener.advance();
    }

    /// A fault: kept for the end, or shown at once.
    fn catch(&self, catch: Catch, desk: &Desk) -> anyhow::Result<()> {
        if self.hunt.keep_going {
            return self.show(catch, desk);
        }
        self.enough.store(true, Ordering::Relaxed);
        locked(&self.catches).push(catch);
        Ok(())
    }

    /// Shows the catch with the smallest number; all samples with smaller numbers are done.
    fn show_first(&self) -> anyhow::Result<()> {
        let mut catches = std::mem::take(&mut *locked(&self.catches));
        // The sort is stable: of one sample the gravest fault stays first.
        catches.sort_by_key(|catch| catch.number);
        match (catches.into_iter().next(), self.desks.first()) {
            (Some(first), Some(desk)) => self.show(first, desk),
            _ => Ok(()),
        }
    }

    fn show(&self, catch: Catch, desk: &Desk) -> anyhow::Result<()> {
        let finding = self.settle(catch, desk);
        let mut shown = locked(&self.shown);
        if !shown.contains(&finding.essence()) {
            shown.push(finding.essence());
            self.listener.found(&finding)?;
        }
        Ok(())
    }

    /// Tries the fault again, and shrinks the sample if it recurs.
    fn settle(&self, catch: Catch, desk: &Desk) -> Finding<'_> {
        let still = |sample: &Sample| self.seen_in(sample, &catch, desk);
        let gone = |sample: &Sample| {
            let seen = (0..REPEATS).any(|_| still(sample).is_some());
            !seen && !self.panel.cancellation.is_cancelled()
        };
        if gone(&catch.sample) {
            return self.finding(catch);
        }
        let now = Instant::now();
        let until = self.deadline.map_or(now, |deadline| deadline.max(now)) + GRACE;
        let goes_on = || Instant::now() < until && !self.panel.cancellation.is_cancelled();
        let shrunk = shrink(&catch.sample, (catch.fault, catch.said.clone()), still, goes_on);
        if gone(&shrunk.sample) {
            return self.finding(catch);
        }
        let (sample, minimal, (fault, said)) = (shrunk.sample, shrunk.minimal, shrunk.evidence);
        let said = self.what_all_say(&sample, said, desk);
        Finding { sample, fault, said, minimal, steady: true, ..self.finding(catch) }
    }

    /// The fault of a catch as another sample shows it. Other engines run only where their words
    /// could prove a "no" wrong.
    fn seen_in(
        &self,
        sample: &Sample,
        catch: &Catch,
        desk: &Desk,
    ) -> Option<(Fault, Vec<EngineAnswer>)> {
        let before = (catch.fault, catch.said.as_slice());
        let who = catch.fault.engines();
        let said = self.panel.ask(sample, &who, desk);
        if let Some(fault) = self.panel.same_fault(before, &said) {
            return Some((fault, said));
        }
        let culprit = catch.fault.culprit(&catch.said)?;
        if !said[culprit].as_ref().is_some_and(Answer::is_no) {
            return None;
        }
        let said = self.what_all_say(sample, said, desk);
        self.panel.same_fault(before, &said).map(|fault| (fault, said))
    }

    /// These answers, completed by those of the other engines.
    fn what_all_say(
        &self,
        sample: &Sample,
        mut said: Vec<EngineAnswer>,
        desk: &Desk,
    ) -> Vec<EngineAnswer> {
        let others: Vec<usize> = (0..said.len()).filter(|&i| said[i].is_none()).collect();
        for (known, new) in said.iter_mut().zip(self.panel.ask(sample, &others, desk)) {
            *known = known.take().or(new);
        }
        said
    }

    /// A catch as it was drawn.
    fn finding(&self, catch: Catch) -> Finding<'_> {
        let Catch { number, sample, fault, said } = catch;
        let drawn = sample.clone();
        let (panel, seed) = (&self.panel, self.drawing.seed);
        Finding { panel, seed, number, fault, sample, said, drawn, steady: false, minimal: false }
    }

    /// An engine that does not return.
    fn lost(&self, waiting: Waiting) -> Finding<'_> {
        let (sample, fault) = (Sample::clone(&waiting.sample), Fault::Overrun(waiting.engine));
        let said = vec![None; self.panel.engines.len()];
        let catch = Catch { number: waiting.number, sample, fault, said };
        Finding { steady: true, ..self.finding(catch) }
    }

    fn summary(&self) -> Summary {
        let engines = self.hunt.engines.iter().map(EngineSpec::to_string);
        Summary {
            seed: self.hunt.seed,
            formulas: self.tried.load(Ordering::Relaxed),
            seconds: self.started.elapsed().as_secs_f64(),
            findings: locked(&self.shown).len(),
            interrupted: self.panel.cancellation.is_cancelled(),
            tallies: engines.zip(locked(&self.tallies).iter().copied()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use kermode_solve::{EngineInfo, Stop};

    use super::*;
    use crate::fuzz::tests::{Puppet, puppet};

    impl Listener for () {
        fn found(&self, _: &Finding) -> io::Result<()> {
            Ok(())
        }

        fn lost(&self, finding: &Finding) -> ! {
            panic!("{}", finding.text());
        }
    }

    #[test]
    fn a_fault_that_comes_and_goes_is_not_shrunk() {
        static FIRST: AtomicBool = AtomicBool::new(true);
        static FICKLE: EngineInfo = puppet(|_| {
            Ok(Box::new(Puppet(|_| {
                assert!(!FIRST.swap(false, Ordering::Relaxed), "the first time");
                Err(Stop::Timeout)
            })))
        });
        let limits = Limits { wall: Some(Duration::from_secs(1)), ..Limits::default() };
        let hunt = Hunt {
            engines: vec![EngineSpec::of(&FICKLE)],
            time: None,
            formulas: Some(50),
            seed: 1,
            size: 10,
            words: vec![WordKind::Infinite],
            limits,
            jobs: 1,
            keep_going: false,
        };
        let shared = Shared::new(&hunt, Cancellation::new(), &());
        let sample = Drawing { kinds: vec![WordKind::Infinite], size: 1, seed: 1 }.sample(0);
        let said = shared.panel.ask(&sample, &[0], &shared.desks[0]);
        let fault = Fault::Panic(0);
        assert_eq!(shared.panel.faults(&said), [fault]);
        let finding = shared.settle(Catch { number: 0, sample, fault, said }, &shared.desks[0]);
        assert!(finding.text().contains("it was not seen again, and not shrunk"));
        assert!(finding.text().contains("panicked: the first time"));
    }
}
