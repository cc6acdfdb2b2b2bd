//! Closed sets of states in both encodings: as lists of their least or greatest elements, and as
//! decision diagrams.
//!
//! The order is that of pairs: both sets included, and both or none settled. So the settled states
//! of a region and the others are closed apart from each other. A region of valid pairs is closed
//! within these; to find its least or greatest elements, it is closed over all assignments, which
//! adds nothing that is less or greater.

use kermode_base::BitSet;
use kermode_bdd::{Bdd, Cube, Family, Literal, Variable, VariableSet};

use super::encoding::{Encoding, Moment};
use super::labels;
use super::miyano_hayashi::Pair;
use crate::frame::budget::{Budget, Stop};

impl Encoding<'_> {
    /// The states that one of these subsumes.
    pub(crate) fn upwards(&self, states: &[Pair]) -> Result<Bdd, Stop> {
        let mut region = self.manager().bottom();
        for state in states {
            let all = self.manager().cube(&self.literals(state, true))?;
            let kind = if state.o.is_empty() { self.settled() } else { self.valid() };
            region = region.or(&all.and(kind)?)?;
        }
        Ok(region)
    }

    /// The states that subsume one of these.
    pub(crate) fn downwards(&self, states: &[Pair]) -> Result<Bdd, Stop> {
        let mut region = self.manager().bottom();
        for state in states {
            let none = self.manager().cube(&self.literals(state, false))?;
            let kind = match state.o.is_empty() {
                true => self.settled().clone(),
                false => self.valid().and_not(self.settled())?,
            };
            region = region.or(&none.and(&kind)?)?;
        }
        Ok(region)
    }

    /// The literals of what is in a state, or of what is not.
    fn literals(&self, state: &Pair, positive: bool) -> Cube {
        let literal = |variable| Literal { variable, positive };
        let chosen = |variable: &Variable| self.is_in(*variable, state) == positive;
        let current = self.state_variables(true, true).into_iter().map(|(current, _)| current);
        current.filter(chosen).map(literal).collect()
    }

    /// The states that one of a region subsumes.
    pub(crate) fn closed_upwards(&self, region: &Bdd, budget: &Budget) -> Result<Bdd, Stop> {
        let interrupt = &mut || budget.check();
        let settled =
            region.and(self.settled())?.upward_closure(&self.current(false)?, interrupt)?;
        let owing = region.and_not(self.settled())?;
        let owing = owing.upward_closure(&self.current(true)?, interrupt)?;
        Ok(settled.or(&owing.and(self.valid())?)?)
    }

    /// The states that subsume one of a region.
    pub(crate) fn closed_downwards(&self, region: &Bdd, budget: &Budget) -> Result<Bdd, Stop> {
        let interrupt = &mut || budget.check();
        let settled = region.and(self.settled())?;
        let settled = settled.downward_closure(&self.current(false)?, interrupt)?;
        let owing = region.and_not(self.settled())?;
        let owing = owing.downward_closure(&self.current(true)?, interrupt)?;
        Ok(settled.or(&owing.and(self.valid())?.and_not(self.settled())?)?)
    }

    /// The least states of a region, whether it is closed or not.
    pub(crate) fn least(&self, region: &Bdd, budget: &Budget) -> Result<Vec<Pair>, Stop> {
        let all = self.current(true)?;
        self.extreme(region, |part| {
            let closed = part.upward_closure(&all, &mut || budget.check())?;
            let sets = closed.minimal_models(&mut || budget.check())?;
            listed(&sets, budget, |set| self.pair(|variable| set.contains(variable.index())))
        })
    }

    /// The greatest states of a region, whether it is closed or not.
    pub(crate) fn greatest(&self, region: &Bdd, budget: &Budget) -> Result<Vec<Pair>, Stop> {
        let all = self.current(true)?;
        self.extreme(region, |part| {
            let closed = part.downward_closure(&all, &mut || budget.check())?;
            let sets = closed.maximal_models(&mut || budget.check())?;
            listed(&sets, budget, |set| self.pair(|variable| !set.contains(variable.index())))
        })
    }

    /// What is found in the settled states and in the others.
    fn extreme(
        &self,
        region: &Bdd,
        find: impl Fn(Bdd) -> Result<Vec<Pair>, Stop>,
    ) -> Result<Vec<Pair>, Stop> {
        let mut found = find(region.and(self.settled())?)?;
        found.extend(find(region.and_not(self.settled())?)?);
        Ok(found)
    }

    /// The state that has these variables.
    fn pair(&self, has: impl Fn(Variable) -> bool) -> Pair {
        let current = Moment::Current;
        let (mut s, mut o) = (BitSet::new(), BitSet::new());
        for location in self.locations() {
            if has(self.x_variable(location, current)) {
                s.insert(location.index());
            }
            if self.may_owe(location) && has(self.y_variable(location, current)) {
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

    /// The state for people.
    pub(crate) fn describe(&self, state: &Pair) -> String {
        let [s, o] = [&state.s, &state.o].map(|set| labels(self.automaton(), set));
        if state.o.is_empty() { s } else { format!("<{s}, {o}>") }
    }
}

fn listed(
    sets: &Family,
    budget: &Budget,
    pair: impl Fn(&BitSet) -> Pair,
) -> Result<Vec<Pair>, Stop> {
    sets.sets().map(|set| budget.check().map(|()| pair(&set))).collect()
}
