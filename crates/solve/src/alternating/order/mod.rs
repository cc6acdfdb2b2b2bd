//! Relations between the locations of an alternating automaton, for sharper orders on its state
//! spaces: section 7 of \[DDMR08\].
//!
//! `k` *implies* `l` if every word that is accepted from `k` is accepted from `l`.
//! [`direct_simulation`] and [`delayed_simulation`] compute such pairs, [`incompatible_pairs`]
//! those without a common word. All three are sufficient conditions and polynomial. A few random
//! steps (`steps`) decide most pairs without decision diagrams, and the cost of diagrams is limited
//! (`effort`). Beyond a limit no pairs are found, which is sound.
//!
//! Unreachable locations have no variables; they are related to nothing.

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

/// The largest number of locations that are compared.
const MOST_LOCATIONS: usize = 500;
/// The largest total number of targets of their transitions.
const MOST_TARGETS: usize = 1 << 12;
/// The largest total number of expressions of their transitions.
const MOST_OPERATIONS: usize = 1 << 16;

/// A preorder on locations: what implies what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocationOrder {
    /// The locations that each location implies, itself included.
    pub(crate) implies: Vec<BitSet>,
    /// The locations that imply each location, itself included.
    pub(crate) implied_by: Vec<BitSet>,
    /// For each location, those that make it redundant: they imply it, and are not implied by it or
    /// have a smaller number.
    outdone_by: Vec<BitSet>,
}

impl LocationOrder {
    /// The preorder of a reflexive and transitive relation.
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

    /// The closure of a set under implication.
    pub(crate) fn closed(&self, set: &BitSet) -> BitSet {
        let mut closed = set.clone();
        set.iter().for_each(|location| closed.union_with(&self.implies[location]));
        closed
    }

    /// The set without locations that others of it imply. Of equivalent locations the one with the
    /// smallest number stays.
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

/// The reachable locations and their transitions, if they are few and small enough to be compared.
fn comparable(transitions: &Transitions) -> Option<(BitSet, Operations)> {
    let reachable: BitSet = transitions.layout.reachable().map(|l| l.index()).collect();
    if reachable.len() > MOST_LOCATIONS {
        return None;
    }
    let operations = Operations::new(transitions);
    let fits = operations.targets() <= MOST_TARGETS && operations.total() <= MOST_OPERATIONS;
    fits.then_some((reachable, operations))
}
