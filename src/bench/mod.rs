//! `bench`: campaigns, which run tools on many inputs, measured and recorded; `kermode_bench` does
//! the work.

mod fuzz;
mod progress;
mod report;

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand};
use kermode::ltl::text::TextError;
use kermode::solve::Cancellation;
use kermode_bench::{Campaign, Outcome, Runs, Shard, Unusable, merged, write_whole};
use signal_hook::consts::SIGQUIT;

use crate::deadline::raised_by_signals;
use crate::help;
use crate::report::{complain, print_line, print_text};
use crate::status::Status;
use progress::Bar;

/// The largest number of simultaneous runs.
const MOST_JOBS: usize = 1000;

/// The commands for campaigns.
#[derive(Debug, Subcommand)]
pub(crate) enum Bench {
    /// Executes the runs of a campaign that are not recorded yet.
    #[command(after_help = help::BENCH_RUN)]
    Run(Run),
    /// Lists the inputs and tools of a campaign without running it.
    #[command(after_help = help::BENCH_LIST)]
    List(List),
    /// Joins the records of the parts of a campaign.
    #[command(after_help = help::BENCH_MERGE)]
    Merge(Merge),
    /// Shows conflicts, tables and plots of recorded runs.
    #[command(after_help = help::BENCH_REPORT)]
    Report(report::Report),
    /// Draws formulas or models and searches for engines that are wrong.
    ///
    /// Exit status: 0 nothing found, 3 interrupted before any finding, 4 a finding.
    #[command(after_help = help::BENCH_FUZZ)]
    Fuzz(fuzz::Fuzz),
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The manifest of the campaign; see docs/campaigns.md.
    manifest: PathBuf,

    /// The file of records, one JSON object per line; recorded runs are skipped.
    #[arg(short, long, value_name = "FILE")]
    records: PathBuf,

    /// Execute this many runs at a time.
    #[arg(short, long, value_name = "N", default_value = "1", value_parser = jobs)]
    jobs: usize,

    /// Use part I of N of the inputs, counted from 1.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// The manifest of the campaign.
    manifest: PathBuf,

    /// Use part I of N of the inputs, counted from 1.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// Files of records.
    #[arg(required = true, value_name = "FILE")]
    parts: Vec<PathBuf>,

    /// Write all records to this file; by default to standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(command: &Bench) -> anyhow::Result<Status> {
    let status = match command {
        Bench::Run(args) => make_runs(args),
        Bench::List(args) => list(args),
        Bench::Merge(args) => merge(args),
        Bench::Report(args) => report::run(args),
        Bench::Fuzz(args) => fuzz::run(args),
    };
    status.inspect_err(show_places)
}

/// Shows the errors of the files that an error is about.
fn show_places(error: &anyhow::Error) {
    if let Some(unusable) = error.downcast_ref::<Unusable>() {
        complain(&unusable.shown);
    }
    if let Some(TextError::NotText { shown, .. }) = error.downcast_ref() {
        complain(shown);
    }
}

fn load(manifest: &Path, shard: Option<Shard>) -> anyhow::Result<Campaign> {
    let own = std::env::current_exe().context("cannot find ourselves")?;
    let mut campaign = Campaign::load(manifest, &own)?;
    if let Some(shard) = shard {
        campaign.keep(shard);
    }
    Ok(campaign)
}

/// `bench run`.
fn make_runs(args: &Run) -> anyhow::Result<Status> {
    let campaign = load(&args.manifest, args.shard)?;
    let runs = Runs::open(&campaign, &args.records)?;
    let cancellation = Cancellation::new();
    raised_by_signals(&cancellation)?;
    signal_hook::flag::register(SIGQUIT, cancellation.flag())?;
    let bar = Bar::new(Some(runs.left()), "runs");
    let made = runs.make(args.jobs, &cancellation, &bar);
    bar.finish();
    let made = made?;
    if cancellation.is_cancelled() {
        complain(&format!("stopped after {made} runs; the same command continues from here\n"));
        return Ok(Status::Unknown);
    }
    let (runs, records) = (if made == 1 { "run" } else { "runs" }, args.records.display());
    complain(&format!("{made} {runs} added to `{records}`\n"));
    Ok(Status::Yes)
}

/// `bench list`.
fn list(args: &List) -> anyhow::Result<Status> {
    let campaign = load(&args.manifest, args.shard)?;
    for input in &campaign.inputs {
        let expected = match input.expected {
            Some(Outcome::Satisfiable) => "SAT",
            Some(Outcome::Unsatisfiable) => "UNSAT",
            Some(Outcome::Holds) => "HOLDS",
            Some(Outcome::Violated) => "VIOLATED",
            _ => "UNKNOWN",
        };
        print_line(&format!("input\t{}\t{}\t{expected}", input.name, input.family))?;
    }
    campaign.tools.iter().try_for_each(|tool| print_line(&format!("tool\t{}", tool.name())))?;
    print_line(&format!("runs\t{}", campaign.count_runs()))?;
    Ok(Status::Yes)
}

/// `bench merge`.
fn merge(args: &Merge) -> anyhow::Result<Status> {
    let text = merged(&args.parts)?;
    match &args.output {
        Some(output) => write_whole(output, &text)?,
        None => print_text(&text)?,
    }
    Ok(Status::Yes)
}

/// The number of workers; each is a thread.
pub(crate) fn jobs(text: &str) -> Result<usize, String> {
    let number = positive(text)?;
    if number > MOST_JOBS {
        return Err(format!("`{text}` is more than {MOST_JOBS}"));
    }
    Ok(number)
}

fn positive(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| format!("`{text}` is not a whole number above 0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_threads_that_there_can_be() {
        assert_eq!(jobs("8"), Ok(8));
        for text in ["0", "-1", "many", "100000"] {
            assert!(jobs(text).is_err(), "{text}");
        }
    }
}
