//! BatSat: MiniSat \[ES03\] in Rust.
//!
//! It was chosen because engines make thousands of small incremental queries under assumptions
//! (docs/results/sat-engines.md). The interrupt is called at each decision. BatSat asks again
//! before it gives up, so a reason to stop is kept until the query has ended: a budget that
//! measures only from time to time may say yes once and then no.

use std::cell::Cell;

use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, SolverOpts, Var, lbool};

use crate::literal::Literal;
use crate::solver::{Assuming, Outcome, Solver, Statistics};

/// The solver BatSat. The lifetime is that of its interrupt.
pub struct Batsat<'i> {
    inner: batsat::Solver<Interrupt<'i>>,
    core: Vec<Literal>,
    clause: Vec<Lit>,
    clauses: u64,
    queries: u64,
}

struct Interrupt<'i> {
    is_over: Box<dyn Fn() -> bool + 'i>,
    /// Whether the present query is over.
    was_over: Cell<bool>,
    /// How many conflicts the present query may still have.
    conflicts: u64,
}

impl Callbacks for Interrupt<'_> {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        // A conflict teaches one clause.
        if kind == ClauseKind::Learnt {
            self.conflicts = self.conflicts.saturating_sub(1);
        }
    }

    fn stop(&self) -> bool {
        let is_over = self.was_over.get() || self.conflicts == 0 || (self.is_over)();
        self.was_over.set(is_over);
        is_over
    }
}

fn outward(literal: Lit) -> Literal {
    let positive = Literal::positive(literal.var().idx() as usize);
    if literal.sign() { positive } else { !positive }
}

fn inward(literal: Literal) -> Lit {
    let variable = Var::unsafe_from_idx(literal.variable() as u32);
    Lit::new(variable, !literal.is_negative())
}

impl<'i> Batsat<'i> {
    /// A solver without clauses. Queries end soon after `interrupt` returns true.
    pub fn new(interrupt: impl Fn() -> bool + 'i) -> Self {
        let was_over = Cell::new(false);
        let interrupt = Interrupt { is_over: Box::new(interrupt), was_over, conflicts: u64::MAX };
        let inner = batsat::Solver::new(SolverOpts::default(), interrupt);
        Batsat { inner, core: Vec::new(), clause: Vec::new(), clauses: 0, queries: 0 }
    }
}

impl Solver for Batsat<'_> {
    fn new_literal(&mut self) -> Literal {
        Literal::positive(self.inner.new_var_default().idx() as usize)
    }

    fn new_reluctant(&mut self) -> Literal {
        Literal::positive(self.inner.new_var(lbool::FALSE, true).idx() as usize)
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.clauses += 1;
        self.clause.clear();
        self.clause.extend(clause.iter().map(|&literal| inward(literal)));
        // A contradiction is remembered by the solver, and all queries report it.
        self.inner.add_clause_reuse(&mut self.clause);
    }

    fn solve(&mut self) -> Outcome {
        self.solve_assuming(&[])
    }

    fn value(&self, literal: Literal) -> bool {
        self.inner.value_lit(inward(literal)) == lbool::TRUE
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            variables: u64::from(self.inner.num_vars()),
            clauses: self.clauses,
            queries: self.queries,
            decisions: self.inner.num_decisions(),
            conflicts: self.inner.num_conflicts(),
            propagations: self.inner.num_propagations(),
        }
    }
}

impl Assuming for Batsat<'_> {
    fn solve_assuming(&mut self, assumptions: &[Literal]) -> Outcome {
        self.solve_within(assumptions, u64::MAX)
    }

    fn solve_within(&mut self, assumptions: &[Literal], conflicts: u64) -> Outcome {
        let interrupt = self.inner.cb_mut();
        interrupt.conflicts = conflicts;
        interrupt.was_over.set(false);
        self.queries += 1;
        self.core.clear();
        let assumptions: Vec<Lit> = assumptions.iter().map(|&literal| inward(literal)).collect();
        let outcome = self.inner.solve_limited(&assumptions);
        if outcome == lbool::TRUE {
            Outcome::Satisfiable
        } else if outcome == lbool::FALSE {
            // The solver reports the assumptions negated, as a clause.
            self.core.extend(self.inner.unsat_core().iter().map(|&literal| outward(!literal)));
            Outcome::Unsatisfiable
        } else {
            Outcome::Interrupted
        }
    }

    fn core(&self) -> &[Literal] {
        &self.core
    }
}
