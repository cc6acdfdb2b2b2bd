//! The smallest conjuncts of a formula: conjunctions are split under `G` and next, and through
//! negations. `G(a & X(b & c))` has `G a`, `G X b` and `G X c`.
//!
//! Invariant: the conjunction of the conjuncts is equivalent to the formula, on all words and with
//! past operators.

use rustc_hash::FxHashSet;

use crate::operator::{BinaryOp, UnaryOp};
use crate::store::{Formula, Node, Store};

use BinaryOp::{And, Implies, Or};
use UnaryOp::{
    Finally, Globally, Historically, Next, Not, Once, WeakNext, WeakYesterday, Yesterday,
};

/// The largest number of operators that are distributed over a conjunction. Without a limit the
/// total size of the parts of `a & X(b & X(c & ...))` would be quadratic.
const MOST_BEHIND: usize = 8;

/// A conjunct: a formula or its negation, under operators that distribute over conjunction.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Part {
    formula: Formula,
    negated: bool,
    /// The operators, from the outside.
    behind: Vec<UnaryOp>,
}

/// The conjuncts of a formula, each once, from left to right.
pub fn conjuncts(store: &mut Store, formula: Formula) -> Vec<Formula> {
    let mut todo = vec![Part { formula, negated: false, behind: Vec::new() }];
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    while let Some(part) = todo.pop() {
        if !seen.insert(part.clone()) {
            continue;
        }
        match part.split(store.node(part.formula)) {
            Some(parts) => todo.extend(parts.into_iter().rev()),
            None => found.push(part.whole(store)),
        }
    }
    let mut once = FxHashSet::default();
    found.retain(|&conjunct| once.insert(conjunct));
    found
}

impl Part {
    /// The parts of which it is the conjunction, or the equivalent part with one operator less.
    fn split(&self, node: Node) -> Option<Vec<Part>> {
        let part = |formula, changed| Part {
            formula,
            negated: self.negated != changed,
            behind: self.behind.clone(),
        };
        match (node, self.negated) {
            (Node::Unary(Not, a), _) => Some(vec![part(a, true)]),
            (Node::Binary(And, a, b), false) | (Node::Binary(Or, a, b), true) => {
                Some(vec![part(a, false), part(b, false)])
            }
            (Node::Binary(Implies, a, b), true) => Some(vec![part(a, true), part(b, false)]),
            (Node::Unary(op, a), negated) if self.behind.len() < MOST_BEHIND => {
                let mut inner = part(a, false);
                inner.behind.push(conjunctive(op, negated)?);
                Some(vec![inner])
            }
            _ => None,
        }
    }

    fn whole(self, store: &mut Store) -> Formula {
        let inner = if self.negated { store.unary(Not, self.formula) } else { self.formula };
        self.behind.into_iter().rev().fold(inner, |inner, op| store.unary(op, inner))
    }
}

/// The operator itself, or its dual under a negation, if it distributes over conjunction.
fn conjunctive(op: UnaryOp, negated: bool) -> Option<UnaryOp> {
    match (op, negated) {
        (Next | WeakNext | Yesterday | WeakYesterday | Globally | Historically, false) => Some(op),
        (Next, true) => Some(WeakNext),
        (WeakNext, true) => Some(Next),
        (Yesterday, true) => Some(WeakYesterday),
        (WeakYesterday, true) => Some(Yesterday),
        (Finally, true) => Some(Globally),
        (Once, true) => Some(Historically),
        _ => None,
    }
}
