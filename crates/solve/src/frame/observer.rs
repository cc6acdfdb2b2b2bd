//! How engines tell what they do: statistics as data, progress as a passing line.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// Counters of one run, by name, in the order in which they were first told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics(Vec<(Cow<'static, str>, u64)>);

impl Statistics {
    /// Sets a counter.
    pub fn set(&mut self, name: &'static str, value: u64) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((Cow::Borrowed(name), value)),
        }
    }

    /// All counters.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(name, value)| (&**name, *value))
    }
}

/// Who listens to an engine at work. Whoever does not care for something leaves out its method.
pub trait Observer {
    /// A counter has a new value.
    fn statistic(&mut self, _name: &'static str, _value: u64) {}

    /// The engine is alive; the text is made only if somebody looks. Engines call this often.
    fn progress(&mut self, _describe: &dyn Fn() -> String) {}
}

/// Nobody listens, but the counters are kept.
#[derive(Clone, Debug, Default)]
pub struct Silent {
    /// What was counted.
    pub statistics: Statistics,
}

impl Observer for Silent {
    fn statistic(&mut self, name: &'static str, value: u64) {
        self.statistics.set(name, value);
    }
}
