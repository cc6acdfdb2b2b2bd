//! Formulas of CTL over the states of a model \[CES86\].
//!
//! A [`Ctl`] owns one formula: a list of nodes, operands before operators, whose last node is the
//! formula. Equal subformulas are one node. Atoms are Boolean expressions about one state.
//!
//! Path quantifiers range over the *fair* paths of the model: the infinite ones on which each
//! justice constraint holds infinitely often. A model satisfies a formula if each initial state
//! does from which a fair path starts.
//!
//! A bounded operator counts steps. `A[p U 2..5 q]` says of each path that `q` holds after 2 to 5
//! steps, and `p` at all times before.
//!
//! [`evidence`] says how much of the truth of a formula one path shows.

pub mod evidence;

use rustc_hash::FxHashMap;

use crate::graph::Expression;

/// A subformula of some [`Ctl`]. It has no meaning for any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subformula(u32);

impl Subformula {
    /// The position of this subformula in its formula.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which paths an operator is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// All paths.
    All,
    /// Some path.
    Exists,
}

/// A number of steps: from `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepBounds {
    /// The smallest number.
    pub low: u32,
    /// The largest number, not smaller than `low`.
    pub high: u32,
}

/// A connective with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CtlConnective {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Implication.
    Implies,
    /// Equivalence.
    Iff,
    /// Exclusive disjunction.
    Xor,
}

/// What an operator says about a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathFormula {
    /// `X`: in the next state.
    Next(Subformula),
    /// `F`: in some state.
    Eventually(Subformula, Option<StepBounds>),
    /// `G`: in every state.
    Globally(Subformula, Option<StepBounds>),
    /// `U`: the second in some state, and the first in every state before.
    Until(Subformula, Subformula, Option<StepBounds>),
}

/// The outermost operator of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CtlNode {
    /// An expression about one state: without next values and inputs.
    Atom(Expression),
    /// Negation.
    Not(Subformula),
    /// A connective.
    Binary(CtlConnective, Subformula, Subformula),
    /// An operator about paths.
    Path(Quantifier, PathFormula),
}

impl CtlNode {
    /// The operands, from left to right: none, one or two.
    pub fn operands(self) -> impl DoubleEndedIterator<Item = Subformula> {
        let (first, second) = match self {
            CtlNode::Atom(_) => (None, None),
            CtlNode::Not(a)
            | CtlNode::Path(
                _,
                PathFormula::Next(a) | PathFormula::Eventually(a, _) | PathFormula::Globally(a, _),
            ) => (Some(a), None),
            CtlNode::Binary(_, a, b) | CtlNode::Path(_, PathFormula::Until(a, b, _)) => {
                (Some(a), Some(b))
            }
        };
        first.into_iter().chain(second)
    }
}

/// A formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ctl {
    nodes: Vec<CtlNode>,
    known: FxHashMap<CtlNode, Subformula>,
}

impl Ctl {
    /// No formula yet.
    pub fn new() -> Self {
        Ctl::default()
    }

    /// Adds a node, unless there is an equal one. The node that is added last is the formula.
    ///
    /// # Panics
    /// When an operand is not there, when bounds are empty, or when there would be more than 2^32
    /// nodes.
    pub fn add(&mut self, node: CtlNode) -> Subformula {
        assert!(node.operands().all(|a| a.index() < self.nodes.len()), "operands come first");
        if let CtlNode::Path(
            _,
            PathFormula::Eventually(_, Some(bounds))
            | PathFormula::Globally(_, Some(bounds))
            | PathFormula::Until(_, _, Some(bounds)),
        ) = node
        {
            assert!(bounds.low <= bounds.high, "bounds include a number");
        }
        let nodes = &mut self.nodes;
        *self.known.entry(node).or_insert_with(|| {
            nodes.push(node);
            Subformula(u32::try_from(nodes.len() - 1).expect("there are at most 2^32 nodes"))
        })
    }

    /// The whole formula.
    ///
    /// # Panics
    /// When there is no node.
    pub fn root(&self) -> Subformula {
        let last = self.nodes.len().checked_sub(1).expect("a formula has a node");
        Subformula(last as u32)
    }

    /// The outermost operator of a subformula.
    pub fn node(&self, formula: Subformula) -> CtlNode {
        self.nodes[formula.index()]
    }

    /// The number of subformulas.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The subformulas, operands first.
    pub fn subformulas(&self) -> impl Iterator<Item = Subformula> + use<> {
        (0..self.nodes.len() as u32).map(Subformula)
    }

    /// The expressions of the atoms.
    pub fn atoms(&self) -> Vec<Expression> {
        let atom = |node: &CtlNode| match *node {
            CtlNode::Atom(expression) => Some(expression),
            _ => None,
        };
        self.nodes.iter().filter_map(atom).collect()
    }
}
