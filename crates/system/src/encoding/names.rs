//! Names of subformulas such as `_b_U_NOT_a` for `b U !a`, in the manner of \[RV11\]: a binary
//! operator begins with an underscore, where the paper's tool had a parenthesis.
//!
//! A long name is replaced by the number of the subformula, `f17`, also inside of longer names, so
//! all names together are linear in the formula. Different formulas may get the same name if
//! propositions have such names; a caller that needs identifiers makes them unique.

use kermode_ltl::Store;

use super::closure::{Closure, Shape};

/// The greatest length of a composed name.
const LENGTH: usize = 40;

/// The names of the subformulas, by position.
pub(super) fn names(store: &Store, closure: &Closure) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(closure.len());
    for position in 0..closure.len() {
        let name = match closure.shape(position) {
            Shape::Constant(value) => String::from(if value { "TRUE" } else { "FALSE" }),
            Shape::Proposition(proposition) => store.name(proposition).to_owned(),
            shape => {
                let operands = shape.operands().map(|a| names[closure.position(a)].as_str());
                compose(shape, &operands.collect::<Vec<_>>(), position)
            }
        };
        names.push(name);
    }
    names
}

fn compose(shape: Shape, operands: &[&str], position: usize) -> String {
    let length: usize = operands.iter().map(|operand| operand.len()).sum();
    match operands {
        _ if length > LENGTH => format!("f{position}"),
        [a, b] => format!("_{a}_{}_{b}", operator(shape)),
        _ => format!("{}_{}", operator(shape), operands.concat()),
    }
}

fn operator(shape: Shape) -> &'static str {
    match shape {
        Shape::Constant(_) | Shape::Proposition(_) => "",
        Shape::Not(_) => "NOT",
        Shape::And(..) => "AND",
        Shape::Or(..) => "OR",
        Shape::Next(_) | Shape::WeakNext(_) => "X",
        Shape::Finally(_) => "F",
        Shape::Globally(_) => "G",
        Shape::Infinitely(_) => "GF",
        Shape::Until(..) => "U",
        Shape::WeakUntil(..) => "W",
        Shape::Release(..) => "R",
        Shape::StrongRelease(..) => "M",
    }
}
