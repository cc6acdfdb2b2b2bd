//! Campaigns: many runs of engines and other tools, measured and recorded. Reports: statistics of
//! records. Fuzzing: the search for wrong engines.
//!
//! Nothing here prints or ends the process: results and errors are values, and a caller that wants
//! progress passes a [`Progress`] or a [`fuzz::Listener`]. Errors are texts for display.
//!
//! # Campaigns
//!
//! A manifest, a TOML file, names inputs, tools and limits. [`Campaign::load`] reads it and the
//! files that it names; an [`Unusable`] error has all their errors. A [`Shard`] is a part of a
//! campaign for one of several machines. [`Runs::open`] finds the runs that a file of records
//! lacks, and [`Runs::make`] executes them, several at a time, until all are done or a flag is
//! raised. Each run is a process group of its own, measured as a whole, and one [`Record`] in the
//! file. [`merged`] joins the records of several files.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use kermode_bench::{Campaign, Runs};
//! use kermode_solve::Cancellation;
//!
//! let campaign = Campaign::load(Path::new("campaign.toml"), Path::new("/usr/bin/kermode"))?;
//! let runs = Runs::open(&campaign, Path::new("records.jsonl"))?;
//! println!("{} of {} runs are left", runs.left(), campaign.count_runs());
//! runs.make(2, &Cancellation::new(), &())?;
//! # Ok::<(), anyhow::Error>(())
//! ```
//!
//! Runs need a command `kermode` with two hidden commands: `limited` limits itself and becomes a
//! tool ([`Limited`]), and `guard` kills the runs of a killed runner ([`guard()`]).
//!
//! # Reports
//!
//! A [`report::Comparison`] names records and published runs, and how to compare them. Its
//! [`report`](report::Comparison::report) has conflicts, tables and plots, as Markdown, SVG and one
//! HTML page.
//!
//! # Fuzzing
//!
//! A [`fuzz::Hunt`] draws formulas, runs several engines on each, and compares their answers and
//! the replay of their words. Each [`fuzz::Finding`] is shrunk and has the commands that reproduce
//! the fault. A [`fuzz::ModelHunt`] does the same for the two meanings of random SMV models.

pub mod fuzz;
pub mod report;

mod guard;
mod inputs;
mod limit;
mod manifest;
mod merge;
mod models;
mod process;
mod progress;
mod record;
mod records;
mod run;
mod shard;
mod tool;
mod unusable;
mod workers;

pub use guard::guard;
pub use inputs::Input;
pub use limit::Limited;
pub use manifest::Campaign;
pub use merge::{merged, write_whole};
pub use progress::Progress;
pub use record::{Outcome, Record};
pub use run::Runs;
pub use shard::Shard;
pub use tool::Tool;
pub use unusable::Unusable;
