//! Writes bounded operators out with next and yesterday.
//!
//! `F[l,h] a` becomes `X^l (a | X(a | ...))`. The result is linear in `h`, which is exponential in
//! the number of its digits, so the expansion has a limit. The nexts are strong if a position must
//! exist (`F`, `U`) and weak if it need not (`G`, `R`). This preserves the meaning on finite words.
//! On infinite words all nexts are strong.

use std::borrow::Cow;

use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Interval, Node, Store};
use crate::word::WordKind;

/// Writing out the bounded operators needs more new subformulas than the limit allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("writing out the bounded operators takes more than {limit} subformulas")]
pub struct ExpansionTooLarge {
    /// The limit.
    pub limit: u64,
}

/// Replaces all bounded operators of `root`, adding at most `limit` subformulas.
pub fn expand_bounded(
    store: &mut Store,
    root: Formula,
    words: WordKind,
    limit: u64,
) -> Result<Formula, ExpansionTooLarge> {
    let mut allowance = Allowance { limit, left: limit };
    super::rebuild(store, root, |store, node| expand_node(store, node, words, &mut allowance))
}

/// The number of subformulas that may still be added.
pub(crate) struct Allowance {
    pub(crate) limit: u64,
    pub(crate) left: u64,
}

/// Writes out one node if its operator is bounded; its operands stay unchanged.
pub(crate) fn expand_node(
    store: &mut Store,
    node: Node,
    words: WordKind,
    allowance: &mut Allowance,
) -> Result<Formula, ExpansionTooLarge> {
    let bounds = match node {
        Node::BoundedUnary(_, bounds, _) | Node::BoundedBinary(_, bounds, _, _) => {
            store.interval(bounds)
        }
        _ => return Ok(store.intern(node)),
    };
    // For every operator, each step adds at most three nodes.
    let cost = 3 * u64::from(bounds.high);
    let limit = allowance.limit;
    allowance.left = allowance.left.checked_sub(cost).ok_or(ExpansionTooLarge { limit })?;
    Ok(match node {
        Node::BoundedUnary(op, _, a) => unroll_unary(store, op, bounds, a, words),
        Node::BoundedBinary(op, _, a, b) => unroll_binary(store, op, bounds, a, b, words),
        _ => unreachable!("only bounded operators come here"),
    })
}

/// The given store and formula if there are no bounded operators, otherwise a copy in which they
/// are written out. This is for readers with a shared reference to the store.
pub fn without_bounded(
    store: &Store,
    root: Formula,
    words: WordKind,
    limit: u64,
) -> Result<(Cow<'_, Store>, Formula), ExpansionTooLarge> {
    let bounded = |f| store.node(f).is_bounded();
    if !store.subformulas(root).iter().any(bounded) {
        return Ok((Cow::Borrowed(store), root));
    }
    let mut store = store.clone();
    let root = expand_bounded(&mut store, root, words, limit)?;
    Ok((Cow::Owned(store), root))
}

fn unroll_unary(
    store: &mut Store,
    op: BoundedUnaryOp,
    bounds: Interval,
    a: Formula,
    words: WordKind,
) -> Formula {
    let (step, connective) = match (op, words) {
        (BoundedUnaryOp::Finally, _) => (UnaryOp::Next, BinaryOp::Or),
        (BoundedUnaryOp::Globally, WordKind::Infinite) => (UnaryOp::Next, BinaryOp::And),
        (BoundedUnaryOp::Globally, WordKind::Finite) => (UnaryOp::WeakNext, BinaryOp::And),
        (BoundedUnaryOp::Once, _) => (UnaryOp::Yesterday, BinaryOp::Or),
        (BoundedUnaryOp::Historically, _) => (UnaryOp::WeakYesterday, BinaryOp::And),
    };
    unroll(store, step, connective, bounds, a)
}

/// `step^low (a connective step (a connective ...))`, with `a` at each distance in the interval.
pub(crate) fn unroll(
    store: &mut Store,
    step: UnaryOp,
    connective: BinaryOp,
    bounds: Interval,
    a: Formula,
) -> Formula {
    let mut unrolled = a;
    for _ in bounds.low..bounds.high {
        let later = store.intern(Node::Unary(step, unrolled));
        unrolled = store.intern(Node::Binary(connective, a, later));
    }
    for _ in 0..bounds.low {
        unrolled = store.intern(Node::Unary(step, unrolled));
    }
    unrolled
}

fn unroll_binary(
    store: &mut Store,
    op: BoundedBinaryOp,
    bounds: Interval,
    a: Formula,
    b: Formula,
    words: WordKind,
) -> Formula {
    let (step, outer, inner) = match (op, words) {
        (BoundedBinaryOp::Until, _) => (UnaryOp::Next, BinaryOp::Or, BinaryOp::And),
        (BoundedBinaryOp::Release, WordKind::Infinite) => {
            (UnaryOp::Next, BinaryOp::And, BinaryOp::Or)
        }
        (BoundedBinaryOp::Release, WordKind::Finite) => {
            (UnaryOp::WeakNext, BinaryOp::And, BinaryOp::Or)
        }
    };
    let mut unrolled = b;
    for distance in (0..bounds.high).rev() {
        let later = store.intern(Node::Unary(step, unrolled));
        unrolled = store.intern(Node::Binary(inner, a, later));
        if distance >= bounds.low {
            unrolled = store.intern(Node::Binary(outer, b, unrolled));
        }
    }
    unrolled
}
