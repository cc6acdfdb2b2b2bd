//! A SAT solver with the budget that it works under. A query that is interrupted returns the reason
//! by `?`, as all other work does.

use std::cell::RefCell;
use std::rc::Rc;

use kermode_sat::{Assuming, DefaultSolver, LargeSolver, Literal, Outcome};

use super::mistakes::Mistake;
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;

/// A solver under a budget.
pub(crate) struct SatContext<'b> {
    solver: Box<dyn Assuming + 'b>,
    stop: Rc<RefCell<Option<Stop>>>,
    truth: Literal,
    /// A planted mistake, in tests.
    mistake: Option<Mistake>,
}

impl<'b> SatContext<'b> {
    /// A solver for many small queries under assumptions.
    pub(crate) fn new(budget: &'b Budget) -> Self {
        let (stop, interrupt) = interrupt(budget);
        SatContext::over(Box::new(DefaultSolver::new(interrupt)), stop)
    }

    /// A solver for few large queries.
    pub(crate) fn large(budget: &'b Budget) -> Self {
        let (stop, interrupt) = interrupt(budget);
        SatContext::over(Box::new(LargeSolver::new(interrupt)), stop)
    }

    fn over(mut solver: Box<dyn Assuming + 'b>, stop: Rc<RefCell<Option<Stop>>>) -> Self {
        let truth = solver.new_literal();
        solver.add_clause(&[truth]);
        SatContext { solver, stop, truth, mistake: planted() }
    }

    /// Whether a mistake was planted.
    pub(super) fn has(&self, mistake: Mistake) -> bool {
        self.mistake == Some(mistake)
    }

    /// The literal of a constant.
    pub(crate) fn constant(&self, value: bool) -> Literal {
        if value { self.truth } else { !self.truth }
    }

    pub(crate) fn fresh(&mut self) -> Literal {
        self.solver.new_literal()
    }

    /// A new variable that is false unless there is a reason for the contrary.
    pub(crate) fn reluctant(&mut self) -> Literal {
        self.solver.new_reluctant()
    }

    pub(crate) fn clause(&mut self, clause: &[Literal]) {
        self.solver.add_clause(clause);
    }

    /// Whether the clauses can be satisfied under the assumptions.
    pub(crate) fn query(&mut self, assumptions: &[Literal]) -> Result<bool, Stop> {
        let answer = self.query_within(assumptions, u64::MAX)?;
        Ok(answer.expect("conflicts are not limited"))
    }

    /// The same, or nothing if this takes more than so many conflicts.
    pub(super) fn query_within(
        &mut self,
        assumptions: &[Literal],
        conflicts: u64,
    ) -> Result<Option<bool>, Stop> {
        match self.solver.solve_within(assumptions, conflicts) {
            Outcome::Satisfiable => Ok(Some(true)),
            Outcome::Unsatisfiable => Ok(Some(false)),
            Outcome::Interrupted => match self.stop.take() {
                Some(stop) => Err(stop),
                None => Ok(None),
            },
        }
    }

    /// How many conflicts there were so far.
    pub(super) fn conflicts(&self) -> u64 {
        self.solver.statistics().conflicts
    }

    /// The value of a literal in the last assignment.
    pub(crate) fn value(&self, literal: Literal) -> bool {
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

/// Whether a budget has ended, and the place where the reason is kept.
fn interrupt(budget: &Budget) -> (Rc<RefCell<Option<Stop>>>, impl Fn() -> bool) {
    let stop = Rc::new(RefCell::new(None));
    let reason = Rc::clone(&stop);
    let is_over = move || match budget.check() {
        Ok(()) => false,
        Err(stop) => {
            reason.replace(Some(stop));
            true
        }
    };
    (stop, is_over)
}

#[cfg(not(test))]
fn planted() -> Option<Mistake> {
    None
}

#[cfg(test)]
fn planted() -> Option<Mistake> {
    super::mutant_tests::planted()
}
