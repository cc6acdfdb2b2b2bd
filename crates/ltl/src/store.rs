//! The hash-consing store: every distinct subformula exists once.
//!
//! A [`Store`] owns formulas and proposition names; a [`Formula`] is a 4-byte handle into it, so
//! formulas are copied, compared and hashed like integers. The store only grows: `&mut` builds, `&`
//! reads, and nothing is global.
//!
//! Invariant: a node is interned after its operands, so **a formula has a larger handle than its
//! operands**. Every traversal relies on it: the order of handles is topological, and no pass over
//! formulas needs recursion. Dropping a store drops flat arrays.

use indexmap::map::raw_entry_v1::{RawEntryApiV1, RawEntryMut};
use indexmap::{IndexMap, IndexSet};
use kermode_base::terms::{Below, Dag, Handle, Packed, UniqueTable};
use rustc_hash::FxBuildHasher;

use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};

/// A formula of some [`Store`]. It has no meaning for any other store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula(u32);

/// An atomic proposition of some [`Store`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Proposition(u32);

/// An interned pair of bounds; [`Store::interval`] returns them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IntervalId(u32);

/// The bounds of a bounded operator, both included: `F[low,high] a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The nearest distance.
    pub low: u32,
    /// The farthest distance; never smaller than `low`.
    pub high: u32,
}

/// The outermost operator of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// `true` or `false`.
    Constant(bool),
    /// An atomic proposition.
    Proposition(Proposition),
    /// `!a`, `X a`, `G a`, `O a`, ...
    Unary(UnaryOp, Formula),
    /// `a & b`, `a U b`, `a S b`, ...
    Binary(BinaryOp, Formula, Formula),
    /// `F[l,h] a`, `G[l,h] a`, `O[l,h] a`, `H[l,h] a`; `X[n] a` is `F[n,n] a` and its dual `N[n] a`
    /// is `G[n,n] a`.
    BoundedUnary(BoundedUnaryOp, IntervalId, Formula),
    /// `a U[l,h] b`, `a R[l,h] b`.
    BoundedBinary(BoundedBinaryOp, IntervalId, Formula, Formula),
}

impl Formula {
    /// The position of this formula among all formulas of its store, in order of construction.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Handle for Formula {
    fn index(self) -> usize {
        self.0 as usize
    }

    fn from_index(index: usize) -> Self {
        Formula(index as u32)
    }
}

impl Proposition {
    /// The position of this proposition among all propositions of its store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Interval {
    /// The interval from `low` to `high`, or nothing when it is empty.
    pub fn new(low: u32, high: u32) -> Option<Self> {
        (low <= high).then_some(Interval { low, high })
    }

    /// The interval with the single distance `n`.
    pub fn exactly(n: u32) -> Self {
        Interval { low: n, high: n }
    }

    /// Whether each distance of `other` is one of these.
    pub fn contains(self, other: Interval) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Whether the distances of both are those of one interval.
    pub fn touches(self, other: Interval) -> bool {
        let reaches = |a: Interval, b: Interval| b.low <= a.high.saturating_add(1);
        reaches(self, other) && reaches(other, self)
    }

    /// The smallest interval with the distances of both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The sums of a distance of each, unless they are too large.
    pub fn plus(self, other: Interval) -> Option<Interval> {
        let (low, high) = (self.low.checked_add(other.low)?, self.high.checked_add(other.high)?);
        Some(Interval { low, high })
    }
}

impl Node {
    /// The operands, from left to right: none, one or two.
    pub fn operands(self) -> impl DoubleEndedIterator<Item = Formula> {
        let (first, second) = match self {
            Node::Constant(_) | Node::Proposition(_) => (None, None),
            Node::Unary(_, a) | Node::BoundedUnary(_, _, a) => (Some(a), None),
            Node::Binary(_, a, b) | Node::BoundedBinary(_, _, a, b) => (Some(a), Some(b)),
        };
        first.into_iter().chain(second)
    }

    /// The same operator with its operands mapped by `change`.
    pub fn map(self, mut change: impl FnMut(Formula) -> Formula) -> Node {
        match self {
            Node::Constant(_) | Node::Proposition(_) => self,
            Node::Unary(op, a) => Node::Unary(op, change(a)),
            Node::Binary(op, a, b) => Node::Binary(op, change(a), change(b)),
            Node::BoundedUnary(op, bounds, a) => Node::BoundedUnary(op, bounds, change(a)),
            Node::BoundedBinary(op, bounds, a, b) => {
                Node::BoundedBinary(op, bounds, change(a), change(b))
            }
        }
    }

    /// Whether the operator refers to other positions than the present one.
    pub fn is_temporal(self) -> bool {
        match self {
            Node::Constant(_) | Node::Proposition(_) => false,
            Node::Unary(op, _) => op.is_temporal(),
            Node::Binary(op, _, _) => op.is_temporal(),
            Node::BoundedUnary(..) | Node::BoundedBinary(..) => true,
        }
    }

    /// Whether the operator has bounds.
    pub fn is_bounded(self) -> bool {
        matches!(self, Node::BoundedUnary(..) | Node::BoundedBinary(..))
    }

    /// Whether the operator looks back.
    pub fn is_past(self) -> bool {
        match self {
            Node::Constant(_) | Node::Proposition(_) | Node::BoundedBinary(..) => false,
            Node::Unary(op, _) => op.is_past(),
            Node::Binary(op, _, _) => op.is_past(),
            Node::BoundedUnary(op, _, _) => op.is_past(),
        }
    }
}

impl Packed for Node {
    fn packed(self) -> (u64, u32, u32) {
        let kind = |shape: u64, op: u8| shape << 8 | u64::from(op);
        match self {
            Node::Constant(value) => (kind(0, 0), u32::from(value), 0),
            Node::Proposition(p) => (kind(1, 0), p.0, 0),
            Node::Unary(op, a) => (kind(2, op as u8), a.0, 0),
            Node::Binary(op, a, b) => (kind(3, op as u8), a.0, b.0),
            Node::BoundedUnary(op, i, a) => (kind(4, op as u8), a.0, i.0),
            Node::BoundedBinary(op, i, a, b) => {
                (kind(5, op as u8) | u64::from(i.0) << 16, a.0, b.0)
            }
        }
    }
}

/// Subformulas in increasing order of their handles, which puts operands first.
pub type Subformulas = Below<Formula>;

/// The owner of formulas and of the names of their propositions.
#[derive(Clone, Debug, Default)]
pub struct Store {
    nodes: UniqueTable<Node>,
    names: IndexMap<Box<str>, (), FxBuildHasher>,
    intervals: IndexSet<Interval, FxBuildHasher>,
}

impl Dag for Store {
    type Handle = Formula;

    fn operands(&self, formula: Formula) -> impl Iterator<Item = Formula> {
        self.node(formula).operands()
    }
}

impl Store {
    /// An empty store.
    pub fn new() -> Self {
        Store::default()
    }

    /// How many distinct formulas the store holds.
    pub fn len(&self) -> usize {
        self.nodes.nodes().len()
    }

    /// Whether the store holds no formula.
    pub fn is_empty(&self) -> bool {
        self.nodes.nodes().is_empty()
    }

    /// The number of allocated bytes, without names.
    pub fn memory(&self) -> usize {
        self.nodes.memory()
    }

    /// Reserves space for the given number of further formulas: a reader that knows the length of
    /// its text saves reallocations.
    pub fn reserve(&mut self, more: usize) {
        self.nodes.reserve(more);
    }

    /// The formula with exactly this node; nothing is simplified. The smart constructors
    /// ([`Store::and`] and others) simplify.
    ///
    /// # Panics
    /// When the store would hold more than 2^32 formulas.
    pub fn intern(&mut self, node: Node) -> Formula {
        debug_assert!(node.operands().all(|a| a.index() < self.nodes.nodes().len()));
        Formula(self.nodes.insert(node))
    }

    /// The outermost operator of a formula.
    pub fn node(&self, formula: Formula) -> Node {
        self.nodes.nodes()[formula.index()]
    }

    /// The proposition of that name.
    pub fn proposition(&mut self, name: &str) -> Proposition {
        let entry = self.names.raw_entry_mut_v1().from_key(name);
        let index = entry.index();
        if let RawEntryMut::Vacant(vacant) = entry {
            vacant.insert(name.into(), ());
        }
        Proposition(u32::try_from(index).expect("a store holds at most 2^32 propositions"))
    }

    /// The proposition of that name, if the store has one.
    pub fn find_proposition(&self, name: &str) -> Option<Proposition> {
        let index = self.names.get_index_of(name)?;
        Some(Proposition(index as u32))
    }

    /// The name of a proposition.
    pub fn name(&self, proposition: Proposition) -> &str {
        self.names.get_index(proposition.index()).expect("a proposition of this store").0
    }

    /// How many propositions the store knows.
    pub fn proposition_count(&self) -> usize {
        self.names.len()
    }

    /// The handle of an interval.
    pub fn interval_id(&mut self, interval: Interval) -> IntervalId {
        IntervalId(self.intervals.insert_full(interval).0 as u32)
    }

    /// The bounds of a handle.
    pub fn interval(&self, id: IntervalId) -> Interval {
        self.intervals[id.0 as usize]
    }

    /// The subformulas of `root`, itself included, operands before what is built from them.
    pub fn subformulas(&self, root: Formula) -> Subformulas {
        Subformulas::of(self, &[root])
    }

    /// These formulas and their propositions in a store of their own, so that work on them does not
    /// depend on the size of this store.
    pub fn extract(&self, roots: &[Formula]) -> (Store, Vec<Formula>) {
        let mut store = Store::new();
        let subformulas = Subformulas::of(self, roots);
        // Propositions keep their order.
        let mut propositions: Vec<Proposition> =
            roots.iter().flat_map(|&f| self.propositions(f)).collect();
        propositions.sort_unstable();
        for proposition in propositions {
            store.proposition(self.name(proposition));
        }
        let mut copies: Vec<Formula> = Vec::with_capacity(subformulas.len());
        for formula in subformulas.iter() {
            let node = match self.node(formula).map(|a| copies[subformulas.position(a)]) {
                Node::Proposition(p) => Node::Proposition(store.proposition(self.name(p))),
                Node::BoundedUnary(op, bounds, a) => {
                    Node::BoundedUnary(op, store.interval_id(self.interval(bounds)), a)
                }
                Node::BoundedBinary(op, bounds, a, b) => {
                    Node::BoundedBinary(op, store.interval_id(self.interval(bounds)), a, b)
                }
                node => node,
            };
            copies.push(store.intern(node));
        }
        let roots = roots.iter().map(|&root| copies[subformulas.position(root)]).collect();
        (store, roots)
    }

    /// The propositions of a formula, in the order in which the store met them.
    pub fn propositions(&self, root: Formula) -> Vec<Proposition> {
        let mut found: Vec<Proposition> = self
            .subformulas(root)
            .iter()
            .filter_map(|f| match self.node(f) {
                Node::Proposition(p) => Some(p),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        found
    }
}
