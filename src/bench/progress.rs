//! How far a campaign is: a bar with an estimate on a terminal, a line a minute elsewhere.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::report::complain;

const BETWEEN_LINES: Duration = Duration::from_secs(60);
const TEMPLATE: &str = "{wide_bar} {pos}/{len} runs, {elapsed} gone, about {eta} to go";

/// The progress of a campaign, on standard error.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    total: usize,
    done: AtomicUsize,
    started: Instant,
    spoken: Mutex<Instant>,
}

impl Progress {
    /// For so many runs that are still to be made.
    pub(crate) fn new(total: usize) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template(TEMPLATE);
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(total as u64).with_style(style)
        });
        let now = Instant::now();
        Progress { bar, total, done: AtomicUsize::new(0), started: now, spoken: Mutex::new(now) }
    }

    /// One more run is recorded.
    pub(crate) fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// How many runs were recorded.
    pub(crate) fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// Shows that the campaign is alive, when it is time to.
    pub(crate) fn tick(&self) {
        if let Some(bar) = &self.bar {
            return bar.tick();
        }
        let Ok(mut spoken) = self.spoken.lock() else { return };
        if spoken.elapsed() >= BETWEEN_LINES {
            *spoken = Instant::now();
            complain(&self.line());
        }
    }

    /// Takes the bar off the terminal.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self) -> String {
        let (done, minutes) = (self.done(), self.started.elapsed().as_secs_f64() / 60.0);
        let left = minutes / done.max(1) as f64 * (self.total - done) as f64;
        let estimate =
            if done == 0 { String::new() } else { format!(", about {left:.0} min to go") };
        format!("{done}/{} runs, {minutes:.0} min gone{estimate}\n", self.total)
    }
}
