//! What antichain engines count, and how far they have come.

use std::time::Duration;

use crate::frame::observer::Observer;

/// What was counted, over all searches for one answer.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) locations: usize,
    pub(super) posts: Calls,
    pub(super) pres: Calls,
    pub(super) states: usize,
    /// How many states were dropped for others.
    pub(super) dropped: usize,
    /// The size of the largest antichain.
    pub(super) largest: usize,
}

/// Calls of an operation, and the CPU time that went into them.
#[derive(Debug, Default)]
pub(super) struct Calls {
    pub(super) calls: u64,
    pub(super) time: Duration,
}

impl Counts {
    /// Tells an observer.
    pub(super) fn tell(&self, observer: &mut dyn Observer) {
        observer.statistic("locations", self.locations as u64);
        for (calls, time, counted) in [
            ("post_calls", "post_microseconds", &self.posts),
            ("pre_calls", "pre_microseconds", &self.pres),
        ] {
            observer.statistic(calls, counted.calls);
            observer.statistic(time, counted.time.as_micros() as u64);
        }
        observer.statistic("states_met", self.states as u64);
        observer.statistic("states_dropped", self.dropped as u64);
        observer.statistic("largest_antichain", self.largest as u64);
    }
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// How many states were gone on with.
    pub(super) posts: usize,
    /// How many were met.
    pub(super) met: usize,
    /// How many of these were dropped for others.
    pub(super) dropped: usize,
}
