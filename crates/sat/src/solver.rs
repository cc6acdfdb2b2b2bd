//! What a solver can do, one trait per capability.

use crate::literal::Literal;

/// The outcome of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is an assignment.
    Satisfiable,
    /// There is none.
    Unsatisfiable,
    /// The interrupt of the solver, or a limit on conflicts, ended the search.
    Interrupted,
}

/// Counters of a solver since its creation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Variables.
    pub variables: u64,
    /// Clauses that were added.
    pub clauses: u64,
    /// Queries.
    pub queries: u64,
    /// Decisions.
    pub decisions: u64,
    /// Conflicts.
    pub conflicts: u64,
    /// Propagations.
    pub propagations: u64,
}

/// Clauses can be added, between queries too, and an assignment can be asked for.
pub trait Solver {
    /// A new variable.
    fn new_literal(&mut self) -> Literal;

    /// A new variable that is false in assignments unless there is a reason for the contrary.
    fn new_reluctant(&mut self) -> Literal;

    /// Adds a clause.
    fn add_clause(&mut self, clause: &[Literal]);

    /// Whether all clauses can be satisfied.
    fn solve(&mut self) -> Outcome;

    /// The value of a literal in the assignment of the last query. It has no meaning if that was
    /// not satisfiable, or if clauses were added since.
    fn value(&self, literal: Literal) -> bool;

    /// The counters.
    fn statistics(&self) -> Statistics;
}

/// Queries may assume literals, and name those that a contradiction needs.
pub trait Assuming: Solver {
    /// Whether all clauses can be satisfied together with the assumptions.
    fn solve_assuming(&mut self, assumptions: &[Literal]) -> Outcome;

    /// The same, and the query is interrupted after so many conflicts.
    fn solve_within(&mut self, assumptions: &[Literal], conflicts: u64) -> Outcome;

    /// The assumptions that the last query needed if it was unsatisfiable: clauses and core have no
    /// assignment. The core need not be minimal.
    fn core(&self) -> &[Literal];
}
