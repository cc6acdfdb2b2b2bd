//! Regions of the product of a model and a property: closed sets of pairs of a state of the model
//! and a state of the property, as antichains in the form of Lemma 4 of \[DDMR08\].
//!
//! States of the property are numbers. A state *covers* another if a region that has a pair with
//! the first need not have the pair with the second: forward the smaller state covers the larger
//! one, backward the larger one the smaller. A region is a map from states of the property to
//! diagrams over states of the model, and denotes all pairs that the pairs of the map cover.
//!
//! Invariant (the form of Lemma 4):
//! - a class of states that cover each other has one representative, and only it is in the map;
//! - no diagram of the map is empty;
//! - if one state of the map covers another, their diagrams are disjoint.
//!
//! So each region has one form, and equal regions are equal maps.

use std::collections::BTreeMap;

use kermode_bdd::{Bdd, OutOfNodes};

use super::mistakes::{Mistake, is_planted};

/// The order of the states of a property.
pub(crate) trait Covers {
    /// The representative of the class of a state.
    fn representative(&self, state: u32) -> u32;

    /// The other representatives that cover a representative.
    fn covering(&self, state: u32) -> &[u32];

    /// The other representatives that a representative covers.
    fn covered(&self, state: u32) -> &[u32];

    /// Whether a state covers another or is equal to it.
    fn covers(&self, one: u32, other: u32) -> bool {
        let [one, other] = [one, other].map(|state| self.representative(state));
        one == other || self.covering(other).contains(&one)
    }
}

/// A closed set of pairs.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Region {
    parts: BTreeMap<u32, Bdd>,
}

impl Region {
    /// Whether the set is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The number of pairs of a diagram and a state of the property.
    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }

    /// The pairs.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &Bdd)> {
        self.parts.iter().map(|(&state, part)| (state, part))
    }

    /// The diagram of a representative.
    pub(crate) fn part(&self, state: u32) -> Option<&Bdd> {
        self.parts.get(&state)
    }

    /// The place of a state of the property among those of the pairs.
    pub(crate) fn position(&self, state: u32) -> Option<usize> {
        self.parts.keys().position(|&other| other == state)
    }

    /// The pairs at some places.
    pub(crate) fn selected(&self, is_selected: impl Fn(usize) -> bool) -> Region {
        let parts = self.iter().enumerate().filter(|&(place, _)| is_selected(place));
        Region { parts: parts.map(|(_, (state, part))| (state, part.clone())).collect() }
    }

    /// Whether the set has a pair whose state of the model satisfies a predicate on diagrams.
    pub(crate) fn contains(
        &self,
        order: &impl Covers,
        state: u32,
        holds: impl Fn(&Bdd) -> bool,
    ) -> bool {
        let state = order.representative(state);
        let covering = order.covering(state).iter().chain([&state]);
        covering.filter_map(|other| self.parts.get(other)).any(holds)
    }

    /// The part of a diagram whose pairs with a state are not in the set.
    fn missing(&self, order: &impl Covers, state: u32, states: &Bdd) -> Result<Bdd, OutOfNodes> {
        let mut missing = states.clone();
        for other in order.covering(state).iter().chain([&state]) {
            if missing.is_bottom() {
                break;
            }
            if let Some(part) = self.parts.get(other) {
                missing = missing.and_not(part)?;
            }
        }
        Ok(missing)
    }

    /// The part of a diagram whose pairs with a state are in the set.
    pub(crate) fn present(
        &self,
        order: &impl Covers,
        state: u32,
        states: &Bdd,
    ) -> Result<Bdd, OutOfNodes> {
        let state = order.representative(state);
        states.and_not(&self.missing(order, state, states)?)
    }

    /// Adds pairs with one state of the property. Returns the states of the model for which they
    /// are new.
    pub(crate) fn insert(
        &mut self,
        order: &impl Covers,
        state: u32,
        states: &Bdd,
    ) -> Result<Bdd, OutOfNodes> {
        let state = order.representative(state);
        let new = self.missing(order, state, states)?;
        if new.is_bottom() {
            return Ok(new);
        }
        let covered = order.covered(state).iter();
        for other in covered.filter(|_| !is_planted(Mistake::PairsOverlap)) {
            if let Some(part) = self.parts.get_mut(other) {
                *part = part.and_not(&new)?;
                if part.is_bottom() && !is_planted(Mistake::EmptyPartStays) {
                    self.parts.remove(other);
                }
            }
        }
        let joined = match self.parts.get(&state) {
            Some(part) => part.or(&new)?,
            None => new.clone(),
        };
        self.parts.insert(state, joined);
        Ok(new)
    }

    /// The union with another set. Returns the new pairs.
    pub(crate) fn add(&mut self, order: &impl Covers, more: &Region) -> Result<Region, OutOfNodes> {
        let mut added = Region::default();
        for (state, states) in more.iter() {
            let new = self.insert(order, state, states)?;
            added.insert(order, state, &new)?;
        }
        debug_assert!(self.is_in_form(order) && added.is_in_form(order));
        Ok(added)
    }

    /// Whether the set includes another.
    pub(crate) fn includes(&self, order: &impl Covers, other: &Region) -> Result<bool, OutOfNodes> {
        for (state, states) in other.iter() {
            if self.parts.get(&state) != Some(states)
                && !self.missing(order, state, states)?.is_bottom()
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The pairs whose states of the model are in a diagram.
    pub(crate) fn restricted(&self, states: &Bdd) -> Result<Region, OutOfNodes> {
        let mut parts = BTreeMap::new();
        for (state, part) in self.iter() {
            let part = part.and(states)?;
            if !part.is_bottom() {
                parts.insert(state, part);
            }
        }
        Ok(Region { parts })
    }

    /// The form of Lemma 4.
    pub(crate) fn is_in_form(&self, order: &impl Covers) -> bool {
        self.iter().all(|(state, part)| {
            let is_disjoint = |other: &u32| match self.parts.get(other) {
                Some(other) => part.and(other).is_ok_and(|common| common.is_bottom()),
                None => true,
            };
            order.representative(state) == state
                && !part.is_bottom()
                && order.covering(state).iter().all(is_disjoint)
        })
    }
}
