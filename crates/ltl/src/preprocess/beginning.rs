//! Past operators at the first position: `Y a` is false there, `O a` equals `a`, and `a S b` equals
//! `b`. A formula is evaluated at the first position, and so are the operands of its Boolean
//! operators. Occurrences below a future operator stay unchanged. So the number of subformulas at
//! most doubles.

use crate::operator::BinaryOp::{And, Iff, Implies, Or, Since, Triggered, Xor};
use crate::operator::{BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Node, Store};

/// A formula with the same value at the first position. Operands of future operators are unchanged.
pub(super) fn at_the_beginning(store: &mut Store, formula: Formula) -> Formula {
    let subformulas = store.subformulas(formula);
    let mut first: Vec<Formula> = Vec::with_capacity(subformulas.len());
    for subformula in subformulas.iter() {
        let at_first = |a: Formula| first[subformulas.position(a)];
        let node = store.node(subformula);
        first.push(match node {
            Node::Unary(UnaryOp::Yesterday, _) => store.constant(false),
            Node::Unary(UnaryOp::WeakYesterday, _) => store.constant(true),
            Node::Unary(UnaryOp::Once | UnaryOp::Historically, a)
            | Node::Binary(Since | Triggered, _, a) => at_first(a),
            Node::BoundedUnary(op, interval, a) if op.is_past() => {
                match store.interval(interval).low {
                    0 => at_first(a),
                    _ => store.constant(op == BoundedUnaryOp::Historically),
                }
            }
            Node::Unary(UnaryOp::Not, _) | Node::Binary(And | Or | Xor | Implies | Iff, ..) => {
                store.intern(node.map(at_first))
            }
            _ => subformula,
        });
    }
    first[subformulas.position(formula)]
}
