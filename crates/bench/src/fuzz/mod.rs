//! Random formulas for several engines, to find one that is wrong; random models.
//!
//! Engines are tested against each other and by replay of their words, as \[TH02\] does for
//! translators: `draw` draws a sample, `check` runs the engines and compares, `shrink` makes the
//! sample small by steps of `simpler`, `report` says how to reproduce the fault, and `hunt` is the
//! loop. Everything happens in this process; the engines have budgets.
//!
//! Random SMV models are a second search: `models` compares the two meanings of a model,
//! `model_engines` the verdicts of engines about its properties, and `model_hunt` is the loop.

mod check;
mod draw;
mod hunt;
mod model_engines;
mod model_hunt;
mod models;
mod report;
mod sample;
mod shrink;
mod simpler;
#[cfg(test)]
mod tests;

pub use hunt::{Hunt, Listener};
pub use model_engines::checking_engines;
pub use model_hunt::{ModelFinding, ModelHunt, ModelListener, ModelSummary};
pub use models::{ModelFault, model_fault};
pub use report::{Finding, Summary};
