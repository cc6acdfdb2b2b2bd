//! Work that ends in time: when its budget does, or when the user wants it to.

use std::io::Read;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use kermode::solve::{Budget, Cancellation, Limits, Stop};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::status::Status;

/// How late work may be that is in the middle of something it cannot leave, such as an operation on
/// decision diagrams.
const PATIENCE: Duration = Duration::from_millis(500);
/// The same for reading, most of which looks at the budget itself.
const READING_PATIENCE: Duration = Duration::from_millis(200);
/// How often late work is looked for.
const LOOK: Duration = Duration::from_millis(50);

/// Does some work, and gives what comes of it; or, if it goes on long after it should have ended or
/// the user insists, what `late` has made of that meanwhile. The work stays on this thread,
/// where memory is warm: a second one for it took half a millisecond more.
pub(crate) fn in_time<T, R: Send>(
    work: impl FnOnce() -> T,
    budget: &Budget,
    interrupts: &Interrupts,
    late: impl FnOnce(Stop) -> R + Send,
) -> Result<T, R> {
    std::thread::scope(|scope| {
        let (at_work, ended) = std::sync::mpsc::sync_channel::<()>(0);
        let watcher = scope.spawn(move || overdue(&ended, budget, interrupts, PATIENCE).map(late));
        let answer = work();
        drop(at_work);
        match watcher.join() {
            Ok(None) => Ok(answer),
            Ok(Some(shown)) => Err(shown),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Why work should have ended a while ago, unless it ends.
fn overdue(
    ended: &Receiver<()>,
    budget: &Budget,
    interrupts: &Interrupts,
    patience: Duration,
) -> Option<Stop> {
    let mut over_since = None;
    while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        if let Err(stop) = budget.check() {
            let late = over_since.get_or_insert_with(Instant::now).elapsed() > patience;
            if late || interrupts.are_repeated() {
                return Some(stop);
            }
        }
    }
    None
}

/// What is known of the other inputs when one of several is worked on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    /// What those before it came to.
    pub(crate) status: Status,
    pub(crate) is_last: bool,
}

impl Before {
    /// Ends the process while the work on an input that came to `status` still goes on, if no other
    /// input is left or the user insists.
    pub(crate) fn end_if_due(self, interrupts: &Interrupts, status: Status) {
        if self.is_last || interrupts.are_repeated() {
            end(Status::of_all([self.status, status]));
        }
    }
}

/// Does what cannot be interrupted everywhere, such as reading. If the budget ends before, `say`
/// tells that, and the process ends: without the input there is nothing else to do.
pub(crate) fn or_end<T>(
    budget: &Budget,
    interrupts: &Interrupts,
    say: impl Fn(&Stop) -> std::io::Result<Status> + Sync,
    work: impl FnOnce() -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let end_by = |stop: &Stop| match say(stop) {
        Ok(status) => end(status),
        Err(_) => end(Status::Bad),
    };
    let done = std::thread::scope(|scope| {
        let (at_work, ended) = std::sync::mpsc::sync_channel::<()>(0);
        scope.spawn(move || {
            overdue(&ended, budget, interrupts, READING_PATIENCE).inspect(|stop| end_by(stop))
        });
        let done = work();
        drop(at_work);
        done
    });
    if let Err(error) = &done
        && let Some(stop) = error.downcast_ref()
    {
        end_by(stop);
    }
    done
}

/// Ends the process while work is still going on. Everything is shown already.
pub(crate) fn end(status: Status) -> ! {
    std::process::exit(i32::from(u8::from(status)))
}

/// A flag that the first interrupt raises, so that work ends with `unknown (cancelled)`; the second
/// one ends the process at once.
pub(crate) fn ended_by_signals() -> std::io::Result<Cancellation> {
    let cancellation = Cancellation::new();
    for signal in ending_signals() {
        let exit = i32::from(u8::from(Status::Unknown));
        signal_hook::flag::register_conditional_shutdown(signal, exit, cancellation.flag())?;
    }
    raised_by_signals(&cancellation)?;
    Ok(cancellation)
}

/// The signals that end work, without the one that `nohup` has made this process ignore.
fn ending_signals() -> impl Iterator<Item = i32> {
    let hangup = !ignores_hangup();
    [SIGINT, SIGTERM, SIGHUP].into_iter().filter(move |&signal| signal != SIGHUP || hangup)
}

/// Whether the process was started with the hangup signal ignored, where the system tells.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & (1 << (SIGHUP - 1)) != 0)
}

/// Lets interrupts raise a flag.
pub(crate) fn raised_by_signals(cancellation: &Cancellation) -> std::io::Result<()> {
    ending_signals().try_for_each(|signal| {
        signal_hook::flag::register(signal, cancellation.flag())?;
        Ok(())
    })
}

/// The interrupts of a command. The first one raises a flag, so that work ends with `unknown
/// (cancelled)`; at the second one nobody waits for the work any longer.
#[derive(Debug)]
pub(crate) struct Interrupts {
    pub(crate) cancellation: Cancellation,
    /// Each signal is a byte here.
    signals: UnixStream,
    count: AtomicUsize,
}

impl Interrupts {
    /// A budget that the first interrupt ends.
    pub(crate) fn budget(&self, limits: Limits) -> Budget {
        Budget::new(limits, self.cancellation.clone())
    }

    /// Listens to signals from now on.
    pub(crate) fn new() -> std::io::Result<Interrupts> {
        let cancellation = Cancellation::new();
        raised_by_signals(&cancellation)?;
        let (signals, writer) = UnixStream::pair()?;
        signals.set_nonblocking(true)?;
        for signal in ending_signals() {
            signal_hook::low_level::pipe::register(signal, writer.try_clone()?)?;
        }
        Ok(Interrupts { cancellation, signals, count: AtomicUsize::new(0) })
    }

    /// Whether there were two signals or more.
    pub(crate) fn are_repeated(&self) -> bool {
        let new = (&self.signals).read(&mut [0; 16]).unwrap_or(0);
        self.count.fetch_add(new, Ordering::Relaxed) + new > 1
    }
}
