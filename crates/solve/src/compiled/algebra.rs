//! The algebra of the sets of states of a system, for the fixpoints.
//!
//! A step has the mark of a justice constraint if its states satisfy the constraint, or its first
//! state if the constraint has no next values and no inputs of steps.

use kermode_base::BitSet;
use kermode_bdd::{Bdd, Manager};

use super::compiled_model::Justice;
use super::states::SystemStates;
use crate::fixpoint::bdd_context::DiagramRegions;
use crate::fixpoint::fixpoints::Growth;
use crate::fixpoint::trace::{Moment, Traces};
use crate::fixpoint::{Direction, Images, Regions};
use crate::frame::budget::{Budget, Stop};

/// The algebra, which borrows the states during a fixpoint.
pub(crate) struct SystemAlgebra<'s, 'o> {
    states: &'s mut SystemStates<'o>,
    /// The region that steps lead to, if they are restricted.
    within: Option<Bdd>,
}

impl<'s, 'o> SystemAlgebra<'s, 'o> {
    pub(super) fn new(states: &'s mut SystemStates<'o>, within: Option<Bdd>) -> Self {
        SystemAlgebra { states, within }
    }

    fn step(&mut self, region: &Bdd, constraint: Option<&Bdd>) -> Result<Bdd, Stop> {
        let states = self.states.step_where(region, constraint)?;
        self.restricted(states)
    }

    fn restricted(&self, states: Bdd) -> Result<Bdd, Stop> {
        match &self.within {
            Some(within) => Ok(states.and(within)?),
            None => Ok(states),
        }
    }

    /// `mu x. (Image(x) + seed)` by cases: each in turn, as long as it finds new states.
    fn chained(&mut self, count: usize, seed: &Bdd, bound: Option<&Bdd>) -> Result<Bdd, Stop> {
        let mut all = seed.clone();
        // For each case, a region that its steps do not leave.
        let mut closed = vec![self.none(); count];
        let mut unchanged = 0;
        for case in (0..count).cycle() {
            let before = all.clone();
            // Many small steps: simplifying the new states would take longer than it saves.
            let mut new = all.and_not(&closed[case])?;
            while !new.is_bottom() {
                let next = self.states.step_of(case, &new)?;
                new = self.restricted(next)?.and_not(&all)?;
                all = all.or(&new)?;
            }
            closed[case] = all.clone();
            unchanged = if all == before { unchanged + 1 } else { 1 };
            if unchanged == count || Some(&all) == bound {
                break;
            }
        }
        Ok(all)
    }
}

impl DiagramRegions for SystemAlgebra<'_, '_> {
    fn manager(&self) -> &Manager {
        self.states.context.manager()
    }

    fn budget(&self) -> &Budget {
        self.states.context.budget
    }
}

impl Images for SystemAlgebra<'_, '_> {
    fn image(&mut self, region: &Bdd) -> Result<Bdd, Stop> {
        self.step(region, None)
    }

    fn closure(&mut self, seed: &Bdd, bound: Option<&Bdd>) -> Result<Bdd, Stop> {
        let count = self.states.case_count()?;
        if count > 0 {
            return self.chained(count, seed, bound);
        }
        let (mut growth, _) = Growth::new(self, seed)?;
        while !growth.is_complete(self) && Some(growth.all()) != bound {
            growth.step(self)?;
            // The cases may be computed while the region grows.
            let count = self.states.case_count()?;
            if count > 0 && !growth.is_complete(self) {
                return self.chained(count, growth.all(), bound);
            }
        }
        Ok(growth.into_all())
    }

    fn mark_count(&self) -> usize {
        self.states.model().justice.len().max(1)
    }

    fn marked_image(&mut self, region: &Bdd, mark: usize) -> Result<Bdd, Stop> {
        match (self.states.model().justice.get(mark), self.states.direction) {
            (None, _) => self.image(region),
            (Some(Justice::OfSteps(steps)), _) => {
                let steps = steps.clone();
                self.step(region, Some(&steps))
            }
            (Some(Justice::OfStates(states)), Direction::Forward) => {
                let just = region.and(states)?;
                self.image(&just)
            }
            (Some(Justice::OfStates(states)), Direction::Backward) => {
                let just = states.clone();
                Ok(self.image(region)?.and(&just)?)
            }
        }
    }
}

impl Traces for SystemAlgebra<'_, '_> {
    /// The indices of the true variables.
    type State = BitSet;
    /// The indices of the true inputs, if inputs belong to steps.
    type Label = BitSet;

    fn intersection(&mut self, one: &Bdd, other: &Bdd) -> Result<Bdd, Stop> {
        Ok(one.and(other)?)
    }

    fn some_state(&self, region: &Bdd) -> BitSet {
        self.states.some_state(region)
    }

    fn contains(&self, region: &Bdd, state: &BitSet) -> bool {
        // Current variables have even numbers.
        region.eval(|variable| state.contains(variable.index() / 2))
    }

    fn neighbour(
        &mut self,
        state: &BitSet,
        region: &Bdd,
        mark: Option<usize>,
    ) -> Result<(BitSet, BitSet), Stop> {
        let justice = mark.and_then(|mark| self.states.model().justice.get(mark));
        let constraint = justice.map(Justice::constraint).cloned();
        let Moment { state, label } = self.states.neighbour(state, region, constraint.as_ref())?;
        Ok((label, state))
    }

    fn is_safety(&self) -> bool {
        self.states.model().justice.is_empty()
    }
}
