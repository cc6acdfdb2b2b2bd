//! Flat models: typed expressions over the scalar variables of all instances.
//!
//! Names are resolved, parameters substituted, instances and arrays expanded to scalars, processes
//! composed, and types checked. What remains is a list of variables and constraints over one graph
//! of [`FlatExpression`]s in which equal expressions are shared.

pub mod expression;
pub mod model;
pub mod types;
pub mod value;

pub use expression::{Bounds, Features, FlatExpression, FlatExpressions, FlatTerm};
pub use expression::{FailureKind, FlatBinary, FlatUnary, PathBinary, PathUnary};
pub use model::{
    Assigned, Assignment, Constraint, Definition, FlatModel, FlatVariable, Listing, Property,
    VariableId,
};
pub use types::{Domain, Type};
pub use value::{Symbol, Value, Word};
