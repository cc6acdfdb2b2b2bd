//! The line with which NuSMV tells a verdict, and the one before a counterexample.

use super::formula::{formula_text, operand_text};
use crate::flat::Property;
use crate::syntax::{Expression, File, Item, PropertyKind};

/// The line before a trace that shows why a property does not hold.
pub const DEMONSTRATED: &str = "-- as demonstrated by the following execution sequence\n";

/// The text of a property of the model, as NuSMV prints it. `None` if it is in PSL, or of another
/// file.
pub fn property_text(file: &File, property: &Property) -> Option<String> {
    let items = file.modules.iter().flat_map(|module| &module.items);
    let operands = items.filter_map(|item| match item {
        Item::Property { keyword, operands, .. } if *keyword == property.keyword => Some(operands),
        _ => None,
    });
    expression_text(file, property.kind, operands.into_iter().next()?)
}

/// The text of a property with these operands: one formula, or the two sets of COMPUTE.
pub fn expression_text(file: &File, kind: PropertyKind, operands: &[Expression]) -> Option<String> {
    let quantity = match kind {
        PropertyKind::ComputeMin => "MIN",
        PropertyKind::ComputeMax => "MAX",
        PropertyKind::Psl => return None,
        _ => return Some(formula_text(file, operands.first()?.root)),
    };
    let &[from, to] = operands else { return None };
    let [from, to] = [from, to].map(|operand| operand_text(file, operand.root));
    Some(format!("{quantity} [ {from} , {to} ]"))
}

/// The verdict about a property with this text, in the instance with this path; `main` has an empty
/// one. The result is `true` or `false`; of COMPUTE it is a number, `infinity` or `undefined`.
pub fn verdict_line(kind: PropertyKind, text: &str, instance: &str, result: &str) -> String {
    let place = if instance.is_empty() { String::new() } else { format!("IN {instance}") };
    let what = match kind {
        PropertyKind::Invariant => "invariant",
        PropertyKind::Ctl | PropertyKind::Ltl | PropertyKind::Psl => "specification",
        // The blank is missing in NuSMV.
        PropertyKind::ComputeMin | PropertyKind::ComputeMax => {
            return format!("-- the result of {text}  {place}is {result}\n");
        }
    };
    format!("-- {what} {text} {place} is {result}\n")
}
