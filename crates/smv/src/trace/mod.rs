//! Traces of models, for people and for other tools.
//!
//! A [`Trace`](crate::interpreter::Trace) is written as a [table], in [NuSMV's format](nusmv), as
//! [JSON](json) and as a [value change dump](vcd). [`read`] reads JSON and NuSMV's format, also
//! NuSMV's whole output, and [`check`] replays what was read on the model and names the first wrong
//! step.

mod check;
mod explain;
pub mod json;
pub mod nusmv;
mod read_trace;
pub mod table;
mod values;
pub mod vcd;

pub use check::{NoPath, Refusal, check};
pub use read_trace::{Ending, Names, ReadTrace};
pub use table::write_table;

use kermode_base::Diagnostic;

use crate::flat::FlatModel;

/// A format of traces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// A table, time across, one row per variable.
    #[default]
    Table,
    /// As NuSMV prints it.
    Nusmv,
    /// One object with states, inputs and the beginning of the loop.
    Json,
    /// A value change dump for viewers of waves.
    Vcd,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 4] = [Format::Table, Format::Nusmv, Format::Json, Format::Vcd];

    /// The name of the format on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Table => "table",
            Format::Nusmv => "nusmv",
            Format::Json => "json",
            Format::Vcd => "vcd",
        }
    }
}

/// Reads the traces of a text: JSON if it begins with a brace or a bracket, otherwise NuSMV's
/// format.
///
/// # Errors
/// If the text has no trace, or if a trace does not fit the model. Places in the diagnostics refer
/// to the text.
pub fn read(text: &str, model: &FlatModel) -> Result<Vec<ReadTrace>, Vec<Diagnostic>> {
    match text.trim_start().starts_with(['{', '[']) {
        true => json::read(text, model),
        false => nusmv::read(text, model),
    }
}
