//! Rules for conjunctions and disjunctions of any length. Each rule is linear in the length, except
//! absorption, which compares pairs and skips long chains.

use rustc_hash::{FxHashMap, FxHashSet};

use super::implication::implies;
use super::machine::{Machine, Term};
use crate::operator::{BinaryOp, UnaryOp};
use crate::store::{Formula, Node};

/// Absorption skips longer chains.
const ABSORPTION: usize = 32;

pub(super) fn constants(machine: &mut Machine, op: BinaryOp, operands: &[Formula]) -> Option<Term> {
    let neutral = op == BinaryOp::And;
    let constant = |a: &Formula| match machine.store.node(*a) {
        Node::Constant(value) => Some(value),
        _ => None,
    };
    if operands.iter().any(|a| constant(a) == Some(!neutral)) {
        return Some(Term::Constant(!neutral));
    }
    let rest: Vec<Formula> = operands.iter().copied().filter(|a| constant(a).is_none()).collect();
    (rest.len() < operands.len()).then(|| Term::chain(op, rest))
}

pub(super) fn duplicates(_: &mut Machine, op: BinaryOp, operands: &[Formula]) -> Option<Term> {
    let mut seen = FxHashSet::default();
    let rest: Vec<Formula> = operands.iter().copied().filter(|&a| seen.insert(a)).collect();
    (rest.len() < operands.len()).then(|| Term::chain(op, rest))
}

pub(super) fn complements(
    machine: &mut Machine,
    op: BinaryOp,
    operands: &[Formula],
) -> Option<Term> {
    let all: FxHashSet<Formula> = operands.iter().copied().collect();
    let opposed = |a: &Formula| match machine.store.node(*a) {
        Node::Unary(UnaryOp::Not, inner) => all.contains(&inner),
        _ => false,
    };
    operands.iter().any(opposed).then_some(Term::Constant(op == BinaryOp::Or))
}

pub(super) fn absorption(
    machine: &mut Machine,
    op: BinaryOp,
    operands: &[Formula],
) -> Option<Term> {
    if operands.len() > ABSORPTION {
        return None;
    }
    let store = &*machine.store;
    // In a conjunction an operand is superfluous if another operand implies it.
    let covers = |other: Formula, a: Formula| match op {
        BinaryOp::And => implies(store, other, a),
        _ => implies(store, a, other),
    };
    let pairs = (0..operands.len()).flat_map(|i| (0..operands.len()).map(move |j| (i, j)));
    let mut superfluous = pairs.filter(|&(i, j)| i != j && covers(operands[j], operands[i]));
    let (drop, _) = superfluous.next()?;
    let rest = operands.iter().enumerate().filter(|&(i, _)| i != drop).map(|(_, &a)| a);
    Some(Term::chain(op, rest))
}

/// Merges operands with the same head: `head` splits an operand into head and body, `merge` builds
/// one operand from a head and the joined bodies.
pub(super) fn merge_by<K: std::hash::Hash + Eq + Copy>(
    op: BinaryOp,
    operands: &[Formula],
    head: impl Fn(Formula) -> Option<(K, Formula)>,
    merge: impl Fn(K, Term) -> Term,
    bodies_op: impl Fn(K) -> BinaryOp,
) -> Option<Term> {
    let mut bodies: FxHashMap<K, Vec<Formula>> = FxHashMap::default();
    for (key, body) in operands.iter().filter_map(|&a| head(a)) {
        bodies.entry(key).or_default().push(body);
    }
    if bodies.values().all(|bodies| bodies.len() < 2) {
        return None;
    }
    // Each group takes the place of its first operand.
    let mut merged = Vec::new();
    for &operand in operands {
        match head(operand) {
            Some((key, _)) if bodies.get(&key).is_none_or(|bodies| bodies.len() > 1) => {
                if let Some(bodies) = bodies.remove(&key) {
                    merged.push(merge(key, Term::chain(bodies_op(key), bodies)));
                }
            }
            _ => merged.push(Term::Done(operand)),
        }
    }
    Some(Term::Chain(op, merged))
}

pub(super) fn merge_unary(
    machine: &mut Machine,
    op: BinaryOp,
    operands: &[Formula],
) -> Option<Term> {
    use UnaryOp::{
        Finally, Globally, Historically, Next, Once, WeakNext, WeakYesterday, Yesterday,
    };
    // Suspendable operands such as `G F a` are not merged, because other rules move them outwards.
    let suspendable: FxHashSet<Formula> =
        operands.iter().copied().filter(|&a| machine.purity(a).suspendable()).collect();
    let store = &*machine.store;
    let merges = |unary: UnaryOp| match unary {
        Next | WeakNext | Yesterday | WeakYesterday => true,
        Globally | Historically => op == BinaryOp::And,
        Finally | Once => op == BinaryOp::Or,
        UnaryOp::Not => false,
    };
    let head = |a| match store.node(a) {
        Node::Unary(unary, body) if merges(unary) && !suspendable.contains(&a) => {
            Some((unary, body))
        }
        _ => None,
    };
    merge_by(op, operands, head, |unary, bodies| Term::Unary(unary, Box::new(bodies)), |_| op)
}

pub(super) fn merge_suspendable(
    machine: &mut Machine,
    op: BinaryOp,
    operands: &[Formula],
) -> Option<Term> {
    use UnaryOp::{Finally, Globally};
    let store = &*machine.store;
    let (outer, inner) = match op {
        BinaryOp::Or => (Globally, Finally),
        _ => (Finally, Globally),
    };
    let head = |a| match store.node(a) {
        Node::Unary(first, b) if first == outer => match store.node(b) {
            Node::Unary(second, body) if second == inner => Some(((), body)),
            _ => None,
        },
        _ => None,
    };
    let merge = |(), bodies| {
        let inside = Term::Unary(inner, Box::new(bodies));
        Term::Unary(outer, Box::new(inside))
    };
    merge_by(op, operands, head, merge, |()| op)
}

pub(super) fn merge_binary(
    machine: &mut Machine,
    op: BinaryOp,
    operands: &[Formula],
) -> Option<Term> {
    use BinaryOp::{And, Release, Since, StrongRelease, Triggered, Until, WeakUntil};
    let store = &*machine.store;
    // Whether the operands of a group share the left operand. `(a U b) | (a U c)` shares the left
    // one, `(a U c) & (b U c)` the right one.
    let shares_left = |binary| match binary {
        Until | WeakUntil | Since => Some(op != And),
        Release | StrongRelease | Triggered => Some(op == And),
        _ => None,
    };
    let head = |a| match store.node(a) {
        Node::Binary(binary, left, right) => match shares_left(binary)? {
            true => Some(((binary, left, true), right)),
            false => Some(((binary, right, false), left)),
        },
        _ => None,
    };
    let merge = |(binary, shared, is_left): (BinaryOp, Formula, bool), bodies: Term| {
        let shared = Box::new(Term::Done(shared));
        match is_left {
            true => Term::Binary(binary, shared, Box::new(bodies)),
            false => Term::Binary(binary, Box::new(bodies), shared),
        }
    };
    merge_by(op, operands, head, merge, |_| op)
}
