//! Specifications of a flat model as formulas.
//!
//! The temporal part of a specification becomes a formula; its largest parts about one state or
//! step become atoms.

pub mod ctl;
pub mod invariant;
pub mod ltl;

pub use ctl::{CtlSpecification, ctl_formula};
pub use invariant::violation;
pub use ltl::{FlatAtoms, ltl_formula, word_of};
