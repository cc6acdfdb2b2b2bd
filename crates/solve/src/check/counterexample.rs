//! Counterexamples: traces of the flat model, replayed by the interpreter.

use std::collections::BTreeMap;

use kermode_ltl::{Proposition, Store};
use kermode_smv::SmvModel;
use kermode_smv::flat::expression::Below;
use kermode_smv::flat::{FlatExpression, FlatTerm, VariableId};
use kermode_smv::interpreter::{Fairness, Interpreter, Replay, Trace};
use kermode_smv::print::short_text;
use kermode_smv::property::{CtlSpecification, FlatAtoms, word_of};
use kermode_system::Target;
use kermode_system::ctl::CtlNode;
use kermode_system::ctl::evidence::Claim;

use crate::frame::budget::{Budget, Stop};
use crate::frame::problem::RunProperty;

/// A path of the model that refutes a property.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The path.
    pub trace: Trace,
    /// The variables that the property mentions, in the order of the model.
    pub variables: Vec<VariableId>,
    /// Claims of CTL that the path does not show by itself, as sentences.
    pub not_shown: Vec<String>,
    claims: Vec<Claim>,
}

impl Counterexample {
    pub(super) fn new(trace: Trace, variables: Vec<VariableId>, claims: Vec<Claim>) -> Self {
        Counterexample { trace, variables, not_shown: Vec::new(), claims }
    }

    /// Writes the claims that are not shown as sentences.
    pub(super) fn describe(&mut self, model: &SmvModel, specification: &CtlSpecification) {
        let sentence = |claim: &Claim| {
            let text = short_text(&model.flat, specification.origin(claim.formula));
            let text = text.unwrap_or_else(|| "a large subformula".to_owned());
            let holds = if claim.holds { "holds" } else { "does not hold" };
            format!("{text} {holds} at time {}", claim.time)
        };
        self.not_shown = self.claims.iter().map(sentence).collect();
        if self.trace.loop_start.is_none() {
            self.not_shown.push("a fair path continues from the last state".to_owned());
        }
    }
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

    /// Whether the word of the trace has a property.
    pub(super) fn has(
        &self,
        trace: &Trace,
        store: &Store,
        atoms: &FlatAtoms,
        property: RunProperty,
    ) -> Result<bool, Stop> {
        let mentioned = atoms_of(store, atoms, property);
        let word = word_of(&self.model.flat, trace, &mentioned);
        property.holds_on(store, &word, self.budget)
    }

    /// Whether the last state has no successor.
    pub(super) fn is_dead_end(&self, trace: &Trace) -> Result<bool, Stop> {
        let Some(last) = trace.states.last() else { return Ok(false) };
        let mut interpreter = Interpreter::new(&self.model.flat);
        Ok(!interpreter.has_successor(last, &mut || self.budget.check())?)
    }

    /// Whether the claims about atoms are right, by the interpreter.
    pub(super) fn are_right(
        &self,
        trace: &Trace,
        specification: &CtlSpecification,
        claims: &[Claim],
    ) -> bool {
        let formula = &specification.formula;
        let is_atom = |claim: &&Claim| matches!(formula.node(claim.formula), CtlNode::Atom(_));
        let claims: Vec<&Claim> = claims.iter().filter(is_atom).collect();
        let mut store = Store::new();
        let mut atoms: BTreeMap<usize, (Proposition, FlatExpression)> = BTreeMap::new();
        for claim in &claims {
            let index = claim.formula.index();
            let proposition = store.proposition(&index.to_string());
            atoms.insert(index, (proposition, specification.origin(claim.formula)));
        }
        let list: Vec<(Proposition, FlatExpression)> = atoms.values().copied().collect();
        let word = word_of(&self.model.flat, trace, &list);
        claims.iter().all(|claim| {
            let letter = word.letters().get(claim.time);
            letter.is_some_and(|letter| {
                letter.contains(atoms[&claim.formula.index()].0) == claim.holds
            })
        })
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

/// The atoms of a property.
pub(super) fn atoms_of(
    store: &Store,
    atoms: &FlatAtoms,
    property: RunProperty,
) -> Vec<(Proposition, FlatExpression)> {
    let propositions = property.propositions(store).into_iter();
    propositions.filter_map(|p| Some((p, atoms.expression(p)?))).collect()
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
