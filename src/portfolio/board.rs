//! What is known of engines while one of them is at work in this process: if that does not stop in time, somebody else tells
//! what became of all.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kermode::solve::{Budget, EngineSpec, Stop};

use super::{End, Entrant};

#[derive(Debug, Default)]
pub(crate) struct Board {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    entrants: Vec<Entrant>,
    /// Who is at work, and the CPU time that was used before.
    at_work: Option<(EngineSpec, Duration)>,
}

impl Board {
    /// An engine begins.
    pub(super) fn begin(&self, engine: &EngineSpec, budget: &Budget) {
        self.locked().at_work = Some((engine.clone(), budget.cpu_elapsed()));
    }

    /// It has ended.
    pub(super) fn end(&self, entrant: &Entrant) {
        let mut known = self.locked();
        known.at_work = None;
        known.entrants.push(entrant.clone());
    }

    /// All engines, when the budget has ended; whoever is at work is ended by that.
    pub(crate) fn ended(&self, stop: &Stop, budget: &Budget) -> Vec<Entrant> {
        let mut known = self.locked();
        let at_work = known.at_work.take().map(|(engine, before)| Entrant {
            engine,
            end: End::Ended(Some(stop.clone())),
            wall: budget.elapsed(),
            cpu: budget.cpu_elapsed().saturating_sub(before),
        });
        std::mem::take(&mut known.entrants).into_iter().chain(at_work).collect()
    }

    fn locked(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_at_work_when_the_budget_ends_is_ended_by_it() {
        let (board, budget) = (Board::default(), Budget::unlimited());
        let [first, second]: [EngineSpec; 2] =
            ["tgba:magic", "antichain:forward"].map(|engine| engine.parse().expect("an engine"));
        board.begin(&first, &budget);
        let (wall, cpu) = (Duration::from_secs(1), Duration::from_secs(2));
        let end = End::Stopped(Stop::Timeout);
        board.end(&Entrant { engine: first.clone(), end, wall, cpu });
        board.begin(&second, &budget);
        let before = budget.cpu_elapsed();
        while budget.cpu_elapsed() == before {}
        let entrants = board.ended(&Stop::Cancelled, &budget);
        let [stopped, ended] = &entrants[..] else { panic!("two engines: {entrants:?}") };
        assert_eq!((stopped.engine.to_string(), stopped.cpu), (first.to_string(), cpu));
        assert_eq!(ended.engine.to_string(), second.to_string());
        assert!(matches!(&ended.end, End::Ended(Some(Stop::Cancelled))));
        assert!(ended.cpu > Duration::ZERO);
    }
}
