//! Counterexamples: traces of the flat model, replayed by the interpreter.

use kermode_ltl::{Formula, Store, semantics};
use kermode_smv::SmvModel;
use kermode_smv::flat::expression::Below;
use kermode_smv::flat::{FlatExpression, FlatTerm, VariableId};
use kermode_smv::interpreter::{Fairness, Interpreter, Replay, Trace};
use kermode_smv::property::{FlatAtoms, word_of};
use kermode_system::Target;

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

/// Replays traces by the interpreter.
pub(super) struct Replayer<'r> {
    pub(super) model: &'r SmvModel,
    pub(super) budget: &'r Budget,
}

impl Replayer<'_> {
    /// Whether the trace is a path of the model, and its loop is fair.
    pub(super) fn is_path(&self, trace: &Trace, fairness: Fairness) -> Result<bool, Stop> {
        let mut replay = Replay::new(&self.model.flat);
        Ok(replay.check_unless(trace, fairness, &mut || self.budget.check())?.is_ok())
    }

    /// Whether the word of the trace satisfies a formula.
    pub(super) fn satisfies(
        &self,
        trace: &Trace,
        store: &Store,
        atoms: &FlatAtoms,
        formula: Formula,
    ) -> Result<bool, Stop> {
        let word = word_of(&self.model.flat, trace, &atoms.of(store, formula));
        semantics::satisfies(store, formula, &word, &mut || self.budget.check())
    }

    /// Whether the last state has no successor.
    pub(super) fn is_dead_end(&self, trace: &Trace) -> Result<bool, Stop> {
        let Some(last) = trace.states.last() else { return Ok(false) };
        let mut interpreter = Interpreter::new(&self.model.flat);
        Ok(!interpreter.has_successor(last, &mut || self.budget.check())?)
    }

    /// Whether an invariant is not true in the last state, or on the last step.
    pub(super) fn violates(
        &self,
        trace: &Trace,
        target: Target,
        invariant: FlatExpression,
    ) -> bool {
        let mut store = Store::new();
        let proposition = store.proposition("invariant");
        let word = word_of(&self.model.flat, trace, &[(proposition, invariant)]);
        let last = match target {
            Target::Step(_) => trace.states.len().checked_sub(2),
            Target::State(_) | Target::DeadEnd => trace.states.len().checked_sub(1),
        };
        last.is_some_and(|last| !word.letters()[last].contains(proposition))
    }
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
