//! Pairs of locations from which no word is accepted together, section 7 of [DDMR08]; a location
//! that is incompatible with itself accepts nothing.
//!
//! A word that is accepted from `s` and `t` begins with a letter on which `s` has successors `S`
//! and `t` has successors `T` such that the rest is accepted from all of `S` and `T`. So all pairs
//! within `S + T` are compatible.
//!
//! **Infinite words.** The greatest relation with that property is too large for `G a` and `F !a`,
//! which can continue together forever. So a location `t` that is not accepting must also not wait
//! forever. Let `W(t)` be the locations that are not accepting and can reach `t` and be reached
//! from it; in automata of LTL this is `{t}`. The compatible pairs are over-approximated by
//!
//! ```text
//! nu C. { {s, t} | (s, t) and (t, s) are in R }
//! ```
//!
//! where `R`, given `C`, is the least relation such that `(s, t)` is in it if on some letter there
//! are `S` and `T` with all pairs of `S + T` in `C`, and either `T` avoids `W(t)`, or some `w` of
//! `W(t)` is in `T` and `(m, w)` is in `R` for all `m` of `S + T`.
//!
//! *Sound:* let a word be accepted from `s` and from `t`, and let `C` have all pairs that are
//! compatible. In an accepting run no path stays in `W(t)` for ever, so (runs branch finitely)
//! there is a least number of steps, over all runs from `t` on this word, after which all paths
//! have left `W(t)` once. By induction on that number `(s, t)` is in `R`: take the first step of
//! that run, and of any accepting run from `s`. Either `T` avoids `W(t)`, or it has a `w` of it,
//! for which the number is smaller; and the rest of the word is accepted from `w` and from every
//! `m` of `S + T`, so `(m, w)` is in `R`. Thus no compatible pair ever leaves `C`. If `W(t)` has
//! one location, nothing is lost by asking for some `w` instead of for all that are in `T`.
//!
//! If `t` is accepting, `W(t)` is empty and `R` requires only a step. This requirement is part of
//! that of `(t, s)`, or of `(s, t)` for two accepting locations.
//!
//! **Finite words.** A word that is accepted together ends, so the least relation is enough: a pair
//! is compatible if both locations are final, or if they have successors all of whose pairs are
//! compatible. The proof is by induction on the word.

use kermode_automata::Structure;
use kermode_base::BitSet;
use kermode_ltl::WordKind;

use super::joint::{Joint, JointStep};
use super::steps::ALL_LANES;
use super::{comparable, converse};
use crate::alternating::accepting;
use crate::alternating::transitions::Transitions;
use crate::frame::budget::{Budget, Stop};

/// Pairs of locations that accept no common word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Incompatible {
    /// The locations that each location is incompatible with.
    with: Vec<BitSet>,
    /// The locations that occur in a pair.
    concerned: BitSet,
}

impl Incompatible {
    fn new(with: Vec<BitSet>) -> Self {
        let concerned = (0..with.len()).filter(|&l| !with[l].is_empty()).collect();
        Incompatible { with, concerned }
    }

    /// Whether no pair is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.concerned.is_empty()
    }

    /// The locations that a location is incompatible with, itself included if it accepts nothing.
    #[cfg(test)]
    pub(crate) fn with(&self, location: usize) -> &BitSet {
        &self.with[location]
    }

    /// Whether a set contains an incompatible pair, so that no word is accepted from all its
    /// locations.
    pub(crate) fn forbids(&self, set: &BitSet) -> bool {
        let mut suspects = set.clone();
        suspects.intersect_with(&self.concerned);
        suspects.iter().any(|l| !self.with[l].is_disjoint(&suspects))
    }
}

/// Computes incompatible pairs.
pub(crate) fn incompatible_pairs(
    transitions: &mut Transitions,
    budget: &Budget,
) -> Result<Incompatible, Stop> {
    incompatible_with(transitions, budget, ALL_LANES)
}

/// The same with some lanes of steps only.
pub(super) fn incompatible_with(
    transitions: &mut Transitions,
    budget: &Budget,
    lanes: u64,
) -> Result<Incompatible, Stop> {
    let none = vec![BitSet::new(); transitions.automaton.location_count()];
    let Some((reachable, operations)) = comparable(transitions) else {
        return Ok(Incompatible::new(none));
    };
    let joint = Joint::new(&operations, lanes);
    let mut search = IncompatibilitySearch {
        predecessors: converse(&joint.targets),
        accepting: accepting(transitions.automaton),
        incompatible: none,
        joint,
        reachable,
        transitions,
        budget,
    };
    match search.transitions.automaton.words() {
        WordKind::Infinite => search.infinite()?,
        WordKind::Finite => search.finite()?,
    }
    Ok(Incompatible::new(search.incompatible))
}

/// An ordered pair: the second location must not wait forever.
type OrderedPair = (usize, usize);

struct IncompatibilitySearch<'s, 'a> {
    transitions: &'s mut Transitions<'a>,
    budget: &'s Budget,
    joint: Joint<'s>,
    reachable: BitSet,
    predecessors: Vec<BitSet>,
    accepting: BitSet,
    /// The complement of `C`, for each location.
    incompatible: Vec<BitSet>,
}

impl IncompatibilitySearch<'_, '_> {
    /// Removes pairs from `C` until it is a fixpoint.
    fn infinite(&mut self) -> Result<(), Stop> {
        let groups = self.groups();
        let mut waits = vec![BitSet::new(); self.incompatible.len()];
        for group in &groups {
            group.iter().for_each(|t| waits[t].clone_from(group));
        }
        let mut exits = vec![self.reachable.clone(); self.incompatible.len()];
        let mut pending = self.all_pairs();
        loop {
            for (s, t) in std::mem::take(&mut pending) {
                self.budget.check()?;
                let question = JointStep::step(s, t, &waits[t], &self.incompatible);
                if exits[t].contains(s) && !self.joint.is_possible(self.transitions, &question)? {
                    exits[t].remove(s);
                }
            }
            let stuck = self.stuck(&groups, &exits)?;
            if stuck.is_empty() {
                return Ok(());
            }
            for &(s, t) in &stuck {
                self.incompatible[s].insert(t);
                self.incompatible[t].insert(s);
            }
            pending = self.dependents(&stuck);
        }
    }

    /// The sets `W(t)` with cycles, and the single locations of the rest.
    fn groups(&self) -> Vec<BitSet> {
        let automaton = self.transitions.automaton;
        let structure = Structure::of(automaton);
        let recurrent = (0..structure.len()).filter(|&c| structure.is_recurrent(c));
        let group = |component| {
            let mut group: BitSet =
                structure.locations(automaton, component).map(|l| l.index()).collect();
            group.intersect_with(&self.reachable);
            group.subtract(&self.accepting);
            group
        };
        recurrent.map(group).filter(|group| !group.is_empty()).collect()
    }

    /// Whether a pair must be checked in this order.
    fn is_asked(&self, (s, t): OrderedPair) -> bool {
        match self.transitions.automaton.words() {
            WordKind::Infinite if !self.accepting.contains(t) => true,
            WordKind::Infinite => self.accepting.contains(s) && s <= t,
            WordKind::Finite => s <= t,
        }
    }

    fn all_pairs(&self) -> Vec<OrderedPair> {
        let pairs = self.reachable.iter().flat_map(|t| self.reachable.iter().map(move |s| (s, t)));
        pairs.filter(|&pair| self.is_asked(pair)).collect()
    }

    /// The pairs of `C` that are not in `R`.
    fn stuck(&mut self, groups: &[BitSet], exits: &[BitSet]) -> Result<Vec<OrderedPair>, Stop> {
        let mut relation = exits.to_vec();
        for group in groups {
            while self.grow(group, &mut relation)? {}
        }
        let mut stuck = Vec::new();
        for t in self.reachable.iter() {
            let outside = self.outside(t, &relation[t]);
            stuck.extend(outside.iter().map(|s| (s, t)));
        }
        Ok(stuck)
    }

    /// The locations that make a pair of `C` with `t` and are not related to it.
    fn outside(&self, t: usize, related: &BitSet) -> BitSet {
        let mut outside = self.reachable.clone();
        outside.subtract(related);
        outside.subtract(&self.incompatible[t]);
        outside
    }

    /// Adds pairs to `R` that have a step to pairs in it. Returns whether there were any.
    fn grow(&mut self, group: &BitSet, relation: &mut [BitSet]) -> Result<bool, Stop> {
        let mut grows = false;
        for t in group.iter() {
            for s in self.outside(t, &relation[t]).iter() {
                if self.goes_on(s, t, group, relation)? {
                    grows |= relation[t].insert(s);
                }
            }
        }
        Ok(grows)
    }

    fn goes_on(
        &mut self,
        s: usize,
        t: usize,
        group: &BitSet,
        relation: &[BitSet],
    ) -> Result<bool, Stop> {
        let mut waiting = group.clone();
        waiting.intersect_with(&self.joint.targets[t]);
        for w in waiting.iter() {
            self.budget.check()?;
            let question = JointStep {
                s,
                t,
                avoids: &BitSet::new(),
                visits: Some(w),
                within: Some(&relation[w]),
                incompatible: &self.incompatible,
            };
            if self.joint.is_possible(self.transitions, &question)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The pairs that may have a step to one of these.
    fn dependents(&self, pairs: &[OrderedPair]) -> Vec<OrderedPair> {
        let mut dependents = vec![BitSet::new(); self.incompatible.len()];
        for &(m, n) in pairs {
            let (before_m, before_n) = (&self.predecessors[m], &self.predecessors[n]);
            for k in before_m.iter() {
                dependents[k].union_with(if before_n.contains(k) {
                    &self.reachable
                } else {
                    before_n
                });
            }
            for k in before_n.iter() {
                dependents[k].union_with(if before_m.contains(k) {
                    &self.reachable
                } else {
                    before_m
                });
            }
        }
        let rows = dependents.iter().enumerate();
        let pairs = rows.flat_map(|(k, row)| row.iter().flat_map(move |l| [(k, l), (l, k)]));
        let mut pairs: Vec<OrderedPair> = pairs.filter(|&pair| self.is_asked(pair)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Adds compatible pairs until a fixpoint. Uses diagrams when steps show no more.
    fn finite(&mut self) -> Result<(), Stop> {
        for l in self.reachable.iter() {
            self.incompatible[l] = self.reachable.clone();
            if self.accepting.contains(l) {
                self.incompatible[l].subtract(&self.accepting);
            }
        }
        let (mut pending, mut diagrams) = (self.all_pairs(), false);
        loop {
            let added = self.add_compatible(&pending, diagrams)?;
            if !added.is_empty() {
                (pending, diagrams) = (self.dependents(&added), false);
            } else if !diagrams {
                (pending, diagrams) = (self.all_pairs(), true);
            } else {
                return Ok(());
            }
        }
    }

    /// Adds and returns those of the pairs that have a step to compatible pairs.
    fn add_compatible(
        &mut self,
        pairs: &[OrderedPair],
        diagrams: bool,
    ) -> Result<Vec<OrderedPair>, Stop> {
        let nothing = BitSet::new();
        let mut added = Vec::new();
        for &(s, t) in pairs.iter().filter(|&&(s, t)| self.incompatible[s].contains(t)) {
            self.budget.check()?;
            let question = JointStep::step(s, t, &nothing, &self.incompatible);
            let compatible = match diagrams {
                true => self.joint.is_possible(self.transitions, &question)?,
                false => self.joint.is_shown_by_steps(&question),
            };
            if compatible {
                added.push((s, t));
            }
        }
        for &(s, t) in &added {
            self.incompatible[s].remove(t);
            self.incompatible[t].remove(s);
        }
        Ok(added)
    }
}
