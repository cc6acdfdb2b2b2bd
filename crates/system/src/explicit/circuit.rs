//! Circuits of and- and xor-gates with negated wires.
//!
//! Expressions of a [`Graph`] become wires of a circuit. Gates are hash-consed, and constants,
//! equal and complementary wires are simplified. Negation is a bit of a [`Wire`] and costs nothing.
//!
//! Invariant: a gate has a larger number than its operands.

use rustc_hash::FxHashMap;

use crate::graph::{Expression, Graph, Term, Variable};

/// The output of a node, perhaps negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Wire(u32);

impl Wire {
    pub(super) const FALSE: Wire = Wire(0);
    pub(super) const TRUE: Wire = Wire(1);

    /// The wire from a node.
    pub(super) fn of(node: usize) -> Wire {
        Wire(u32::try_from(2 * node).expect("a circuit has at most 2^31 nodes"))
    }

    #[inline]
    pub(super) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(super) fn negated(self) -> Wire {
        Wire(self.0 ^ 1)
    }

    /// The wire, negated if `negate` holds.
    pub(super) fn negated_if(self, negate: bool) -> Wire {
        Wire(self.0 ^ u32::from(negate))
    }

    /// The same wire from another node.
    pub(super) fn moved(self, node: usize) -> Wire {
        Wire::of(node).negated_if(self.is_negated())
    }
}

/// The kinds of gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum GateKind {
    And,
    Xor,
}

/// A node of a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    False,
    /// The value of a variable, current or next.
    Leaf(Leaf),
    Gate(GateKind, Wire, Wire),
}

/// The value of a variable at the first or at the second state of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Leaf {
    pub(super) variable: Variable,
    pub(super) is_next: bool,
}

impl Leaf {
    pub(super) fn current(variable: Variable) -> Leaf {
        Leaf { variable, is_next: false }
    }

    pub(super) fn next(variable: Variable) -> Leaf {
        Leaf { variable, is_next: true }
    }

    /// The leaf that an expression is, if it is one.
    pub(super) fn of(graph: &Graph, expression: Expression) -> Option<Leaf> {
        match graph.term(expression) {
            Term::Current(variable) => Some(Leaf::current(variable)),
            Term::Next(variable) => Some(Leaf::next(variable)),
            _ => None,
        }
    }
}

/// A circuit of the expressions of a graph.
pub(super) struct Circuit<'g> {
    graph: &'g Graph,
    pub(super) nodes: Vec<Node>,
    known: FxHashMap<Node, Wire>,
    /// What leaves are replaced by.
    replaced: FxHashMap<Leaf, Wire>,
    /// The wires of expressions, by index.
    wires: Vec<Option<Wire>>,
}

impl<'g> Circuit<'g> {
    pub(super) fn new(graph: &'g Graph) -> Self {
        let known = FxHashMap::from_iter([(Node::False, Wire::FALSE)]);
        let (nodes, wires) = (vec![Node::False], vec![None; graph.len()]);
        Circuit { graph, nodes, known, replaced: FxHashMap::default(), wires }
    }

    /// Puts a wire in the place of a leaf, which no expression has mentioned so far.
    pub(super) fn replace(&mut self, leaf: Leaf, wire: Wire) {
        self.replaced.insert(leaf, wire);
    }

    /// The wire of a leaf.
    pub(super) fn leaf(&mut self, leaf: Leaf) -> Wire {
        match self.replaced.get(&leaf) {
            Some(&wire) => wire,
            None => self.intern(Node::Leaf(leaf)),
        }
    }

    /// The wire of a leaf that is in the circuit or was replaced.
    pub(super) fn known_leaf(&self, leaf: Leaf) -> Option<Wire> {
        self.replaced.get(&leaf).or_else(|| self.known.get(&Node::Leaf(leaf))).copied()
    }

    /// The wire of an expression.
    pub(super) fn wire(&mut self, root: Expression) -> Wire {
        let mut todo = vec![root];
        while let Some(&expression) = todo.last() {
            if self.wires[expression.index()].is_some() {
                todo.pop();
                continue;
            }
            let waiting = todo.len();
            let operands = self.graph.term(expression).operands();
            todo.extend(operands.filter(|operand| self.wires[operand.index()].is_none()));
            if todo.len() == waiting {
                self.wires[expression.index()] = Some(self.built(expression));
            }
        }
        self.wires[root.index()].expect("the loop has built it")
    }

    /// The wire of an expression whose operands have wires.
    fn built(&mut self, expression: Expression) -> Wire {
        let of = |wires: &[Option<Wire>], a: Expression| wires[a.index()].expect("operands first");
        match self.graph.term(expression) {
            Term::Constant(value) => Wire::FALSE.negated_if(value),
            Term::Current(variable) => self.leaf(Leaf::current(variable)),
            Term::Next(variable) => self.leaf(Leaf::next(variable)),
            Term::Not(a) => of(&self.wires, a).negated(),
            Term::And(a, b) => self.and(of(&self.wires, a), of(&self.wires, b)),
            Term::Or(a, b) => {
                let (a, b) = (of(&self.wires, a).negated(), of(&self.wires, b).negated());
                self.and(a, b).negated()
            }
            Term::Implies(a, b) => {
                let (a, b) = (of(&self.wires, a), of(&self.wires, b).negated());
                self.and(a, b).negated()
            }
            Term::Iff(a, b) => self.xor(of(&self.wires, a), of(&self.wires, b)).negated(),
        }
    }

    fn and(&mut self, a: Wire, b: Wire) -> Wire {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (Wire::FALSE, _) => Wire::FALSE,
            (Wire::TRUE, _) => b,
            _ if a == b => a,
            _ if a == b.negated() => Wire::FALSE,
            _ => self.intern(Node::Gate(GateKind::And, a, b)),
        }
    }

    fn xor(&mut self, a: Wire, b: Wire) -> Wire {
        let negate = a.is_negated() != b.is_negated();
        let (a, b) = (a.negated_if(a.is_negated()), b.negated_if(b.is_negated()));
        let (a, b) = (a.min(b), a.max(b));
        let positive = match (a, b) {
            (Wire::FALSE, _) => b,
            _ if a == b => Wire::FALSE,
            _ => self.intern(Node::Gate(GateKind::Xor, a, b)),
        };
        positive.negated_if(negate)
    }

    fn intern(&mut self, node: Node) -> Wire {
        let new = Wire::of(self.nodes.len());
        let wire = *self.known.entry(node).or_insert(new);
        if wire == new {
            self.nodes.push(node);
        }
        wire
    }
}
