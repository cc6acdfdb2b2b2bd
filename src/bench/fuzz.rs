//! `bench fuzz`: the search for wrong engines.

use std::io;
use std::time::{Duration, SystemTime};

use clap::Args;
use kermode::ltl::WordKind;
use kermode::solve::{EngineSpec, Limits, duration, size};
use kermode_bench::fuzz::{Finding, Hunt, Listener};
use serde_json::Value;

use super::progress::Bar;
use super::{jobs, positive};
use crate::deadline::{end, ended_by_signals};
use crate::report::{complain, print_line, print_text};
use crate::status::Status;

/// The default time of a search.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

#[derive(Debug, Args)]
pub(crate) struct Fuzz {
    /// The engines, with their options, joined by commas; see `kermode engines`.
    #[arg(short, long, value_name = "ENGINES", required = true, value_delimiter = ',')]
    engines: Vec<EngineSpec>,

    /// Search for this long: seconds, or with a unit [default: 60, unless `--formulas` is given].
    #[arg(long, value_name = "TIME", value_parser = duration)]
    seconds: Option<Duration>,

    /// Try this many formulas.
    #[arg(long, value_name = "N")]
    formulas: Option<u64>,

    /// The seed of the formulas [default: from the clock].
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// The largest formula, in nodes.
    #[arg(long, value_name = "NODES", default_value = "20", value_parser = positive)]
    size: usize,

    /// Use finite words only.
    #[arg(long, conflicts_with = "infinite")]
    finite: bool,

    /// Use infinite words only.
    #[arg(long)]
    infinite: bool,

    /// Wall-clock time of an engine for a formula.
    #[arg(short, long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    timeout: Duration,

    /// Memory of the process: bytes, or with a unit (512M, 4G).
    #[arg(short, long, value_name = "SIZE", value_parser = size)]
    memory: Option<u64>,

    /// Try this many formulas at a time.
    #[arg(short, long, value_name = "N", default_value = "1", value_parser = jobs)]
    jobs: usize,

    /// Continue after a finding, and show all different findings.
    #[arg(long)]
    keep_going: bool,

    /// Print one JSON object per finding, and one for the summary.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Fuzz) -> anyhow::Result<Status> {
    let (hunt, cancellation) = (args.hunt(), ended_by_signals()?);
    if args.seed.is_none() {
        complain(&format!("seed {}\n", hunt.seed));
    }
    let total = args.formulas.and_then(|formulas| usize::try_from(formulas).ok());
    let screen = Screen { bar: Bar::new(total, "formulas"), json: args.json };
    let summary = hunt.run(&cancellation, &screen);
    screen.bar.finish();
    let summary = summary?;
    screen.print(|| summary.text(), || summary.json())?;
    Ok(match (summary.findings, summary.interrupted) {
        (0, false) => Status::Yes,
        (0, true) => Status::Unknown,
        _ => Status::Internal,
    })
}

impl Fuzz {
    fn hunt(&self) -> Hunt {
        Hunt {
            engines: self.engines.clone(),
            time: self.seconds.or(self.formulas.is_none().then_some(DEFAULT_TIME)),
            formulas: self.formulas,
            seed: self.seed.unwrap_or_else(clock),
            size: self.size,
            words: match (self.infinite, self.finite) {
                (true, _) => vec![WordKind::Infinite],
                (_, true) => vec![WordKind::Finite],
                _ => vec![WordKind::Infinite, WordKind::Finite],
            },
            limits: Limits { wall: Some(self.timeout), cpu: None, memory: self.memory },
            jobs: self.jobs,
            keep_going: self.keep_going,
        }
    }
}

/// A short seed from the clock.
fn clock() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    since.as_micros() as u64 % 1_000_000_000
}

/// Prints each finding immediately.
struct Screen {
    bar: Bar,
    json: bool,
}

impl Screen {
    fn print(&self, text: impl FnOnce() -> String, json: impl FnOnce() -> Value) -> io::Result<()> {
        match self.json {
            true => print_line(&json().to_string()),
            false => print_text(&text()),
        }
    }
}

impl kermode_bench::Progress for Screen {
    fn advance(&self) {
        self.bar.advance();
    }

    fn tick(&self) {
        self.bar.tick();
    }
}

impl Listener for Screen {
    fn found(&self, finding: &Finding) -> io::Result<()> {
        self.print(|| finding.text(), || finding.json())
    }

    fn lost(&self, finding: &Finding) -> ! {
        self.bar.finish();
        let _ = self.found(finding);
        end(Status::Internal)
    }
}
