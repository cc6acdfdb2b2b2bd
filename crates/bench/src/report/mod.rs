//! Statistics of the records of a campaign.
//!
//! `results` arranges and judges the runs, together with published ones (`peers`); `conflicts`,
//! `score`, `scaling` and `growth` are the statistics; `sections`, `tables`, `figures` and
//! `growing` write them as a `document`, with the pictures of `plot`; `markdown` and `html` render
//! that. The same runs give the same report, to the byte, in any order.

mod conflicts;
mod document;
mod figures;
mod growing;
mod growth;
mod html;
mod markdown;
mod peers;
mod plot;
mod results;
mod scaling;
mod score;
mod sections;
mod tables;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
pub use glob::Pattern;
pub use scaling::Curves;

use crate::merge::{Joined, write_whole};
use crate::record::Record;
use document::Document;
use peers::{Inputs, KnownInput};
use results::{Results, Run};
use scaling::{Measure, Wanted};

/// The bytes of what tables call a megabyte.
const MEGABYTE: f64 = 1_048_576.0;

/// Which runs are compared, and how.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Files of records; several are joined.
    pub records: Vec<PathBuf>,
    /// Published runs of other tools: rows `name tool expected verdict cpu peakMB` with tabs
    /// between them.
    pub peers: Vec<PathBuf>,
    /// The CPU limit of published runs; recorded runs that took longer count as unsolved.
    pub cpu_limit: Option<Duration>,
    /// Patterns of tables `name<TAB>expected<TAB>formula` whose names are the families of published
    /// runs.
    pub tables: Vec<String>,
    /// Whether only inputs that all tools ran count.
    pub common: bool,
    /// The pairs of tools to plot against each other, `TOOL,TOOL`; without any, the best one
    /// against others.
    pub scatter: Vec<String>,
    /// Patterns of input names; growth is plotted over the last number in such a name.
    pub growing: Vec<Pattern>,
    /// Patterns of tool names, separated by commas; growth is plotted for each of them apart.
    pub curves: Vec<Curves>,
    /// Whether the report is about growth only.
    pub growth_only: bool,
    /// Names of engine statistics whose growth is plotted as well.
    pub statistics: Vec<String>,
    /// CPU times below this are ignored in growth; by default those below 10 ms and below twice the
    /// start-up of a tool.
    pub noise: Option<Duration>,
}

/// Conflicts, tables and plots.
#[derive(Debug)]
pub struct Report {
    document: Document,
    conflicts: usize,
}

/// Which runs count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Selection {
    cpu_limit: Option<f64>,
    common: bool,
}

impl Report {
    /// The number of inputs with contradicting answers.
    pub fn conflicts(&self) -> usize {
        self.conflicts
    }

    /// The tables alone, as Markdown.
    pub fn tables(&self) -> String {
        markdown::markdown(&self.document, false)
    }

    /// Writes `report.md`, `report.html` and the plots into a folder.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let cannot = || format!("cannot write into `{}`", folder.display());
        std::fs::create_dir_all(folder).with_context(cannot)?;
        for figure in self.document.figures() {
            write_whole(&folder.join(&figure.file), &figure.svg)?;
        }
        write_whole(&folder.join("report.md"), &markdown::markdown(&self.document, true))?;
        write_whole(&folder.join("report.html"), &html::html(&self.document))
    }
}

impl Comparison {
    /// Reads the runs and compares them.
    pub fn report(&self) -> anyhow::Result<Report> {
        let cpu_limit = self.cpu_limit.map(|limit| limit.as_secs_f64());
        let results = Results::new(self.runs()?, Selection { cpu_limit, common: self.common });
        let (pairs, wanted) = (self.pairs(&results)?, self.wanted(&results)?);
        let (document, conflicts) = sections::document(&results, self, &pairs, &wanted)?;
        Ok(Report { document, conflicts })
    }

    /// All runs: those of the records, and those that were published.
    fn runs(&self) -> anyhow::Result<Vec<Run>> {
        let records: Vec<Record> = Joined::read(&self.records)?.into_records().collect();
        let mut known: Inputs = records.iter().map(known).collect();
        self.tables.iter().try_for_each(|pattern| peers::read_tables(pattern, &mut known))?;
        let published = self.published(&records, &known)?;
        let own = records.into_iter().map(|record| Run { record, published: false });
        Ok(own.chain(published).collect())
    }

    fn published(&self, records: &[Record], known: &Inputs) -> anyhow::Result<Vec<Run>> {
        let mut runs = Vec::new();
        for path in &self.peers {
            runs.extend(peers::read_peers(path, self.limit_of_peers(records)?, known)?);
        }
        Ok(runs)
    }

    /// The given limit, or the only one in the records.
    fn limit_of_peers(&self, records: &[Record]) -> anyhow::Result<f64> {
        let only = records.first().map(|record| record.cpu_limit_seconds);
        let only = only.filter(|limit| records.iter().all(|r| r.cpu_limit_seconds == *limit));
        let limit = self.cpu_limit.map(|limit| limit.as_secs_f64()).or(only);
        limit.context("nothing tells the CPU limit of published runs; expected `--cpu-limit`")
    }

    /// The pairs of tools to plot.
    fn pairs(&self, results: &Results) -> anyhow::Result<Vec<[usize; 2]>> {
        match self.scatter.is_empty() {
            true => Ok(figures::pairs(results)),
            false => self.scatter.iter().map(|pair| find_pair(results, pair)).collect(),
        }
    }

    /// The curves to plot.
    fn wanted(&self, results: &Results) -> anyhow::Result<Wanted> {
        let counted = scaling::statistics(results);
        if let Some(unknown) = self.statistics.iter().find(|name| !counted.contains(name.as_str()))
        {
            let names: Vec<&str> = counted.into_iter().collect();
            bail!("no engine counted `{unknown}`; there are: {}", names.join(", "));
        }
        let statistics = self.statistics.iter().cloned().map(Measure::Statistic);
        let measures = [Measure::Cpu].into_iter().chain(statistics).collect();
        let noise = self.noise.map(|noise| noise.as_secs_f64());
        let (growing, plots) = (self.growing.clone(), self.curves.clone());
        if let Some(empty) = plots.iter().find(|plot| !plot.match_any(&results.tools)) {
            let names: Vec<&str> = results.tools.iter().map(|tool| tool.name.as_str()).collect();
            bail!("no tool is called `{empty}`; there are: {}", names.join(", "));
        }
        Ok(Wanted { measures, growing, plots, noise })
    }
}

/// What a record says about its input.
fn known(record: &Record) -> (String, KnownInput) {
    let Record { input, family, property, parameter, expected, .. } = record.clone();
    (input, KnownInput { family, property, parameter, expected })
}

/// Two tools separated by a comma; names may contain commas, too.
fn find_pair(results: &Results, pair: &str) -> anyhow::Result<[usize; 2]> {
    let find = |name: &str| results.tools.iter().position(|tool| tool.name == name.trim());
    let commas = pair.match_indices(',').map(|(at, _)| (&pair[..at], &pair[at + 1..]));
    let mut found = commas.filter_map(|(first, second)| Some([find(first)?, find(second)?]));
    found.next().with_context(|| {
        let names: Vec<&str> = results.tools.iter().map(|tool| tool.name.as_str()).collect();
        format!("`{pair}` is no pair of tools; there are: {}", names.join(", "))
    })
}

#[cfg(test)]
pub(super) mod tests;
