//! Work that ends in time: when its budget does, or when the user wants it to.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use kermode::solve::{Budget, Cancellation, Stop};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::status::Status;

/// How late work may be that is in the middle of something it cannot leave, such as an operation on
/// decision diagrams.
const PATIENCE: Duration = Duration::from_millis(500);
/// The same for reading, most of which looks at the budget itself.
const READING_PATIENCE: Duration = Duration::from_millis(200);
/// How often late work is looked for.
const LOOK: Duration = Duration::from_millis(50);

/// Does some work, and gives what comes of it; or, if it goes on long after it should have ended,
/// what `late` has made of that meanwhile. The work stays on this thread, where memory is warm: a
/// second one for it took half a millisecond more.
pub(crate) fn in_time<T, R: Send>(
    work: impl FnOnce() -> T,
    budget: &Budget,
    late: impl FnOnce(Stop) -> R + Send,
) -> Result<T, R> {
    std::thread::scope(|scope| {
        let (at_work, ended) = std::sync::mpsc::sync_channel::<()>(0);
        let watcher = scope.spawn(move || overdue(&ended, budget, PATIENCE).map(late));
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
fn overdue(ended: &Receiver<()>, budget: &Budget, patience: Duration) -> Option<Stop> {
    let mut over_since = None;
    while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        if let Err(stop) = budget.check()
            && over_since.get_or_insert_with(Instant::now).elapsed() > patience
        {
            return Some(stop);
        }
    }
    None
}

/// Does what cannot be interrupted everywhere, such as reading. If the budget ends before, `say`
/// tells that, and the process ends: without the input there is nothing else to do.
pub(crate) fn or_end<T>(
    budget: &Budget,
    say: impl Fn(&Stop) -> std::io::Result<Status> + Sync,
    work: impl FnOnce() -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let end_by = |stop: &Stop| match say(stop) {
        Ok(status) => end(status),
        Err(_) => end(Status::Bad),
    };
    let done = std::thread::scope(|scope| {
        let (at_work, ended) = std::sync::mpsc::sync_channel::<()>(0);
        scope.spawn(move || overdue(&ended, budget, READING_PATIENCE).inspect(|stop| end_by(stop)));
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
    for signal in ENDING {
        let exit = i32::from(u8::from(Status::Unknown));
        signal_hook::flag::register_conditional_shutdown(signal, exit, cancellation.flag())?;
    }
    raised_by_signals(&cancellation)?;
    Ok(cancellation)
}

/// The signals that end work.
const ENDING: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// Lets interrupts raise a flag.
pub(crate) fn raised_by_signals(cancellation: &Cancellation) -> std::io::Result<()> {
    for signal in ENDING {
        signal_hook::flag::register(signal, cancellation.flag())?;
    }
    Ok(())
}
