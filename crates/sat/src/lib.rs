//! Propositional satisfiability: the only door to the SAT solver.
//!
//! Callers see literals, clauses and the traits of `solver.rs`, one trait per capability. A solver
//! is chosen by its type, in two lines that can be changed: [`DefaultSolver`] for many small
//! queries under assumptions, and [`LargeSolver`] for few large ones. [`Recorder`] keeps a copy of
//! what a solver is given, and writes any query in DIMACS format.
//!
//! ```
//! use kermode_sat::{Assuming, DefaultSolver, Outcome, Solver};
//!
//! let mut solver = DefaultSolver::new(|| false);
//! let (a, b) = (solver.new_literal(), solver.new_literal());
//! solver.add_clause(&[a, b]);
//! solver.add_clause(&[!a, b]);
//! assert_eq!(solver.solve_assuming(&[!b]), Outcome::Unsatisfiable);
//! assert_eq!(solver.core(), [!b]);
//! assert_eq!(solver.solve(), Outcome::Satisfiable);
//! assert!(solver.value(b));
//! ```

mod batsat;
mod cadical;
mod dimacs;
mod literal;
mod solver;

pub use batsat::Batsat;
pub use cadical::Cadical;
pub use dimacs::Recorder;
pub use literal::Literal;
pub use solver::{Assuming, Outcome, Solver, Statistics};

/// The solver for many small queries.
pub type DefaultSolver<'i> = Batsat<'i>;

/// The solver for few large queries.
pub type LargeSolver<'i> = Cadical<'i>;
