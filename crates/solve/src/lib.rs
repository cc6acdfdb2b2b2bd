//! Questions, the engines that answer them, and the budget under which they do.
//!
//! A [`Problem`] asks whether a language has a word. The [`ENGINES`] table holds every way to
//! answer it by name; an [`EngineSpec`] picks one with its options. [`decide`] runs an engine under
//! a [`Budget`], replays the witness, and gives a [`Verdict`]; a [`portfolio`] runs several engines
//! and takes the first answer.
//!
//! The modules are layers, lowest first. None of them imports one above it:
//!
//! | room | what is there |
//! |---|---|
//! | `frame` | problems, answers, budgets, observers, what an engine is, how it is run and judged |
//! | [`mod@translate`] | formulas as texts of automata and models, under a budget |
//! | [`mod@operate`] | operations on automata, from texts to texts, under a budget |
//! | [`fixpoint`] | sets of states, the fixpoints over them, and the traces that fixpoints prove |
//! | `compiled` | models compiled to diagrams, and sets of their states |
//! | [`mod@state_space`] | the size, the states and the graph of a model |
//! | [`mod@model_report`] | views of SMV models, as texts and JSON |
//! | [`search`] | explicit searches, state by state |
//! | `alternating` | state spaces of alternating automata and the orders that prune them |
//! | [`engines`] | one file per engine, and the table of them |
//! | [`portfolio`] | several engines on one problem |
//! | [`cores`] | why formulas contradict each other |
//! | [`check`] | properties of SMV models |
//! | [`certify`] | proofs that properties hold or formulas have no words, and their verification |

mod alternating;
pub mod certify;
pub mod check;
mod compiled;
pub mod cores;
pub mod engines;
pub mod fixpoint;
mod frame;
pub mod model_report;
pub mod operate;
pub mod portfolio;
pub mod search;
pub mod state_space;
pub mod translate;

pub use engines::ctl::{ComputeKind, ComputeResult, compute};
pub use engines::{ENGINES, antichain};
pub use frame::answer::{
    Answer, BranchTrace, Certificate, InternalError, LeftOut, ModelTrace, Verdict, Witness,
};
pub use frame::budget::{Budget, Cancellation, Limits, Stop};
pub use frame::decide::{ask, decide, judge, panic_message};
pub use frame::engine::{Accepts, Alias, Engine, EngineInfo, EngineSpec, SpecError};
pub use frame::listing;
pub use frame::observer::{NodeSample, Observer, Silent, Statistics};
pub use frame::options;
pub use frame::problem::{Language, PathEnd, Problem, RunProperty, WitnessPolicy};
pub use frame::query::Query;
pub use frame::question::{self, Question};
pub use frame::reading;
pub use frame::shared_diagrams::SharedDiagrams;
pub use frame::units::{duration, size};
pub use frame::witness::WitnessTime;
pub use operate::{Operated, Operation, OperationError};
pub use portfolio::{Solver, SolverError, processes};
pub use translate::{Translated, Translation, TranslationError};
