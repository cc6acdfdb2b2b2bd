//! Symbolic transition systems, given by constraints.
//!
//! A *state* assigns a truth value to each variable and satisfies the invariants. A *run* is an
//! infinite sequence of states: the first satisfies the initial constraints, and each pair of a
//! state and its successor the transition constraints. It is *fair* if each justice constraint
//! holds at infinitely many of its steps. A system is empty if it has no fair run.
//!
//! **Justice on transitions.** A justice constraint may mention next values. It is then a set of
//! steps: it must hold for infinitely many pairs of a state and its successor on the run. Step `(s,
//! t)` is just if the constraint holds with `s` as current and `t` as next state, and a cycle is
//! fair if it has a just step for each constraint. A constraint without next values depends on the
//! first state of a step only. So acceptance by transitions needs nothing beyond acceptance by
//! states.
//!
//! Constraints are kept as conjunctive partitions: an added constraint is split into its conjuncts.
//! A transition constraint need not mention next values; on infinite runs it is then an invariant.
//!
//! A system has Boolean variables and justice only: other types are encoded in bits, and compassion
//! is reduced to justice, before a system is built.

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

/// A name for an expression over the current state or over a step. It constrains nothing: it makes
/// systems readable, and their texts no larger than their graphs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// What people call it.
    pub name: String,
    /// What it stands for.
    pub expression: Expression,
}

impl System {
    /// The system without variables; its only run repeats the empty state for ever.
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

    /// Adds a constraint on the first state.
    ///
    /// # Panics
    /// When the constraint has next values.
    pub fn add_initial(&mut self, graph: &Graph, constraint: Expression) {
        assert!(!graph.looks_ahead(constraint), "an initial constraint is about one state");
        self.initial.extend(graph.conjuncts(constraint));
    }

    /// Adds a constraint on every step.
    pub fn add_transition(&mut self, graph: &Graph, constraint: Expression) {
        self.transition.extend(graph.conjuncts(constraint));
    }

    /// Adds a constraint on every state.
    ///
    /// # Panics
    /// When the constraint has next values.
    pub fn add_invariant(&mut self, graph: &Graph, constraint: Expression) {
        assert!(!graph.looks_ahead(constraint), "an invariant is about one state");
        self.invariants.extend(graph.conjuncts(constraint));
    }

    /// Adds a constraint on infinitely many steps or, without next values, infinitely many states.
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

    /// The constraints on the first state.
    pub fn initial(&self) -> &[Expression] {
        &self.initial
    }

    /// The constraints on every step.
    pub fn transition(&self) -> &[Expression] {
        &self.transition
    }

    /// The constraints on every state.
    pub fn invariants(&self) -> &[Expression] {
        &self.invariants
    }

    /// The constraints on infinitely many steps, which may be different for each.
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

    /// The system with the same paths, all of which are fair.
    pub fn without_justice(&self) -> System {
        System { justice: Vec::new(), ..self.clone() }
    }

    /// Replaces the constraints on every step.
    pub(crate) fn replace_transition(&mut self, constraints: Vec<Expression>) {
        self.transition = constraints;
    }

    /// Adds the constraints and definitions of another system, without its variables.
    pub(crate) fn extend(&mut self, other: System) {
        self.initial.extend(other.initial);
        self.transition.extend(other.transition);
        self.invariants.extend(other.invariants);
        self.justice.extend(other.justice);
        self.definitions.extend(other.definitions);
    }

    /// The system restricted to some of the variables, constraints and definitions.
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
