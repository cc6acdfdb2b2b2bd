//! Random formulas through several engines, to find one that is wrong.
//!
//! Engines are tested by each other and by the replay of their words, as \[TH02\] does for
//! translators: `draw` draws a sample, `check` asks the engines and judges, `shrink` makes the
//! sample small by steps of `simpler`, `report` tells how to see the fault again, and `hunt` is the
//! loop around them. All of it happens in this process; the engines are under budgets.

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
