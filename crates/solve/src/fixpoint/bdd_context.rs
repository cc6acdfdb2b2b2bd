//! What every algebra of decision diagrams shares: its sets, and what it does between its steps. It
//! honours the budget, makes room, looks for better orders of variables when diagrams get large,
//! and counts.

use std::time::Duration;

use kermode_bdd::{Bdd, Manager, Sifting, Variable};

use super::Regions;
use crate::frame::budget::{Budget, Stop, thread_time};
use crate::frame::observer::Observer;

/// When there are so many nodes, garbage is collected; next time when there are so many times as
/// many as were left.
const COLLECT_AT: usize = 1 << 16;
const COLLECT_AGAIN: usize = 8;
/// Variables are sifted when so many nodes are left after a collection, and so many for each
/// variable; next time when there are twice as many. Diagrams with a few nodes a level are as good
/// as they get, and sifting takes time with the square of the levels.
const SIFT_AT: usize = 1 << 13;
const SIFT_AT_LEVEL: usize = 1 << 6;
/// The same while diagrams are made, of which many will not be needed any more.
const SIFT_EARLY_AT: usize = 1 << 17;

/// What was counted, over all questions for one answer.
#[derive(Debug, Default)]
pub(crate) struct Work {
    steps: u64,
    /// The CPU time that went into steps.
    step_time: Duration,
    /// The most nodes that were there between two operations.
    peak: usize,
    reorderings: u64,
}

/// A BDD manager with the budget that it is charged to and its observer.
pub(crate) struct BddContext<'o> {
    manager: Manager,
    /// Variables that stay together, if better orders are looked for.
    groups: Option<Vec<Vec<Variable>>>,
    collect_at: usize,
    sift_at: usize,
    pub(crate) budget: &'o Budget,
    observer: &'o mut dyn Observer,
    work: &'o mut Work,
}

impl<'o> BddContext<'o> {
    /// Of diagrams that are made already.
    pub(crate) fn new(
        manager: Manager,
        groups: Option<Vec<Vec<Variable>>>,
        budget: &'o Budget,
        observer: &'o mut dyn Observer,
        work: &'o mut Work,
    ) -> Self {
        let (collect_at, sift_at) = (COLLECT_AT, least_to_sift(&manager));
        BddContext { manager, groups, collect_at, sift_at, budget, observer, work }
    }

    /// Does what comes before the first step.
    pub(crate) fn prepare<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        self.sift_at = self.sift_at.max(SIFT_EARLY_AT);
        let result = work(self);
        self.sift_at = least_to_sift(&self.manager);
        result
    }

    pub(crate) fn manager(&self) -> &Manager {
        &self.manager
    }

    /// Tells what was counted, and something else before.
    pub(crate) fn tell(&mut self, size: (&'static str, usize)) {
        let time = self.work.step_time.as_micros() as u64;
        self.observer.statistic(size.0, size.1 as u64);
        self.observer.statistic("steps", self.work.steps);
        self.observer.statistic("step_microseconds", time);
        self.observer.statistic("peak_nodes", self.work.peak as u64);
        self.observer.statistic("reorderings", self.work.reorderings);
    }

    /// Makes room, and better orders, when it is time.
    pub(crate) fn keep(&mut self) -> Result<(), Stop> {
        self.budget.check()?;
        let nodes = self.manager.statistics().nodes;
        self.work.peak = self.work.peak.max(nodes);
        if nodes < self.collect_at {
            return Ok(());
        }
        self.manager.collect_garbage();
        if let Some(groups) = &self.groups
            && self.manager.statistics().nodes > self.sift_at
        {
            self.manager.sift(groups, &Sifting::default(), &mut || self.budget.check())?;
            self.work.reorderings += 1;
            let twice = 2 * self.manager.statistics().nodes;
            self.sift_at = twice.max(least_to_sift(&self.manager));
        }
        self.collect_at = (COLLECT_AGAIN * self.manager.statistics().nodes).max(COLLECT_AT);
        Ok(())
    }

    /// Begins a step.
    pub(crate) fn begin_step(&mut self) -> Result<Duration, Stop> {
        self.keep()?;
        self.work.steps += 1;
        let (steps, peak) = (self.work.steps, self.work.peak);
        self.observer.progress(&|| format!("{steps} steps, {peak} nodes"));
        Ok(thread_time())
    }

    /// Ends the step that began when the thread had used so much time.
    pub(crate) fn end_step(&mut self, began: Duration) {
        self.work.step_time += thread_time().saturating_sub(began);
    }
}

/// With fewer nodes it is not worth while to sift.
fn least_to_sift(manager: &Manager) -> usize {
    SIFT_AT.max(SIFT_AT_LEVEL * manager.capacity().variables)
}

/// An algebra whose regions are decision diagrams.
pub(crate) trait DiagramRegions {
    fn manager(&self) -> &Manager;

    fn budget(&self) -> &Budget;
}

impl<D: DiagramRegions> Regions for D {
    type Region = Bdd;

    fn none(&self) -> Bdd {
        self.manager().bottom()
    }

    fn is_empty(&self, region: &Bdd) -> bool {
        region.is_bottom()
    }

    fn add(&mut self, region: &mut Bdd, more: &Bdd) -> Result<Bdd, Stop> {
        grow(region, more, self.budget())
    }

    fn includes(&mut self, larger: &Bdd, smaller: &Bdd) -> Result<bool, Stop> {
        Ok(larger == smaller || smaller.entails(larger)?)
    }

    fn are_identical(&self, one: &Bdd, other: &Bdd) -> bool {
        one == other
    }

    fn pick(&mut self, region: &mut Bdd) -> Bdd {
        std::mem::replace(region, self.manager().bottom())
    }
}

/// New states with so many nodes are worth to be looked at twice.
const LARGE: usize = 1 << 10;

/// Adds states to a region, and gives those that were not there. What is given may have others that
/// were, if its diagram is smaller so.
fn grow(region: &mut Bdd, more: &Bdd, budget: &Budget) -> Result<Bdd, Stop> {
    let mut new = more.and_not(region)?;
    if new.is_bottom() {
        return Ok(new);
    }
    let before = std::mem::replace(region, region.or(&new)?);
    if new.node_count() > LARGE {
        new = more.restrict(&before.not()?, &mut || budget.check())?;
    }
    Ok(if region.node_count() < new.node_count() { region.clone() } else { new })
}
