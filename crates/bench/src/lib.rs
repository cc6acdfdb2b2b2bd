//! Campaigns: many runs of engines and other tools, measured and recorded. Reports: what the
//! records say. Fuzzing: the search for engines that are wrong.
//!
//! Nothing here prints or ends the process: results and complaints are values, and who wants to
//! follow the work hands in a [`Progress`] or a [`fuzz::Listener`]. Errors are texts for people.
//!
//! # Campaigns
//!
//! A manifest, a TOML file, names inputs, tools and limits. [`Campaign::load`] reads it together
//! with the files that it names; an [`Unusable`] error shows all that is wrong with them. A
//! [`Shard`] is a part of a campaign for one of several machines. [`Runs::open`] finds the runs
//! that a file of records does not have yet, and [`Runs::make`] makes them, several at a time,
//! until all are made or a flag is raised. Each is a process group of its own, measured whole, and
//! one [`Record`] in the file. [`merged`] joins the records of several files.
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
//! Runs need a command `kermode` with two commands that it gives to itself: `limited` limits itself
//! and becomes a tool ([`Limited`]), and `guard` kills the runs of a runner that was killed
//! ([`guard()`]).
//!
//! # Reports
//!
//! A [`report::Comparison`] names records and published runs, and how they are compared. Its
//! [`report`](report::Comparison::report) has conflicts, tables and plots, as Markdown, SVG and one
//! HTML page.
//!
//! # Fuzzing
//!
//! A [`fuzz::Hunt`] draws formulas, asks several engines about each, and judges them by each other
//! and by the replay of their words. Each [`fuzz::Finding`] is shrunk and tells how to see the
//! fault again.

pub mod fuzz;
pub mod report;

mod guard;
mod inputs;
mod limit;
mod manifest;
mod merge;
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
