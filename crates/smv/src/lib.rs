//! The SMV language of NuSMV 2.6: models of finite-state systems with their properties.
//!
//! A text goes through three forms. The reader makes a *syntax tree* ([`syntax::File`]): what is
//! written, with places. Flattening resolves names, checks types, and makes a [`FlatModel`]: typed
//! expressions over the scalar variables of all instances. The encoding makes a symbolic system
//! over bits from it. The explicit interpreter works on the flat model and shares no code with the
//! encoding, so that each can be checked against the other.

pub mod dead_loops;
pub mod encoding;
pub mod families;
pub mod flat;
pub mod interpreter;
pub mod judge;
pub mod meaning;
mod model;
pub mod print;
pub mod property;
pub mod random;
pub mod syntax;
pub mod trace;

pub use flat::FlatModel;
pub use meaning::Unusable;
pub use model::SmvModel;
pub use syntax::ReadOptions;
