//! Expressions as short texts for people.

use kermode_base::terms::Dag;
use rustc_hash::{FxHashMap, FxHashSet};

use super::expressions::Printer;
use crate::flat::expression::Below;
use crate::flat::{FlatExpression, FlatModel, FlatTerm};

/// Texts with more operators than this are not short.
const SHORT: u32 = 40;

/// The text of an expression, with the names of definitions in place of their bodies, if it is
/// short: a shared subexpression is written at each of its places, so texts may be much larger than
/// expressions.
pub fn short_text(model: &FlatModel, expression: FlatExpression) -> Option<String> {
    let mut names: FxHashMap<FlatExpression, String> = FxHashMap::default();
    let below = Below::of(&model.expressions, &[expression]);
    let is_leaf = |term| matches!(term, FlatTerm::Constant(_) | FlatTerm::Variable(_));
    let operators = below.iter().filter(|&part| !is_leaf(model.expressions.term(part)));
    let operators: FxHashSet<FlatExpression> = operators.collect();
    for definition in &model.definitions {
        if operators.contains(&definition.body) {
            names.entry(definition.body).or_insert_with(|| definition.name.clone());
        }
    }
    let mut sizes: Vec<u32> = Vec::with_capacity(below.len());
    for part in below.iter() {
        let operands = model.expressions.operands(part);
        let size: u32 = operands.map(|operand| sizes[below.position(operand)]).sum();
        sizes.push(if names.contains_key(&part) { 1 } else { (size + 1).min(SHORT + 1) });
    }
    let printer = Printer { model, names, symbols: model.symbols.clone() };
    (*sizes.last()? <= SHORT).then(|| printer.text(expression))
}
