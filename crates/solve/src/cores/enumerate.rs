//! All minimal cores and all maximal satisfiable subsets, both by size.
//!
//! Cores and *corrections* (the members that a maximal satisfiable subset leaves out) are dual: a
//! core has a member in each correction, and a correction one in each core \[LS08\]. So the search
//! alternates between them, as \[LPMM16\] and \[IPLM15\] do:
//!
//! - A *seed* is a smallest set that hits all known corrections and includes no known core. If it
//!   is unsatisfiable, it is a core, and no unknown core is smaller: a proper subset of it that is
//!   unsatisfiable would include an unknown core, which would have been a smaller seed.
//! - Otherwise it belongs to an unknown maximal subset. A smallest set that hits all known cores
//!   and avoids the seed is left out, and the rest is decided. If the rest is satisfiable, it is
//!   maximal, because each member left out would complete a known core. If not, it has a new core.
//! - Without a seed, all cores and all corrections are known.
//!
//! Departs from the papers: one procedure gives both lists, and cores are found in both directions.
//!
//! Invariant: every known core is minimal and every known correction is one, unless the budget
//! ended; then the last core may have members that are not needed.

use kermode_base::BitSet;

use super::Core;
use super::hitting::Hitting;
use super::oracle::{Found, Interruption, Oracle, without};
use super::shrink::{Shrunk, shrink};
use crate::frame::budget::Stop;

/// What the enumeration knows.
pub(super) struct Map<'m> {
    /// The minimal cores, in the order in which they were found.
    cores: Vec<BitSet>,
    /// The same cores, and perhaps an unsatisfiable subset that is not minimal.
    pub(super) described: Vec<Core>,
    /// The corrections.
    pub(super) corrections: Vec<BitSet>,
    /// Every core with fewer members is known.
    pub(super) smallest_open: usize,
    /// Whether all cores and corrections are known.
    pub(super) complete: bool,
    /// Gets each core when it is found.
    report: &'m mut dyn FnMut(&Core),
}

impl<'m> Map<'m> {
    pub(super) fn new(report: &'m mut dyn FnMut(&Core)) -> Self {
        let (cores, described, corrections) = (Vec::new(), Vec::new(), Vec::new());
        Map { cores, described, corrections, smallest_open: 0, complete: false, report }
    }

    /// Finds cores and corrections until all are known, or as many smallest cores as wanted.
    pub(super) fn explore(
        &mut self,
        oracle: &mut Oracle,
        most: Option<usize>,
    ) -> Result<(), Interruption> {
        loop {
            let Some(seed) = self.seed(oracle)? else {
                self.complete = true;
                return Ok(());
            };
            self.smallest_open = seed.len();
            if most.is_some_and(|most| self.settled() >= most.max(1)) {
                return Ok(());
            }
            match oracle.decide(&seed)? {
                Found::Conflict(core) => self.add_core(oracle, core)?,
                Found::Model(_) => self.extend(oracle, &seed)?,
            }
        }
    }

    /// The number of known cores such that every smaller one is known.
    fn settled(&self) -> usize {
        self.cores.iter().filter(|core| core.len() <= self.smallest_open).count()
    }

    /// A smallest set that may be an unknown core.
    fn seed(&self, oracle: &Oracle) -> Result<Option<BitSet>, Stop> {
        let (sets, excluded) = (&self.corrections, &self.cores);
        let hitting = Hitting { sets, forbidden: BitSet::new(), excluded };
        hitting.smallest(self.smallest_open, &mut || oracle.budget.check())
    }

    /// Finds a maximal satisfiable subset that includes the seed, and the cores in its way.
    fn extend(&mut self, oracle: &mut Oracle, seed: &BitSet) -> Result<(), Interruption> {
        let all = oracle.all();
        loop {
            let hitting = Hitting { sets: &self.cores, forbidden: seed.clone(), excluded: &[] };
            let left_out = hitting.smallest(0, &mut || oracle.budget.check())?;
            // A core within a set that has a word: one of the engines is wrong.
            let left_out = left_out.ok_or_else(|| oracle.contradiction())?;
            match oracle.decide(&without(&all, &left_out))? {
                Found::Model(_) => {
                    self.corrections.push(left_out);
                    return Ok(());
                }
                Found::Conflict(conflict) => self.add_core(oracle, conflict)?,
            }
        }
    }

    /// Adds a minimal core within a conflict.
    pub(super) fn add_core(
        &mut self,
        oracle: &mut Oracle,
        conflict: BitSet,
    ) -> Result<(), Interruption> {
        let Shrunk { set, stop } = shrink(oracle, conflict)?;
        self.describe(oracle, &set)?;
        match stop {
            None => self.cores.push(set),
            Some(stop) => return Err(stop.into()),
        }
        Ok(())
    }

    fn describe(&mut self, oracle: &mut Oracle, set: &BitSet) -> Result<(), Interruption> {
        let core = Core::describe(oracle, set)?;
        (self.report)(&core);
        self.described.push(core);
        Ok(())
    }
}
