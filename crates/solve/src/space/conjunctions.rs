//! Conjunctions of transitions, with the propositions quantified as early as can be.
//!
//! What must be known of a set `s` of locations is `exists P. /\ delta(l)`, the conjunction over `s`. The sets of a
//! search resemble each other. So conjunctions are formed along a balanced tree over all locations, and the result for
//! each part of the tree is remembered together with the part of the set that led to it. A proposition that
//! only the locations below a node of the tree speak about is quantified there.

use kermode_automata::Location;
use kermode_bdd::{Bdd, BitSet, Manager, OutOfNodes, VariableSet};
use rustc_hash::FxHashMap;

use super::transitions::Transitions;

/// How many results are remembered before all are forgotten.
const MOST_RESULTS: usize = 1 << 16;

/// What is demanded of the locations: a set, and a subset of it that is read in another way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Demands {
    pub(crate) all: BitSet,
    pub(crate) special: BitSet,
}

/// The tree and what is known of it.
pub(crate) struct Conjunctions {
    /// The propositions that are quantified at each node; the children of node `n` are `2n + 1` and `2n + 2`.
    local: Vec<Option<VariableSet>>,
    locations: usize,
    results: FxHashMap<(usize, bool, Demands), Bdd>,
}

/// A node of the tree: its number and the locations below it.
#[derive(Clone, Copy)]
struct Part {
    node: usize,
    from: usize,
    to: usize,
}

impl Part {
    fn halves(self) -> [Part; 2] {
        let middle = self.from.midpoint(self.to);
        [
            Part { node: 2 * self.node + 1, from: self.from, to: middle },
            Part { node: 2 * self.node + 2, from: middle, to: self.to },
        ]
    }

    fn is_leaf(self) -> bool {
        self.to - self.from <= 1
    }
}

impl Conjunctions {
    pub(crate) fn new(transitions: &Transitions) -> Result<Self, OutOfNodes> {
        let locations = transitions.automaton.location_count();
        let mut conjunctions = Conjunctions {
            local: vec![None; 4 * locations.max(1)],
            locations,
            results: FxHashMap::default(),
        };
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

    fn root(&self) -> Part {
        Part { node: 0, from: 0, to: self.locations }
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

    /// `exists P` of the conjunction over all demands. Transitions come from `leaf`, which is told whether the
    /// demand is special; `reading` tells apart what else the leaves depend on.
    pub(crate) fn quantified(
        &mut self,
        manager: &Manager,
        demands: &Demands,
        reading: bool,
        leaf: &mut dyn FnMut(Location, bool) -> Result<Bdd, OutOfNodes>,
    ) -> Result<Bdd, OutOfNodes> {
        if self.results.len() > MOST_RESULTS {
            self.results.clear();
        }
        self.part(manager, self.root(), demands, reading, leaf)
    }

    fn part(
        &mut self,
        manager: &Manager,
        part: Part,
        demands: &Demands,
        reading: bool,
        leaf: &mut dyn FnMut(Location, bool) -> Result<Bdd, OutOfNodes>,
    ) -> Result<Bdd, OutOfNodes> {
        if demands.all.is_empty() {
            return Ok(manager.top());
        }
        let key = (part.node, reading, demands.clone());
        if let Some(known) = self.results.get(&key) {
            return Ok(known.clone());
        }
        let result = if part.is_leaf() {
            let special = demands.special.contains(part.from);
            let transition = leaf(Location::from_index(part.from), special)?;
            match &self.local[part.node] {
                Some(local) => transition.exists(local)?,
                None => transition,
            }
        } else {
            let [left, right] = part.halves();
            let [low, high] = demands.split(left.to);
            let left = self.part(manager, left, &low, reading, leaf)?;
            let right = self.part(manager, right, &high, reading, leaf)?;
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
    /// The demands on locations before one, and those from it on.
    fn split(&self, at: usize) -> [Demands; 2] {
        let [all_low, all_high] = split(&self.all, at);
        let [special_low, special_high] = split(&self.special, at);
        [
            Demands { all: all_low, special: special_low },
            Demands { all: all_high, special: special_high },
        ]
    }
}

fn split(set: &BitSet, at: usize) -> [BitSet; 2] {
    let (low, high): (Vec<usize>, Vec<usize>) = set.iter().partition(|&element| element < at);
    [low.into_iter().collect(), high.into_iter().collect()]
}
