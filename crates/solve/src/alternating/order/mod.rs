//! Relations between the locations of an alternating automaton, for sharper orders on its state
//! spaces: section 7 of [DDMR08].
//!
//! `k` *implies* `l` if every word that is accepted from `k` is accepted from `l`.
//! [`direct_simulation`] and [`delayed_simulation`] find such pairs, [`incompatible_pairs`] those
//! with no word in common. All three are sufficient conditions and polynomial. What a few random
//! steps settle (`steps`) needs no decision diagrams, and how much these may cost is limited
//! (`effort`). Past a limit nothing is found, which is sound.
//!
//! Locations that cannot be reached have no variables; they are related to nothing.

mod delayed;
mod direct;
mod effort;
mod incompatible;
mod joint;
mod operations;
mod sampler;
mod sharper;
mod steps;
#[cfg(test)]
mod tests;

use kermode_base::BitSet;

pub(crate) use delayed::delayed_simulation;
pub(crate) use direct::direct_simulation;
pub(crate) use incompatible::{Incompatible, incompatible_pairs};
pub(crate) use sharper::{Orders, Sharper};

use crate::alternating::transitions::Transitions;
use operations::Operations;

/// The most locations that are compared with each other.
const MOST_LOCATIONS: usize = 500;
/// The most locations to which their transitions lead, summed up.
const MOST_TARGETS: usize = 1 << 12;
/// The most expressions of their transitions, summed up.
const MOST_OPERATIONS: usize = 1 << 16;

/// A preorder on locations: what implies what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocationOrder {
    /// Whatever each location implies, itself included.
    pub(crate) implies: Vec<BitSet>,
    /// Whatever implies each location, itself included.
    pub(crate) implied_by: Vec<BitSet>,
    /// Whatever makes each location superfluous beside it: what implies it and is not implied by
    /// it, or has a smaller number.
    outdone_by: Vec<BitSet>,
}

impl LocationOrder {
    /// The preorder in which locations imply what `implies` says; reflexive and transitive.
    fn new(implies: Vec<BitSet>) -> Self {
        let implied_by = converse(&implies);
        let outdone_by = |l: usize| {
            let first = |&k: &usize| k != l && (!implies[l].contains(k) || k < l);
            implied_by[l].iter().filter(first).collect()
        };
        let outdone_by = (0..implies.len()).map(outdone_by).collect();
        LocationOrder { implies, implied_by, outdone_by }
    }

    /// The order in which a location implies itself alone.
    pub(crate) fn identity(locations: usize) -> Self {
        LocationOrder::new((0..locations).map(|location| BitSet::from_iter([location])).collect())
    }

    /// Whether locations imply themselves only.
    pub(crate) fn is_identity(&self) -> bool {
        self.outdone_by.iter().all(BitSet::is_empty)
    }

    /// Whether every location of `small` is implied by one of `large`.
    pub(crate) fn covers(&self, small: &BitSet, large: &BitSet) -> bool {
        small.iter().all(|l| large.contains(l) || !self.implied_by[l].is_disjoint(large))
    }

    /// The set with all that it implies.
    pub(crate) fn closed(&self, set: &BitSet) -> BitSet {
        let mut closed = set.clone();
        set.iter().for_each(|location| closed.union_with(&self.implies[location]));
        closed
    }

    /// The set without what others of it imply; of locations that imply each other the one of least
    /// number stays.
    pub(crate) fn reduced(&self, set: &BitSet) -> BitSet {
        set.iter().filter(|&l| self.outdone_by[l].is_disjoint(set)).collect()
    }
}

/// The converse of a relation.
fn converse(relation: &[BitSet]) -> Vec<BitSet> {
    let mut converse = vec![BitSet::new(); relation.len()];
    for (from, targets) in relation.iter().enumerate() {
        for to in targets.iter() {
            converse[to].insert(from);
        }
    }
    converse
}

/// The transitive closure of a reflexive relation.
fn transitive(mut relation: Vec<BitSet>) -> Vec<BitSet> {
    for between in 0..relation.len() {
        let beyond = relation[between].clone();
        if beyond.len() > 1 {
            let before = relation.iter_mut().filter(|row| row.contains(between));
            before.for_each(|row| row.union_with(&beyond));
        }
    }
    relation
}

/// The locations that can be reached and their transitions, if they are few and small enough to be
/// compared.
fn comparable(transitions: &Transitions) -> Option<(BitSet, Operations)> {
    let reachable: BitSet = transitions.layout.reachable().map(|l| l.index()).collect();
    if reachable.len() > MOST_LOCATIONS {
        return None;
    }
    let operations = Operations::new(transitions);
    let fits = operations.targets() <= MOST_TARGETS && operations.total() <= MOST_OPERATIONS;
    fits.then_some((reachable, operations))
}
