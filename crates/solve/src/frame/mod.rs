//! The parts that all engines share: problems, answers, budgets, observers, descriptions of
//! engines, and the functions that run an engine and check its answer. This module knows no engine.

pub(crate) mod answer;
pub(crate) mod bdd_manager;
pub(crate) mod budget;
mod dead_end;
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
pub(crate) mod shared_diagrams;
pub(crate) mod units;
pub(crate) mod witness;
