//! Unknown leaves that constraints define: `next(x) <-> e`, or a literal.
//!
//! The definitions are in an order in which each one depends on earlier ones, on known leaves and
//! on *choices*: the unknown leaves without a definition. A leaf whose definition depends on itself
//! becomes a choice, and the constraint is a condition like any other.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::circuit::Leaf;
use crate::graph::{Below, Expression, Graph, Term};

/// A leaf that is equal to an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeafDefinition {
    pub(super) leaf: Leaf,
    /// The value; nothing if it is `true`.
    pub(super) value: Option<Expression>,
    /// Whether the leaf is the negation of the value.
    pub(super) is_negated: bool,
    /// The index of the constraint.
    constraint: usize,
}

/// The definitions in constraints, each after those that it depends on, and the other constraints.
pub(super) struct Definitions {
    pub(super) ordered: Vec<LeafDefinition>,
    pub(super) conditions: Vec<Expression>,
}

impl Definitions {
    /// Finds the definitions of unknown leaves.
    pub(super) fn find(
        graph: &Graph,
        constraints: &[Expression],
        is_unknown: impl Fn(Leaf) -> bool,
    ) -> Self {
        let mut candidates: Vec<LeafDefinition> = Vec::new();
        let mut places: FxHashMap<Leaf, usize> = FxHashMap::default();
        for (index, &constraint) in constraints.iter().enumerate() {
            let shapes = shapes(graph, constraint, index).into_iter().flatten();
            let mut new =
                shapes.filter(|found| is_unknown(found.leaf) && !places.contains_key(&found.leaf));
            if let Some(found) = new.next() {
                places.insert(found.leaf, candidates.len());
                candidates.push(found);
            }
        }
        let ordered = in_order(graph, candidates, &places);
        let used: FxHashSet<usize> = ordered.iter().map(|found| found.constraint).collect();
        let others = constraints.iter().enumerate().filter(|(index, _)| !used.contains(index));
        let conditions = others.map(|(_, &constraint)| constraint).collect();
        Definitions { ordered, conditions }
    }
}

/// The definitions that a constraint can be read as: of each side of an equivalence.
fn shapes(graph: &Graph, constraint: Expression, index: usize) -> [Option<LeafDefinition>; 2] {
    let (positive, negated) = stripped(graph, constraint);
    let of = |side: Expression, value: Option<Expression>, negated: bool| {
        let (side, flipped) = stripped(graph, side);
        let leaf = Leaf::of(graph, side)?;
        Some(LeafDefinition { leaf, value, is_negated: negated != flipped, constraint: index })
    };
    match graph.term(positive) {
        Term::Iff(a, b) => [of(a, Some(b), negated), of(b, Some(a), negated)],
        _ => [of(positive, None, negated), None],
    }
}

/// An expression without its outermost negation, and whether it has one.
fn stripped(graph: &Graph, expression: Expression) -> (Expression, bool) {
    match graph.term(expression) {
        Term::Not(inner) => (inner, true),
        _ => (expression, false),
    }
}

/// The definitions in order, without some whose leaves become choices because they depend on
/// themselves.
fn in_order(
    graph: &Graph,
    candidates: Vec<LeafDefinition>,
    places: &FxHashMap<Leaf, usize>,
) -> Vec<LeafDefinition> {
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); candidates.len()];
    let mut missing = vec![0; candidates.len()];
    for (place, candidate) in candidates.iter().enumerate() {
        for leaf in candidate.value.map_or(Vec::new(), |value| leaves(graph, value)) {
            if let Some(&used) = places.get(&leaf) {
                users[used].push(place);
                missing[place] += 1;
            }
        }
    }
    let mut ready: VecDeque<usize> = (0..candidates.len()).filter(|&p| missing[p] == 0).collect();
    let (mut is_done, mut ordered) = (vec![false; candidates.len()], Vec::new());
    let mut first_open = 0;
    loop {
        let (place, is_choice) = match ready.pop_front() {
            Some(place) => (place, false),
            None => match (first_open..candidates.len()).find(|&place| !is_done[place]) {
                Some(place) => (place, true),
                None => return ordered,
            },
        };
        if std::mem::replace(&mut is_done[place], true) {
            continue;
        }
        if is_choice {
            first_open = place + 1;
        } else {
            ordered.push(candidates[place]);
        }
        for &user in &users[place] {
            missing[user] -= 1;
            if missing[user] == 0 {
                ready.push_back(user);
            }
        }
    }
}

/// The leaves of an expression.
fn leaves(graph: &Graph, root: Expression) -> Vec<Leaf> {
    Below::of(graph, &[root]).iter().filter_map(|expression| Leaf::of(graph, expression)).collect()
}
