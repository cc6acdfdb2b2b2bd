//! Direct simulation between the locations of an alternating automaton [FW05], [GKSV03].
//!
//! The relation is the greatest one such that, wherever `k` implies `l`, `l` is accepting if `k` is
//! (final, on finite words), and
//!
//! ```text
//! delta(k)  entails  delta(l)[x_m := \/ { x_j | j implies m }].
//! ```
//!
//! As a game: the first player chooses a letter and a set `S` of successors of `k`, and the second
//! player answers with successors `T` of `l`. The first player then chooses an `m` of `T`, and the
//! second player must have a `j` of `S` that implies `m`. Transitions are monotone in locations, so
//! the best `T` is the set of all locations that `S` implies. The entailment expresses exactly
//! this.
//!
//! **It implies inclusion of languages.** Take an accepting run from `k` and let the second player
//! follow it. The locations `m` of the plays form a run from `l` on the same word. Each of its
//! paths is matched by a path of the run from `k`, and is accepting wherever that path is (on
//! finite words: final at the end). Direct simulation is the largest such relation that is
//! preserved by single steps and acceptance. The order of Miyano and Hayashi's pairs needs this,
//! because a location ceases to be an obligation when it is accepting. The relation is reflexive,
//! and transitive because strategies compose.
//!
//! The greatest fixpoint is computed by removal. First [`SampledSteps`] are compared with all pairs
//! of their location: a step of `k`, together with all that it implies by the present relation,
//! must satisfy `delta(l)`. Each remaining pair is proved by one entailment of diagrams, and proved
//! again only if a pair of a target of `k` and a target of `l` is removed. Pairs whose diagrams are
//! too large ([`WorkLimit`]) are removed as well. The remaining relation is still a simulation, and
//! so is its transitive closure.

use kermode_automata::Location;
use kermode_base::BitSet;
use kermode_bdd::{Bdd, Literal, Manager, OutOfNodes};
use rustc_hash::FxHashMap;

use super::effort::WorkLimit;
use super::operations::Operations;
use super::sampler::Sampler;
use super::steps::{ALL_LANES, SampledSteps};
use super::{LocationOrder, comparable, converse, transitive};
use crate::alternating::accepting;
use crate::alternating::layout::Layout;
use crate::alternating::transitions::{Transitions, X};
use crate::frame::budget::{Budget, Stop};

/// Direct simulation between the locations. No other location implies those in `apart`.
pub(crate) fn direct_simulation(
    transitions: &mut Transitions,
    apart: &BitSet,
    budget: &Budget,
) -> Result<LocationOrder, Stop> {
    direct_with(transitions, apart, budget, ALL_LANES)
}

/// The same with some lanes of steps only.
pub(super) fn direct_with(
    transitions: &mut Transitions,
    apart: &BitSet,
    budget: &Budget,
    lanes: u64,
) -> Result<LocationOrder, Stop> {
    let locations = transitions.automaton.location_count();
    let Some((reachable, operations)) = comparable(transitions) else {
        return Ok(LocationOrder::identity(locations));
    };
    let mut simulation = LocationSimulation::new(transitions, &reachable, operations, lanes);
    simulation.respect_acceptance();
    simulation.set_apart(apart);
    simulation.refine(transitions, budget)?;
    Ok(LocationOrder::new(transitive(simulation.implies)))
}

/// A relation that is refined to a simulation.
pub(super) struct LocationSimulation {
    pub(super) implies: Vec<BitSet>,
    /// The converse relation, once diagrams are used.
    pub(super) implied_by: Vec<BitSet>,
    /// The predecessors of each location.
    pub(super) predecessors: Vec<BitSet>,
    pub(super) accepting: BitSet,
    /// The targets of each location.
    pub(super) targets: Vec<BitSet>,
    pub(super) effort: WorkLimit,
    pub(super) sampler: Sampler,
    /// Locations whose steps are to be compared with what they imply.
    to_sample: BitSet,
    /// Locations with pairs that are to be proved by diagrams.
    to_show: BitSet,
    /// The pairs that diagrams have proved for the current relation.
    shown: Vec<BitSet>,
    /// `delta(l)` with each location replaced by the locations that imply it, and its size, for the
    /// current relation; empty inside if it is too large.
    weakened: Vec<Option<Option<(Bdd, usize)>>>,
}

impl LocationSimulation {
    /// The relation in which all reachable locations imply each other.
    pub(super) fn new(
        transitions: &Transitions,
        reachable: &BitSet,
        operations: Operations,
        lanes: u64,
    ) -> Self {
        let automaton = transitions.automaton;
        let sampler = Sampler::new(operations, lanes);
        let all = |location: usize| match reachable.contains(location) {
            true => reachable.clone(),
            false => BitSet::from_iter([location]),
        };
        let implies: Vec<BitSet> = (0..automaton.location_count()).map(all).collect();
        let targets: Vec<BitSet> = sampler.steps.iter().map(SampledSteps::target_set).collect();
        LocationSimulation {
            implied_by: Vec::new(),
            shown: Vec::new(),
            weakened: Vec::new(),
            implies,
            predecessors: converse(&targets),
            targets,
            effort: WorkLimit::new(),
            accepting: accepting(automaton),
            sampler,
            to_sample: reachable.clone(),
            to_show: reachable.clone(),
        }
    }

    /// Restarts with all pairs and removes those that steps refute, regardless of acceptance.
    pub(super) fn forget_acceptance(
        &mut self,
        reachable: &BitSet,
        budget: &Budget,
    ) -> Result<(), Stop> {
        reachable.iter().for_each(|l| self.implies[l].clone_from(reachable));
        self.implied_by.clear();
        self.to_sample.clone_from(reachable);
        self.refute(budget)?;
        self.implied_by = converse(&self.implies);
        Ok(())
    }

    /// Removes the pairs of an accepting location and a non-accepting one.
    pub(super) fn respect_acceptance(&mut self) {
        for k in self.accepting.clone().iter() {
            let mut wrong = self.implies[k].clone();
            wrong.subtract(&self.accepting);
            self.remove(k, &wrong);
        }
    }

    /// Removes all pairs that imply these locations, except for the identity.
    fn set_apart(&mut self, apart: &BitSet) {
        for k in 0..self.implies.len() {
            let mut wrong = self.implies[k].clone();
            wrong.intersect_with(apart);
            wrong.remove(k);
            self.remove(k, &wrong);
        }
    }

    /// Removes pairs of a location; the pairs that depend on them must be checked again.
    fn remove(&mut self, k: usize, wrong: &BitSet) {
        if wrong.is_empty() {
            return;
        }
        self.implies[k].subtract(wrong);
        self.to_sample.union_with(&self.predecessors[k]);
        self.to_show.union_with(&self.predecessors[k]);
        if self.implied_by.is_empty() {
            return;
        }
        for l in wrong.iter() {
            self.implied_by[l].remove(k);
            self.predecessors[l].iter().for_each(|before| self.weakened[before] = None);
            for before in self.predecessors[k].iter() {
                self.shown[before].subtract(&self.predecessors[l]);
            }
        }
    }

    /// Refines the relation to a simulation: the greatest one within it, if all necessary diagrams
    /// may be built.
    pub(super) fn refine(
        &mut self,
        transitions: &mut Transitions,
        budget: &Budget,
    ) -> Result<(), Stop> {
        self.refute(budget)?;
        self.implied_by = converse(&self.implies);
        self.shown = vec![BitSet::new(); self.implies.len()];
        self.weakened = vec![None; self.implies.len()];
        while let Some(k) = take_first(&mut self.to_show) {
            if self.effort.is_spent() {
                let unknown = self.unknown(k);
                self.remove(k, &unknown);
                continue;
            }
            for l in self.unknown(k).iter() {
                budget.check()?;
                if self.is_entailed(transitions, k, l)? {
                    self.shown[k].insert(l);
                } else {
                    self.remove(k, &BitSet::from_iter([l]));
                }
            }
            if !self.effort.is_spent() {
                self.refute(budget)?;
            }
        }
        Ok(())
    }

    /// The unproved pairs of a location.
    fn unknown(&self, k: usize) -> BitSet {
        let mut unknown = self.implies[k].clone();
        unknown.remove(k);
        unknown.subtract(&self.shown[k]);
        unknown
    }

    /// Removes the pairs that steps refute.
    fn refute(&mut self, budget: &Budget) -> Result<(), Stop> {
        while let Some(k) = take_first(&mut self.to_sample) {
            budget.check()?;
            let refuted = self.sampler.refuted(k, &self.implies);
            self.remove(k, &refuted);
        }
        Ok(())
    }

    /// Whether diagrams prove a pair. False if the diagrams may not be built.
    fn is_entailed(
        &mut self,
        transitions: &mut Transitions,
        k: usize,
        l: usize,
    ) -> Result<bool, OutOfNodes> {
        let Some((transition, size)) = self.effort.transition(transitions, k)? else {
            return Ok(false);
        };
        if self.weakened[l].is_none() {
            self.weakened[l] = Some(self.weaken(transitions, l)?);
        }
        match &self.weakened[l] {
            Some(Some((weakened, other))) if self.effort.allows(size, *other) => {
                transition.entails(weakened)
            }
            _ => Ok(false),
        }
    }

    /// `delta(l)` with each location replaced by the targets of what implies `l` that imply it.
    fn weaken(
        &mut self,
        transitions: &mut Transitions,
        l: usize,
    ) -> Result<Option<(Bdd, usize)>, OutOfNodes> {
        let mut following = BitSet::new();
        self.implied_by[l].iter().for_each(|k| following.union_with(&self.targets[k]));
        let matching = |m: usize| {
            let mut matching = self.implied_by[m].clone();
            matching.intersect_with(&following);
            (m, matching)
        };
        let matching = self.targets[l].iter().map(matching).collect();
        weakened(transitions, &mut self.effort, l, matching)
    }
}

/// `delta(l)` with each of its targets replaced by a disjunction of others, and its size, if it may
/// be built.
pub(super) fn weakened(
    transitions: &mut Transitions,
    effort: &mut WorkLimit,
    l: usize,
    matching: Vec<(usize, BitSet)>,
) -> Result<Option<(Bdd, usize)>, OutOfNodes> {
    let Some((plain, size)) = effort.transition(transitions, l)? else { return Ok(None) };
    if matching.iter().all(|(m, set)| set.len() == 1 && set.contains(*m)) {
        return Ok(Some((plain, size)));
    }
    if !effort.allows(size, 1 + matching.iter().map(|(_, set)| set.len()).sum::<usize>()) {
        return Ok(None);
    }
    let matching: FxHashMap<usize, BitSet> = matching.into_iter().collect();
    let leaf =
        |manager: &_, layout: &_, m: Location| any_of(manager, layout, &matching[&m.index()]);
    let weakened = transitions.once_within(Location::from_index(l), &leaf, effort.room())?;
    Ok(weakened.map(|weakened| effort.sized(weakened)))
}

/// Whether one of the locations is in the next set. It is built as a negation, because "none of
/// them" has a short diagram in every order.
fn any_of(manager: &Manager, layout: &Layout, locations: &BitSet) -> Result<Bdd, OutOfNodes> {
    let absent = |location| Literal {
        variable: layout.location(Location::from_index(location), X),
        positive: false,
    };
    manager.cube(&locations.iter().map(absent).collect())?.not()
}

fn take_first(set: &mut BitSet) -> Option<usize> {
    let first = set.iter().next()?;
    set.remove(first);
    Some(first)
}
