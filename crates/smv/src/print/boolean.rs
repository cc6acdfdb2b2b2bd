//! A model over its bits. The operands of temporal operators become definitions over bits.

use rustc_hash::FxHashMap;

use super::expressions::Printer;
use super::flat::property_line;
use crate::encoding::EncodedModel;
use crate::flat::{Features, FlatExpression, FlatModel, FlatTerm};

/// The text of a model over its bits, with its properties. Names that are no identifiers of SMV are
/// changed. Properties in PSL are left out: a comment says so.
pub fn boolean_text(flat: &FlatModel, encoded: &EncodedModel) -> String {
    let mut encoded = encoded.clone();
    let leaves = leaves(flat);
    let mut named: Vec<_> = encoded.compassion.iter().flat_map(|&(p, q)| [p, q]).collect();
    let pairs = encoded.compassion.len();
    named.extend(leaves.iter().map(|&leaf| encoded.boolean(flat, leaf)));
    let (mut text, names) = kermode_system::smv::model(&encoded.model, &named);
    for pair in names[..2 * pairs].chunks(2) {
        text += &format!("COMPASSION ({}, {})\n", pair[0], pair[1]);
    }
    let names: FxHashMap<FlatExpression, String> =
        leaves.into_iter().zip(names.into_iter().skip(2 * pairs)).collect();
    let printer = Printer { model: flat, names, symbols: Vec::new() };
    for property in &flat.properties {
        text += &format!("{}\n", property_line(&printer, property));
    }
    text
}

/// The largest parts of properties without temporal operators.
fn leaves(flat: &FlatModel) -> Vec<FlatExpression> {
    let expressions = &flat.expressions;
    let operands = flat.properties.iter().flat_map(|property| &property.operands);
    let mut todo: Vec<FlatExpression> = operands.copied().collect();
    let (mut leaves, mut seen) = (Vec::new(), FxHashMap::default());
    while let Some(expression) = todo.pop() {
        if seen.insert(expression, ()).is_some() {
            continue;
        }
        let features = expressions.features(expression);
        if !features.has(Features::LTL) && !features.has(Features::CTL) {
            leaves.push(expression);
            continue;
        }
        match expressions.term(expression) {
            FlatTerm::Unary(_, a) | FlatTerm::PathUnary(_, a, _) | FlatTerm::Next(a) => {
                todo.push(a);
            }
            FlatTerm::Binary(_, a, b) | FlatTerm::PathBinary(_, a, b, _) => todo.extend([a, b]),
            // Other operators have no temporal operands.
            _ => {}
        }
    }
    leaves
}
