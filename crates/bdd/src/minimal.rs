//! Minimal models of monotone functions.
//!
//! For a function that is monotone in all its variables, the minimal models (its prime implicants)
//! of `x ? h : l` are those of `l`, and those of `h` that are no models of `l` with `x` added: a
//! model of `h` with `x` is minimal exactly if it is no model without `x` \[Rau93\]. One bottom-up
//! pass builds the family of these sets as a shared graph (a zero-suppressed diagram). So
//! exponentially many sets take no more space than the diagrams, and no sets are compared for
//! inclusion. Departs from the paper: it filters by the diagram of `l` instead of the family of its
//! minimal models. For monotone `l` a set is a model exactly if it includes a minimal one, and
//! evaluating a diagram is cheaper.

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::function::Bdd;
use crate::graph::{BOTTOM, DiagramGraph, TOP};
use crate::variable::Variable;
use kermode_base::BitSet;

/// The family without sets.
const NONE: u32 = 0;
/// The family that contains only the empty set.
const UNIT: u32 = 1;

/// Pairs between two calls of `interrupt`.
const PAIRS_PER_CALL: usize = 1_024;

/// The sets of `low`, and those of `high` with the variable added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct FamilyNode {
    level: u32,
    variable: Variable,
    low: u32,
    high: u32,
}

/// A family of sets of variables.
#[derive(Clone, Debug)]
pub struct SetFamily {
    nodes: Vec<FamilyNode>,
    root: u32,
}

impl Bdd {
    /// The minimal sets of variables that make it true when all other variables are false.
    ///
    /// The function must be monotone: setting a variable to true never makes it false. Otherwise
    /// the sets are models, but minimal ones may be missing.
    pub fn minimal_models<E>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<SetFamily, E> {
        minimal_models(&DiagramGraph::of(self), interrupt)
    }

    /// The maximal sets of variables that make it true, each given by the variables that it lacks.
    ///
    /// The function must be antitone: setting a variable to false never makes it false.
    pub fn maximal_models<E>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<SetFamily, E> {
        let mut graph = DiagramGraph::of(self);
        for node in &mut graph.nodes {
            std::mem::swap(&mut node.low, &mut node.high);
        }
        minimal_models(&graph, interrupt)
    }
}

fn minimal_models<E>(
    graph: &DiagramGraph,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<SetFamily, E> {
    let mut pass = Pass::new(graph);
    for node in &graph.nodes[2..] {
        let (low, high) = (pass.minimal[node.low as usize], pass.minimal[node.high as usize]);
        let high = pass.without_models(high, node.low, interrupt)?;
        let minimal =
            pass.unique(FamilyNode { level: node.level, variable: node.variable, low, high });
        pass.minimal.push(minimal);
    }
    Ok(SetFamily { root: pass.minimal[graph.root as usize], nodes: pass.nodes })
}

/// The families built so far.
struct Pass<'a> {
    graph: &'a DiagramGraph,
    /// The first two entries are placeholders for [`NONE`] and [`UNIT`].
    nodes: Vec<FamilyNode>,
    places: FxHashMap<FamilyNode, u32>,
    /// The minimal models of each node of the graph.
    minimal: Vec<u32>,
    /// Families without the models of functions, by pair.
    filtered: FxHashMap<(u32, u32), u32>,
    pairs: usize,
}

impl<'a> Pass<'a> {
    fn new(graph: &'a DiagramGraph) -> Self {
        let constant =
            FamilyNode { level: u32::MAX, variable: Variable(u32::MAX), low: 0, high: 0 };
        Pass {
            graph,
            nodes: vec![constant; 2],
            places: FxHashMap::with_capacity_and_hasher(2 * graph.len(), FxBuildHasher),
            minimal: vec![NONE, UNIT],
            filtered: FxHashMap::with_capacity_and_hasher(2 * graph.len(), FxBuildHasher),
            pairs: 0,
        }
    }

    fn unique(&mut self, node: FamilyNode) -> u32 {
        if node.high == NONE {
            return node.low;
        }
        *self.places.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        })
    }

    /// The sets of a family that are no models of a function of the graph.
    fn without_models<E>(
        &mut self,
        family: u32,
        function: u32,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<u32, E> {
        let mut pending = match self.known(family, function) {
            Ok(result) => return Ok(result),
            Err(pair) => vec![pair],
        };
        while let Some(pair) = pending.pop() {
            self.pairs += 1;
            if self.pairs.is_multiple_of(PAIRS_PER_CALL) {
                interrupt()?;
            }
            let (node, [low, high]) = self.operands(pair);
            match (self.known(low.0, low.1), self.known(high.0, high.1)) {
                (Ok(low), Ok(high)) => {
                    let result = self.unique(FamilyNode { low, high, ..node });
                    self.filtered.insert(pair, result);
                }
                (low, high) => {
                    pending.push(pair);
                    pending.extend(low.err());
                    pending.extend(high.err());
                }
            }
        }
        Ok(self.known(family, function).unwrap_or(NONE))
    }

    /// The result for a pair if it is known, otherwise the pair with the same result to compute.
    fn known(&self, family: u32, mut function: u32) -> Result<u32, (u32, u32)> {
        let level = self.nodes[family as usize].level;
        // No set of the family has the variables above.
        while function > TOP && self.graph.node(function).level < level {
            function = self.graph.node(function).low;
        }
        match (family, function) {
            (NONE, _) | (_, TOP) => Ok(NONE),
            (family, BOTTOM) => Ok(family),
            pair => self.filtered.get(&pair).copied().ok_or(pair),
        }
    }

    /// The topmost node of a family and the pairs of its operands with the matching operands of the
    /// function.
    fn operands(&self, (family, function): (u32, u32)) -> (FamilyNode, [(u32, u32); 2]) {
        let node = self.nodes[family as usize];
        let decision = self.graph.node(function);
        match decision.level == node.level {
            true => (node, [(node.low, decision.low), (node.high, decision.high)]),
            false => (node, [(node.low, function), (node.high, function)]),
        }
    }
}

impl SetFamily {
    /// Whether the family has no set.
    pub fn is_empty(&self) -> bool {
        self.root == NONE
    }

    /// The number of sets, saturating at the largest number.
    pub fn len(&self) -> u128 {
        let mut counts: Vec<u128> = vec![0, 1];
        for node in &self.nodes[2..] {
            counts.push(counts[node.low as usize].saturating_add(counts[node.high as usize]));
        }
        counts[self.root as usize]
    }

    /// The sets, one after the other, as variable numbers.
    pub fn sets(&self) -> impl Iterator<Item = BitSet> + '_ {
        self.sets_of(Variable::index)
    }

    /// The sets, one after the other, with elements numbered by `element`.
    pub fn sets_of(&self, element: impl Fn(Variable) -> usize) -> impl Iterator<Item = BitSet> {
        SetIterator {
            family: self,
            element,
            tasks: vec![Task::Visit(self.root)],
            set: BitSet::new(),
        }
    }
}

enum Task {
    Visit(u32),
    Insert(usize),
    Remove(usize),
}

struct SetIterator<'a, F> {
    family: &'a SetFamily,
    element: F,
    tasks: Vec<Task>,
    set: BitSet,
}

impl<F: Fn(Variable) -> usize> Iterator for SetIterator<'_, F> {
    type Item = BitSet;

    fn next(&mut self) -> Option<BitSet> {
        loop {
            match self.tasks.pop()? {
                Task::Visit(NONE) => {}
                Task::Visit(UNIT) => return Some(self.set.clone()),
                Task::Visit(place) => {
                    let node = self.family.nodes[place as usize];
                    let element = (self.element)(node.variable);
                    let high =
                        [Task::Remove(element), Task::Visit(node.high), Task::Insert(element)];
                    self.tasks.extend(high);
                    self.tasks.push(Task::Visit(node.low));
                }
                Task::Insert(element) => {
                    self.set.insert(element);
                }
                Task::Remove(element) => {
                    self.set.remove(element);
                }
            }
        }
    }
}
