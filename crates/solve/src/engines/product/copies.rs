//! A model with a copy of each variable, for states that are saved.
//!
//! The copies are *parameters*: no constraint mentions them, and steps keep their values. So they
//! are no part of the transition relation, and copies that are not used cost nothing.

use kermode_base::BitSet;
use kermode_bdd::{Bdd, Cube, Literal, Manager, VariableSet};
use kermode_system::{Model, Variable};
use rustc_hash::FxHashSet;

use super::to_safety::copied;
use crate::compiled::compiled_model::pair;
use crate::frame::budget::Stop;

/// A model with copies.
pub(super) struct CopiedModel {
    pub(super) model: Model,
    /// The index in the order of each copied variable, and that of its copy.
    places: Vec<(usize, usize)>,
}

impl CopiedModel {
    /// The model with a copy of each variable that can change, right below it in the order.
    pub(super) fn new(live: &Model) -> Self {
        let is_copied: FxHashSet<Variable> = copied(live).into_iter().collect();
        let mut model = Model { order: Vec::new(), ..live.clone() };
        let mut places = Vec::new();
        for &variable in &live.order {
            model.order.push(variable);
            if is_copied.contains(&variable) {
                places.push((model.order.len() - 1, model.order.len()));
                model.auxiliary("copy");
            }
        }
        CopiedModel { model, places }
    }

    /// The number of copies.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The indices of the copies in the order.
    pub(super) fn parameters(&self) -> BitSet {
        self.places.iter().map(|&(_, copy)| copy).collect()
    }

    /// The variables of the diagrams that stay together during sifting: each with its copy.
    pub(super) fn groups(&self) -> Vec<Vec<kermode_bdd::Variable>> {
        let copies = self.parameters();
        let mut groups: Vec<Vec<kermode_bdd::Variable>> = Vec::new();
        for place in 0..self.model.order.len() {
            let (now, next) = pair(place);
            match groups.last_mut().filter(|_| copies.contains(place)) {
                Some(group) => group.extend([now, next]),
                None => groups.push(vec![now, next]),
            }
        }
        groups
    }

    /// The condition that some of the copies, by number, are equal to their variables.
    pub(super) fn equal(&self, copies: &BitSet, manager: &Manager) -> Result<Bdd, Stop> {
        let mut all = manager.top();
        for (_, &(variable, copy)) in self.chosen(copies).collect::<Vec<_>>().into_iter().rev() {
            let [variable, copy] = [variable, copy].map(|place| manager.variable(pair(place).0));
            all = all.and(&variable?.iff(&copy?)?)?;
        }
        Ok(all)
    }

    /// The variables of some copies.
    pub(super) fn variables(
        &self,
        copies: &BitSet,
        manager: &Manager,
    ) -> Result<VariableSet, Stop> {
        let copies = self.chosen(copies).map(|(_, &(_, copy))| pair(copy).0);
        Ok(manager.variable_set(copies)?)
    }

    /// The value in a state of the variable of a copy.
    pub(super) fn literal(&self, copy: usize, state: &BitSet) -> Literal {
        let (place, _) = self.places[copy];
        Literal { variable: pair(place).0, positive: state.contains(place) }
    }

    /// The values in a state of the variables of some copies.
    pub(super) fn values(&self, copies: &BitSet, state: &BitSet) -> Cube {
        self.chosen(copies).map(|(copy, _)| self.literal(copy, state)).collect()
    }

    fn chosen<'c>(
        &'c self,
        copies: &'c BitSet,
    ) -> impl Iterator<Item = (usize, &'c (usize, usize))> {
        self.places.iter().enumerate().filter(|(copy, _)| copies.contains(*copy))
    }
}
