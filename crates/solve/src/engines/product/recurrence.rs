//! Recurrence as justice: a conjunct `G F p` of a property, where `p` is about one step of the
//! model, says what a justice constraint `p` says. A symbolic automaton has two variables for it,
//! and may guess their values at each step; a constraint needs none.

use kermode_ltl::normal::negation_normal_form;
use kermode_ltl::rewrite::conjuncts;
use kermode_ltl::{BinaryOp, Formula, Node, Store, UnaryOp, WordKind};
use kermode_system::Model;

/// Makes conjuncts `G F p` of a property justice constraints of a model, those of `G(F p & q)` too.
/// Returns the rest of the property.
pub(super) fn with_justice(model: &mut Model, store: &mut Store, property: Formula) -> Formula {
    let normal = negation_normal_form(store, property, WordKind::Infinite);
    let (mut rest, justice_before) = (Vec::new(), model.system.justice().len());
    for conjunct in conjuncts(store, normal) {
        let Node::Unary(UnaryOp::Globally, always) = store.node(conjunct) else {
            rest.push(conjunct);
            continue;
        };
        let (goals, others): (Vec<_>, Vec<_>) = conjuncts(store, always)
            .into_iter()
            .map(|part| goal_of(model, store, part).ok_or(part))
            .partition(Result::is_ok);
        if goals.is_empty() {
            rest.push(conjunct);
            continue;
        }
        for goal in goals.into_iter().flatten() {
            let justice = model.expression(store, goal);
            model.system.add_justice(justice);
        }
        if let Some(others) = conjunction(store, others.into_iter().filter_map(Result::err)) {
            rest.push(store.unary(UnaryOp::Globally, others));
        }
    }
    if model.system.justice().len() == justice_before {
        return property;
    }
    conjunction(store, rest).unwrap_or_else(|| store.constant(true))
}

fn conjunction(store: &mut Store, formulas: impl IntoIterator<Item = Formula>) -> Option<Formula> {
    formulas.into_iter().reduce(|all, other| store.binary(BinaryOp::And, all, other))
}

/// The `p` of `F p` that is a Boolean combination of atoms of the model.
fn goal_of(model: &Model, store: &Store, formula: Formula) -> Option<Formula> {
    let Node::Unary(UnaryOp::Finally, goal) = store.node(formula) else { return None };
    let parts = store.subformulas(goal);
    let is_boolean = parts.iter().all(|part| !store.node(part).is_temporal());
    let has_atom = |proposition| model.atoms.contains_key(proposition);
    (is_boolean && store.propositions(goal).iter().all(has_atom)).then_some(goal)
}
