//! NuSMV's text of traces and verdicts, written and read.

mod definitions;
mod formula;
mod lines;
mod literals;
mod read;
mod set_values;
mod strict;
mod verdict;
mod write;

pub use formula::formula_text;
pub use read::read;
pub use verdict::{DEMONSTRATED, expression_text, property_text, verdict_line};
pub use write::{Heading, Marks, write};
