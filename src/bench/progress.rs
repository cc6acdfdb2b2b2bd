//! Progress of a campaign: a bar on a terminal, a line per minute elsewhere, with an estimate if
//! the end is known.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use kermode_bench::Progress;

use crate::report::complain;

const BETWEEN_LINES: Duration = Duration::from_secs(60);
const TEMPLATE: &str = "{wide_bar} {pos}/{len} {msg}, {elapsed} gone, about {eta} to go";
const OPEN_TEMPLATE: &str = "{spinner} {pos} {msg}, {elapsed} gone";

/// The progress of a campaign, on standard error.
#[derive(Debug)]
pub(super) struct Bar {
    bar: Option<ProgressBar>,
    /// The total number, if it is known.
    total: Option<usize>,
    /// What is counted.
    unit: &'static str,
    done: AtomicUsize,
    started: Instant,
    spoken: Mutex<Instant>,
}

impl Bar {
    /// Progress for this many units of work.
    pub(super) fn new(total: Option<usize>, unit: &'static str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let template = if total.is_some() { TEMPLATE } else { OPEN_TEMPLATE };
            let style = ProgressStyle::with_template(template);
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = total.map_or_else(ProgressBar::no_length, |n| ProgressBar::new(n as u64));
            bar.with_style(style).with_message(unit)
        });
        let (done, now) = (AtomicUsize::new(0), Instant::now());
        Bar { bar, total, unit, done, started: now, spoken: Mutex::new(now) }
    }

    /// Removes the bar from the terminal.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self) -> String {
        let (done, minutes) =
            (self.done.load(Ordering::Relaxed), self.started.elapsed().as_secs_f64() / 60.0);
        let unit = self.unit;
        let Some(total) = self.total else {
            return format!("{done} {unit}, {minutes:.0} min gone\n");
        };
        let left = minutes / done.max(1) as f64 * (total - done) as f64;
        let estimate =
            if done == 0 { String::new() } else { format!(", about {left:.0} min to go") };
        format!("{done}/{total} {unit}, {minutes:.0} min gone{estimate}\n")
    }
}

impl Progress for Bar {
    fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    fn tick(&self) {
        if let Some(bar) = &self.bar {
            return bar.tick();
        }
        let Ok(mut spoken) = self.spoken.lock() else { return };
        if spoken.elapsed() >= BETWEEN_LINES {
            *spoken = Instant::now();
            complain(&self.line());
        }
    }
}
