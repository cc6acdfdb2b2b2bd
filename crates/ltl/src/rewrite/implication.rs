//! Syntactic implication ([SB00]): a cheap test that is sound but not complete.
//!
//! It takes formulas apart side by side to a fixed depth. Everything it uses holds on infinite and
//! on finite words alike.

use crate::operator::{BinaryOp, UnaryOp};
use crate::store::{Formula, Node, Store};

/// How deep formulas are taken apart; each level tries a few pairs.
const DEPTH: usize = 5;

/// Whether every word that satisfies `a` satisfies `b`, as far as that can be seen.
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
}

/// What is always so and implies something, implies it always.
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

/// What comes to imply that something happens, implies it now.
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

/// The same operator on both sides, monotone in its operands.
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

/// What the left side is known to imply.
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

/// What is known to imply the right side.
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
