//! The explicit automaton of a property, for products with models.
//!
//! The automaton comes from `crates/automata`, so its states are few. Its labels become
//! expressions over the steps of the model. Propositions that are no atoms of the model, such as
//! those that store the values of past operators, are projected away. A mark counts only on
//! transitions inside of an accepting component, and is dropped elsewhere: no run takes the others
//! infinitely often, or none that is accepted.

use std::collections::BTreeSet;

use kermode_automata::tgba::{AcceptanceClass, Components, Marks, State};
use kermode_automata::translation::{Level, reduce, to_buchi, translate};
use kermode_automata::{Difference, Tgba};
use kermode_bdd::Variable;
use kermode_ltl::{Formula, Store};
use kermode_system::{Atoms, Expression, Graph, Model};

use crate::compiled::expressions::DiagramExpressions;
use crate::frame::budget::{Budget, Stop};
use crate::frame::options::Choice;

pub(crate) const LEVEL: Choice<Level> = Choice {
    key: "level",
    help: "the effort for a small automaton of the formula",
    values: &[
        ("high", "all reductions", Level::High),
        ("medium", "simulations until nothing changes", Level::Medium),
        ("low", "direct simulation once", Level::Low),
        ("raw", "the plain construction", Level::Raw),
    ],
};

/// A transition of a property.
pub(super) struct PropertyEdge {
    pub(super) source: usize,
    pub(super) target: usize,
    /// The condition on the step of the model.
    pub(super) label: Expression,
    pub(super) marks: Marks,
}

/// The automaton of a property. States are numbers.
pub(super) struct PropertyAutomaton {
    pub(super) state_count: usize,
    pub(super) initial: Vec<usize>,
    pub(super) edges: Vec<PropertyEdge>,
    pub(super) mark_count: usize,
    pub(super) class: AcceptanceClass,
    /// The component of each state. A transition leads to the same or to a smaller one.
    pub(super) component: Vec<usize>,
    /// Whether the component of each state is accepting.
    pub(super) is_accepting: Vec<bool>,
}

/// The automaton of a formula whose propositions are atoms of a model, except for those that the
/// elimination of operators has added.
pub(crate) fn translated(
    store: &mut Store,
    formula: Formula,
    atoms: &Atoms,
    level: Level,
    budget: &Budget,
) -> Result<Tgba, Stop> {
    let interrupt = &mut || budget.check();
    let automaton = translate::<Stop>(store, formula, level, interrupt)?;
    let is_hidden = |p| !atoms.contains_key(&p);
    match automaton.propositions().iter().any(|&p| is_hidden(p)) {
        true => reduce(automaton.projected(is_hidden)?, level, interrupt),
        false => Ok(automaton),
    }
}

/// The automaton of a difference of automata.
pub(crate) fn combined(automata: &Difference, level: Level, budget: &Budget) -> Result<Tgba, Stop> {
    let interrupt = &mut || budget.check();
    reduce(automata.tgba(interrupt)?, level, interrupt)
}

/// An automaton with the same language and one mark, which is on states.
pub(super) fn degeneralised(automaton: &Tgba, level: Level, budget: &Budget) -> Result<Tgba, Stop> {
    to_buchi(automaton, level, &mut || budget.check())
}

impl PropertyAutomaton {
    /// The automaton with labels over the steps of a model.
    pub(super) fn new(automaton: &Tgba, model: &mut Model, budget: &Budget) -> Result<Self, Stop> {
        let components = Components::of(automaton);
        let class = AcceptanceClass::of(automaton, &components)?;
        let accepts = |state: State| components.is_accepting(components.component(state));
        let mut labels = DiagramExpressions::default();
        let Model { graph, atoms, .. } = model;
        let atom =
            |_: &mut Graph, variable: Variable| atoms[&automaton.propositions()[variable.index()]];
        let edge = |(source, transition): (State, &kermode_automata::tgba::Transition)| {
            let counts = accepts(source) && components.are_together(source, transition.target);
            Ok(PropertyEdge {
                source: source.index(),
                target: transition.target.index(),
                label: labels.expression(graph, &transition.label, atom, budget)?,
                marks: if counts { transition.marks.clone() } else { Marks::new() },
            })
        };
        Ok(PropertyAutomaton {
            state_count: automaton.state_count(),
            initial: automaton.initial().iter().map(|state| state.index()).collect(),
            edges: automaton.transitions().map(edge).collect::<Result<_, Stop>>()?,
            mark_count: automaton.mark_count(),
            class,
            component: automaton.states().map(|state| components.component(state)).collect(),
            is_accepting: automaton.states().map(accepts).collect(),
        })
    }

    /// The states that transitions with a mark leave.
    pub(super) fn marked_sources(&self) -> BTreeSet<usize> {
        let marked = self.edges.iter().filter(|edge| !edge.marks.is_empty());
        marked.map(|edge| edge.source).collect()
    }

    /// The states in accepting components.
    pub(super) fn accepting(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.state_count).filter(|&state| self.is_accepting[state])
    }
}
