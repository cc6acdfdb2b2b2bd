//! Normal forms: the same language with fewer kinds of operators. Nothing else is simplified, so
//! that the sizes in papers can be reproduced.

mod bnf;
mod expand;
mod nnf;

pub use bnf::boolean_normal_form;
pub(crate) use expand::{Allowance, expand_node, unroll};
pub use expand::{ExpansionTooLarge, expand_bounded, without_bounded};
pub use nnf::negation_normal_form;

use crate::store::{Formula, Node, Store};

/// Rebuilds `root` from its leaves: `change` gets each node with its operands already changed.
pub(crate) fn rebuild<E>(
    store: &mut Store,
    root: Formula,
    mut change: impl FnMut(&mut Store, Node) -> Result<Formula, E>,
) -> Result<Formula, E> {
    let subformulas = store.subformulas(root);
    let mut changed: Vec<Formula> = Vec::with_capacity(subformulas.len());
    for formula in subformulas.iter() {
        let node = store.node(formula).map(|a| changed[subformulas.position(a)]);
        let formula = change(store, node)?;
        changed.push(formula);
    }
    Ok(changed.pop().unwrap_or(root))
}
