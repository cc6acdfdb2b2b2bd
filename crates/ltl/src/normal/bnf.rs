//! Boolean normal form: `!`, `|`, `X`, `U` and `F` only ([RV11], definition 1). Of the past
//! operators `Y`, `S` and `O` remain, of the bounded operators `F[]`, `U[]` and `O[]`.
//!
//! As in the paper, an operator is replaced by its dual between negations. Double negations are
//! dropped; nothing else is simplified. On infinite words the weak next becomes the strong one.

use std::convert::Infallible;

use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Node, Store};
use crate::word::WordKind;

/// The Boolean normal form of `root` over words of the given kind.
pub fn boolean_normal_form(store: &mut Store, root: Formula, words: WordKind) -> Formula {
    let result: Result<Formula, Infallible> =
        super::rebuild(store, root, |store, node| Ok(replace(store, node, words)));
    match result {
        Ok(formula) => formula,
    }
}

fn replace(store: &mut Store, node: Node, words: WordKind) -> Formula {
    match node {
        Node::Unary(UnaryOp::Not, a) => not(store, a),
        Node::Unary(UnaryOp::WeakNext, a) if words == WordKind::Infinite => {
            store.intern(Node::Unary(UnaryOp::Next, a))
        }
        Node::Unary(op, a) => match primal(op) {
            Some(op) => {
                let a = not(store, a);
                let primal = store.intern(Node::Unary(op, a));
                not(store, primal)
            }
            None => store.intern(node),
        },
        Node::Binary(op, a, b) => replace_binary(store, op, a, b),
        Node::BoundedUnary(op, bounds, a) => {
            let op = match op {
                BoundedUnaryOp::Globally => BoundedUnaryOp::Finally,
                BoundedUnaryOp::Historically => BoundedUnaryOp::Once,
                BoundedUnaryOp::Finally | BoundedUnaryOp::Once => return store.intern(node),
            };
            let a = not(store, a);
            let primal = store.intern(Node::BoundedUnary(op, bounds, a));
            not(store, primal)
        }
        Node::BoundedBinary(BoundedBinaryOp::Release, bounds, a, b) => {
            let (a, b) = (not(store, a), not(store, b));
            let until = store.intern(Node::BoundedBinary(BoundedBinaryOp::Until, bounds, a, b));
            not(store, until)
        }
        Node::Constant(_)
        | Node::Proposition(_)
        | Node::BoundedBinary(BoundedBinaryOp::Until, _, _, _) => store.intern(node),
    }
}

/// The dual that replaces an operator; `None` if the operator remains.
fn primal(op: UnaryOp) -> Option<UnaryOp> {
    match op {
        UnaryOp::WeakNext => Some(UnaryOp::Next),
        UnaryOp::Globally => Some(UnaryOp::Finally),
        UnaryOp::WeakYesterday => Some(UnaryOp::Yesterday),
        UnaryOp::Historically => Some(UnaryOp::Once),
        UnaryOp::Not | UnaryOp::Next | UnaryOp::Finally | UnaryOp::Yesterday | UnaryOp::Once => {
            None
        }
    }
}

fn replace_binary(store: &mut Store, op: BinaryOp, a: Formula, b: Formula) -> Formula {
    match op {
        BinaryOp::Or | BinaryOp::Until | BinaryOp::Since => store.intern(Node::Binary(op, a, b)),
        BinaryOp::And => dual(store, BinaryOp::Or, a, b),
        BinaryOp::Release => dual(store, BinaryOp::Until, a, b),
        BinaryOp::Triggered => dual(store, BinaryOp::Since, a, b),
        BinaryOp::Implies => {
            let a = not(store, a);
            or(store, a, b)
        }
        BinaryOp::Iff => {
            let both = dual(store, BinaryOp::Or, a, b);
            let either = or(store, a, b);
            let neither = not(store, either);
            or(store, both, neither)
        }
        BinaryOp::Xor => {
            let iff = replace_binary(store, BinaryOp::Iff, a, b);
            not(store, iff)
        }
        BinaryOp::WeakUntil => {
            let either = or(store, a, b);
            dual(store, BinaryOp::Until, b, either)
        }
        BinaryOp::StrongRelease => {
            let both = dual(store, BinaryOp::Or, a, b);
            store.intern(Node::Binary(BinaryOp::Until, b, both))
        }
    }
}

/// `!(!a op !b)`.
fn dual(store: &mut Store, op: BinaryOp, a: Formula, b: Formula) -> Formula {
    let (a, b) = (not(store, a), not(store, b));
    let inner = store.intern(Node::Binary(op, a, b));
    not(store, inner)
}

fn or(store: &mut Store, a: Formula, b: Formula) -> Formula {
    store.intern(Node::Binary(BinaryOp::Or, a, b))
}

fn not(store: &mut Store, a: Formula) -> Formula {
    match store.node(a) {
        Node::Unary(UnaryOp::Not, inner) => inner,
        _ => store.intern(Node::Unary(UnaryOp::Not, a)),
    }
}
