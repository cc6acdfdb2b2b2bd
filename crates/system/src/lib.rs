//! Symbolic systems over Boolean expressions, and the symbolic automata of LTL formulas.
//!
//! A [`Graph`] owns Boolean expressions, a [`System`] is a transition system given by constraints,
//! and a [`Model`] is a system with its graph, variable order, names, and the atoms of formulas
//! about its runs.

pub mod cone;
pub mod ctl;
mod dead_loops;
pub mod encoding;
pub mod explicit;
pub mod graph;
pub mod merging;
pub mod model;
pub mod product;
pub mod smv;
pub mod system;
pub mod target;
pub mod trace;

pub use cone::{Cone, cone_of_influence};
pub use ctl::Ctl;
pub use encoding::{
    Atoms, Encoded, Encoding, Form, UnknownEncoding, VariableOrder, encode, encode_finite,
};
pub use explicit::{Batch, ExplicitModel, Position};
pub use graph::{Below, Expression, Graph, Term, Variable};
pub use model::{Domain, Model, Symbol, SymbolKind};
pub use product::{by_name, product};
pub use system::{Definition, System};
pub use target::Target;
pub use trace::{ConstraintKind, Trace, Violation, replay};
