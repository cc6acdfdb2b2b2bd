//! Random formulas for several engines, to find one that is wrong.
//!
//! Engines are tested against each other and by replay of their words, as \[TH02\] does for
//! translators: `draw` draws a sample, `check` runs the engines and compares, `shrink` makes the
//! sample small by steps of `simpler`, `report` says how to reproduce the fault, and `hunt` is the
//! loop. Everything happens in this process; the engines have budgets.

mod check;
mod draw;
mod hunt;
mod report;
mod sample;
mod shrink;
mod simpler;
#[cfg(test)]
mod tests;

pub use hunt::{Hunt, Listener};
pub use report::{Finding, Summary};
