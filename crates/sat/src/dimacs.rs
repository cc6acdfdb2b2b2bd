//! A copy of what a solver is given, and queries in DIMACS format.

use std::io::{self, Write};

use crate::literal::Literal;
use crate::solver::{Assuming, Outcome, Solver, Statistics};

/// A solver with a copy of its clauses. Its queries can be given to any other solver.
pub struct Recorder<S> {
    inner: S,
    variables: usize,
    /// The literals of all clauses, and the end of each clause.
    literals: Vec<Literal>,
    ends: Vec<usize>,
    assumptions: Vec<Literal>,
}

impl<S: Solver> Recorder<S> {
    /// Records what a new solver is given.
    pub fn new(inner: S) -> Self {
        let (literals, ends, assumptions) = (Vec::new(), Vec::new(), Vec::new());
        Recorder { inner, variables: 0, literals, ends, assumptions }
    }

    /// The clauses, in the order in which they were added.
    pub fn clauses(&self) -> impl Iterator<Item = &[Literal]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.literals[start..end])
    }

    /// Writes the last query in DIMACS format. Assumptions are clauses of one literal, at the end.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let assumptions = self.assumptions.chunks(1);
        writeln!(to, "p cnf {} {}", self.variables, self.ends.len() + assumptions.len())?;
        for clause in self.clauses().chain(assumptions) {
            for literal in clause {
                write!(to, "{} ", literal.dimacs())?;
            }
            writeln!(to, "0")?;
        }
        Ok(())
    }
}

impl<S: Solver> Solver for Recorder<S> {
    fn new_literal(&mut self) -> Literal {
        self.variables += 1;
        self.inner.new_literal()
    }

    fn new_reluctant(&mut self) -> Literal {
        self.variables += 1;
        self.inner.new_reluctant()
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.literals.extend(clause);
        self.ends.push(self.literals.len());
        self.inner.add_clause(clause);
    }

    fn solve(&mut self) -> Outcome {
        self.assumptions.clear();
        self.inner.solve()
    }

    fn value(&self, literal: Literal) -> bool {
        self.inner.value(literal)
    }

    fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }
}

impl<S: Assuming> Assuming for Recorder<S> {
    fn solve_assuming(&mut self, assumptions: &[Literal]) -> Outcome {
        self.assumptions = assumptions.to_vec();
        self.inner.solve_assuming(assumptions)
    }

    fn solve_within(&mut self, assumptions: &[Literal], conflicts: u64) -> Outcome {
        self.assumptions = assumptions.to_vec();
        self.inner.solve_within(assumptions, conflicts)
    }

    fn core(&self) -> &[Literal] {
        self.inner.core()
    }
}
