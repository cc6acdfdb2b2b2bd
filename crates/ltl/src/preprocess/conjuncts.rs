//! A formula as what holds now and what holds always: `a & G(b & c)` is `a` now and `b` and `c`
//! always. Rewriting puts everything that holds always under one `G`; the rules that look at
//! conjuncts look through it.

use rustc_hash::FxHashSet;

use crate::operator::UnaryOp;
use crate::rewrite::conjuncts;
use crate::store::{Formula, Node, Store};

/// The conjuncts of a formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Conjuncts {
    /// What holds at the first moment.
    pub(super) now: Vec<Formula>,
    /// What holds at every moment.
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

    /// The formula of which these are the conjuncts.
    pub(super) fn join(self, store: &mut Store) -> Formula {
        let now = store.all(self.now);
        let always = store.all(self.always);
        let always = store.unary(UnaryOp::Globally, always);
        store.and(now, always)
    }
}
