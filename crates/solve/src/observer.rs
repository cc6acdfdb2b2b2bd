//! How engines tell what they do: statistics as data, progress as a passing line.

/// Counters of one run, by name, in the order in which they were first told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics(Vec<(&'static str, u64)>);

impl Statistics {
    /// Sets a counter.
    pub fn set(&mut self, name: &'static str, value: u64) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    /// All counters.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.0.iter().copied()
    }
}

/// Who listens to an engine at work.
pub trait Observer {
    /// A counter has a new value.
    fn statistic(&mut self, name: &'static str, value: u64);

    /// The engine is alive; the text is made only if somebody looks.
    fn progress(&mut self, describe: &dyn Fn() -> String);
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

    fn progress(&mut self, _describe: &dyn Fn() -> String) {}
}
