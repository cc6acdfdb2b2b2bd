//! `bench report`: conflicts, tables and plots of recorded runs.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use kermode::solve::duration;
use kermode_bench::report::{Comparison, Curves, Pattern};

use crate::report::{complain, print_text};
use crate::status::Status;

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// Files of records; several are joined as by `merge`.
    #[arg(required_unless_present = "peers", value_name = "RECORDS")]
    records: Vec<PathBuf>,

    /// Write report.md, report.html and the plots to this folder; without it, print the tables.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,

    /// Published runs of other tools: rows `name tool expected verdict cpu peakMB`, separated by
    /// tabs.
    #[arg(long, value_name = "FILE")]
    peers: Vec<PathBuf>,

    /// The CPU limit of published runs; recorded runs that took longer count as unsolved.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    cpu_limit: Option<Duration>,

    /// Tables `name<TAB>expected<TAB>formula` whose names are the families of published runs; a
    /// pattern.
    #[arg(long, value_name = "PATTERN")]
    tables: Vec<String>,

    /// Compare only the inputs that all tools ran.
    #[arg(long)]
    common: bool,

    /// Two tools to plot against each other; without it, the best one against others.
    #[arg(long, value_name = "TOOL,TOOL")]
    scatter: Vec<String>,

    /// Plot growth over the last number in names such as these; a pattern.
    #[arg(long, value_name = "PATTERN", value_parser = Pattern::new)]
    growing: Vec<Pattern>,

    /// Plot the growth of the tools with such names apart; patterns with commas between them.
    #[arg(long, value_name = "PATTERN,...")]
    curves: Vec<Curves>,

    /// Report growth only, after conflicts and what is compared.
    #[arg(long)]
    growth: bool,

    /// Plot the growth of this engine statistic as well.
    #[arg(long, value_name = "NAME")]
    statistic: Vec<String>,

    /// Ignore CPU times below this in growth; by default those below 10 ms and below twice the
    /// start-up of a tool.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    noise: Option<Duration>,
}

pub(super) fn run(args: &Report) -> anyhow::Result<Status> {
    let report = args.comparison().report()?;
    let conflicts = report.conflicts();
    match &args.output {
        Some(folder) => {
            report.write(folder)?;
            let place = folder.display();
            complain(&format!("report written into `{place}`; conflicts: {conflicts}\n"));
        }
        None => print_text(&report.tables())?,
    }
    Ok(if conflicts == 0 { Status::Yes } else { Status::Internal })
}

impl Report {
    fn comparison(&self) -> Comparison {
        Comparison {
            records: self.records.clone(),
            peers: self.peers.clone(),
            cpu_limit: self.cpu_limit,
            tables: self.tables.clone(),
            common: self.common,
            scatter: self.scatter.clone(),
            growing: self.growing.clone(),
            curves: self.curves.clone(),
            growth_only: self.growth,
            statistics: self.statistic.clone(),
            noise: self.noise,
        }
    }
}
