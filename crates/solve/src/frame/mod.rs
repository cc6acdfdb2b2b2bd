//! What every engine shares: the problem, the answer, the budget and the observer; what an engine
//! is, and how it is run and judged. This room knows no engine.

pub(crate) mod answer;
pub(crate) mod bdd_manager;
pub(crate) mod budget;
pub(crate) mod decide;
pub(crate) mod engine;
pub mod listing;
pub(crate) mod observer;
pub mod options;
pub(crate) mod prepare;
pub(crate) mod problem;
pub(crate) mod query;
pub mod question;
pub mod reading;
pub(crate) mod units;
pub(crate) mod witness;
