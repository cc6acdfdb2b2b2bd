//! Do requirements contradict each other? Under a time limit, with progress on standard error.
#![expect(clippy::print_stderr, reason = "whoever waits wants to see something")]

use std::time::{Duration, Instant};

use kermode::ltl::{Store, Syntax, WordKind};
use kermode::solve::{Budget, Observer, Query, Solver};
use kermode::{Decision, ask, requirements};

/// Shows a line each second.
struct Lines(Instant);

impl Observer for Lines {
    fn progress(&mut self, describe: &dyn Fn() -> String) {
        if self.0.elapsed() > Duration::from_secs(1) {
            eprintln!("{}", describe());
            self.0 = Instant::now();
        }
    }
}

pub(crate) fn main() -> Result<(), kermode::Error> {
    let (mut store, text) = (Store::new(), include_str!("contradiction.req"));
    let all = requirements(&mut store, text, Syntax::default())?;
    let query = Query::satisfiable(&store, all, WordKind::Infinite);
    let budget = Budget::within(Duration::from_secs(60));
    let decision = ask(&query, &Solver::default(), &budget, &mut Lines(Instant::now()))?;
    assert_eq!(decision, Decision::No(None), "they do, so that there is no word to show");
    Ok(())
}
