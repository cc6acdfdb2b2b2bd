//! Conjunctions of transitions, with the propositions quantified as early as possible.
//!
//! The successors of a set `s` of locations are determined by `exists P. /\ delta(l)`, the
//! conjunction over `s`. The sets of a search are similar to each other. So conjunctions are formed
//! along a balanced tree over all locations, and the result for each subtree is cached with its
//! part of the demands. A proposition that occurs only in locations below a node of the tree is
//! quantified there.

use std::hash::Hash;

use kermode_automata::Location;
use kermode_base::BitSet;
use kermode_bdd::{Bdd, Manager, OutOfNodes, VariableSet};
use rustc_hash::FxHashMap;

use super::transitions::Transitions;

/// How many results are cached before all are dropped.
const MOST_RESULTS: usize = 1 << 16;

/// The transitions that are demanded: those of a set, of which a subset is interpreted in another
/// way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Demands {
    pub(crate) all: BitSet,
    pub(crate) special: BitSet,
    /// Distinguishes two interpretations of the other transitions.
    pub(crate) reading: bool,
}

/// The meaning of a demand.
pub(crate) struct DemandRules<'r, D> {
    /// The demand on the locations of a subtree, or nothing if there is none.
    pub(crate) of_part: &'r dyn Fn(&D, Subtree) -> Option<D>,
    /// The demand on one location.
    pub(crate) of_location: &'r mut dyn FnMut(Location, &D) -> Result<Bdd, OutOfNodes>,
}

/// The tree with cached results.
pub(crate) struct Conjunctions<D> {
    /// The propositions that are quantified at each node. The children of node `n` are `2n + 1` and
    /// `2n + 2`.
    local: Vec<Option<VariableSet>>,
    locations: usize,
    results: FxHashMap<(usize, D), Bdd>,
}

/// A node of the tree: its number and the locations below it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subtree {
    pub(crate) node: usize,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl Subtree {
    /// The root, with all locations.
    pub(crate) fn root(locations: usize) -> Subtree {
        Subtree { node: 0, from: 0, to: locations }
    }

    pub(crate) fn halves(self) -> [Subtree; 2] {
        let middle = self.from.midpoint(self.to);
        [
            Subtree { node: 2 * self.node + 1, from: self.from, to: middle },
            Subtree { node: 2 * self.node + 2, from: middle, to: self.to },
        ]
    }

    pub(crate) fn is_leaf(self) -> bool {
        self.to - self.from <= 1
    }
}

impl<D: Clone + Eq + Hash> Conjunctions<D> {
    /// Conjunctions whose propositions are not quantified.
    pub(crate) fn by_letter(transitions: &Transitions) -> Self {
        let locations = transitions.automaton.location_count();
        let local = vec![None; 4 * locations.max(1)];
        Conjunctions { local, locations, results: FxHashMap::default() }
    }

    pub(crate) fn new(transitions: &Transitions) -> Result<Self, OutOfNodes> {
        let mut conjunctions = Conjunctions::by_letter(transitions);
        let mut spans: FxHashMap<_, (usize, usize)> = FxHashMap::default();
        for location in transitions.automaton.locations().filter(|&l| transitions.layout.has(l)) {
            for proposition in transitions.propositions_of(location) {
                let span = spans.entry(proposition).or_insert((location.index(), 0));
                span.1 = location.index();
            }
        }
        let mut variables: FxHashMap<usize, Vec<_>> = FxHashMap::default();
        for (proposition, (first, last)) in spans {
            let node = conjunctions.node_over(first, last);
            let variable = transitions.layout.proposition(proposition);
            variables.entry(node).or_default().push(variable);
        }
        for (node, variables) in variables {
            conjunctions.local[node] = Some(transitions.manager.variable_set(variables)?);
        }
        Ok(conjunctions)
    }

    fn root(&self) -> Subtree {
        Subtree::root(self.locations)
    }

    /// The lowest node of the tree with both locations below it.
    fn node_over(&self, first: usize, last: usize) -> usize {
        let mut part = self.root();
        while !part.is_leaf() {
            let inside =
                part.halves().into_iter().find(|half| half.from <= first && last < half.to);
            let Some(half) = inside else { break };
            part = half;
        }
        part.node
    }

    /// `exists P` of the conjunction of the demands on all locations; without the quantifier if the
    /// conjunctions are by letter.
    pub(crate) fn quantified(
        &mut self,
        manager: &Manager,
        demand: &D,
        rules: &mut DemandRules<D>,
    ) -> Result<Bdd, OutOfNodes> {
        if self.results.len() > MOST_RESULTS {
            self.results.clear();
        }
        self.part(manager, self.root(), demand, rules)
    }

    fn part(
        &mut self,
        manager: &Manager,
        part: Subtree,
        demand: &D,
        rules: &mut DemandRules<D>,
    ) -> Result<Bdd, OutOfNodes> {
        let Some(demand) = (rules.of_part)(demand, part) else { return Ok(manager.top()) };
        let key = (part.node, demand);
        if let Some(known) = self.results.get(&key) {
            return Ok(known.clone());
        }
        let result = if part.is_leaf() {
            let transition = (rules.of_location)(Location::from_index(part.from), &key.1)?;
            match &self.local[part.node] {
                Some(local) => transition.exists(local)?,
                None => transition,
            }
        } else {
            let [left, right] = part.halves();
            let left = self.part(manager, left, &key.1, rules)?;
            let right = self.part(manager, right, &key.1, rules)?;
            match &self.local[part.node] {
                Some(local) => left.and_exists(&right, local)?,
                None => left.and(&right)?,
            }
        };
        self.results.insert(key, result.clone());
        Ok(result)
    }
}

impl Demands {
    /// The demand on a subtree.
    pub(crate) fn of(&self, part: Subtree) -> Option<Self> {
        let within = |set: &BitSet| -> BitSet { set.within(part.from..part.to) };
        let all = within(&self.all);
        let reading = self.reading;
        (!all.is_empty()).then(|| Demands { all, special: within(&self.special), reading })
    }
}
