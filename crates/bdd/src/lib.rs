//! Binary decision diagrams: the only door to the BDD package.
mod bit_set;
mod cover;
mod dot;
mod function;
mod graph;
mod manager;
mod minimal;
mod models;
mod package;
mod primes;
mod relation;
mod sift;
mod stack;
mod variable;

pub use bit_set::BitSet;
pub use function::Bdd;
pub use manager::{CannotStart, Capacity, Manager, OutOfNodes, Statistics};
pub use minimal::Family;
pub use models::ModelCount;
pub use relation::{Relation, Renaming};
pub use sift::{Sifted, Sifting};
pub use stack::MOST_VARIABLES;
pub use variable::{Cube, Literal, Variable, VariableSet};
