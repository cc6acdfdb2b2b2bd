//! The workers of a race: running and waiting ones.
//!
//! Invariant: waiting workers start or resume in the order in which they began to wait, so that
//! each gets its turn.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use kermode::solve::portfolio::Turn;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;

use super::process::{Ended, Process};

pub(super) struct Runners {
    pub(super) waiting: VecDeque<Waiting>,
    pub(super) running: Vec<Process>,
}

pub(super) enum Waiting {
    New(Turn),
    Suspended(Process),
}

impl Runners {
    /// All workers, waiting for their first turn.
    pub(super) fn new(turns: Vec<Turn>) -> Runners {
        let waiting = turns.into_iter().map(Waiting::New).collect();
        Runners { waiting, running: Vec::new() }
    }

    /// The number of remaining workers.
    pub(super) fn len(&self) -> usize {
        self.running.len() + self.waiting.len()
    }

    /// All started workers.
    pub(super) fn live(&self) -> impl Iterator<Item = &Process> {
        let suspended = self.waiting.iter().filter_map(|waiting| match waiting {
            Waiting::Suspended(worker) => Some(worker),
            Waiting::New(_) => None,
        });
        self.running.iter().chain(suspended)
    }

    /// Waits for messages of workers; returns those that have ended.
    pub(super) fn listen(&mut self, patience: Duration) -> io::Result<Vec<Ended>> {
        let mut ended = Vec::new();
        let speaks = self.speaking(patience)?;
        for index in (0..speaks.len()).rev().filter(|&index| speaks[index]) {
            if self.running[index].hear()? {
                ended.push(self.running.remove(index).end()?);
            }
        }
        Ok(ended)
    }

    /// Which workers have a message, or have ended.
    fn speaking(&self, patience: Duration) -> io::Result<Vec<bool>> {
        let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(patience.subsec_nanos()) };
        let outputs = self.running.iter().map(|worker| &worker.output);
        let mut fds: Vec<PollFd> =
            outputs.map(|output| PollFd::new(output, PollFlags::IN)).collect();
        match rustix::event::poll(&mut fds, Some(&timeout)) {
            // A signal interrupted the wait; it is handled elsewhere.
            Err(Errno::INTR) => Ok(Vec::new()),
            Err(error) => Err(error.into()),
            Ok(_) => Ok(fds.iter().map(|fd| !fd.revents().is_empty()).collect()),
        }
    }

    /// Kills the worker that takes the most memory.
    pub(super) fn kill_largest(&mut self) {
        let suspended = self.waiting.iter_mut().filter_map(|waiting| match waiting {
            Waiting::Suspended(worker) => Some(worker),
            Waiting::New(_) => None,
        });
        let largest = self.running.iter_mut().chain(suspended).max_by_key(|w| w.usage.resident);
        if let Some(largest) = largest {
            largest.starve();
        }
    }

    /// Suspends workers whose turn is over, if others wait.
    pub(super) fn take_turns(&mut self) {
        let mut index = 0;
        while index < self.running.len() && !self.waiting.is_empty() {
            if self.running[index].is_due() {
                let mut worker = self.running.remove(index);
                worker.suspend();
                self.waiting.push_back(Waiting::Suspended(worker));
            } else {
                index += 1;
            }
        }
    }

    /// Returns all started workers, and drops the others.
    pub(super) fn gather(&mut self) {
        let suspended = std::mem::take(&mut self.waiting).into_iter().filter_map(Waiting::started);
        self.running.extend(suspended);
    }
}

impl Waiting {
    /// The worker, if it was started.
    fn started(self) -> Option<Process> {
        match self {
            Waiting::Suspended(worker) => Some(worker),
            Waiting::New(_) => None,
        }
    }
}
