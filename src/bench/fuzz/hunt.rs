//! The search itself: workers draw samples and ask the engines until there is a fault, or no time.
//!
//! Invariant: what is found depends on the seed and not on the number of workers, as far as engines give the same
//! answer twice. Numbers are handed out in order, and of all samples with faults the one with the least number
//! counts.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use kermode::ltl::WordKind;
use kermode::solve::Limits;

use super::Fuzz;
use super::check::{Answer, Desk, Fault, Panel, Said, Tally, Waiting};
use super::draw::Drawing;
use super::report::{Finding, Summary};
use super::sample::Sample;
use super::shrink::shrink;
use crate::bench::process::locked;
use crate::bench::progress::Progress;
use crate::bench::{together, watched};
use crate::deadline::ended_by_signals;
use crate::report::{complain, print_text};
use crate::status::Status;

/// How long to search if nobody says.
const DEFAULT_TIME: Duration = Duration::from_secs(60);
/// How much longer than the time that is left shrinking may take.
const GRACE: Duration = Duration::from_secs(10);
/// How often a fault is looked for again before it counts as one that comes and goes.
const REPEATS: usize = 3;
const TICK: Duration = Duration::from_millis(100);

/// `bench fuzz`.
pub(crate) fn run(args: &Fuzz) -> anyhow::Result<Status> {
    let hunt = Hunt::new(args)?;
    if args.seed.is_none() {
        complain(&format!("seed {}\n", hunt.drawing.seed));
    }
    hunt.work()?;
    hunt.summary()
}

/// A sample with a fault, as it was drawn.
#[derive(Debug)]
struct Catch {
    number: u64,
    sample: Sample,
    fault: Fault,
    said: Vec<Said>,
}

/// What the workers share.
struct Hunt<'a> {
    args: &'a Fuzz,
    panel: Panel,
    drawing: Drawing,
    started: Instant,
    deadline: Option<Instant>,
    /// The number of the next sample.
    next: AtomicU64,
    /// Set when there is no need to go on.
    enough: AtomicBool,
    catches: Mutex<Vec<Catch>>,
    /// What was shown, without what differs from one run to the next.
    shown: Mutex<Vec<String>>,
    tallies: Mutex<Vec<Tally>>,
    progress: Progress,
    /// One for each worker.
    desks: Vec<Desk>,
}

impl<'a> Hunt<'a> {
    fn new(args: &'a Fuzz) -> anyhow::Result<Self> {
        let kinds = match (args.infinite, args.finite) {
            (true, _) => vec![WordKind::Infinite],
            (_, true) => vec![WordKind::Finite],
            _ => vec![WordKind::Infinite, WordKind::Finite],
        };
        let limits = Limits { wall: Some(args.timeout), cpu: None, memory: args.memory };
        let time = args.seconds.or(args.formulas.is_none().then_some(DEFAULT_TIME));
        let started = Instant::now();
        Ok(Hunt {
            args,
            panel: Panel {
                engines: args.engines.clone(),
                limits,
                cancellation: ended_by_signals()?,
            },
            drawing: Drawing { seed: args.seed.unwrap_or_else(clock), size: args.size, kinds },
            started,
            deadline: time.and_then(|time| started.checked_add(time)),
            next: AtomicU64::new(0),
            enough: AtomicBool::new(false),
            catches: Mutex::default(),
            shown: Mutex::default(),
            tallies: Mutex::new(vec![Tally::default(); args.engines.len()]),
            progress: Progress::new(
                args.formulas.and_then(|n| usize::try_from(n).ok()),
                "formulas",
            ),
            desks: (0..args.jobs).map(|_| Desk::default()).collect(),
        })
    }

    /// Searches, and shows what is found.
    fn work(&self) -> anyhow::Result<()> {
        let workers = self.desks.iter().map(|desk| || self.worker(desk));
        let search = || together(workers).and_then(|()| self.show_first());
        let result = watched(|ended| self.watch(ended), search);
        self.progress.finish();
        result
    }

    /// Shows progress, and gives up an engine that does not come back: nothing else can end it.
    fn watch(&self, ended: &AtomicBool) {
        while !ended.load(Ordering::Relaxed) {
            self.progress.tick();
            let mut waiting = self.desks.iter().filter_map(Desk::waiting);
            if let Some(lost) = waiting.find(|waiting| self.panel.is_hopeless(waiting)) {
                self.progress.finish();
                let _ = self.print(&self.lost(lost));
                std::process::exit(i32::from(u8::from(Status::Internal)));
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
        self.args.formulas.is_none_or(|formulas| number < formulas).then_some(number)
    }

    fn count(&self, said: &[Said]) {
        locked(&self.tallies).iter_mut().zip(said).for_each(|(tally, said)| tally.count(said));
        self.progress.advance();
    }

    /// A fault: kept for the end, or shown at once.
    fn catch(&self, catch: Catch, desk: &Desk) -> anyhow::Result<()> {
        if self.args.keep_going {
            return self.show(catch, desk);
        }
        self.enough.store(true, Ordering::Relaxed);
        locked(&self.catches).push(catch);
        Ok(())
    }

    /// Shows the catch with the least number; all samples with lesser ones were looked at.
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
            self.print(&finding)?;
        }
        Ok(())
    }

    /// Looks for the fault again, and shrinks the sample if it is there.
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

    /// The fault of a catch as another sample shows it. Those who are not concerned are asked only where their
    /// words could prove a no wrong.
    fn seen_in(&self, sample: &Sample, catch: &Catch, desk: &Desk) -> Option<(Fault, Vec<Said>)> {
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

    /// What was said, and what the others say.
    fn what_all_say(&self, sample: &Sample, mut said: Vec<Said>, desk: &Desk) -> Vec<Said> {
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

    /// An engine that does not come back.
    fn lost(&self, waiting: Waiting) -> Finding<'_> {
        let (sample, fault) = (Sample::clone(&waiting.sample), Fault::Overrun(waiting.engine));
        let said = vec![None; self.panel.engines.len()];
        let catch = Catch { number: waiting.number, sample, fault, said };
        Finding { steady: true, ..self.finding(catch) }
    }

    fn print(&self, finding: &Finding) -> std::io::Result<()> {
        match self.args.json {
            true => print_text(&format!("{}\n", finding.json())),
            false => print_text(&finding.text()),
        }
    }

    fn summary(&self) -> anyhow::Result<Status> {
        let findings = locked(&self.shown).len();
        let interrupted = self.panel.cancellation.is_cancelled();
        let summary = Summary {
            panel: &self.panel,
            seed: self.drawing.seed,
            formulas: self.progress.done(),
            seconds: self.started.elapsed().as_secs_f64(),
            findings,
            interrupted,
            tallies: locked(&self.tallies).clone(),
        };
        match self.args.json {
            true => print_text(&format!("{}\n", summary.json()))?,
            false => print_text(&summary.text())?,
        }
        Ok(match (findings, interrupted) {
            (0, false) => Status::Yes,
            (0, true) => Status::Unknown,
            _ => Status::Internal,
        })
    }
}

/// A seed that is short enough to be typed.
fn clock() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    since.as_micros() as u64 % 1_000_000_000
}

#[cfg(test)]
mod tests {
    use kermode::solve::{EngineInfo, EngineSpec, Stop};

    use super::*;
    use crate::bench::fuzz::tests::{Puppet, puppet};

    #[test]
    fn a_fault_that_comes_and_goes_is_not_shrunk() {
        static FIRST: AtomicBool = AtomicBool::new(true);
        static FICKLE: EngineInfo = puppet(|_| {
            Ok(Box::new(Puppet(|_| {
                assert!(!FIRST.swap(false, Ordering::Relaxed), "the first time");
                Err(Stop::Timeout)
            })))
        });
        let args = Fuzz {
            engines: vec![EngineSpec::of(&FICKLE)],
            seconds: None,
            formulas: Some(50),
            seed: Some(1),
            size: 10,
            finite: false,
            infinite: true,
            timeout: Duration::from_secs(1),
            memory: None,
            jobs: 1,
            keep_going: false,
            json: false,
        };
        let hunt = Hunt::new(&args).expect("it can begin");
        let sample = Drawing { kinds: vec![WordKind::Infinite], size: 1, seed: 1 }.sample(0);
        let said = hunt.panel.ask(&sample, &[0], &hunt.desks[0]);
        let fault = Fault::Panic(0);
        assert_eq!(hunt.panel.faults(&said), [fault]);
        let finding = hunt.settle(Catch { number: 0, sample, fault, said }, &hunt.desks[0]);
        assert!(finding.text().contains("it was not seen again, and not shrunk"));
        assert!(finding.text().contains("panicked: the first time"));
    }
}
