//! `bench`: campaigns, that is many runs on many inputs, measured and recorded.
//!
//! `manifest` reads what to run, `inputs` and `tool` are the two sides of a run, `run` makes the runs,
//! `process` makes one, `records` keeps them. Times are those of whole process groups.

mod fuzz;
pub(crate) mod guard;
mod inputs;
pub(crate) mod limit;
mod manifest;
mod merge;
mod process;
mod progress;
mod record;
mod records;
mod report;
mod run;
mod shard;
mod tool;

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};

use clap::{Args, Subcommand};

use crate::report::print_line;
use crate::status::Status;
use record::Outcome;
use shard::Shard;

/// The most runs that are made at a time.
const MOST_JOBS: usize = 1000;

/// What can be done with campaigns.
#[derive(Debug, Subcommand)]
pub(crate) enum Bench {
    /// Makes the runs of a campaign that are not recorded yet.
    Run(Run),
    /// Lists the inputs and tools of a campaign, and runs nothing.
    List(List),
    /// Joins the records of the parts of a campaign.
    Merge(Merge),
    /// Conflicts, tables and plots of recorded runs.
    Report(report::Report),
    /// Draws formulas and looks for engines that are wrong about them.
    ///
    /// Exit status: 0 nothing found, 3 interrupted before anything was, 4 an engine is wrong.
    Fuzz(fuzz::Fuzz),
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The manifest of the campaign; see docs/campaigns.md.
    manifest: PathBuf,

    /// Where records are added, one JSON object a line; what is there is not run again.
    #[arg(short, long, value_name = "FILE")]
    records: PathBuf,

    /// How many runs are made at a time.
    #[arg(short, long, value_name = "N", default_value = "1", value_parser = jobs)]
    jobs: usize,

    /// Only the inputs of part I of N, from 1.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// The manifest of the campaign.
    manifest: PathBuf,

    /// Only the inputs of part I of N, from 1.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// Files of records.
    #[arg(required = true, value_name = "FILE")]
    parts: Vec<PathBuf>,

    /// Where all records are written; without it, to standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(command: &Bench) -> anyhow::Result<Status> {
    match command {
        Bench::Run(args) => run::run(args),
        Bench::List(args) => list(args),
        Bench::Merge(args) => merge::run(args),
        Bench::Report(args) => report::run(args),
        Bench::Fuzz(args) => fuzz::run(args),
    }
}

/// `bench list`.
fn list(args: &List) -> anyhow::Result<Status> {
    let mut campaign = manifest::load(&args.manifest)?;
    if let Some(shard) = args.shard {
        campaign.inputs.retain(|input| shard.has(&input.name));
    }
    for input in &campaign.inputs {
        let expected = match input.expected {
            Some(Outcome::Satisfiable) => "SAT",
            Some(_) => "UNSAT",
            None => "UNKNOWN",
        };
        print_line(&format!("input\t{}\t{}\t{expected}", input.name, input.family))?;
    }
    campaign.tools.iter().try_for_each(|tool| print_line(&format!("tool\t{}", tool.name())))?;
    let (inputs, tools) = (campaign.inputs.len(), campaign.tools.len());
    print_line(&format!("runs\t{}", inputs * tools * campaign.repetitions as usize))?;
    Ok(Status::Yes)
}

/// Tells a watcher that there is nothing left to watch, even if that ended by a panic.
struct Ending<'e> {
    ended: &'e AtomicBool,
    watcher: Thread,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        self.watcher.unpark();
    }
}

/// Does work while another thread watches, which goes on until it finds the flag set.
fn watched<R>(watch: impl FnOnce(&AtomicBool) + Send, work: impl FnOnce() -> R) -> R {
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| watch(&ended)).thread().clone();
        let _ending = Ending { ended: &ended, watcher };
        work()
    })
}

/// Lets all workers work at the same time; the first error of any of them counts.
fn together<W>(workers: impl Iterator<Item = W>) -> anyhow::Result<()>
where
    W: FnOnce() -> anyhow::Result<()> + Send,
{
    thread::scope(|scope| {
        let workers: Vec<_> = workers.map(|worker| scope.spawn(worker)).collect();
        let results = workers.into_iter().map(|worker| worker.join());
        let results: Vec<_> = results.map(|r| r.unwrap_or_else(|p| resume_unwind(p))).collect();
        results.into_iter().collect()
    })
}

/// How many workers; each is a thread, and no machine gains by more than the most.
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
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_panic_ends_the_watch() {
        let watch = |ended: &AtomicBool| {
            while !ended.load(Ordering::Relaxed) {
                thread::park_timeout(Duration::from_millis(10));
            }
        };
        let worker = |number: usize| {
            move || {
                assert!(number != 1, "a panic");
                Ok(())
            }
        };
        let all = |numbers: &[usize]| {
            let work = || together(numbers.iter().map(|&number| worker(number)));
            catch_unwind(AssertUnwindSafe(|| watched(watch, work)))
        };
        assert!(all(&[0, 2]).is_ok());
        assert!(all(&[0, 1, 2]).is_err());
    }

    #[test]
    fn jobs_are_threads_that_there_can_be() {
        assert_eq!(jobs("8"), Ok(8));
        for text in ["0", "-1", "many", "100000"] {
            assert!(jobs(text).is_err(), "{text}");
        }
    }
}
