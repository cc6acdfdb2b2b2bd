//! Traces of models from the moments of walks.

use kermode_base::BitSet;
use kermode_system::{Trace, Variable};
use rustc_hash::FxHashMap;

use crate::fixpoint::trace::Moment;

/// A state of a compiled model and the inputs of the step that leaves it: the indices of the true
/// variables. If inputs belong to states, the step has none.
pub(crate) type ModelMoment = Moment<BitSet, BitSet>;

/// The indices of all variables that are true at a moment, inputs included.
pub(crate) fn values(moment: &ModelMoment) -> BitSet {
    let mut values = moment.state.clone();
    values.union_with(&moment.label);
    values
}

/// The trace with these moments. They have the variables in the order of the compiled model; the
/// trace has some of them, as the system declares them.
pub(crate) fn trace<'m>(
    order: &[Variable],
    variables: &[Variable],
    moments: impl IntoIterator<Item = &'m ModelMoment>,
    loop_start: Option<usize>,
) -> Trace {
    let places: FxHashMap<Variable, usize> =
        order.iter().enumerate().map(|(place, &variable)| (variable, place)).collect();
    let row = |moment: &ModelMoment| {
        let values = values(moment);
        variables.iter().map(|variable| values.contains(places[variable])).collect::<Vec<bool>>()
    };
    Trace::new(variables.len(), moments.into_iter().map(row), loop_start)
}
