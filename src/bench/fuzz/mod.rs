//! `bench fuzz`: random inputs through several engines, to find one that is wrong.
//!
//! Engines are tested by each other and by the replay of their words, as \[TH02\] does for translators: `draw` draws
//! a sample, `check` asks the engines and judges, `shrink` makes the sample small by steps of `simpler`, `report` tells how to
//! see the fault again, and `hunt` is the loop around them. All of it happens in this process; the engines are under budgets.

mod check;
mod draw;
mod hunt;
mod report;
mod sample;
mod shrink;
mod simpler;
#[cfg(test)]
mod tests;

use std::time::Duration;

use clap::Args;
use kermode::solve::EngineSpec;

use super::{jobs, positive};
use crate::status::Status;
use kermode::solve::{duration, size};

#[derive(Debug, Args)]
pub(crate) struct Fuzz {
    /// The engines, with their options, joined by commas; see `kermode engines`.
    #[arg(short, long, value_name = "ENGINES", required = true, value_delimiter = ',')]
    engines: Vec<EngineSpec>,

    /// How long to search: seconds, or with a unit; 60 unless `--formulas` is given.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    seconds: Option<Duration>,

    /// How many formulas to try.
    #[arg(long, value_name = "N")]
    formulas: Option<u64>,

    /// What formulas are drawn by; from the clock unless told.
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// The most nodes of a formula.
    #[arg(long, value_name = "NODES", default_value = "20", value_parser = positive)]
    size: usize,

    /// Finite words alone.
    #[arg(long, conflicts_with = "infinite")]
    finite: bool,

    /// Infinite words alone.
    #[arg(long)]
    infinite: bool,

    /// Wall-clock time of an engine for a formula.
    #[arg(short, long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    timeout: Duration,

    /// Memory of the process: bytes, or with a unit (512M, 4G).
    #[arg(short, long, value_name = "SIZE", value_parser = size)]
    memory: Option<u64>,

    /// How many formulas are tried at a time.
    #[arg(short, long, value_name = "N", default_value = "1", value_parser = jobs)]
    jobs: usize,

    /// Go on after a finding, and show those that differ.
    #[arg(long)]
    keep_going: bool,

    /// One JSON object a finding, and one for the summary, a line each.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Fuzz) -> anyhow::Result<Status> {
    hunt::run(args)
}
