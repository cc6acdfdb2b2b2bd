//! Counters and progress of antichain engines.

use std::time::Duration;

use crate::frame::observer::Observer;

/// Counters over all searches for one answer.
#[derive(Debug, Default)]
pub(super) struct AntichainCounts {
    pub(super) locations: usize,
    pub(super) posts: Calls,
    pub(super) pres: Calls,
    pub(super) states: usize,
    /// How many states were dropped in favour of others.
    pub(super) dropped: usize,
    /// The size of the largest antichain.
    pub(super) largest: usize,
}

/// Calls of an operation, and their CPU time.
#[derive(Debug, Default)]
pub(super) struct Calls {
    pub(super) calls: u64,
    pub(super) time: Duration,
}

impl AntichainCounts {
    /// Reports the counters to an observer.
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

/// The progress of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchProgress {
    /// How many states were expanded.
    pub(super) posts: usize,
    /// How many states were discovered.
    pub(super) met: usize,
    /// How many of these were dropped in favour of others.
    pub(super) dropped: usize,
}
