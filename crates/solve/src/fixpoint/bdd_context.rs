//! The part that all BDD algebras share: their sets, and the work between steps. It checks the
//! budget, collects garbage, sifts variables when diagrams get large, and counts.

use std::time::Duration;

use kermode_bdd::{Bdd, Manager, Sifting, Variable};

use super::Regions;
use crate::frame::budget::{Budget, Stop, thread_time};
use crate::frame::observer::{NodeSample, Observer};
use crate::frame::shared_diagrams::SharedDiagrams;

/// Garbage is collected at this many nodes, and then each time the number of remaining nodes is
/// multiplied by `COLLECT_AGAIN`.
const COLLECT_AT: usize = 1 << 16;
const COLLECT_AGAIN: usize = 8;
/// Variables are sifted if this many nodes remain after a collection, and this many per variable;
/// the next time at twice as many. Diagrams with a few nodes per level cannot get smaller, and
/// sifting takes time quadratic in the number of levels.
const SIFT_AT: usize = 1 << 13;
const SIFT_AT_LEVEL: usize = 1 << 6;
/// The same during construction, when many diagrams are temporary.
const SIFT_EARLY_AT: usize = 1 << 17;
/// Variables are also sifted if this many nodes were garbage: the results of operations may be
/// small in an order in which their intermediate diagrams are large. The next time it takes more
/// garbage.
const SIFT_AT_GARBAGE: u64 = 1 << 17;
const MORE_GARBAGE: u64 = 4;
/// Sifting exchanges levels with this many nodes per node that was created since the last sifting,
/// so that it takes a bounded share of the time.
const SIFT_WORK: u64 = 4;
/// Small diagrams are sifted as a whole: this takes about a second, and a good order of few nodes
/// saves many later ones.
const LEAST_SIFT_WORK: u64 = 1 << 23;
/// Where garbage pays for sifting (`sift_from`), it takes one node of garbage for this many pairs
/// of a group and a remaining node. Sifting moves each group past all others, so its time grows
/// with these pairs.
const SIFTED_PER_NODE: u64 = 2;

/// Counting the nodes visits all levels, and small operations take less time than that. So with n
/// levels, nodes are counted once per n divided by this number of operations.
const LEVELS_PER_OPERATION: usize = 1 << 8;

/// Counters over all problems of one answer.
#[derive(Debug, Default)]
pub(crate) struct WorkCounters {
    steps: u64,
    /// The CPU time of steps.
    step_time: Duration,
    /// The largest number of nodes between two operations.
    peak: usize,
    /// The number of nodes created, as far as the table shows it between operations: a measure of
    /// the work that does not depend on the machine.
    created: u64,
    reorderings: u64,
    timeline: Timeline,
}

/// Numbers of nodes over time: a bounded number of samples, at about equal intervals.
#[derive(Debug, Default)]
struct Timeline {
    /// The CPU time of the thread at the first sample.
    began: Option<Duration>,
    samples: Vec<NodeSample>,
    /// The least time between two samples, in microseconds.
    interval: u64,
}

/// The largest number of samples. When there are more, every second one is dropped.
const MOST_SAMPLES: usize = 32;
/// The least time between two samples at first.
const FIRST_INTERVAL: u64 = 1_000;

impl Timeline {
    fn add(&mut self, nodes: usize) {
        let now = thread_time();
        let began = *self.began.get_or_insert(now);
        let microseconds = now.saturating_sub(began).as_micros() as u64;
        let due = self.samples.last().map_or(0, |last| last.microseconds + self.interval);
        if microseconds < due {
            return;
        }
        if self.samples.len() == MOST_SAMPLES {
            let mut keeps = false;
            self.samples.retain(|_| {
                keeps = !keeps;
                keeps
            });
            self.interval *= 2;
        }
        self.interval = self.interval.max(FIRST_INTERVAL);
        self.samples.push(NodeSample { microseconds, nodes: nodes as u64 });
    }
}

impl WorkCounters {
    /// The largest number of nodes between two operations.
    pub(crate) fn peak(&self) -> usize {
        self.peak
    }
}

/// A BDD manager with the budget that it is charged to and its observer.
pub(crate) struct BddContext<'o> {
    manager: Manager,
    /// Groups of variables that stay together during sifting, if sifting is on.
    groups: Option<Vec<Vec<Variable>>>,
    /// The first variables that stay above all others.
    top: usize,
    collect_at: usize,
    sift_at: usize,
    /// The number of collected nodes since the last sifting, and the number at which to sift.
    garbage: u64,
    sift_at_garbage: u64,
    /// The number of nodes that were created before the last sifting.
    created_before_sifting: u64,
    /// Whether variables are sifted only when garbage pays for it, however many nodes remain.
    garbage_pays: bool,
    /// The number of nodes when `created` was counted last.
    counted: usize,
    /// The number of operations since then.
    uncounted: usize,
    /// The number of created nodes at which the present attempt ends.
    end_at: Option<u64>,
    /// The diagrams that are shared with other problems about the model.
    pub(crate) shared: Option<SharedDiagrams>,
    pub(crate) budget: &'o Budget,
    observer: &'o mut dyn Observer,
    work: &'o mut WorkCounters,
}

impl<'o> BddContext<'o> {
    /// A context for existing diagrams.
    pub(crate) fn new(
        manager: Manager,
        groups: Option<Vec<Vec<Variable>>>,
        budget: &'o Budget,
        observer: &'o mut dyn Observer,
        work: &'o mut WorkCounters,
    ) -> Self {
        let (collect_at, sift_at) = (COLLECT_AT, least_to_sift(&manager));
        let (counted, end_at) = (manager.statistics().nodes, None);
        let top = 0;
        BddContext {
            manager,
            groups,
            top,
            collect_at,
            sift_at,
            garbage: 0,
            sift_at_garbage: SIFT_AT_GARBAGE,
            created_before_sifting: work.created,
            garbage_pays: false,
            counted,
            uncounted: 0,
            end_at,
            shared: None,
            budget,
            observer,
            work,
        }
    }

    /// Keeps this many of the first variables above all others during sifting.
    pub(crate) fn keep_on_top(&mut self, variables: usize) {
        self.top = variables;
    }

    /// Changes the groups of variables that stay together during sifting, if it is on.
    pub(crate) fn regroup(&mut self, groups: Vec<Vec<Variable>>) {
        if self.groups.is_some() {
            self.groups = Some(groups);
        }
    }

    /// Ends sifting.
    pub(crate) fn keep_order(&mut self) {
        self.groups = None;
    }

    /// Variables are not sifted before this many nodes remain after a collection, and not before
    /// garbage pays for it.
    pub(crate) fn sift_from(&mut self, nodes: usize) {
        self.sift_at = self.sift_at.max(nodes);
        self.garbage_pays = true;
    }

    /// Whether variables are sifted now, with this many remaining nodes and groups.
    fn is_sifting_due(&self, left: usize, groups: usize) -> bool {
        let work = left as u64 * groups as u64 / SIFTED_PER_NODE;
        let is_paid = !self.garbage_pays || self.garbage >= work;
        is_paid && (left > self.sift_at || self.garbage > self.sift_at_garbage)
    }

    /// The number of nodes created so far.
    pub(crate) fn created(&self) -> u64 {
        self.work.created
    }

    /// Lets further work create this many nodes; the work then ends by [`Stop::Limit`].
    pub(crate) fn begin_attempt(&mut self, nodes: u64) {
        self.end_at = Some(self.work.created.saturating_add(nodes));
    }

    /// Permits any number of nodes again. Returns whether the attempt has used up its own.
    pub(crate) fn end_attempt(&mut self) -> bool {
        self.end_at.take().is_some_and(|end| self.work.created > end)
    }

    /// Runs the work before the first step.
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

    /// Reports a number to the observer.
    pub(crate) fn statistic(&mut self, name: &'static str, value: u64) {
        self.observer.statistic(name, value);
    }

    /// Reports a size and the counters to the observer.
    pub(crate) fn tell(&mut self, size: (&'static str, usize)) {
        let time = self.work.step_time.as_micros() as u64;
        self.observer.statistic(size.0, size.1 as u64);
        self.observer.statistic("steps", self.work.steps);
        self.observer.statistic("step_microseconds", time);
        self.observer.statistic("peak_nodes", self.work.peak as u64);
        self.observer.statistic("created_nodes", self.work.created);
        self.observer.statistic("reorderings", self.work.reorderings);
        self.work.timeline.add(self.manager.statistics().nodes);
        self.observer.timeline(&self.work.timeline.samples);
    }

    /// Collects garbage and sifts when it is time.
    pub(crate) fn keep(&mut self) -> Result<(), Stop> {
        self.budget.check()?;
        self.uncounted += 1;
        if self.uncounted * LEVELS_PER_OPERATION < self.manager.capacity().variables {
            return Ok(());
        }
        self.uncounted = 0;
        let nodes = self.manager.statistics().nodes;
        self.work.peak = self.work.peak.max(nodes);
        self.work.created += nodes.saturating_sub(self.counted) as u64;
        self.counted = nodes;
        if self.end_at.is_some_and(|end| self.work.created > end) {
            return Err(Stop::Limit("the nodes of this attempt are used up".to_owned()));
        }
        if nodes < self.collect_at {
            return Ok(());
        }
        self.manager.collect_garbage();
        let left = self.manager.statistics().nodes;
        self.garbage += nodes.saturating_sub(left) as u64;
        if let Some(groups) = &self.groups
            && self.is_sifting_due(left, groups.len())
        {
            if left <= self.sift_at {
                self.sift_at_garbage = self.sift_at_garbage.saturating_mul(MORE_GARBAGE);
            }
            self.garbage = 0;
            let created = self.work.created - self.created_before_sifting;
            let work = (SIFT_WORK * created).max(LEAST_SIFT_WORK);
            let sifting = Sifting { top: self.top, work, ..Sifting::default() };
            self.manager.sift(groups, &sifting, &mut || self.budget.check())?;
            self.work.reorderings += 1;
            self.created_before_sifting = self.work.created;
            let twice = 2 * self.manager.statistics().nodes;
            self.sift_at = twice.max(least_to_sift(&self.manager));
        }
        self.counted = self.manager.statistics().nodes;
        self.collect_at = (COLLECT_AGAIN * self.counted).max(COLLECT_AT);
        Ok(())
    }

    /// Starts a step. Returns the CPU time of the thread so far.
    pub(crate) fn begin_step(&mut self) -> Result<Duration, Stop> {
        self.keep()?;
        self.work.steps += 1;
        self.work.timeline.add(self.counted);
        let (steps, peak) = (self.work.steps, self.work.peak);
        self.observer.progress(&|| format!("{steps} steps, {peak} nodes"));
        Ok(thread_time())
    }

    /// Ends the step that started at this CPU time.
    pub(crate) fn end_step(&mut self, began: Duration) {
        self.work.step_time += thread_time().saturating_sub(began);
    }
}

/// With fewer nodes sifting does not pay.
fn least_to_sift(manager: &Manager) -> usize {
    SIFT_AT.max(SIFT_AT_LEVEL * manager.capacity().variables)
}

/// An algebra whose regions are BDDs.
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

/// For diagrams of new states with this many nodes a simplification is tried.
const LARGE: usize = 1 << 10;

/// Adds states to a region, and returns the new ones. The result may include old states if that
/// makes its diagram smaller.
pub(crate) fn grow(region: &mut Bdd, more: &Bdd, budget: &Budget) -> Result<Bdd, Stop> {
    let mut new = more.and_not(region)?;
    if new.is_bottom() {
        return Ok(new);
    }
    let before = std::mem::replace(region, region.or(&new)?);
    if !new.has_at_most(LARGE) {
        new = more.restrict(&before.not()?, &mut || budget.check())?;
    }
    let nodes = new.node_count();
    let is_smaller = nodes > 0 && region.has_at_most(nodes - 1);
    Ok(if is_smaller { region.clone() } else { new })
}
