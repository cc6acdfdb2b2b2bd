//! The output of running engines: statistics as data, progress as a line of text.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// Counters of one run, by name, in the order of their first report, and how its diagrams grew.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    counters: Vec<(Cow<'static, str>, u64)>,
    /// Numbers of nodes over time.
    pub timeline: Vec<NodeSample>,
}

/// The number of nodes of decision diagrams at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeSample {
    /// CPU time since the engine began.
    pub microseconds: u64,
    /// The number of nodes in the table, garbage included.
    pub nodes: u64,
}

impl Statistics {
    /// Sets a counter.
    pub fn set(&mut self, name: &'static str, value: u64) {
        match self.counters.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.counters.push((Cow::Borrowed(name), value)),
        }
    }

    /// All counters.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.counters.iter().map(|(name, value)| (&**name, *value))
    }
}

/// Receives statistics and progress of an engine. Every method has an empty default.
pub trait Observer {
    /// A counter has a new value.
    fn statistic(&mut self, _name: &'static str, _value: u64) {}

    /// How the diagrams grew: replaces what was reported before.
    fn timeline(&mut self, _samples: &[NodeSample]) {}

    /// Called often while the engine runs; `describe` is called only if the text is shown.
    fn progress(&mut self, _describe: &dyn Fn() -> String) {}
}

/// Ignores progress and keeps the counters.
#[derive(Clone, Debug, Default)]
pub struct Silent {
    /// The counters.
    pub statistics: Statistics,
}

impl Observer for Silent {
    fn statistic(&mut self, name: &'static str, value: u64) {
        self.statistics.set(name, value);
    }

    fn timeline(&mut self, samples: &[NodeSample]) {
        self.statistics.timeline = samples.to_vec();
    }
}
