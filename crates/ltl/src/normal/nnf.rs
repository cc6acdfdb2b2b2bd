//! Negation normal form: only propositions are negated.
//!
//! Every operator has a dual in the logic, so negations are pushed inwards without enlarging the
//! formula. Implications become disjunctions. `<->` and `^` need both polarities of both operands,
//! but the result stays linear because subformulas are shared ([RV11], definition 2).
//!
//! On finite words the dual of the strong next is the weak one. On infinite words they are the same
//! operator, and only the strong one remains.

use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::polarity::polarities;
use crate::store::{Formula, Node, Store};
use crate::word::WordKind;

/// The negation normal form of `root` over words of the given kind.
pub fn negation_normal_form(store: &mut Store, root: Formula, words: WordKind) -> Formula {
    let subformulas = store.subformulas(root);
    let asked = polarities(store, &subformulas);
    // Only the polarities that are needed are built, operands first. The others are never read.
    let mut built: Vec<[Formula; 2]> = Vec::with_capacity(subformulas.len());
    for (position, formula) in subformulas.iter().enumerate() {
        let node = store.node(formula);
        let mut forms = [formula; 2];
        for negated in [false, true] {
            if asked[position][usize::from(negated)] {
                let operand =
                    |f, flip: bool| built[subformulas.position(f)][usize::from(negated ^ flip)];
                forms[usize::from(negated)] = push(store, node, negated, words, operand);
            }
        }
        built.push(forms);
    }
    built[subformulas.position(root)][0]
}

/// One node, negated or not, over operands in normal form: `operand(f, flip)` is `f` in the
/// polarity of the node, or in the other one if `flip` is set.
fn push(
    store: &mut Store,
    node: Node,
    negated: bool,
    words: WordKind,
    operand: impl Fn(Formula, bool) -> Formula,
) -> Formula {
    let normal = match node {
        Node::Constant(value) => Node::Constant(value != negated),
        Node::Proposition(_) => {
            let atom = store.intern(node);
            if !negated {
                return atom;
            }
            Node::Unary(UnaryOp::Not, atom)
        }
        Node::Unary(UnaryOp::Not, a) => return operand(a, true),
        Node::Unary(op, a) => Node::Unary(unary(op, negated, words), operand(a, false)),
        Node::Binary(BinaryOp::Implies, a, b) => {
            let connective = if negated { BinaryOp::And } else { BinaryOp::Or };
            Node::Binary(connective, operand(a, true), operand(b, false))
        }
        Node::Binary(BinaryOp::Iff | BinaryOp::Xor, a, b) => {
            let positive = |f| operand(f, negated);
            let negative = |f| operand(f, !negated);
            let alike = negated == matches!(node, Node::Binary(BinaryOp::Xor, _, _));
            let (with_a, with_not_a) = match alike {
                true => (positive(b), negative(b)),
                false => (negative(b), positive(b)),
            };
            let one = Node::Binary(BinaryOp::And, positive(a), with_a);
            let two = Node::Binary(BinaryOp::And, negative(a), with_not_a);
            Node::Binary(BinaryOp::Or, store.intern(one), store.intern(two))
        }
        Node::Binary(op, a, b) => {
            let op = if negated { binary_dual(op) } else { op };
            Node::Binary(op, operand(a, false), operand(b, false))
        }
        Node::BoundedUnary(op, bounds, a) => {
            let op = if negated { bounded_dual(op) } else { op };
            Node::BoundedUnary(op, bounds, operand(a, false))
        }
        Node::BoundedBinary(op, bounds, a, b) => {
            let op = match (op, negated) {
                (BoundedBinaryOp::Until, true) => BoundedBinaryOp::Release,
                (BoundedBinaryOp::Release, true) => BoundedBinaryOp::Until,
                (op, false) => op,
            };
            Node::BoundedBinary(op, bounds, operand(a, false), operand(b, false))
        }
    };
    store.intern(normal)
}

fn unary(op: UnaryOp, negated: bool, words: WordKind) -> UnaryOp {
    let op = if negated { unary_dual(op) } else { op };
    match (op, words) {
        (UnaryOp::WeakNext, WordKind::Infinite) => UnaryOp::Next,
        _ => op,
    }
}

fn unary_dual(op: UnaryOp) -> UnaryOp {
    match op {
        UnaryOp::Not => UnaryOp::Not,
        UnaryOp::Next => UnaryOp::WeakNext,
        UnaryOp::WeakNext => UnaryOp::Next,
        UnaryOp::Finally => UnaryOp::Globally,
        UnaryOp::Globally => UnaryOp::Finally,
        UnaryOp::Yesterday => UnaryOp::WeakYesterday,
        UnaryOp::WeakYesterday => UnaryOp::Yesterday,
        UnaryOp::Once => UnaryOp::Historically,
        UnaryOp::Historically => UnaryOp::Once,
    }
}

fn binary_dual(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::And => BinaryOp::Or,
        BinaryOp::Or => BinaryOp::And,
        BinaryOp::Xor => BinaryOp::Iff,
        BinaryOp::Iff => BinaryOp::Xor,
        BinaryOp::Until => BinaryOp::Release,
        BinaryOp::Release => BinaryOp::Until,
        BinaryOp::WeakUntil => BinaryOp::StrongRelease,
        BinaryOp::StrongRelease => BinaryOp::WeakUntil,
        BinaryOp::Since => BinaryOp::Triggered,
        BinaryOp::Triggered => BinaryOp::Since,
        BinaryOp::Implies => unreachable!("an implication is not negated as a dual"),
    }
}

fn bounded_dual(op: BoundedUnaryOp) -> BoundedUnaryOp {
    match op {
        BoundedUnaryOp::Finally => BoundedUnaryOp::Globally,
        BoundedUnaryOp::Globally => BoundedUnaryOp::Finally,
        BoundedUnaryOp::Once => BoundedUnaryOp::Historically,
        BoundedUnaryOp::Historically => BoundedUnaryOp::Once,
    }
}
