//! Ends work when its budget ends or the user interrupts it.

use std::io::Read;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use kermode::solve::{Budget, Cancellation, Limits, Stop};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::status::Status;

/// How late an uninterruptible operation may end, such as an operation on decision diagrams.
const PATIENCE: Duration = Duration::from_millis(500);
/// The same for reading, most of which checks the budget itself.
const READING_PATIENCE: Duration = Duration::from_millis(200);
/// The time between two checks for late work.
const LOOK: Duration = Duration::from_millis(50);

/// Runs some work and returns its result. If the work continues long after the end of its budget,
/// or after a repeated interrupt, `late` is called meanwhile and its result is returned instead.
/// The work stays on the present thread; a separate thread costs half a millisecond more.
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

/// Waits for the end of the work. Returns the stop if the work is late.
fn overdue(
    ended: &Receiver<()>,
    budget: &Budget,
    interrupts: &Interrupts,
    patience: Duration,
) -> Option<Stop> {
    let mut over_since = None;
    while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        if let Err(stop) = budget.look() {
            let late = over_since.get_or_insert_with(Instant::now).elapsed() > patience;
            if late || interrupts.are_repeated() {
                return Some(stop);
            }
        }
    }
    None
}

/// The state of the other inputs while one of several is decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    /// The status of the inputs before it.
    pub(crate) status: Status,
    pub(crate) is_last: bool,
}

impl Before {
    /// Ends the process while the work on an input with this status still runs, if there are no
    /// other inputs or the user repeats the interrupt.
    pub(crate) fn end_if_due(self, interrupts: &Interrupts, status: Status) {
        if self.is_last || interrupts.are_repeated() {
            end(Status::of_all([self.status, status]));
        }
    }
}

/// Runs work that cannot be interrupted everywhere, such as reading. If the budget ends first,
/// `say` reports it and the process ends, because there is no input to decide.
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

/// Ends the process while work is still running. All output must be written already.
pub(crate) fn end(status: Status) -> ! {
    std::process::exit(i32::from(u8::from(status)))
}

/// A flag that the first interrupt sets, so that the work ends with `unknown (cancelled)`. The
/// second interrupt ends the process immediately.
pub(crate) fn ended_by_signals() -> std::io::Result<Cancellation> {
    let cancellation = Cancellation::new();
    for signal in ending_signals() {
        let exit = i32::from(u8::from(Status::Unknown));
        signal_hook::flag::register_conditional_shutdown(signal, exit, cancellation.flag())?;
    }
    raised_by_signals(&cancellation)?;
    Ok(cancellation)
}

/// The signals that end work, except a hangup signal that `nohup` made this process ignore.
fn ending_signals() -> impl Iterator<Item = i32> {
    let hangup = !ignores_hangup();
    [SIGINT, SIGTERM, SIGHUP].into_iter().filter(move |&signal| signal != SIGHUP || hangup)
}

/// Whether the process was started with the hangup signal ignored, if the system reports it.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & (1 << (SIGHUP - 1)) != 0)
}

/// Makes interrupts set a flag.
pub(crate) fn raised_by_signals(cancellation: &Cancellation) -> std::io::Result<()> {
    ending_signals().try_for_each(|signal| {
        signal_hook::flag::register(signal, cancellation.flag())?;
        Ok(())
    })
}

/// The interrupts of a command. The first one sets a flag, so that the work ends with
/// `unknown (cancelled)`. After the second one the command does not wait for the work.
#[derive(Debug)]
pub(crate) struct Interrupts {
    pub(crate) cancellation: Cancellation,
    /// Receives one byte per signal.
    signals: UnixStream,
    count: AtomicUsize,
}

impl Interrupts {
    /// A budget that the first interrupt ends.
    pub(crate) fn budget(&self, limits: Limits) -> Budget {
        Budget::new(limits, self.cancellation.clone())
    }

    /// Listens for signals from now on.
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

    /// Whether there were at least two signals.
    pub(crate) fn are_repeated(&self) -> bool {
        let new = (&self.signals).read(&mut [0; 16]).unwrap_or(0);
        self.count.fetch_add(new, Ordering::Relaxed) + new > 1
    }
}
