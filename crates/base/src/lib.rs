//! The foundations that all layers of Kermode share.
//!
//! - to report an error in a text, with its place and how to fix it: [`Diagnostic`] with its
//!   [`Severity`], rendered by its [`Source`]
//! - names between quotation marks, and back: [`quoting`]
//! - the known name that was probably meant: [`closest`]
//! - sets of small numbers: [`BitSet`]
//! - sets of vectors of words, for explicit searches: [`VectorSet`]
//! - numbers of any size: [`Natural`]
//! - the strongly connected components of a graph: [`components()`] and [`components_of_edges`]
//! - hash-consed terms, passes over them, and what graphs of Boolean expressions share: [`terms`]
//! - random numbers that depend on the seed alone: [`Rng`]
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
//! **No budgets.** A long operation takes an `interrupt` callback and passes its error on. So the
//! crates above need not know what a budget is.
//!
//! **No domain.** This crate knows no formulas, automata, systems or diagrams.

mod bit_set;
mod components;
mod diagnostic;
mod natural;
mod random;
mod similar;

pub mod quoting;
pub mod terms;
pub mod vector_set;

pub use bit_set::BitSet;
pub use components::{components, components_of_edges};
pub use diagnostic::{Diagnostic, LineDirective, LineMap, Severity, Source};
pub use natural::{Natural, TooLarge};
pub use random::Rng;
pub use similar::closest;
pub use vector_set::VectorSet;
