//! Encodes finite words in infinite ones: a fresh proposition `alive` holds exactly at the
//! positions of the finite word ([DGV13]).
//!
//! The constraint `alive & (alive U G !alive)` says that the word ends. Each future operator is
//! then restricted to positions of the finite word. A *strong* operator demands a position inside
//! the word and gets `& alive`. A *weak* operator is true without one and gets `| !alive`:
//!
//! | strong | becomes | weak | becomes |
//! |---|---|---|---|
//! | `X a` | `X(a & alive)` | `N a` | `X(a \| !alive)` |
//! | `F a` | `F(a & alive)` | `G a` | `G(a \| !alive)` |
//! | `a U b` | `a U (b & alive)` | `a R b` | `a R (b \| !alive)` |
//! | `a M b` | `a M (b & alive)` | `a W b` | `a W (b \| !alive)` |
//!
//! For binary operators one operand is enough: the positions that matter for the other operand come
//! before an alive one, or are after the end and make no difference. The bounded `F`, `G`, `U` and
//! `R` are changed in the same way. Boolean and past operators stay unchanged, because all
//! positions before an alive one are alive. Each operator adds at most one subformula.
//!
//! Invariant: at alive positions the result has the value of the original formula on the finite
//! word, for all letters after the end.

use std::convert::Infallible;

use super::{Eliminated, Fresh, Restore};
use crate::normal::rebuild;
use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Node, Store};

/// A formula over infinite words that is satisfiable if and only if `root` is satisfiable over
/// finite words. Past and bounded operators are kept.
pub fn eliminate_finite(store: &mut Store, root: Formula) -> Eliminated {
    let first = store.proposition_count();
    let proposition = Fresh::new("alive").proposition(store);
    let alive = store.atom(proposition);
    let ended = store.not(alive);
    let life = Life { alive, ended };
    let Ok(relative) =
        rebuild(store, root, |store, node| Ok::<_, Infallible>(life.relativise(store, node)));
    let never_again = store.unary(UnaryOp::Globally, ended);
    let ends = store.binary(BinaryOp::Until, alive, never_again);
    let formula = store.all([relative, alive, ends]);
    let fresh = first..store.proposition_count();
    Eliminated { formula, restore: Restore { fresh, alive: Some(proposition) } }
}

/// `alive` and `!alive`.
#[derive(Clone, Copy)]
struct Life {
    alive: Formula,
    ended: Formula,
}

impl Life {
    /// Restricts one operator to positions of the finite word; its operands are restricted already.
    fn relativise(self, store: &mut Store, node: Node) -> Formula {
        let node = match node {
            Node::Unary(UnaryOp::Next, a) => Node::Unary(UnaryOp::Next, self.strong(store, a)),
            Node::Unary(UnaryOp::WeakNext, a) => Node::Unary(UnaryOp::Next, self.weak(store, a)),
            Node::Unary(op @ UnaryOp::Finally, a) => Node::Unary(op, self.strong(store, a)),
            Node::Unary(op @ UnaryOp::Globally, a) => Node::Unary(op, self.weak(store, a)),
            Node::Binary(op @ (BinaryOp::Until | BinaryOp::StrongRelease), a, b) => {
                Node::Binary(op, a, self.strong(store, b))
            }
            Node::Binary(op @ (BinaryOp::Release | BinaryOp::WeakUntil), a, b) => {
                Node::Binary(op, a, self.weak(store, b))
            }
            Node::BoundedUnary(op @ BoundedUnaryOp::Finally, bounds, a) => {
                Node::BoundedUnary(op, bounds, self.strong(store, a))
            }
            Node::BoundedUnary(op @ BoundedUnaryOp::Globally, bounds, a) => {
                Node::BoundedUnary(op, bounds, self.weak(store, a))
            }
            Node::BoundedBinary(op @ BoundedBinaryOp::Until, bounds, a, b) => {
                Node::BoundedBinary(op, bounds, a, self.strong(store, b))
            }
            Node::BoundedBinary(op @ BoundedBinaryOp::Release, bounds, a, b) => {
                Node::BoundedBinary(op, bounds, a, self.weak(store, b))
            }
            present_or_past => present_or_past,
        };
        store.intern(node)
    }

    fn strong(self, store: &mut Store, a: Formula) -> Formula {
        store.and(a, self.alive)
    }

    fn weak(self, store: &mut Store, a: Formula) -> Formula {
        store.or(a, self.ended)
    }
}
