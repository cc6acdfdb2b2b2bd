//! Pure literals: a proposition that occurs only positively may be set to true everywhere, one that
//! occurs only negatively to false. This preserves satisfiability, because the formula is monotone
//! in the proposition. The rule is sound on finite and infinite words and with past operators.

use crate::polarity::polarities;
use crate::store::{Formula, Node, Proposition, Store};
use crate::substitution::Substitution;

/// The formula without its pure literals, and their values; `None` if there are none.
pub(super) fn set_pure_literals(
    store: &mut Store,
    formula: Formula,
) -> Option<(Formula, Vec<(Proposition, bool)>)> {
    let subformulas = store.subformulas(formula);
    let polarities = polarities(store, &subformulas);
    let mut pure = Vec::new();
    for (position, subformula) in subformulas.iter().enumerate() {
        let Node::Proposition(proposition) = store.node(subformula) else { continue };
        match polarities[position] {
            [true, false] => pure.push((proposition, true)),
            [false, true] => pure.push((proposition, false)),
            _ => {}
        }
    }
    if pure.is_empty() {
        return None;
    }
    let mut substitution = Substitution::default();
    for &(proposition, value) in &pure {
        let constant = store.constant(value);
        substitution.set(proposition, constant);
    }
    Some((substitution.apply(store, formula), pure))
}
