//! Rules for bounded operators. Bounds stay numbers: the rules add, join, compare and narrow
//! intervals, and never write them out.
//!
//! Each bounded operator has related operators without bounds: `X` and `F` belong to `F[]`, `N` and
//! `G` to `G[]`, `Y` to `O[]` and `Z` to `H[]`. A formula itself is the window `[0,0]` of each of
//! them. A *strong* operator (`F`, `O`, `U`) demands a position inside the word. A *weak* one (`G`,
//! `H`, `R`) is true if there is none. On infinite words this matters for the past only.

use super::chains::merge_by;
use super::implication::implies;
use super::machine::{Machine, Term};
use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Interval, Node, Store};

use BinaryOp::{And, Or};
use BoundedBinaryOp::{Release, Until};
use BoundedUnaryOp::{Finally, Globally, Historically, Once};

/// Rules for pairs of windows skip longer chains.
const LONGEST_CHAIN: usize = 64;

fn constant(store: &Store, formula: Formula) -> Option<bool> {
    match store.node(formula) {
        Node::Constant(value) => Some(value),
        _ => None,
    }
}

/// Whether an operator demands a position inside the word.
fn is_strong(op: BoundedUnaryOp) -> bool {
    matches!(op, Finally | Once)
}

fn dual(op: BoundedUnaryOp) -> BoundedUnaryOp {
    match op {
        Finally => Globally,
        Globally => Finally,
        Once => Historically,
        Historically => Once,
    }
}

/// The operator without bounds that moves one position in the same direction.
fn one_step(op: BoundedUnaryOp) -> UnaryOp {
    match op {
        Finally => UnaryOp::Next,
        Globally => UnaryOp::WeakNext,
        Once => UnaryOp::Yesterday,
        Historically => UnaryOp::WeakYesterday,
    }
}

/// The operator without bounds that covers all distances.
fn all_distances(op: BoundedUnaryOp) -> UnaryOp {
    match op {
        Finally => UnaryOp::Finally,
        Globally => UnaryOp::Globally,
        Once => UnaryOp::Once,
        Historically => UnaryOp::Historically,
    }
}

pub(super) fn constants(machine: &mut Machine, node: Node) -> Option<Term> {
    let store = &*machine.store;
    match node {
        Node::BoundedUnary(op, bounds, a) => {
            let Interval { low, high } = store.interval(bounds);
            let ends = constant(store, a).is_some_and(|value| low == 0 || value != is_strong(op));
            (high == 0 || ends).then_some(Term::Done(a))
        }
        Node::BoundedBinary(op, bounds, a, b) => {
            let bounds = store.interval(bounds);
            // The cases are those of until; release is the dual.
            let until = op == Until;
            let (left, right) = (constant(store, a), constant(store, b));
            let unary = if until { Finally } else { Globally };
            match (left.map(|value| value == until), right.map(|value| value == until)) {
                _ if bounds.high == 0 => Some(Term::Done(b)),
                (_, Some(false)) => Some(Term::Done(b)),
                (_, Some(true)) if bounds.low == 0 => Some(Term::Done(b)),
                (Some(false), _) if bounds.low == 0 => Some(Term::Done(b)),
                (Some(false), _) => Some(Term::Constant(!until)),
                (Some(true), _) => Some(Term::bounded(unary, bounds, b)),
                _ => None,
            }
        }
        _ => None,
    }
}

pub(super) fn constants_infinite(machine: &mut Machine, node: Node) -> Option<Term> {
    let store = &*machine.store;
    match node {
        Node::BoundedUnary(Finally | Globally, _, a) => {
            constant(store, a).is_some().then_some(Term::Done(a))
        }
        Node::BoundedBinary(op, bounds, a, b) => {
            (constant(store, b)? == (op == Until)).then_some(())?;
            let before = store.interval(bounds).low.checked_sub(1)?;
            let unary = if op == Until { Globally } else { Finally };
            Some(Term::bounded(unary, Interval { low: 0, high: before }, a))
        }
        _ => None,
    }
}

pub(super) fn negation(machine: &mut Machine, node: Node) -> Option<Term> {
    let Node::Unary(UnaryOp::Not, a) = node else { return None };
    let not = |a| Box::new(Term::unary(UnaryOp::Not, a));
    match machine.store.node(a) {
        Node::BoundedUnary(op, bounds, a) => {
            Some(Term::BoundedUnary(dual(op), machine.store.interval(bounds), not(a)))
        }
        Node::BoundedBinary(op, bounds, a, b) => {
            let op = if op == Until { Release } else { Until };
            Some(Term::BoundedBinary(op, machine.store.interval(bounds), not(a), not(b)))
        }
        _ => None,
    }
}

pub(super) fn single_step(machine: &mut Machine, node: Node) -> Option<Term> {
    let Node::BoundedUnary(op, bounds, a) = node else { return None };
    let single = machine.store.interval(bounds) == Interval::exactly(1);
    single.then(|| Term::unary(one_step(op), a))
}

/// A bounded operator or a single step as a window over its operand.
fn window(store: &Store, formula: Formula) -> Option<(BoundedUnaryOp, Interval, Formula)> {
    match store.node(formula) {
        Node::BoundedUnary(op, bounds, a) => Some((op, store.interval(bounds), a)),
        Node::Unary(op, a) => {
            let op = BoundedUnaryOp::ALL.into_iter().find(|&bounded| one_step(bounded) == op)?;
            Some((op, Interval::exactly(1), a))
        }
        _ => None,
    }
}

/// A window over a window. Two single steps are left unchanged.
fn nested_windows(store: &Store, node: Node) -> Option<[(BoundedUnaryOp, Interval, Formula); 2]> {
    let outer = match node {
        Node::BoundedUnary(op, bounds, a) => (op, store.interval(bounds), a),
        Node::Unary(op, a) => {
            let op = BoundedUnaryOp::ALL.into_iter().find(|&bounded| one_step(bounded) == op)?;
            (op, Interval::exactly(1), a)
        }
        _ => return None,
    };
    let inner = window(store, outer.2)?;
    let bounded = |formula| matches!(store.node(formula), Node::BoundedUnary(..));
    let has_bounds = matches!(node, Node::BoundedUnary(..)) || bounded(outer.2);
    has_bounds.then_some([outer, inner])
}

pub(super) fn nested(machine: &mut Machine, node: Node) -> Option<Term> {
    let [(outer, first, _), (inner, second, a)] = nested_windows(machine.store, node)?;
    (outer == inner).then_some(())?;
    Some(Term::bounded(outer, first.plus(second)?, a))
}

pub(super) fn nested_infinite(machine: &mut Machine, node: Node) -> Option<Term> {
    let [(outer, first, _), (inner, second, a)] = nested_windows(machine.store, node)?;
    // A window of one distance is both strong and weak.
    let single = |bounds: Interval| bounds.low == bounds.high;
    let op = match (outer, inner) {
        (Finally, Globally) | (Globally, Finally) if single(first) => inner,
        (Finally, Globally) | (Globally, Finally) if single(second) => outer,
        _ => return None,
    };
    Some(Term::bounded(op, first.plus(second)?, a))
}

pub(super) fn pure_operand(machine: &mut Machine, node: Node) -> Option<Term> {
    let Node::BoundedUnary(op, bounds, a) = node else { return None };
    let (bounds, purity) = (machine.store.interval(bounds), machine.purity(a));
    // The nearest position decides.
    let nearest = match op {
        Finally | Historically => purity.eventual,
        Globally | Once => purity.universal,
    };
    let nearest = nearest && bounds.low < bounds.high;
    nearest.then(|| Term::bounded(op, Interval::exactly(bounds.low), a))
}

pub(super) fn suspendable(machine: &mut Machine, node: Node) -> Option<Term> {
    let Node::BoundedUnary(Finally | Globally, _, a) = node else { return None };
    machine.purity(a).suspendable().then_some(Term::Done(a))
}

pub(super) fn absorbed(machine: &mut Machine, node: Node) -> Option<Term> {
    let Node::Unary(op, inside) = node else { return None };
    let Node::BoundedUnary(bounded, bounds, a) = machine.store.node(inside) else { return None };
    let near = machine.store.interval(bounds).low == 0;
    (near && all_distances(bounded) == op).then(|| Term::unary(op, a))
}

pub(super) fn absorbed_infinite(machine: &mut Machine, node: Node) -> Option<Term> {
    let Node::Unary(op, inside) = node else { return None };
    let Node::BoundedUnary(bounded @ (Finally | Globally), bounds, a) = machine.store.node(inside)
    else {
        return None;
    };
    let Interval { low, high } = machine.store.interval(bounds);
    let same = all_distances(bounded) == op;
    let single = low == high && matches!(op, UnaryOp::Finally | UnaryOp::Globally);
    (same || single).then(|| {
        let inside = Box::new(Term::unary(op, a));
        Term::BoundedUnary(bounded, Interval::exactly(low), inside)
    })
}

pub(super) fn implied_operand(machine: &mut Machine, node: Node) -> Option<Term> {
    let Node::BoundedBinary(op, bounds, a, b) = node else { return None };
    let store = &*machine.store;
    let implied = if op == Until { implies(store, a, b) } else { implies(store, b, a) };
    (implied && store.interval(bounds).low == 0).then_some(Term::Done(b))
}

/// Whether the chain operator joins windows of the bounded operator: `|` joins those of `F` and
/// `O`, `&` those of `G` and `H`.
fn joins(op: BinaryOp, bounded: BoundedUnaryOp) -> bool {
    is_strong(bounded) == (op == Or)
}

pub(super) fn join(machine: &mut Machine, op: BinaryOp, operands: &[Formula]) -> Option<Term> {
    if operands.len() > LONGEST_CHAIN {
        return None;
    }
    let store = &*machine.store;
    for (position, &operand) in operands.iter().enumerate() {
        let Node::BoundedUnary(bounded, bounds, a) = store.node(operand) else { continue };
        if !joins(op, bounded) {
            continue;
        }
        let bounds = store.interval(bounds);
        let partner = |other: Formula| match window(store, other) {
            _ if other == a => Some(Interval::exactly(0)),
            Some((same, interval, b)) if same == bounded && b == a => Some(interval),
            _ => None,
        };
        let mut others = operands.iter().enumerate().filter(|&(other, _)| other != position);
        let touching = others.find_map(|(other, &formula)| {
            partner(formula).filter(|&interval| bounds.touches(interval)).map(|i| (other, i))
        });
        let Some((other, interval)) = touching else { continue };
        let joined = Term::bounded(bounded, bounds.hull(interval), a);
        let rest = operands.iter().enumerate();
        let rest = rest.filter(|&(index, _)| index != position && index != other);
        let rest = rest.map(|(_, &formula)| Term::Done(formula));
        return Some(Term::Chain(op, rest.chain([joined]).collect()));
    }
    None
}

/// A cheap, incomplete test: true means that `a op b` is constant, that is `false` for a
/// conjunction and `true` for a disjunction.
fn are_opposed(store: &Store, op: BinaryOp, a: Formula, b: Formula) -> bool {
    let excludes = |a: Formula, b: Formula| match store.node(a) {
        Node::Unary(UnaryOp::Not, x) if op == And => implies(store, b, x),
        Node::Unary(UnaryOp::Not, x) => implies(store, x, b),
        _ => false,
    };
    excludes(a, b) || excludes(b, a)
}

pub(super) fn narrow(machine: &mut Machine, op: BinaryOp, operands: &[Formula]) -> Option<Term> {
    if operands.len() > LONGEST_CHAIN {
        return None;
    }
    let store = &*machine.store;
    // In a conjunction `F[] a` is narrowed by `G[] !a`, in a disjunction `G[] a` by `F[] !a`.
    for (position, &operand) in operands.iter().enumerate() {
        let Node::BoundedUnary(bounded, bounds, a) = store.node(operand) else { continue };
        if joins(op, bounded) {
            continue;
        }
        let bounds = store.interval(bounds);
        let excluded = |other: Formula| match store.node(other) {
            Node::BoundedUnary(opposite, interval, b) if opposite == dual(bounded) => {
                are_opposed(store, op, a, b).then(|| store.interval(interval))
            }
            Node::Unary(all, b) if all == all_distances(dual(bounded)) => {
                let all = Interval { low: 0, high: u32::MAX };
                are_opposed(store, op, a, b).then_some(all)
            }
            Node::Unary(next, b) if next == one_step(dual(bounded)) => {
                are_opposed(store, op, a, b).then_some(Interval::exactly(1))
            }
            _ => are_opposed(store, op, a, other).then_some(Interval::exactly(0)),
        };
        for &other in operands.iter().filter(|&&other| other != operand) {
            let Some(excluded) = excluded(other) else { continue };
            if excluded.contains(bounds) {
                return Some(Term::Constant(op == Or));
            }
            let left = match (excluded.contains(Interval::exactly(bounds.low)), bounds) {
                (true, Interval { high, .. }) => Interval { low: excluded.high + 1, high },
                (false, Interval { low, high })
                    if (excluded.low..=excluded.high).contains(&high) =>
                {
                    Interval { low, high: excluded.low - 1 }
                }
                _ => continue,
            };
            let mut narrowed: Vec<Term> = operands.iter().map(|&a| Term::Done(a)).collect();
            narrowed[position] = Term::bounded(bounded, left, a);
            return Some(Term::Chain(op, narrowed));
        }
    }
    None
}

pub(super) fn merge(machine: &mut Machine, op: BinaryOp, operands: &[Formula]) -> Option<Term> {
    let store = &*machine.store;
    let head = |a| match store.node(a) {
        Node::BoundedUnary(bounded, bounds, body) => {
            let bounds = store.interval(bounds);
            let merges = joins(op, bounded) || bounds.low == bounds.high;
            merges.then_some(((bounded, bounds), body))
        }
        _ => None,
    };
    let around = |(bounded, bounds), bodies| Term::BoundedUnary(bounded, bounds, Box::new(bodies));
    merge_by(op, operands, head, around, |_| op)
}
