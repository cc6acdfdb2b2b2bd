//! Threads that work side by side, and one that watches them.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};

/// Tells a watcher that there is nothing left to watch, even if that ended by a panic.
struct Ending<'e> {
    ended: &'e AtomicBool,
    watcher: Thread,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        self.watcher.unpark();
    }
}

/// Works while another thread watches; that thread ends when the flag is set.
pub(crate) fn watched<R>(watch: impl FnOnce(&AtomicBool) + Send, work: impl FnOnce() -> R) -> R {
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| watch(&ended)).thread().clone();
        let _ending = Ending { ended: &ended, watcher };
        work()
    })
}

/// Lets all workers work at the same time; the first error of any of them counts.
pub(crate) fn together<W>(workers: impl Iterator<Item = W>) -> anyhow::Result<()>
where
    W: FnOnce() -> anyhow::Result<()> + Send,
{
    thread::scope(|scope| {
        let workers: Vec<_> = workers.map(|worker| scope.spawn(worker)).collect();
        let results = workers.into_iter().map(|worker| worker.join());
        let results: Vec<_> = results.map(|r| r.unwrap_or_else(|p| resume_unwind(p))).collect();
        results.into_iter().collect()
    })
}

/// What is behind a lock is whole at any moment, so a panic elsewhere does not spoil it.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_panic_ends_the_watch() {
        let watch = |ended: &AtomicBool| {
            while !ended.load(Ordering::Relaxed) {
                thread::park_timeout(Duration::from_millis(10));
            }
        };
        let worker = |number: usize| {
            move || {
                assert!(number != 1, "a panic");
                Ok(())
            }
        };
        let all = |numbers: &[usize]| {
            let work = || together(numbers.iter().map(|&number| worker(number)));
            catch_unwind(AssertUnwindSafe(|| watched(watch, work)))
        };
        assert!(all(&[0, 2]).is_ok());
        assert!(all(&[0, 1, 2]).is_err());
    }
}
