//! Model checking of SMV models: from specifications to verdicts and replayed traces.
//!
//! A [`Checker`] has a model and its properties, each translated once. A [`CheckWorker`] decides
//! them one by one by the engines of the table, and shares decision diagrams between them. A trace
//! that refutes a property is replayed three times before it leaves this layer: by the judge of the
//! problem on the encoded model, by the interpreter on the flat model, and by the semantics of the
//! formula on the letters that the interpreter computes.

mod atom_file;
mod automata;
mod builder;
mod counterexample;
mod dead_loops;
mod examine;
mod merged;
mod mistakes;
#[cfg(test)]
mod mutant_tests;
mod outcome;
mod property;
mod request;
mod settings;
mod shorten;
mod worker;

pub use counterexample::Counterexample;
pub use examine::CheckWarning;
pub use outcome::{CheckOutcome, CheckVerdict};
pub use property::{CheckedKind, Property};
pub use request::{CheckError, Checker, PropertyRequest, TypedPlace};
pub use settings::{CheckSettings, EarlyTurn, PropertyRace};
pub use worker::CheckWorker;
