//! A SAT solver with the budget that it works under. A query that is interrupted returns the reason
//! by `?`, as all other work does.

use std::cell::RefCell;
use std::rc::Rc;

use kermode_sat::{Assuming, DefaultSolver, Literal, Outcome, Solver};

use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;

/// A solver under a budget.
pub(super) struct SatContext<'b> {
    solver: DefaultSolver<'b>,
    stop: Rc<RefCell<Option<Stop>>>,
    truth: Literal,
}

impl<'b> SatContext<'b> {
    pub(super) fn new(budget: &'b Budget) -> Self {
        let stop = Rc::new(RefCell::new(None));
        let reason = Rc::clone(&stop);
        let mut solver = DefaultSolver::new(move || match budget.check() {
            Ok(()) => false,
            Err(stop) => {
                reason.replace(Some(stop));
                true
            }
        });
        let truth = solver.new_literal();
        solver.add_clause(&[truth]);
        SatContext { solver, stop, truth }
    }

    /// The literal of a constant.
    pub(super) fn constant(&self, value: bool) -> Literal {
        if value { self.truth } else { !self.truth }
    }

    pub(super) fn fresh(&mut self) -> Literal {
        self.solver.new_literal()
    }

    /// A new variable that is false unless there is a reason for the contrary.
    pub(super) fn reluctant(&mut self) -> Literal {
        self.solver.new_reluctant()
    }

    pub(super) fn clause(&mut self, clause: &[Literal]) {
        self.solver.add_clause(clause);
    }

    /// Whether the clauses can be satisfied under the assumptions.
    pub(super) fn query(&mut self, assumptions: &[Literal]) -> Result<bool, Stop> {
        match self.solver.solve_assuming(assumptions) {
            Outcome::Satisfiable => Ok(true),
            Outcome::Unsatisfiable => Ok(false),
            Outcome::Interrupted => Err(self.stop.take().unwrap_or(Stop::Cancelled)),
        }
    }

    /// The value of a literal in the last assignment.
    pub(super) fn value(&self, literal: Literal) -> bool {
        self.solver.value(literal)
    }

    /// The assumptions that the last query needed for its contradiction.
    pub(super) fn core(&self) -> &[Literal] {
        self.solver.core()
    }

    /// Reports the counters of the solver.
    pub(super) fn tell(&self, observer: &mut dyn Observer) {
        let counted = self.solver.statistics();
        observer.statistic("sat_variables", counted.variables);
        observer.statistic("sat_clauses", counted.clauses);
        observer.statistic("sat_queries", counted.queries);
        observer.statistic("sat_conflicts", counted.conflicts);
        observer.statistic("sat_decisions", counted.decisions);
        observer.statistic("sat_propagations", counted.propagations);
    }
}
