//! CaDiCaL \[BFFH20\], in C++.
//!
//! It was chosen for few large queries, the unrolling of a formula over many positions
//! (docs/results/sat-engines.md). CaDiCaL sets a variable to true if there is no reason for the
//! contrary. Our callers expect false, so it is given the negation of every literal. It counts
//! neither decisions nor propagations for us.

use std::cell::Cell;
use std::rc::Rc;

use crate::literal::Literal;
use crate::solver::{Assuming, Outcome, Solver, Statistics};

/// The solver CaDiCaL. The lifetime is that of its interrupt.
pub struct Cadical<'i> {
    inner: cadical::Solver<Interrupt<'i>>,
    core: Vec<Literal>,
    statistics: Statistics,
    conflicts: Rc<Cell<u64>>,
}

struct Interrupt<'i> {
    is_over: Box<dyn Fn() -> bool + 'i>,
    conflicts: Rc<Cell<u64>>,
}

impl cadical::Callbacks for Interrupt<'_> {
    fn terminate(&mut self) -> bool {
        (self.is_over)()
    }

    fn max_length(&self) -> i32 {
        i32::MAX
    }

    fn learn(&mut self, _: &[i32]) {
        // A conflict teaches one clause.
        self.conflicts.set(self.conflicts.get() + 1);
    }
}

/// The number of a literal for the solver.
fn inward(literal: Literal) -> i32 {
    let variable = i32::try_from(literal.variable() + 1).expect("fewer than 2^31 variables");
    if literal.is_negative() { variable } else { -variable }
}

impl<'i> Cadical<'i> {
    /// A solver without clauses. Queries end soon after `interrupt` returns true.
    pub fn new(interrupt: impl Fn() -> bool + 'i) -> Self {
        let (mut inner, conflicts) = (cadical::Solver::new(), Rc::new(Cell::new(0)));
        let counter = Rc::clone(&conflicts);
        inner.set_callbacks(Some(Interrupt { is_over: Box::new(interrupt), conflicts: counter }));
        Cadical { inner, core: Vec::new(), statistics: Statistics::default(), conflicts }
    }
}

impl Solver for Cadical<'_> {
    fn new_literal(&mut self) -> Literal {
        let literal = Literal::positive(self.statistics.variables as usize);
        self.statistics.variables += 1;
        literal
    }

    fn new_reluctant(&mut self) -> Literal {
        self.new_literal()
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.statistics.clauses += 1;
        self.inner.add_clause(clause.iter().map(|&literal| inward(literal)));
    }

    fn solve(&mut self) -> Outcome {
        self.solve_assuming(&[])
    }

    fn value(&self, literal: Literal) -> bool {
        self.inner.value(inward(literal)) == Some(true)
    }

    fn statistics(&self) -> Statistics {
        Statistics { conflicts: self.conflicts.get(), ..self.statistics }
    }
}

impl Assuming for Cadical<'_> {
    fn solve_assuming(&mut self, assumptions: &[Literal]) -> Outcome {
        self.solve_within(assumptions, u64::MAX)
    }

    fn solve_within(&mut self, assumptions: &[Literal], conflicts: u64) -> Outcome {
        self.statistics.queries += 1;
        self.core.clear();
        if let Ok(limit) = i32::try_from(conflicts) {
            self.inner.set_limit("conflicts", limit).expect("CaDiCaL has this limit");
        }
        match self.inner.solve_with(assumptions.iter().map(|&literal| inward(literal))) {
            Some(true) => Outcome::Satisfiable,
            Some(false) => {
                let inner = &self.inner;
                let failed = assumptions.iter().filter(|&&literal| inner.failed(inward(literal)));
                self.core.extend(failed);
                Outcome::Unsatisfiable
            }
            None => Outcome::Interrupted,
        }
    }

    fn core(&self) -> &[Literal] {
        &self.core
    }
}
