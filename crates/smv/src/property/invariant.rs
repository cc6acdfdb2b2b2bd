//! Invariant specifications as targets of a search for paths.

use kermode_system::Target;

use crate::encoding::EncodedModel;
use crate::flat::{FlatExpression, FlatModel};

/// What a path that violates an invariant ends with. If the invariant is about steps, that is
/// a step: NuSMV then does not check states that no step leaves, whatever the invariant says about
/// states. Where the evaluation of the invariant fails, it is violated.
///
/// # Panics
/// When the invariant is not Boolean, or has a temporal operator.
pub fn violation(
    flat: &FlatModel,
    encoded: &mut EncodedModel,
    invariant: FlatExpression,
) -> Target {
    let holds = encoded.boolean(flat, invariant);
    let violated = encoded.model.graph.not(holds);
    let is_about_steps = flat.expressions.is_about_steps(invariant);
    if is_about_steps { Target::Step(violated) } else { Target::State(violated) }
}
