//! Questions, the engines that answer them, and the budget under which they do.
//!
//! A [`Problem`] is what is asked. The [`ENGINES`] table holds every way to answer it by name; an
//! [`EngineSpec`] picks one with its options. [`decide`] runs an engine under a [`Budget`], replays the
//! witness, and gives a [`Verdict`]; a [`portfolio`] runs several engines and takes the first answer. An engine is one file that implements [`Engine`] and one line in
//! the table.

pub mod antichain;
mod budget;
mod decide;
mod engine;
mod growing_core;
mod observer;
mod order;
pub mod portfolio;
mod prepare;
mod preprocessing;
mod problem;
mod reference;
pub mod region;
pub mod search;
mod space;
mod symbolic;
mod tgba;
mod units;
mod verdict;

pub use budget::{Budget, Cancellation, Limits, Stop};
pub use decide::{WitnessPolicy, ask, decide, judge, panic_message};
pub use engine::{
    Accepts, ENCODINGS, ENGINES, Engine, EngineInfo, EngineSpec, OptionInfo, Options, SpecError,
};
pub use observer::{Observer, Silent, Statistics};
pub use problem::{Language, Problem};
pub use units::{duration, size};
pub use verdict::{Answer, InternalError, LeftOut, Verdict, Witness};
