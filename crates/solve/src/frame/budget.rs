//! Limits of time and memory, and cancellation. A stop is a value that travels by `?`.
//!
//! A loop that can be long calls [`Budget::check`]. The call is cheap: it reads one flag and, if
//! there are limits, the monotonic clock. More expensive measurements (CPU time, memory) are taken
//! at most a hundred times per second.
//!
//! A budget can also count these calls, its *steps*, and convert steps to time at the same rate on
//! every machine. Work under such a budget gets the time from steps, so that its result is the same
//! on every machine.
//!
//! CPU time is the time of the process. A slice ([`Budget::slice`]) is charged the time of its own
//! thread only, so that engines on several threads do not use up each other's slices.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use kermode_automata::emerson_lei::TooManyRegions;
use kermode_automata::{ComplementTooLarge, NoBranches, NotDealternated, Untranslatable};
use kermode_ltl::normal::ExpansionTooLarge;
use rustix::time::ClockId;
use serde::{Deserialize, Serialize};

use crate::frame::answer::LeftOut;
use crate::frame::witness::{Discovery, Listener, WitnessTime};

/// The reason why an engine stopped without an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum Stop {
    /// The wall-clock or CPU time is used up.
    #[error("timeout")]
    Timeout,
    /// The memory is used up.
    #[error("memory")]
    Memory,
    /// A table of decision diagram nodes is full.
    #[error("memory")]
    Nodes,
    /// A limit of the engine itself, with its description.
    #[error("limit: {0}")]
    Limit(String),
    /// The engine does not support the problem, with the reason.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// The caller cancelled the work.
    #[error("cancelled")]
    Cancelled,
}

impl From<ComplementTooLarge> for Stop {
    fn from(error: ComplementTooLarge) -> Stop {
        Stop::Limit(error.to_string())
    }
}

impl From<TooManyRegions> for Stop {
    fn from(error: TooManyRegions) -> Stop {
        Stop::Limit(error.to_string())
    }
}

impl From<NotDealternated> for Stop {
    fn from(error: NotDealternated) -> Stop {
        match error {
            NotDealternated::NoBranches(NoBranches::OutOfNodes(error)) => error.into(),
            NotDealternated::NoBranches(NoBranches::CannotStart(error)) => error.into(),
            error => Stop::Limit(error.to_string()),
        }
    }
}

impl From<Untranslatable> for Stop {
    fn from(error: Untranslatable) -> Stop {
        Stop::Unsupported(error.to_string())
    }
}

impl From<ExpansionTooLarge> for Stop {
    fn from(error: ExpansionTooLarge) -> Stop {
        Stop::Limit(error.to_string())
    }
}

impl From<Infallible> for Stop {
    fn from(never: Infallible) -> Stop {
        match never {}
    }
}

/// A flag that ends all work under the budgets that share it.
#[derive(Clone, Debug, Default)]
pub struct Cancellation {
    flag: Arc<AtomicBool>,
    /// Outer flags, which end this work too.
    outer: Vec<Arc<AtomicBool>>,
}

impl Cancellation {
    /// A flag that is not set.
    pub fn new() -> Self {
        Cancellation::default()
    }

    /// A flag for a part of the work: it is set by itself, or together with this one.
    pub fn inner(&self) -> Self {
        let mut outer = self.outer.clone();
        outer.push(Arc::clone(&self.flag));
        Cancellation { flag: Arc::default(), outer }
    }

    /// Ends the work.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether the work was cancelled.
    pub fn is_cancelled(&self) -> bool {
        let is_raised = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        is_raised(&self.flag) || self.outer.iter().any(is_raised)
    }

    /// The flag itself, for signal handlers.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }
}

/// The limits of one problem; `None` means unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub wall: Option<Duration>,
    /// CPU time of the process.
    pub cpu: Option<Duration>,
    /// Resident memory of the process in bytes.
    pub memory: Option<u64>,
}

/// The limits of one problem, which count from the creation of the budget.
#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    cancellation: Cancellation,
    started: Instant,
    /// CPU time of the process and of the thread at the start.
    cpu_started: Duration,
    thread_started: Duration,
    /// The CPU time that the thread may use, for a slice. Other threads are not charged.
    slice: Option<Duration>,
    /// Whether [`Budget::cpu_elapsed`] is the time of the thread. A part belongs to one thread.
    is_part: bool,
    discovery: Arc<Discovery>,
    listener: Listener,
    /// The time of the next expensive measurement, in nanoseconds since the start.
    next_measurement: AtomicU64,
    steps: Option<Steps>,
}

/// Counted calls of [`Budget::check`]. Steps of a part also count for the whole budget.
#[derive(Clone, Debug)]
struct Steps {
    taken: Arc<AtomicU64>,
    /// The number of steps at the start, and the largest number at the end.
    started: u64,
    end: u64,
}

/// The rate at which steps are converted to time. Engines take about as many steps per second, but
/// they differ by a factor of ten and more.
const STEPS_PER_SECOND: u32 = 100_000;

impl Steps {
    fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// The steps since the start, as time.
    fn elapsed(&self) -> Duration {
        Duration::from_secs(self.taken() - self.started) / STEPS_PER_SECOND
    }

    /// The remaining steps, as time.
    fn left(&self) -> Duration {
        Duration::from_secs(self.end.saturating_sub(self.taken())) / STEPS_PER_SECOND
    }

    /// A part that starts now, with at most this time in steps.
    fn slice(&self, worth: Duration) -> Steps {
        let started = self.taken();
        let end = started.saturating_add(steps_worth(worth)).min(self.end);
        Steps { taken: Arc::clone(&self.taken), started, end }
    }
}

/// The number of steps for a time.
fn steps_worth(time: Duration) -> u64 {
    time.saturating_mul(STEPS_PER_SECOND).as_secs()
}

const BETWEEN_MEASUREMENTS: Duration = Duration::from_millis(10);
/// The same shortly before a slice ends.
const LEAST_BETWEEN_MEASUREMENTS: Duration = Duration::from_micros(500);

impl Budget {
    /// A budget that starts now.
    pub fn new(limits: Limits, cancellation: Cancellation) -> Self {
        Budget {
            limits,
            cancellation,
            started: Instant::now(),
            cpu_started: cpu_time(),
            thread_started: thread_time(),
            slice: None,
            is_part: false,
            discovery: Discovery::new(),
            listener: Listener::default(),
            next_measurement: AtomicU64::new(0),
            steps: None,
        }
    }

    /// A budget without limits.
    pub fn unlimited() -> Self {
        Budget::new(Limits::default(), Cancellation::new())
    }

    /// A budget of wall-clock time that starts now.
    pub fn within(wall: Duration) -> Self {
        Budget::new(Limits { wall: Some(wall), ..Limits::default() }, Cancellation::new())
    }

    /// The remaining limits.
    pub fn left(&self) -> Limits {
        let left = |limit: Option<Duration>, used| limit.map(|limit| limit.saturating_sub(used));
        Limits {
            wall: left(self.limits.wall, self.elapsed()),
            // This is the real CPU time even if steps are counted, because the limit on CPU time is
            // not counted in steps.
            cpu: left(self.limits.cpu, self.cpu_used()),
            memory: self.limits.memory,
        }
    }

    /// The remaining time. If steps are counted, it is the remaining steps as time and independent
    /// of clocks.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let Some(steps) = &self.steps else {
            let Limits { wall, cpu, .. } = self.left();
            let times = [wall, cpu, self.slice_left(), self.discovery.left()];
            return times.into_iter().flatten().min();
        };
        Some(steps.left())
    }

    /// The remaining CPU time of the slice of this thread.
    fn slice_left(&self) -> Option<Duration> {
        self.slice.map(|slice| slice.saturating_sub(self.thread_used()))
    }

    /// A part of this budget that starts now, with at most this CPU time of the present thread.
    pub fn slice(&self, cpu: Duration) -> Budget {
        let mut part = self.part(self.cancellation.clone());
        match &self.steps {
            Some(steps) => part.steps = Some(steps.slice(cpu)),
            None => part.slice = Some(part.slice.map_or(cpu, |left| left.min(cpu))),
        }
        part
    }

    /// The rest of this budget, for work of this thread with its own cancellation.
    pub fn part(&self, cancellation: Cancellation) -> Budget {
        Budget {
            slice: self.slice_left(),
            is_part: true,
            discovery: Arc::clone(&self.discovery),
            listener: self.listener.clone(),
            steps: self.steps.clone(),
            ..Budget::new(self.left(), cancellation)
        }
    }

    /// The rest of this budget, for the next of several questions: the time for the witness of one
    /// does not count for the next.
    pub(crate) fn for_next_question(&self) -> Budget {
        Budget { discovery: Discovery::new(), ..self.part(self.cancellation.clone()) }
    }

    /// The rest of this budget, for another question: a word of that question's language does not
    /// answer this one.
    pub(crate) fn for_another_question(&self) -> Budget {
        let (discovery, listener) = (Discovery::new(), Listener::default());
        Budget { discovery, listener, ..self.part(self.cancellation.clone()) }
    }

    /// The same budget with a callback: `told` is called when the language is known to be nonempty,
    /// before there is a witness.
    pub fn listened_to(self, told: impl Fn() + Send + Sync + 'static) -> Budget {
        Budget { listener: Listener(Some(Arc::new(told))), ..self }
    }

    /// A share of this budget for an examination, which is another question: one of so many parts,
    /// and no more than some time. If steps are counted, no clock shortens it.
    pub(crate) fn for_examination(&self, parts: u32, most: Duration) -> Budget {
        let Limits { wall, cpu, .. } = self.left();
        let limit = [wall, cpu].into_iter().flatten().min();
        let time = match limit {
            _ if self.counts_steps() => most,
            Some(limit) => (limit / parts).min(most),
            None => most,
        };
        self.for_another_question().slice(time)
    }

    /// Records that the language is nonempty. All budgets of the question now end when the time for
    /// the witness ends. Only the first call has an effect.
    pub fn known_nonempty(&self, time: WitnessTime) {
        let is_new = match &self.steps {
            Some(steps) => {
                let worth = time.after(Duration::from_secs(steps.taken()) / STEPS_PER_SECOND);
                self.discovery.set_step(steps.taken().saturating_add(steps_worth(worth)))
            }
            None => self.discovery.set(time),
        };
        if let (true, Listener(Some(told))) = (is_new, &self.listener) {
            told();
        }
    }

    /// The reason for a missing witness, more precise if the time for the witness ended and not the
    /// budget.
    pub fn explain(&self, reason: LeftOut) -> LeftOut {
        let Limits { wall, cpu, .. } = self.left();
        let is_over = [wall, cpu].contains(&Some(Duration::ZERO));
        match reason {
            LeftOut::Stopped(Stop::Timeout) if !is_over && self.witness_is_due() => {
                LeftOut::WitnessTime
            }
            reason => reason,
        }
    }

    /// Whether the time for the witness has ended.
    fn witness_is_due(&self) -> bool {
        self.discovery.is_over(self.steps.as_ref().map(Steps::taken))
    }

    /// The rest of this budget, with counted steps. A budget that counts steps goes on counting.
    pub fn in_steps(&self) -> Budget {
        let first = || Steps { taken: Arc::default(), started: 0, end: u64::MAX };
        let steps = self.steps.clone().unwrap_or_else(first);
        Budget { steps: Some(steps), ..self.part(self.cancellation.clone()) }
    }

    /// Whether steps are counted, so that nothing depends on clocks.
    pub(crate) fn counts_steps(&self) -> bool {
        self.steps.is_some()
    }

    /// The flag that ends all work under this budget.
    pub fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    /// The limits at the start.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The CPU time at the start: of the process, or of the thread for a slice.
    pub fn cpu_limit(&self) -> Option<Duration> {
        [self.limits.cpu, self.slice].into_iter().flatten().min()
    }

    /// An error if the work must stop.
    pub fn check(&self) -> Result<(), Stop> {
        if let Some(steps) = &self.steps {
            steps.taken.fetch_add(1, Ordering::Relaxed);
        }
        self.look()
    }

    /// The same for those who watch the work of others: no step is counted.
    pub fn look(&self) -> Result<(), Stop> {
        if self.cancellation.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        if self.steps.as_ref().is_some_and(|steps| steps.taken() > steps.end) {
            return Err(Stop::Timeout);
        }
        if self.witness_is_due() {
            return Err(Stop::Timeout);
        }
        if self.limits == Limits::default() && self.slice.is_none() {
            return Ok(());
        }
        let elapsed = self.started.elapsed();
        if self.limits.wall.is_some_and(|limit| elapsed >= limit) {
            return Err(Stop::Timeout);
        }
        let now = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
        if now < self.next_measurement.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.measure()?;
        // A slice of CPU time does not end before as much time has passed.
        let pause = self.slice_left().map_or(BETWEEN_MEASUREMENTS, |left| {
            left.clamp(LEAST_BETWEEN_MEASUREMENTS, BETWEEN_MEASUREMENTS)
        });
        let next = now.saturating_add(pause.as_nanos() as u64);
        self.next_measurement.store(next, Ordering::Relaxed);
        Ok(())
    }

    /// The same, with measurements taken now.
    pub fn check_now(&self) -> Result<(), Stop> {
        self.check()?;
        self.measure()
    }

    fn measure(&self) -> Result<(), Stop> {
        let is_used_up = self.limits.cpu.is_some_and(|limit| self.cpu_used() >= limit);
        if is_used_up || self.slice_left() == Some(Duration::ZERO) {
            return Err(Stop::Timeout);
        }
        let is_too_large = |limit: u64| resident_memory().is_some_and(|used| used > limit);
        match self.limits.memory {
            Some(limit) if is_too_large(limit) => Err(Stop::Memory),
            _ => Ok(()),
        }
    }

    /// The limit on memory in bytes, if there is one.
    pub fn memory_limit(&self) -> Option<u64> {
        self.limits.memory
    }

    /// Wall-clock time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// CPU time since the start: of the process, or of the thread for a part. If steps are counted,
    /// it is the steps as time.
    pub fn cpu_elapsed(&self) -> Duration {
        match &self.steps {
            Some(steps) => steps.elapsed(),
            None if self.is_part => self.thread_used(),
            None => self.cpu_used(),
        }
    }

    /// CPU time of this thread since the start.
    fn thread_used(&self) -> Duration {
        thread_time().saturating_sub(self.thread_started)
    }

    /// CPU time of the process since the start, even if steps are counted.
    pub fn cpu_used(&self) -> Duration {
        cpu_time().saturating_sub(self.cpu_started)
    }
}

/// CPU time of the process with all its threads.
fn cpu_time() -> Duration {
    time_of(ClockId::ProcessCPUTime)
}

/// CPU time of this thread.
pub(crate) fn thread_time() -> Duration {
    time_of(ClockId::ThreadCPUTime)
}

fn time_of(clock: ClockId) -> Duration {
    let time = rustix::time::clock_gettime(clock);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Resident memory in bytes, if the system reports it (Linux does, in pages).
fn resident_memory() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split(' ').nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_cpu(seconds: u64) -> Budget {
        let cpu = Some(Duration::from_secs(seconds));
        Budget::new(Limits { cpu, ..Limits::default() }, Cancellation::new())
    }

    /// Steps do not count against a limit on CPU time.
    #[test]
    fn steps_do_not_use_up_time() {
        let steps = with_cpu(60).in_steps();
        for _ in 0..70 * STEPS_PER_SECOND {
            assert_eq!(steps.check(), Ok(()));
        }
        assert!(steps.cpu_elapsed() > Duration::from_secs(60));
        assert_ne!(steps.left().cpu, Some(Duration::ZERO));
        assert_eq!(steps.slice(Duration::from_secs(1)).check_now(), Ok(()));
    }

    #[test]
    fn the_part_of_a_part_ends_with_the_whole() {
        let whole = Cancellation::new();
        let part_of_part = whole.inner().inner();
        assert!(!part_of_part.is_cancelled());
        whole.cancel();
        assert!(part_of_part.is_cancelled());
    }

    #[test]
    fn slices_may_be_longer_than_any_time() {
        let slice = with_cpu(60).in_steps().slice(Duration::MAX);
        assert_eq!(slice.check_now(), Ok(()));
    }

    #[test]
    fn a_limit_that_is_over_is_seen_at_once() {
        let budget = with_cpu(0);
        budget.next_measurement.store(u64::MAX, Ordering::Relaxed);
        assert_eq!(budget.check(), Ok(()));
        assert_eq!(budget.check_now(), Err(Stop::Timeout));
    }
}
