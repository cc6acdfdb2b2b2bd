//! Syntactic implication ([SB00]): a cheap test that is sound but not complete.
//!
//! The test compares the structure of both formulas to a fixed depth. All its rules hold on
//! infinite and on finite words.

use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Interval, IntervalId, Node, Store};

/// The depth to which formulas are compared; each level tries a few pairs.
const DEPTH: usize = 5;

/// Whether `a` implies `b`: true means yes, false means unknown.
pub(super) fn implies(store: &Store, a: Formula, b: Formula) -> bool {
    implies_within(store, a, b, DEPTH)
}

fn implies_within(store: &Store, a: Formula, b: Formula, depth: usize) -> bool {
    if a == b {
        return true;
    }
    let (left, right) = (store.node(a), store.node(b));
    if left == Node::Constant(false) || right == Node::Constant(true) {
        return true;
    }
    let Some(depth) = depth.checked_sub(1) else { return false };
    let implies = |a, b| implies_within(store, a, b, depth);
    side_by_side(left, right, implies)
        || from_left(left, b, implies)
        || from_right(a, right, implies)
        || stays(left, a, right, implies)
        || comes(left, right, b, implies)
        || windows(store, (a, left), (b, right), implies)
}

/// Implications from and to bounded operators.
fn windows(
    store: &Store,
    (a, left): (Formula, Node),
    (b, right): (Formula, Node),
    implies: impl Fn(Formula, Formula) -> bool,
) -> bool {
    use BoundedBinaryOp::{Release, Until};
    use BoundedUnaryOp::{Finally, Globally, Historically, Once};
    let bounds = |id: IntervalId| store.interval(id);
    let has = |id: IntervalId, distance| bounds(id).contains(Interval::exactly(distance));
    let contains = |outer: IntervalId, inner: IntervalId| bounds(outer).contains(bounds(inner));
    let both = match (left, right) {
        (Node::BoundedUnary(op @ (Finally | Once), i, x), Node::BoundedUnary(other, j, y)) => {
            op == other && contains(j, i) && implies(x, y)
        }
        (
            Node::BoundedUnary(op @ (Globally | Historically), i, x),
            Node::BoundedUnary(other, j, y),
        ) => op == other && contains(i, j) && implies(x, y),
        (Node::BoundedBinary(Until, i, x, y), Node::BoundedBinary(Until, j, z, w)) => {
            contains(j, i) && implies(x, z) && implies(y, w)
        }
        (Node::BoundedBinary(Release, i, x, y), Node::BoundedBinary(Release, j, z, w)) => {
            contains(i, j) && implies(x, z) && implies(y, w)
        }
        (Node::BoundedBinary(Until, i, _, y), Node::BoundedUnary(Finally, j, w)) => {
            contains(j, i) && implies(y, w)
        }
        (Node::BoundedUnary(Globally, i, y), Node::BoundedBinary(Release, j, _, w)) => {
            contains(i, j) && implies(y, w)
        }
        _ => false,
    };
    let from_left = || match (left, right) {
        // If `x` implies `F y`, then `F[] x` implies `F y`.
        (
            Node::BoundedUnary(Finally, _, x) | Node::BoundedBinary(Until, _, _, x),
            Node::Unary(UnaryOp::Finally, _),
        ) => implies(x, b),
        (Node::BoundedUnary(Once, _, x), Node::Unary(UnaryOp::Once, _)) => implies(x, b),
        (
            Node::BoundedBinary(Until, _, x, y),
            Node::Binary(BinaryOp::Until | BinaryOp::WeakUntil, z, w),
        ) => implies(x, z) && implies(y, w),
        (Node::BoundedUnary(Globally, i, x), Node::Unary(UnaryOp::WeakNext, y))
        | (Node::BoundedUnary(Historically, i, x), Node::Unary(UnaryOp::WeakYesterday, y)) => {
            has(i, 1) && implies(x, y)
        }
        _ => false,
    };
    let from_right = || match (left, right) {
        // If `G x` implies `y`, then `G x` implies `G[] y`.
        (
            Node::Unary(UnaryOp::Globally, _),
            Node::BoundedUnary(Globally, _, y) | Node::BoundedBinary(Release, _, _, y),
        ) => implies(a, y),
        (Node::Unary(UnaryOp::Historically, _), Node::BoundedUnary(Historically, _, y)) => {
            implies(a, y)
        }
        (Node::Binary(BinaryOp::Release, x, y), Node::BoundedBinary(Release, _, z, w)) => {
            implies(x, z) && implies(y, w)
        }
        (Node::Unary(UnaryOp::Next, x), Node::BoundedUnary(Finally, j, y))
        | (Node::Unary(UnaryOp::Yesterday, x), Node::BoundedUnary(Once, j, y)) => {
            has(j, 1) && implies(x, y)
        }
        _ => false,
    };
    let here = || match (left, right) {
        (Node::BoundedUnary(Globally | Historically, i, x), _) if has(i, 0) => implies(x, b),
        (Node::BoundedBinary(Release, i, _, x), _) if has(i, 0) => implies(x, b),
        (_, Node::BoundedUnary(Finally | Once, j, y)) if has(j, 0) => implies(a, y),
        (_, Node::BoundedBinary(Until, j, _, y)) if has(j, 0) => implies(a, y),
        _ => false,
    };
    both || from_left() || from_right() || here()
}

/// If `G x` implies `c`, then `G x` implies `G c`.
fn stays(left: Node, a: Formula, right: Node, implies: impl Fn(Formula, Formula) -> bool) -> bool {
    use BinaryOp::{Release, WeakUntil};
    use UnaryOp::{Globally, WeakNext};
    match (left, right) {
        (
            Node::Unary(Globally, _),
            Node::Unary(Globally | WeakNext, c)
            | Node::Binary(WeakUntil, c, _)
            | Node::Binary(Release, _, c),
        ) => implies(a, c),
        _ => false,
    }
}

/// If `c` implies `F x`, then `F c` implies `F x`.
fn comes(left: Node, right: Node, b: Formula, implies: impl Fn(Formula, Formula) -> bool) -> bool {
    use BinaryOp::{StrongRelease, Until};
    use UnaryOp::{Finally, Next};
    match (left, right) {
        (
            Node::Unary(Finally | Next, c)
            | Node::Binary(Until, _, c)
            | Node::Binary(StrongRelease, c, _),
            Node::Unary(Finally, _),
        ) => implies(c, b),
        _ => false,
    }
}

/// Both sides have the same operator, and it is monotone in its operands.
fn side_by_side(left: Node, right: Node, implies: impl Fn(Formula, Formula) -> bool) -> bool {
    use BinaryOp::{Release, Since, StrongRelease, Triggered, Until, WeakUntil};
    use UnaryOp::{Next, Not, WeakNext, WeakYesterday, Yesterday};
    match (left, right) {
        (Node::Unary(Not, a), Node::Unary(Not, b)) => implies(b, a),
        (Node::Unary(Next, a), Node::Unary(WeakNext, b))
        | (Node::Unary(Yesterday, a), Node::Unary(WeakYesterday, b)) => implies(a, b),
        (Node::Unary(op, a), Node::Unary(other, b)) if op == other => implies(a, b),
        (Node::Binary(Until, a, b), Node::Binary(Until | WeakUntil, c, d))
        | (Node::Binary(WeakUntil, a, b), Node::Binary(WeakUntil, c, d))
        | (Node::Binary(StrongRelease, a, b), Node::Binary(StrongRelease | Release, c, d))
        | (Node::Binary(Release, a, b), Node::Binary(Release, c, d))
        | (Node::Binary(Since, a, b), Node::Binary(Since, c, d))
        | (Node::Binary(Triggered, a, b), Node::Binary(Triggered, c, d)) => {
            implies(a, c) && implies(b, d)
        }
        _ => false,
    }
}

/// Formulas that the left side implies.
fn from_left(left: Node, b: Formula, implies: impl Fn(Formula, Formula) -> bool) -> bool {
    use BinaryOp::{And, Or, Release, Since, StrongRelease, Triggered, Until, WeakUntil};
    use UnaryOp::{Globally, Historically};
    match left {
        Node::Binary(And, x, y) => implies(x, b) || implies(y, b),
        Node::Binary(Or | Until | WeakUntil | Since, x, y) => implies(x, b) && implies(y, b),
        Node::Binary(Release | Triggered, _, y) => implies(y, b),
        Node::Binary(StrongRelease, _, y) => implies(y, b),
        Node::Unary(Globally | Historically, x) => implies(x, b),
        _ => false,
    }
}

/// Formulas that imply the right side.
fn from_right(a: Formula, right: Node, implies: impl Fn(Formula, Formula) -> bool) -> bool {
    use BinaryOp::{And, Implies, Or, Release, Since, StrongRelease, Triggered, Until, WeakUntil};
    use UnaryOp::{Finally, Once};
    match right {
        Node::Binary(Or, x, y) => implies(a, x) || implies(a, y),
        Node::Binary(And | Release | StrongRelease | Triggered, x, y) => {
            implies(a, x) && implies(a, y)
        }
        Node::Binary(Until | WeakUntil | Since, _, y) => implies(a, y),
        Node::Binary(Implies, _, y) => implies(a, y),
        Node::Unary(Finally | Once, x) => implies(a, x),
        _ => false,
    }
}
