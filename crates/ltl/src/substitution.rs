//! Substitution of formulas for propositions and for other subformulas.

use rustc_hash::FxHashMap;

use crate::store::{Formula, Node, Proposition, Store};

/// The formulas that replace propositions. Shared subformulas are replaced once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Substitution {
    values: FxHashMap<Proposition, Formula>,
    changed: FxHashMap<Formula, Formula>,
}

impl Substitution {
    /// Sets the replacement of a proposition. It must precede every `apply` to a formula with that
    /// proposition.
    pub(crate) fn set(&mut self, proposition: Proposition, value: Formula) {
        self.values.insert(proposition, value);
    }

    /// The formula with its propositions replaced.
    pub(crate) fn apply(&mut self, store: &mut Store, root: Formula) -> Formula {
        let subformulas = store.subformulas(root);
        for formula in subformulas.iter() {
            if self.changed.contains_key(&formula) {
                continue;
            }
            let result = match store.node(formula) {
                Node::Proposition(p) => self.values.get(&p).copied().unwrap_or(formula),
                node => {
                    let node = node.map(|a| self.changed[&a]);
                    store.intern(node)
                }
            };
            self.changed.insert(formula, result);
        }
        self.changed[&root]
    }
}

/// The formula with some subformulas replaced everywhere. The replacements themselves are not
/// changed.
pub fn replace(
    store: &mut Store,
    root: Formula,
    with: impl Fn(Formula) -> Option<Formula>,
) -> Formula {
    let subformulas = store.subformulas(root);
    let mut changed: Vec<Formula> = Vec::with_capacity(subformulas.len());
    for formula in subformulas.iter() {
        let result = with(formula).unwrap_or_else(|| {
            let node = store.node(formula).map(|a| changed[subformulas.position(a)]);
            store.intern(node)
        });
        changed.push(result);
    }
    changed[subformulas.position(root)]
}
