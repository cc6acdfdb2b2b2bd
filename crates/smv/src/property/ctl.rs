//! CTL specifications as formulas over the bits of a model.

use kermode_base::terms::Dag;
use kermode_system::Ctl;
use kermode_system::ctl::{
    CtlConnective, CtlNode, PathFormula, Quantifier, StepBounds, Subformula,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::encoding::EncodedModel;
use crate::flat::{
    FlatBinary, FlatExpression, FlatModel, FlatTerm, FlatUnary, PathBinary, PathUnary,
};

/// A formula, and what its subformulas are in the flat model.
#[derive(Clone, Debug)]
pub struct CtlSpecification {
    /// The formula. Its atoms are the largest parts without temporal operators.
    pub formula: Ctl,
    origins: Vec<FlatExpression>,
}

impl CtlSpecification {
    /// An expression of the flat model from which a subformula was made.
    pub fn origin(&self, formula: Subformula) -> FlatExpression {
        self.origins[formula.index()]
    }
}

/// The formula of a CTL specification, or of another expression about states that is Boolean. An
/// atom is false where its evaluation fails.
///
/// # Panics
/// When the expression is not Boolean, or has an operator of LTL.
pub fn ctl_formula(
    flat: &FlatModel,
    encoded: &mut EncodedModel,
    specification: FlatExpression,
) -> CtlSpecification {
    let mut built = CtlSpecification { formula: Ctl::new(), origins: Vec::new() };
    let mut known: FxHashMap<FlatExpression, Subformula> = FxHashMap::default();
    for part in parts(flat, specification) {
        let node = match flat.expressions.features(part).is_temporal() {
            true => operator(flat, part, |operand| known[&operand]),
            false => CtlNode::Atom(encoded.boolean(flat, part)),
        };
        let subformula = built.formula.add(node);
        built.origins.resize(built.formula.len(), part);
        known.insert(part, subformula);
    }
    built
}

/// The operators and atoms of a formula, operands first.
fn parts(flat: &FlatModel, specification: FlatExpression) -> Vec<FlatExpression> {
    let (mut seen, mut todo) = (FxHashSet::default(), vec![specification]);
    while let Some(part) = todo.pop() {
        if seen.insert(part) && flat.expressions.features(part).is_temporal() {
            todo.extend(flat.expressions.operands(part));
        }
    }
    let mut parts: Vec<FlatExpression> = seen.into_iter().collect();
    parts.sort_unstable();
    parts
}

fn operator(
    flat: &FlatModel,
    expression: FlatExpression,
    of: impl Fn(FlatExpression) -> Subformula,
) -> CtlNode {
    use Quantifier::{All, Exists};
    let bounds = |bounds| {
        let bounds = flat.expressions.bounds(bounds);
        bounds.map(|bounds| StepBounds { low: bounds.low, high: bounds.high })
    };
    match flat.expressions.term(expression) {
        FlatTerm::Unary(FlatUnary::Not, a) => CtlNode::Not(of(a)),
        FlatTerm::Binary(operator, a, b) => CtlNode::Binary(connective(operator), of(a), of(b)),
        FlatTerm::PathUnary(operator, a, between) => {
            let (a, bounds) = (of(a), bounds(between));
            match operator {
                PathUnary::ExistsNext => CtlNode::Path(Exists, PathFormula::Next(a)),
                PathUnary::AllNext => CtlNode::Path(All, PathFormula::Next(a)),
                PathUnary::ExistsEventually => {
                    CtlNode::Path(Exists, PathFormula::Eventually(a, bounds))
                }
                PathUnary::AllEventually => CtlNode::Path(All, PathFormula::Eventually(a, bounds)),
                PathUnary::ExistsGlobally => {
                    CtlNode::Path(Exists, PathFormula::Globally(a, bounds))
                }
                PathUnary::AllGlobally => CtlNode::Path(All, PathFormula::Globally(a, bounds)),
                _ => panic!("{operator:?} is an operator of LTL"),
            }
        }
        FlatTerm::PathBinary(operator, a, b, between) => {
            let until = PathFormula::Until(of(a), of(b), bounds(between));
            match operator {
                PathBinary::ExistsUntil => CtlNode::Path(Exists, until),
                PathBinary::AllUntil => CtlNode::Path(All, until),
                _ => panic!("{operator:?} is an operator of LTL"),
            }
        }
        term => panic!("{term:?} is no operator of CTL"),
    }
}

fn connective(operator: FlatBinary) -> CtlConnective {
    match operator {
        FlatBinary::And => CtlConnective::And,
        FlatBinary::Or => CtlConnective::Or,
        FlatBinary::Implies => CtlConnective::Implies,
        FlatBinary::Xnor | FlatBinary::Iff => CtlConnective::Iff,
        FlatBinary::Xor => CtlConnective::Xor,
        _ => panic!("{operator:?} is no connective of CTL"),
    }
}
