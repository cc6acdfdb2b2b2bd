//! Splits a formula into conjuncts that hold at the first position and conjuncts that hold at every
//! position: `a & G(b & c)` has `a` at the first position, and `b` and `c` at every position.
//! Rewriting joins all conjuncts of the second kind under one `G`, and rules about conjuncts look
//! inside it.

use rustc_hash::FxHashSet;

use crate::operator::UnaryOp;
use crate::rewrite::conjuncts;
use crate::store::{Formula, Node, Store};

/// The conjuncts of a formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Conjuncts {
    /// The conjuncts that hold at the first position.
    pub(super) now: Vec<Formula>,
    /// The conjuncts that hold at every position.
    pub(super) always: Vec<Formula>,
}

impl Conjuncts {
    pub(super) fn of(store: &Store, formula: Formula) -> Self {
        let mut found = Conjuncts::default();
        let mut todo: Vec<(Formula, bool)> = vec![(formula, false)];
        let mut seen = FxHashSet::default();
        while let Some((formula, always)) = todo.pop() {
            if !seen.insert((formula, always)) {
                continue;
            }
            for conjunct in conjuncts(store, formula) {
                match store.node(conjunct) {
                    Node::Unary(UnaryOp::Globally, body) => todo.push((body, true)),
                    _ if always => found.always.push(conjunct),
                    _ => found.now.push(conjunct),
                }
            }
        }
        found
    }

    /// The conjunction of all conjuncts.
    pub(super) fn join(self, store: &mut Store) -> Formula {
        let now = store.all(self.now);
        let always = store.all(self.always);
        let always = store.unary(UnaryOp::Globally, always);
        store.and(now, always)
    }
}
