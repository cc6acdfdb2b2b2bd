//! Whether the last state of a trace is a dead end.
//!
//! This judges engines, so it shares no code with them: the constraints of a step, with the values
//! of the state in place of its variables, are conjoined as a decision diagram over inputs and next
//! values. The state is a dead end if the conjunction is false.

use kermode_bdd::{Bdd, Manager, Variable as Level};
use kermode_system::{Below, Expression, Model, SymbolKind, Term, Trace, Variable};

use super::bdd_manager::manager;
use super::budget::{Budget, Stop};

/// Whether the last state of a trace of a model has no successor.
pub(super) fn is_dead_end(model: &Model, trace: &Trace, budget: &Budget) -> Result<bool, Stop> {
    let manager = manager(2 * model.graph.variable_count(), budget)?;
    let step = LastStep::new(model, trace, &manager, budget);
    let system = &model.system;
    let mut all = manager.top();
    for (constraints, later) in
        [(system.transition(), false), (system.invariants(), false), (system.invariants(), true)]
    {
        for constraint in step.diagrams(constraints, later)? {
            budget.check()?;
            all = all.and(&constraint)?;
        }
    }
    Ok(all.is_bottom())
}

/// A step from the last state of a trace.
struct LastStep<'d> {
    model: &'d Model,
    manager: &'d Manager,
    budget: &'d Budget,
    /// By variable of the graph: its value in the last state. Inputs have none.
    values: Vec<Option<bool>>,
}

impl<'d> LastStep<'d> {
    fn new(model: &'d Model, trace: &Trace, manager: &'d Manager, budget: &'d Budget) -> Self {
        let mut values = vec![None; model.graph.variable_count()];
        for (position, variable) in model.system.variables().iter().enumerate() {
            values[variable.index()] = Some(trace.value(trace.len() - 1, position));
        }
        let inputs = model.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Input);
        inputs.flat_map(|symbol| &symbol.bits).for_each(|bit| values[bit.index()] = None);
        LastStep { model, manager, budget, values }
    }

    /// The diagrams of constraints, of the state after the step if they are `later`.
    fn diagrams(&self, constraints: &[Expression], later: bool) -> Result<Vec<Bdd>, Stop> {
        let graph = &self.model.graph;
        let below = Below::of(graph, constraints);
        let mut diagrams: Vec<Bdd> = Vec::with_capacity(below.len());
        for expression in below.iter() {
            self.budget.check()?;
            let of = |operand| &diagrams[below.position(operand)];
            diagrams.push(match graph.term(expression) {
                Term::Constant(value) => self.constant(value),
                Term::Current(variable) => self.variable(variable, later)?,
                Term::Next(variable) => self.variable(variable, true)?,
                Term::Not(a) => of(a).not()?,
                Term::And(a, b) => of(a).and(of(b))?,
                Term::Or(a, b) => of(a).or(of(b))?,
                Term::Implies(a, b) => of(a).implies(of(b))?,
                Term::Iff(a, b) => of(a).iff(of(b))?,
            });
        }
        Ok(constraints.iter().map(|&root| diagrams[below.position(root)].clone()).collect())
    }

    fn constant(&self, value: bool) -> Bdd {
        if value { self.manager.top() } else { self.manager.bottom() }
    }

    fn variable(&self, variable: Variable, next: bool) -> Result<Bdd, Stop> {
        match self.values[variable.index()] {
            Some(value) if !next => Ok(self.constant(value)),
            _ => {
                let level = 2 * variable.index() as u32 + u32::from(next);
                Ok(self.manager.variable(Level(level))?)
            }
        }
    }
}
