//! Counterexamples: traces of the flat model, replayed by the interpreter.

use kermode_ltl::{Formula, Store, semantics};
use kermode_smv::SmvModel;
use kermode_smv::flat::expression::Below;
use kermode_smv::flat::{FlatExpression, FlatTerm, VariableId};
use kermode_smv::interpreter::{Fairness, Replay, Trace};
use kermode_smv::property::{FlatAtoms, word_of};

use crate::frame::answer::ModelTrace;
use crate::frame::budget::{Budget, Stop};

/// A path of the model that refutes a property.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The path.
    pub trace: Trace,
    /// The variables that the property mentions, in the order of the model.
    pub variables: Vec<VariableId>,
    /// Claims that the path does not show by itself.
    pub not_shown: Vec<String>,
}

/// The trace of a run, if the interpreter accepts it as a fair path on which the formula holds.
pub(super) fn replayed(
    model: &SmvModel,
    (store, atoms, formula): (&Store, &FlatAtoms, Formula),
    fairness: Fairness,
    run: &ModelTrace,
    budget: &Budget,
) -> Result<Option<Trace>, Stop> {
    let Some(trace) = model.encoded.decode(&model.flat, &run.trace) else { return Ok(None) };
    let interrupt = &mut || budget.check();
    if Replay::new(&model.flat).check_unless(&trace, fairness, interrupt)?.is_err() {
        return Ok(None);
    }
    let word = word_of(&model.flat, &trace, &atoms.of(store, formula));
    let holds = semantics::satisfies(store, formula, &word, interrupt)?;
    Ok(holds.then_some(trace))
}

/// The variables of expressions, in the order of the model.
pub(super) fn variables(model: &SmvModel, roots: &[FlatExpression]) -> Vec<VariableId> {
    let expressions = &model.flat.expressions;
    let below = Below::of(expressions, roots);
    let variable = |expression| match expressions.term(expression) {
        FlatTerm::Variable(variable) => Some(variable),
        _ => None,
    };
    let mut variables: Vec<VariableId> = below.iter().filter_map(variable).collect();
    variables.sort_unstable();
    variables
}
