//! Closed sets of states in both representations: as lists of their minimal or maximal elements,
//! and as decision diagrams.
//!
//! The order is that of pairs: both sets included, and both or none without obligations. So the
//! states without obligations and the others are closed independently. A region of valid pairs is
//! closed within the valid pairs; to find its minimal or maximal elements, it is closed over all
//! assignments, which adds no smaller or larger ones.

use kermode_base::BitSet;
use kermode_bdd::{Bdd, Cube, Literal, SetFamily, Variable, VariableSet};

use super::encoding::{StateEncoding, TimePoint};
use super::labels;
use super::miyano_hayashi::Pair;
use crate::frame::budget::{Budget, Stop};

impl StateEncoding<'_> {
    /// The upward closure of some states.
    pub(crate) fn upwards(&self, states: &[Pair]) -> Result<Bdd, Stop> {
        let mut region = self.manager().bottom();
        for state in states {
            let all = self.manager().cube(&self.literals(state, true))?;
            let kind = if state.o.is_empty() { self.breakpoints() } else { self.valid() };
            region = region.or(&all.and(kind)?)?;
        }
        Ok(region)
    }

    /// The downward closure of some states.
    pub(crate) fn downwards(&self, states: &[Pair]) -> Result<Bdd, Stop> {
        let mut region = self.manager().bottom();
        for state in states {
            let none = self.manager().cube(&self.literals(state, false))?;
            let kind = match state.o.is_empty() {
                true => self.breakpoints().clone(),
                false => self.valid().and_not(self.breakpoints())?,
            };
            region = region.or(&none.and(&kind)?)?;
        }
        Ok(region)
    }

    /// The literals of the members of a state, or of the non-members.
    fn literals(&self, state: &Pair, positive: bool) -> Cube {
        let literal = |variable| Literal { variable, positive };
        let chosen = |variable: &Variable| self.is_in(*variable, state) == positive;
        let current = self.state_variables(true, true).into_iter().map(|(current, _)| current);
        current.filter(chosen).map(literal).collect()
    }

    /// The upward closure of a region.
    pub(crate) fn closed_upwards(&self, region: &Bdd, budget: &Budget) -> Result<Bdd, Stop> {
        let interrupt = &mut || budget.check();
        let breakpoints =
            region.and(self.breakpoints())?.upward_closure(&self.current(false)?, interrupt)?;
        let obligations = region.and_not(self.breakpoints())?;
        let obligations = obligations.upward_closure(&self.current(true)?, interrupt)?;
        Ok(breakpoints.or(&obligations.and(self.valid())?)?)
    }

    /// The downward closure of a region.
    pub(crate) fn closed_downwards(&self, region: &Bdd, budget: &Budget) -> Result<Bdd, Stop> {
        let interrupt = &mut || budget.check();
        let breakpoints = region.and(self.breakpoints())?;
        let breakpoints = breakpoints.downward_closure(&self.current(false)?, interrupt)?;
        let obligations = region.and_not(self.breakpoints())?;
        let obligations = obligations.downward_closure(&self.current(true)?, interrupt)?;
        Ok(breakpoints.or(&obligations.and(self.valid())?.and_not(self.breakpoints())?)?)
    }

    /// The minimal states of a region, closed or not.
    pub(crate) fn least(&self, region: &Bdd, budget: &Budget) -> Result<Vec<Pair>, Stop> {
        let all = self.current(true)?;
        self.extreme(region, |part| {
            let closed = part.upward_closure(&all, &mut || budget.check())?;
            let sets = closed.minimal_models(&mut || budget.check())?;
            listed(&sets, budget, |set| self.pair(|variable| set.contains(variable.index())))
        })
    }

    /// The maximal states of a region, closed or not.
    pub(crate) fn greatest(&self, region: &Bdd, budget: &Budget) -> Result<Vec<Pair>, Stop> {
        let all = self.current(true)?;
        self.extreme(region, |part| {
            let closed = part.downward_closure(&all, &mut || budget.check())?;
            let sets = closed.maximal_models(&mut || budget.check())?;
            listed(&sets, budget, |set| self.pair(|variable| !set.contains(variable.index())))
        })
    }

    /// Applies a search to the states without obligations and to the others.
    fn extreme(
        &self,
        region: &Bdd,
        find: impl Fn(Bdd) -> Result<Vec<Pair>, Stop>,
    ) -> Result<Vec<Pair>, Stop> {
        let mut found = find(region.and(self.breakpoints())?)?;
        found.extend(find(region.and_not(self.breakpoints())?)?);
        Ok(found)
    }

    /// The state with these variables.
    fn pair(&self, has: impl Fn(Variable) -> bool) -> Pair {
        let current = TimePoint::Current;
        let (mut s, mut o) = (BitSet::new(), BitSet::new());
        for location in self.locations() {
            if has(self.x_variable(location, current)) {
                s.insert(location.index());
            }
            if self.may_be_obligation(location) && has(self.y_variable(location, current)) {
                o.insert(location.index());
            }
        }
        Pair { s, o }
    }

    /// The current variables of `s`, and of `o` as well.
    fn current(&self, o: bool) -> Result<VariableSet, Stop> {
        let variables = self.state_variables(true, o).into_iter().map(|(current, _)| current);
        Ok(self.manager().variable_set(variables)?)
    }

    /// The state for display.
    pub(crate) fn describe(&self, state: &Pair) -> String {
        let [s, o] = [&state.s, &state.o].map(|set| labels(self.automaton(), set));
        if state.o.is_empty() { s } else { format!("<{s}, {o}>") }
    }
}

fn listed(
    sets: &SetFamily,
    budget: &Budget,
    pair: impl Fn(&BitSet) -> Pair,
) -> Result<Vec<Pair>, Stop> {
    sets.sets().map(|set| budget.check().map(|()| pair(&set))).collect()
}
