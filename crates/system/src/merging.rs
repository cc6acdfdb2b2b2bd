//! Models without variables that others determine.
//!
//! A *fact* says that a variable is constant, or equal to another variable or to its negation, in
//! all reachable states. [`Merging`] replaces such variables in all constraints and atoms. States
//! of the smaller model are the states of the whole one in which the facts hold, with the same
//! steps between them. All reachable states are among them, so runs and paths are the same.
//! [`Merging::extended`] gives the variables of a trace their values.
//!
//! Whether a fact holds is not examined here.

use rustc_hash::FxHashMap;

use crate::graph::{Expression, Graph, Term, Variable};
use crate::model::{Model, SymbolKind};
use crate::system::System;
use crate::trace::Trace;

/// The value of a variable in all reachable states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// It is constant.
    Constant(bool),
    /// It is equal to another variable, or to its negation.
    Equal {
        /// The other variable, about which there is no fact.
        to: Variable,
        /// Whether it is equal to the negation.
        negated: bool,
    },
}

/// Facts about variables of a model.
#[derive(Clone, Debug, Default)]
pub struct Merging {
    facts: FxHashMap<Variable, Fact>,
}

impl Merging {
    /// These facts.
    ///
    /// # Panics
    /// When a variable is equal to one about which there is a fact.
    pub fn new(facts: impl IntoIterator<Item = (Variable, Fact)>) -> Self {
        let facts: FxHashMap<Variable, Fact> = facts.into_iter().collect();
        let is_free = |fact: &Fact| match fact {
            Fact::Constant(_) => true,
            Fact::Equal { to, .. } => !facts.contains_key(to),
        };
        assert!(facts.values().all(is_free), "a representative is a free variable");
        Merging { facts }
    }

    /// The number of facts.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether there is no fact.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// The expressions with all variables replaced.
    pub fn replaced(&self, graph: &mut Graph, roots: &[Expression]) -> Vec<Expression> {
        graph.replace(roots, |graph, term| match term {
            Term::Current(variable) => self.value(graph, variable, Graph::current),
            Term::Next(variable) => self.value(graph, variable, Graph::next),
            _ => unreachable!("only variables are replaced"),
        })
    }

    /// The expressions with the current values of variables replaced, and not the next ones.
    pub fn replaced_now(&self, graph: &mut Graph, roots: &[Expression]) -> Vec<Expression> {
        graph.replace(roots, |graph, term| match term {
            Term::Current(variable) => self.value(graph, variable, Graph::current),
            Term::Next(variable) => graph.next(variable),
            _ => unreachable!("only variables are replaced"),
        })
    }

    /// The value of a variable at a moment.
    fn value(
        &self,
        graph: &mut Graph,
        variable: Variable,
        at: fn(&mut Graph, Variable) -> Expression,
    ) -> Expression {
        match self.facts.get(&variable) {
            None => at(graph, variable),
            Some(&Fact::Constant(value)) => graph.constant(value),
            Some(&Fact::Equal { to, negated }) => {
                let other = at(graph, to);
                if negated { graph.not(other) } else { other }
            }
        }
    }

    /// The model without the variables. Symbols that lose a bit are left out, because their values
    /// are not encoded any more.
    pub fn model(&self, model: &Model) -> Model {
        let mut graph = model.graph.clone();
        let mut all = |roots: &[Expression]| self.replaced(&mut graph, roots);
        let system = &model.system;
        let [initial, transition, invariants, justice] =
            [system.initial(), system.transition(), system.invariants(), system.justice()]
                .map(&mut all);
        let atoms: Vec<Expression> = model.atoms.values().copied().collect();
        let atoms = all(&atoms);
        let is_kept = |variable: &Variable| !self.facts.contains_key(variable);
        let mut smaller = System::new();
        let kept = system.variables().iter().copied().filter(is_kept);
        kept.for_each(|variable| smaller.add_variable(variable));
        initial.into_iter().for_each(|constraint| smaller.add_initial(&graph, constraint));
        transition.into_iter().for_each(|constraint| smaller.add_transition(&graph, constraint));
        invariants.into_iter().for_each(|constraint| smaller.add_invariant(&graph, constraint));
        let is_true = |graph: &Graph, e| graph.term(e) == Term::Constant(true);
        justice.into_iter().filter(|&e| !is_true(&graph, e)).for_each(|e| smaller.add_justice(e));
        let symbols = model.symbols.iter().filter(|symbol| symbol.bits.iter().all(is_kept));
        Model {
            symbols: symbols.cloned().collect(),
            order: model.order.iter().copied().filter(is_kept).collect(),
            atoms: model.atoms.keys().copied().zip(atoms).collect(),
            system: smaller,
            graph,
        }
    }

    /// The trace of the whole system from one of the smaller model.
    pub fn extended(&self, whole: &System, smaller: &System, trace: &Trace) -> Trace {
        let places = smaller.variables().iter().enumerate();
        let places: FxHashMap<Variable, usize> = places.map(|(place, &v)| (v, place)).collect();
        let value = |step: usize, variable: Variable| match self.facts.get(&variable) {
            None => trace.value(step, places[&variable]),
            Some(&Fact::Constant(value)) => value,
            Some(&Fact::Equal { to, negated }) => trace.value(step, places[&to]) != negated,
        };
        let state = |step| whole.variables().iter().map(move |&v| value(step, v)).collect();
        let states: Vec<Vec<bool>> = (0..trace.len()).map(state).collect();
        Trace::new(whole.variables().len(), states, trace.loop_start())
    }
}

/// The variables of states, about which there may be facts: inputs belong to steps.
pub fn state_variables(model: &Model) -> Vec<Variable> {
    let inputs = model.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Input);
    let inputs: Vec<Variable> = inputs.flat_map(|symbol| symbol.bits.clone()).collect();
    let all = model.system.variables().iter().copied();
    all.filter(|variable| !inputs.contains(variable)).collect()
}
