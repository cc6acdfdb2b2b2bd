//! The part of a model on which a property depends, and the way back from paths of a product to
//! paths of the model.
//!
//! Only rules that preserve the language apply to the formula: the propositions belong to the
//! model. Past operators over state formulas become *monitors*: variables whose values are
//! functions of the run so far. Other past operators, and counters of bounded operators, are
//! constrained by the automaton. Inputs belong to steps, and a symbolic automaton is about states:
//! an atom that reads inputs becomes a variable, which is equal to it in each step. Then the model
//! is reduced to the cone of influence of the formula. Automata stay as they are, and read steps.

use kermode_base::BitSet;
use kermode_ltl::eliminate::to_memories;
use kermode_ltl::rewrite::{RuleSet, simplify_unless};
use kermode_ltl::{Formula, Proposition, Store, WordKind};
use kermode_system::{Expression, Model, SymbolKind, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::compiled::check_declared;
use crate::compiled::reduced::Reduced;
use crate::compiled::traces::ModelMoment;
use crate::frame::answer::{ModelTrace, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::prepare::EXPANSION_LIMIT;
use crate::frame::problem::RunProperty;

/// A model, ready for its product with a property.
pub(crate) struct Observed<'m> {
    /// The part of the model with monitors on which the property depends, with its atoms.
    pub(crate) model: Model,
    /// The property. A formula has no past and bounded operators.
    pub(crate) property: RunProperty<'m>,
    /// The owner of the formula.
    pub(crate) store: Store,
    /// The same part, with the way back to the whole model with monitors.
    part: Reduced,
    /// The model as it was given.
    given: &'m Model,
}

impl<'m> Observed<'m> {
    /// Prepares a model for a property of words of this kind. Finite paths need no justice.
    pub(crate) fn new(
        store: &Store,
        model: &'m Model,
        (property, words): (RunProperty<'m>, WordKind),
        about_states: bool,
        rules: &RuleSet,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        check_atoms(store, model, property)?;
        let mut store = store.clone();
        let (observed, property) = match property {
            RunProperty::Formula(formula) => {
                let interrupt = &mut || budget.check();
                let simple = simplify_unless(&mut store, formula, words, rules, interrupt)?;
                let (mut observed, formula) =
                    with_monitors(&mut store, model, simple.formula, words)?;
                if about_states {
                    store_inputs(&store, &mut observed, formula);
                }
                (observed, RunProperty::Formula(formula))
            }
            automata => (model.clone(), automata),
        };
        let atoms: Vec<Expression> = property
            .propositions(&store)
            .iter()
            .filter_map(|p| observed.atoms.get(p))
            .copied()
            .collect();
        let system = match words {
            WordKind::Infinite => observed.system.clone(),
            WordKind::Finite => observed.system.without_justice(),
        };
        let part = Reduced::new(&observed, system, &atoms);
        let model_part = Model { atoms: observed.atoms, ..part.model.clone() };
        Ok(Observed { model: model_part, property, store, part, given: model })
    }

    /// The trace of the given model with these moments of a product, unless it gets too long.
    /// `order` has the variables of the product.
    pub(crate) fn trace(
        &self,
        order: &[Variable],
        moments: &[ModelMoment],
        loop_start: Option<usize>,
        longest: usize,
        budget: &Budget,
    ) -> Result<Option<Witness>, Stop> {
        let moments = self.relocated(order, moments);
        let whole = self.part.trace(&moments, loop_start, longest, budget)?;
        let Some(whole) = whole else { return Ok(None) };
        // The variables of monitors come after those of the model.
        let trace = whole.restricted(self.given.system.variables().len());
        Ok(Some(Witness::Trace(ModelTrace::of(self.given, trace))))
    }

    /// The moments with the variables of the part, in its order.
    fn relocated(&self, order: &[Variable], moments: &[ModelMoment]) -> Vec<ModelMoment> {
        let places = self.model.order.iter().enumerate();
        let places: FxHashMap<Variable, usize> = places.map(|(place, &v)| (v, place)).collect();
        let set = |set: &BitSet| -> BitSet {
            set.iter().filter_map(|place| places.get(&order[place]).copied()).collect()
        };
        let moment = |m: &ModelMoment| ModelMoment { state: set(&m.state), label: set(&m.label) };
        moments.iter().map(moment).collect()
    }
}

/// An error unless the propositions of a property are atoms of a model that declares its variables.
pub(crate) fn check_atoms(store: &Store, model: &Model, property: RunProperty) -> Result<(), Stop> {
    let unknown = |&p: &Proposition| !model.atoms.contains_key(&p);
    if let Some(p) = property.propositions(store).into_iter().find(unknown) {
        let name = store.name(p);
        return Err(Stop::Unsupported(format!("`{name}` is no atom of the model")));
    }
    check_declared(model, &[])
}

/// The model with monitors for past operators, and the formula over them, which has no past and
/// bounded operators.
pub(super) fn with_monitors(
    store: &mut Store,
    model: &Model,
    formula: Formula,
    words: WordKind,
) -> Result<(Model, Formula), Stop> {
    let too_large = |error: kermode_ltl::normal::ExpansionTooLarge| Stop::Limit(error.to_string());
    let mut defined = to_memories(store, formula, words, EXPANSION_LIMIT).map_err(too_large)?;
    let mut observed = model.clone();
    for memory in defined.take_monitors(store, |p| model.atoms.contains_key(&p)) {
        let variable = observed.auxiliary(store.name(memory.proposition));
        let value = observed.graph.current(variable);
        observed.atoms.insert(memory.proposition, value);
        let next = observed.expression(store, memory.next);
        observed.observe(variable, memory.initial, next);
    }
    let formula = match defined.memories.is_empty() {
        true => defined.formula,
        false => defined.constrained(store, words),
    };
    Ok((observed, formula))
}

/// Replaces the atoms of a formula that read inputs by variables.
fn store_inputs(store: &Store, model: &mut Model, formula: Formula) {
    let inputs = model.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Input);
    let inputs: FxHashSet<Variable> = inputs.flat_map(|symbol| symbol.bits.clone()).collect();
    for proposition in store.propositions(formula) {
        let Some(&atom) = model.atoms.get(&proposition) else { continue };
        let reads_inputs = |v: &Variable| inputs.contains(v);
        if model.graph.looks_ahead(atom) || !model.graph.variables(&[atom]).iter().any(reads_inputs)
        {
            continue;
        }
        let variable = model.auxiliary(store.name(proposition));
        let value = model.graph.current(variable);
        let equal = model.graph.iff(value, atom);
        model.system.add_transition(&model.graph, equal);
        model.atoms.insert(proposition, value);
    }
}
