//! Symbolic systems: what a transition system is, said by constraints.
//!
//! A *state* gives a truth value to each variable and satisfies the invariants. A *run* is an
//! infinite sequence of states: the first satisfies the initial constraints, and each with its
//! successor the transition constraints. It is *fair* if each justice constraint holds at
//! infinitely many of its steps. A system is empty if it has no fair run.
//!
//! **Justice on transitions.** A justice constraint may mention next values. It is then a set of
//! steps: it must hold of infinitely many pairs of a state and its successor on the run. A search
//! takes step `(s, t)` for just when the constraint holds with `s` now and `t` next, and a cycle
//! for fair when each constraint has a just step on it; constraints without next values are those
//! whose steps are just by their first state. So acceptance by transitions needs no more than
//! acceptance by states does.
//!
//! Constraints are kept as conjunctive partitions: what is added is taken apart into its conjuncts.
//! A transition constraint need not mention next values; on infinite runs it is then an invariant.
//!
//! Nothing here knows types other than Boolean, nor priorities between fairness: words of other
//! types are brought to bits, and compassion to justice, before a system is made.

use crate::graph::{Expression, Graph, Variable};

/// A symbolic transition system over the variables of some [`Graph`].
#[derive(Clone, Debug, Default)]
pub struct System {
    variables: Vec<Variable>,
    initial: Vec<Expression>,
    transition: Vec<Expression>,
    invariants: Vec<Expression>,
    justice: Vec<Expression>,
    definitions: Vec<Definition>,
}

/// A name for an expression over the current state, or over a step. It constrains nothing: it makes
/// systems readable, and their texts no larger than their graphs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// What people call it.
    pub name: String,
    /// What it stands for.
    pub expression: Expression,
}

impl System {
    /// The system without variables; its one run is the empty state for ever.
    pub fn new() -> Self {
        System::default()
    }

    /// The free system over new variables of these names: every sequence of letters is a fair run.
    pub fn free<'a>(graph: &mut Graph, names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut system = System::new();
        for name in names {
            let variable = graph.variable(name);
            system.add_variable(variable);
        }
        system
    }

    /// Declares a variable that is not declared yet.
    pub fn add_variable(&mut self, variable: Variable) {
        self.variables.push(variable);
    }

    /// Demands something of the first state.
    ///
    /// # Panics
    /// When the constraint looks ahead.
    pub fn add_initial(&mut self, graph: &Graph, constraint: Expression) {
        assert!(!graph.looks_ahead(constraint), "an initial constraint is about one state");
        self.initial.extend(graph.conjuncts(constraint));
    }

    /// Demands something of every step.
    pub fn add_transition(&mut self, graph: &Graph, constraint: Expression) {
        self.transition.extend(graph.conjuncts(constraint));
    }

    /// Demands something of every state.
    ///
    /// # Panics
    /// When the constraint looks ahead.
    pub fn add_invariant(&mut self, graph: &Graph, constraint: Expression) {
        assert!(!graph.looks_ahead(constraint), "an invariant is about one state");
        self.invariants.extend(graph.conjuncts(constraint));
    }

    /// Demands something of infinitely many steps; if it does not look ahead, of infinitely many
    /// states.
    pub fn add_justice(&mut self, constraint: Expression) {
        self.justice.push(constraint);
    }

    /// Names an expression.
    pub fn add_definition(&mut self, name: String, expression: Expression) {
        self.definitions.push(Definition { name, expression });
    }

    /// The variables, as they were declared.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// What must hold of the first state: all of these.
    pub fn initial(&self) -> &[Expression] {
        &self.initial
    }

    /// What must hold of every step: all of these.
    pub fn transition(&self) -> &[Expression] {
        &self.transition
    }

    /// What must hold of every state: all of these.
    pub fn invariants(&self) -> &[Expression] {
        &self.invariants
    }

    /// What must hold of infinitely many steps: each of these, not necessarily of the same.
    pub fn justice(&self) -> &[Expression] {
        &self.justice
    }

    /// The names of expressions.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// All constraints, in the order initial, transition, invariants, justice.
    pub fn constraints(&self) -> Vec<Expression> {
        let parts = [&self.initial, &self.transition, &self.invariants, &self.justice];
        parts.into_iter().flatten().copied().collect()
    }

    /// The first variable of that name.
    pub fn find(&self, graph: &Graph, name: &str) -> Option<Variable> {
        self.variables.iter().copied().find(|&variable| graph.name(variable) == name)
    }

    /// Takes over the constraints and definitions of another system, not its variables.
    pub(crate) fn extend(&mut self, other: System) {
        self.initial.extend(other.initial);
        self.transition.extend(other.transition);
        self.invariants.extend(other.invariants);
        self.justice.extend(other.justice);
        self.definitions.extend(other.definitions);
    }

    /// The system of some of the variables, some of the constraints and some of the definitions.
    pub(crate) fn filtered(
        &self,
        variable: impl Fn(Variable) -> bool,
        expression: impl Fn(Expression) -> bool,
    ) -> System {
        let part = |all: &[Expression]| all.iter().copied().filter(|&e| expression(e)).collect();
        let definitions = self.definitions.iter().filter(|d| expression(d.expression));
        System {
            variables: self.variables.iter().copied().filter(|&v| variable(v)).collect(),
            initial: part(&self.initial),
            transition: part(&self.transition),
            invariants: part(&self.invariants),
            justice: part(&self.justice),
            definitions: definitions.cloned().collect(),
        }
    }
}
