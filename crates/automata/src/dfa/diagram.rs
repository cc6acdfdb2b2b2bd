//! Decision diagrams with states as leaves, which MONA uses for transitions \[KM01\].
//!
//! A diagram is a function from letters to numbers of states. Inner nodes decide on a proposition,
//! in the order of the automaton's list. Nodes are reduced and shared: two diagrams of one owner
//! are the same function exactly if they are the same node. So the transitions of a deterministic
//! automaton are one diagram per state, and states are compared by comparing nodes.
//!
//! Invariant: an inner node has a larger number than its operands.

use rustc_hash::{FxHashMap, FxHashSet};

/// A diagram of some [`Diagrams`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Diagram(u32);

impl Diagram {
    /// The number of this diagram among all of its owner, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The topmost node of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiagramNode {
    /// The same number for all letters.
    Leaf(u32),
    /// A decision on the proposition with a number: the diagrams where it is false and where it is
    /// true.
    Decision(u32, [Diagram; 2]),
}

/// The owner of diagrams.
#[derive(Clone, Debug, Default)]
pub struct Diagrams {
    nodes: Vec<DiagramNode>,
    numbers: FxHashMap<DiagramNode, Diagram>,
}

impl Diagrams {
    /// The number of nodes, leaves included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All diagrams, operands first.
    pub fn all(&self) -> impl Iterator<Item = Diagram> + use<> {
        (0..self.nodes.len() as u32).map(Diagram)
    }

    /// The topmost node.
    pub fn node(&self, diagram: Diagram) -> DiagramNode {
        self.nodes[diagram.index()]
    }

    /// The diagram with one number for all letters.
    pub fn leaf(&mut self, number: u32) -> Diagram {
        self.intern(DiagramNode::Leaf(number))
    }

    /// The decision on a proposition. It comes before all propositions of the operands.
    pub fn decision(&mut self, variable: u32, [low, high]: [Diagram; 2]) -> Diagram {
        match low == high {
            true => low,
            false => self.intern(DiagramNode::Decision(variable, [low, high])),
        }
    }

    /// # Panics
    /// When there would be more than 2^32 nodes.
    fn intern(&mut self, node: DiagramNode) -> Diagram {
        let nodes = &mut self.nodes;
        *self.numbers.entry(node).or_insert_with(|| {
            let number = u32::try_from(nodes.len()).expect("there are at most 2^32 nodes");
            nodes.push(node);
            Diagram(number)
        })
    }

    /// The number for a letter.
    pub fn value(&self, diagram: Diagram, holds: impl Fn(u32) -> bool) -> u32 {
        let mut diagram = diagram;
        loop {
            match self.node(diagram) {
                DiagramNode::Leaf(number) => return number,
                DiagramNode::Decision(variable, parts) => {
                    diagram = parts[usize::from(holds(variable))];
                }
            }
        }
    }

    /// The nodes of a diagram, operands first.
    pub fn below(&self, diagram: Diagram) -> Vec<Diagram> {
        self.below_unless(diagram, |_| false)
    }

    /// The nodes of a diagram that are not known and not below known nodes only, operands first.
    fn below_unless(&self, diagram: Diagram, known: impl Fn(Diagram) -> bool) -> Vec<Diagram> {
        let mut found: Vec<Diagram> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut todo = vec![diagram];
        while let Some(diagram) = todo.pop() {
            if known(diagram) || !seen.insert(diagram) {
                continue;
            }
            found.push(diagram);
            if let DiagramNode::Decision(_, parts) = self.node(diagram) {
                todo.extend(parts);
            }
        }
        found.sort_unstable();
        found
    }

    /// The numbers of the leaves, each once: first those where early propositions are false.
    pub fn leaves(&self, diagram: Diagram) -> Vec<u32> {
        let mut found: Vec<u32> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut todo = vec![diagram];
        while let Some(diagram) = todo.pop() {
            if !seen.insert(diagram) {
                continue;
            }
            match self.node(diagram) {
                DiagramNode::Leaf(number) => found.push(number),
                DiagramNode::Decision(_, [low, high]) => todo.extend([high, low]),
            }
        }
        found
    }

    /// Copies a diagram to another owner, with other leaves. `copies` has earlier results, which
    /// stay right as long as `leaf` is the same function.
    pub fn copy(
        &self,
        diagram: Diagram,
        target: &mut Diagrams,
        copies: &mut FxHashMap<Diagram, Diagram>,
        leaf: impl FnMut(u32) -> u32,
    ) -> Diagram {
        self.copy_renamed(diagram, target, copies, |variable| variable, leaf)
    }

    /// As [`Diagrams::copy`], with other numbers of propositions, in the same order.
    pub fn copy_renamed(
        &self,
        diagram: Diagram,
        target: &mut Diagrams,
        copies: &mut FxHashMap<Diagram, Diagram>,
        renamed: impl Fn(u32) -> u32,
        mut leaf: impl FnMut(u32) -> u32,
    ) -> Diagram {
        for part in self.below_unless(diagram, |part| copies.contains_key(&part)) {
            let copy = match self.node(part) {
                DiagramNode::Leaf(number) => target.leaf(leaf(number)),
                DiagramNode::Decision(variable, parts) => {
                    target.decision(renamed(variable), parts.map(|part| copies[&part]))
                }
            };
            copies.insert(part, copy);
        }
        copies[&diagram]
    }

    /// Joins two diagrams to one whose leaves `join` computes from the leaves of both. `joined` has
    /// earlier results, which stay right as long as `join` is the same function.
    pub fn join(
        &mut self,
        pair: DiagramPair,
        joined: &mut FxHashMap<DiagramPair, Diagram>,
        mut join: impl FnMut(u32, u32) -> u32,
    ) -> Diagram {
        let mut todo = vec![pair];
        while let Some(&pair) = todo.last() {
            let result = match self.cofactors(pair) {
                _ if joined.contains_key(&pair) => None,
                Cofactors::Leaves(x, y) => Some(self.leaf(join(x, y))),
                Cofactors::Pairs(variable, pairs) => {
                    let waiting = todo.len();
                    todo.extend(pairs.iter().filter(|pair| !joined.contains_key(pair)));
                    if todo.len() > waiting {
                        continue;
                    }
                    Some(self.decision(variable, pairs.map(|pair| joined[&pair])))
                }
            };
            joined.extend(result.map(|result| (pair, result)));
            todo.pop();
        }
        joined[&pair]
    }

    /// Both diagrams for both values of the first proposition that either decides on.
    fn cofactors(&self, (a, b): DiagramPair) -> Cofactors {
        use DiagramNode::{Decision, Leaf};
        match (self.node(a), self.node(b)) {
            (Leaf(x), Leaf(y)) => Cofactors::Leaves(x, y),
            (Decision(v, [low, high]), Decision(w, [low_b, high_b])) if v == w => {
                Cofactors::Pairs(v, [(low, low_b), (high, high_b)])
            }
            (Decision(v, [low, high]), Decision(w, _)) if v < w => {
                Cofactors::Pairs(v, [(low, b), (high, b)])
            }
            (Decision(v, [low, high]), Leaf(_)) => Cofactors::Pairs(v, [(low, b), (high, b)]),
            (_, Decision(w, [low, high])) => Cofactors::Pairs(w, [(a, low), (a, high)]),
        }
    }
}

/// Two diagrams of one owner.
pub type DiagramPair = (Diagram, Diagram);

enum Cofactors {
    Leaves(u32, u32),
    Pairs(u32, [DiagramPair; 2]),
}
