//! The conjuncts of one formula as members.

use kermode_ltl::{BinaryOp, Formula, Node, Store, UnaryOp};

/// The conjuncts of a formula, each once, from left to right. Conjunctions are split through
/// negations, but not under temporal operators: the members are parts of what the user wrote.
pub fn outer_conjuncts(store: &mut Store, formula: Formula) -> Vec<Formula> {
    let (mut found, mut todo) = (Vec::new(), vec![(formula, false)]);
    while let Some((formula, negated)) = todo.pop() {
        match (store.node(formula), negated) {
            (Node::Unary(UnaryOp::Not, a), _) => todo.push((a, !negated)),
            (Node::Binary(BinaryOp::And, a, b), false)
            | (Node::Binary(BinaryOp::Or, a, b), true) => {
                todo.extend([(b, negated), (a, negated)]);
            }
            (Node::Binary(BinaryOp::Implies, a, b), true) => todo.extend([(b, true), (a, false)]),
            (_, false) => found.push(formula),
            (_, true) => found.push(store.not(formula)),
        }
    }
    let mut once = rustc_hash::FxHashSet::default();
    found.retain(|&conjunct| once.insert(conjunct));
    found
}
