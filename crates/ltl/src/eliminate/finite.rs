//! Finite words inside infinite ones: a fresh proposition `alive` holds as long as the word lasts
//! ([DGV13]).
//!
//! The word ends, and once: `alive & (alive U G !alive)`. Each operator that looks ahead is then
//! made to see nothing beyond the end. A *strong* one needs a moment inside the word and gets
//! `& alive`; a *weak* one is content with none and gets `| !alive`:
//!
//! | strong | becomes | weak | becomes |
//! |---|---|---|---|
//! | `X a` | `X(a & alive)` | `N a` | `X(a \| !alive)` |
//! | `F a` | `F(a & alive)` | `G a` | `G(a \| !alive)` |
//! | `a U b` | `a U (b & alive)` | `a R b` | `a R (b \| !alive)` |
//! | `a M b` | `a M (b & alive)` | `a W b` | `a W (b \| !alive)` |
//!
//! One operand is enough with two of them: the moments that count for the other come before an
//! alive one, or make no difference behind the end. The bounded `F G U R` go the same way. Boolean
//! operators stay, and so do past ones, native: before an alive moment all are alive. At most one
//! subformula is added for each.
//!
//! Invariant: at alive moments the result has the value of the original on the word that ends with
//! `alive`, whatever the letters behind the end.

use std::convert::Infallible;

use super::{Eliminated, Fresh, Restore};
use crate::normal::rebuild;
use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Node, Store};

/// A formula over infinite words that is satisfiable just when `root` is over finite ones. Past and
/// bounded operators are kept.
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
    /// One operator over operands that see nothing beyond the end.
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
