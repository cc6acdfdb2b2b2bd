//! What every layer of Kermode needs and no layer owns.
//!
//! | what a caller wants | where it is |
//! |---|---|
//! | to say what is wrong with a text, where, and how to mend it | [`Diagnostic`] with its [`Severity`], shown by its [`Source`] |
//! | names between quotation marks, and back | [`quoting`] |
//! | sets of small numbers, compared by the million | [`BitSet`] |
//! | the strongly connected components of a graph | [`components()`] |
//! | terms that exist once, passes over them, and what graphs of Boolean expressions share | [`terms`] |
//! | random numbers that a seed fixes for ever | [`Rng`] |
//!
//! ```
//! use kermode_base::{Diagnostic, Source};
//!
//! let source = Source { name: "spec.ltl", text: "a U\nb &" };
//! let finding = Diagnostic::error(7..7, "expected a formula").label("one is missing here");
//! assert_eq!(source.line_and_column(finding.span.start), (2, 4));
//! assert!(source.render(&finding).contains("expected a formula"));
//! ```
//!
//! **No budgets.** What can take long takes an `interrupt`, whose error is passed on; so no layer
//! that builds on this crate is forced to know what a budget is.
//!
//! **No domain.** Nothing here knows formulas, automata, systems or diagrams.

mod bit_set;
mod components;
mod diagnostic;
mod random;

pub mod quoting;
pub mod terms;

pub use bit_set::BitSet;
pub use components::components;
pub use diagnostic::{Diagnostic, Severity, Source};
pub use random::Rng;
