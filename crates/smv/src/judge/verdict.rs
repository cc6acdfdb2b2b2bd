//! The verdict on a specification of a flat model.

use kermode_ltl::{Store, UnaryOp};

use super::{Graph, Length, Limits, Unjudged, fair_path, label, longest, shortest, violation};
use crate::flat::{FlatModel, Property};
use crate::interpreter::{Fairness, Trace};
use crate::property::{FlatAtoms, ltl_formula};
use crate::syntax::PropertyKind;

/// The answer to a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It is violated. Of LTL and invariants there is a path that shows it.
    Violated(Option<Trace>),
    /// The answer to COMPUTE.
    Length(Length),
}

impl Verdict {
    fn of_violation(trace: Option<Trace>) -> Self {
        match trace {
            Some(trace) => Verdict::Violated(Some(trace)),
            None => Verdict::Holds,
        }
    }

    /// Whether the specification holds. COMPUTE neither holds nor is violated.
    pub fn holds(&self) -> Option<bool> {
        match self {
            Verdict::Holds => Some(true),
            Verdict::Violated(_) => Some(false),
            Verdict::Length(_) => None,
        }
    }
}

/// Judges a specification of a model.
///
/// # Errors
/// If the model is too large, if the specification is one of PSL, or if `interrupt` returns an
/// error.
pub fn verdict<E>(
    model: &FlatModel,
    property: &Property,
    limits: Limits,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Verdict, Unjudged<E>> {
    let operands = property.operands.as_slice();
    match (property.kind, operands) {
        (PropertyKind::Ltl, &[specification]) => {
            let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
            let formula = ltl_formula(model, specification, &mut store, &mut atoms);
            let negation = store.unary(UnaryOp::Not, formula);
            let observed = atoms.of(&store, formula).into_iter().map(|(_, atom)| atom);
            let graph = Graph::new(model, observed, limits, interrupt)?;
            let fairness = Fairness::JusticeAndCompassion;
            let path = fair_path(&graph, &store, negation, &atoms, fairness, interrupt)?;
            Ok(Verdict::of_violation(path))
        }
        (PropertyKind::Invariant, &[invariant]) => {
            let graph = Graph::new(model, [invariant], limits, interrupt)?;
            Ok(Verdict::of_violation(violation(&graph, invariant)))
        }
        (PropertyKind::Ctl, &[formula]) => {
            let graph = Graph::new(model, [], limits, interrupt)?;
            let labelling = label(&graph, operands, interrupt).map_err(Unjudged::Interrupted)?;
            let holds = labelling.holds(&graph, formula);
            Ok(if holds { Verdict::Holds } else { Verdict::Violated(None) })
        }
        (PropertyKind::ComputeMin | PropertyKind::ComputeMax, &[from, to]) => {
            let graph = Graph::new(model, [], limits, interrupt)?;
            let labelling = label(&graph, operands, interrupt).map_err(Unjudged::Interrupted)?;
            let length = match property.kind {
                PropertyKind::ComputeMin => shortest(&graph, &labelling, from, to, interrupt),
                _ => longest(&graph, &labelling, from, to, interrupt),
            };
            Ok(Verdict::Length(length.map_err(Unjudged::Interrupted)?))
        }
        _ => Err(Unjudged::Unsupported),
    }
}
