//! Sharper orders on sets of locations, from relations between locations.
//!
//! **Direct simulation.** A set is represented by its closure under implication. The order is still
//! inclusion, and equivalent sets are equal. Only the computation of steps uses the reduced set,
//! without locations that others imply.
//!
//! **Delayed simulation** compares languages and ignores when accepting locations are visited. That
//! is enough for a state whose next step has all marks: such a state may represent every other
//! whose locations imply its own, see
//! [`Ordered::subsumes`](kermode_automata::space::Ordered::subsumes).
//!
//! **Incompatible pairs.** A set with such a pair accepts nothing and is left out. The test uses
//! the closure of the set, which finds more pairs.

use std::str::FromStr;

use kermode_base::BitSet;

use super::{
    Incompatible, LocationOrder, MOST_LOCATIONS, delayed_simulation, direct_simulation,
    incompatible_pairs,
};
use crate::alternating::transitions::Transitions;
use crate::frame::budget::{Budget, Stop};

/// The requested orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Orders {
    /// Sets instead of pairs where the automaton is very weak.
    pub(crate) very_weak: bool,
    pub(crate) direct: bool,
    pub(crate) delayed: bool,
    pub(crate) incompatible: bool,
    /// More of these when a search gets long.
    pub(crate) as_needed: bool,
    /// The largest number of minimal successors of a state, if it is limited.
    pub(crate) most_successors: Option<u128>,
}

impl Orders {
    /// The orders for pairs, unless sets are requested by name.
    pub(crate) fn of_pairs(self) -> Option<Self> {
        let sets_by_name = self.very_weak && !self.as_needed;
        (!sets_by_name).then_some(Orders { very_weak: false, as_needed: false, ..self })
    }
}

impl FromStr for Orders {
    type Err = ();

    /// Names joined by `+`, or `auto`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let mut orders = Orders::default();
        if text == "auto" {
            return Ok(Orders { very_weak: true, as_needed: true, ..orders });
        }
        for name in text.split('+') {
            match name {
                "inclusion" => {}
                "very-weak" => orders.very_weak = true,
                "direct" => orders.direct = true,
                "delayed" => orders.delayed = true,
                "incompatible" => orders.incompatible = true,
                _ => return Err(()),
            }
        }
        Ok(orders)
    }
}

/// The relations between the locations of an automaton.
pub(crate) struct Sharper {
    direct: Option<LocationOrder>,
    delayed: Option<LocationOrder>,
    incompatible: Option<Incompatible>,
    most_successors: Option<u128>,
}

impl Sharper {
    /// Computes the requested relations. In direct simulation, no other location implies those in
    /// `apart`.
    pub(crate) fn new(
        orders: Orders,
        transitions: &mut Transitions,
        apart: &BitSet,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let useful = |order: &LocationOrder| !order.is_identity();
        let (mut direct, mut delayed, mut incompatible) = (None, None, None);
        let most_successors = orders.most_successors;
        if transitions.automaton.location_count() > MOST_LOCATIONS {
            return Ok(Sharper { direct, delayed, incompatible, most_successors });
        }
        if orders.direct {
            direct = Some(direct_simulation(transitions, apart, budget)?).filter(useful);
        }
        if orders.delayed {
            delayed = Some(delayed_simulation(transitions, budget)?).filter(useful);
        }
        if orders.incompatible {
            let pairs = incompatible_pairs(transitions, budget)?;
            incompatible = Some(pairs).filter(|pairs| !pairs.is_empty());
        }
        Ok(Sharper { direct, delayed, incompatible, most_successors })
    }

    /// The closure of a set under implication.
    pub(crate) fn closed(&self, set: BitSet) -> BitSet {
        match &self.direct {
            Some(order) => order.closed(&set),
            None => set,
        }
    }

    /// The reduced form of a closed set.
    pub(crate) fn reduced(&self, set: &BitSet) -> BitSet {
        match &self.direct {
            Some(order) => order.reduced(set),
            None => set.clone(),
        }
    }

    /// Whether no word is accepted from all locations of a set.
    pub(crate) fn forbids(&self, set: &BitSet) -> bool {
        self.incompatible.as_ref().is_some_and(|pairs| pairs.forbids(set))
    }

    /// Whether a set accepts every word that another accepts, by delayed simulation.
    pub(crate) fn accepts_no_less(&self, small: &BitSet, large: &BitSet) -> bool {
        self.delayed.as_ref().is_some_and(|order| order.covers(small, large))
    }

    /// The closure of a set under all orders. The larger it is, the less the set can represent.
    pub(crate) fn weight(&self, set: &BitSet) -> BitSet {
        match &self.delayed {
            Some(order) => order.closed(set),
            None => set.clone(),
        }
    }

    /// The largest number of minimal successors of a state, if it is limited.
    pub(crate) fn most_successors(&self) -> Option<u128> {
        self.most_successors
    }

    /// Whether a state may represent others that it does not simulate.
    pub(crate) fn exchanges(&self) -> bool {
        self.delayed.is_some()
    }
}
