//! The claims that properties of models hold.

use kermode_certificate::{Claim, ClaimKind};
use kermode_ltl::Dialect;

use crate::check::{CheckedKind, Property};
use crate::frame::problem::PathEnd;

/// The claim that a property holds. Typed formulas and assumptions are in a dialect.
///
/// # Errors
/// The reason, if such properties are not certified.
pub fn model_claim(
    property: &Property,
    syntax: Option<Dialect>,
    assumptions: &[String],
    finite: Option<PathEnd>,
) -> Result<Claim, &'static str> {
    let kind = match (property.kind, finite) {
        (CheckedKind::Ltl, _) => ClaimKind::Ltl,
        (CheckedKind::FiniteLtl, Some(PathEnd::DeadEnd)) => ClaimKind::MaximalLtl,
        (CheckedKind::FiniteLtl, _) => ClaimKind::FiniteLtl,
        (CheckedKind::Invariant, _) => ClaimKind::Invariant,
        (CheckedKind::Deadlock, _) => ClaimKind::Deadlock,
        (CheckedKind::Ctl | CheckedKind::ComputeMin | CheckedKind::ComputeMax, _) => {
            return Err("there are no certificates for CTL");
        }
        (CheckedKind::Automaton | CheckedKind::FiniteAutomaton, _) => {
            return Err("there are no certificates for automata");
        }
        (CheckedKind::Psl, _) => return Err("there are no certificates for PSL"),
    };
    let is_ltl = matches!(kind, ClaimKind::Ltl | ClaimKind::FiniteLtl | ClaimKind::MaximalLtl);
    let is_typed = property.number.is_none();
    Ok(Claim {
        kind,
        number: property.number,
        syntax: syntax.filter(|_| is_ltl && (is_typed || !assumptions.is_empty())),
        text: property.text.clone(),
        assumptions: assumptions.to_vec(),
    })
}
