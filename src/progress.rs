//! Progress on standard error, on a terminal, for work longer than a second.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use kermode::solve::Observer;

/// Shows that a run is alive.
pub(crate) struct Progress {
    started: Instant,
    shown: Option<Instant>,
    terminal: bool,
}

const QUIET_TIME: Duration = Duration::from_secs(1);
const BETWEEN_LINES: Duration = Duration::from_millis(100);

impl Progress {
    pub(crate) fn new() -> Self {
        let terminal = std::io::stderr().is_terminal();
        Progress { started: Instant::now(), shown: None, terminal }
    }
}

impl Observer for Progress {
    fn progress(&mut self, describe: &dyn Fn() -> String) {
        if !self.terminal {
            return;
        }
        let elapsed = self.started.elapsed();
        let fresh = self.shown.is_some_and(|shown| shown.elapsed() < BETWEEN_LINES);
        if elapsed < QUIET_TIME || fresh {
            return;
        }
        self.shown = Some(Instant::now());
        // An error in showing progress does not stop the work.
        let _ = write!(std::io::stderr(), "\r\x1b[K{:.0} s: {}", elapsed.as_secs_f64(), describe());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
