//! `bench fuzz`: the search for wrong engines, and for SMV models whose meanings differ.

use std::io;
use std::time::{Duration, SystemTime};

use anyhow::bail;
use clap::Args;
use kermode::ltl::WordKind;
use kermode::smv::random::ModelShape;
use kermode::solve::{EngineSpec, Limits, duration, size};
use kermode_bench::fuzz::{
    Finding, Hunt, Listener, ModelFinding, ModelHunt, ModelListener, checking_engines,
};
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
    /// The engines, with their options, joined by commas; see `kermode engines`. With `--models`
    /// they decide the properties of each model.
    #[arg(short, long, value_name = "ENGINES", value_delimiter = ',')]
    #[arg(required_unless_present = "models")]
    engines: Vec<EngineSpec>,

    /// With `--models`, use all engines that decide properties of models.
    #[arg(long, requires = "models", conflicts_with = "engines")]
    all_engines: bool,

    /// Search for this long: seconds, or with a unit [default: 60, unless a number of formulas or
    /// models is given].
    #[arg(long, value_name = "TIME", value_parser = duration)]
    seconds: Option<Duration>,

    /// Try this many formulas.
    #[arg(long, value_name = "N")]
    formulas: Option<u64>,

    /// Try this many SMV models in place of formulas: interpreter, encoding and texts of a model
    /// are compared or, with engines, their verdicts about its properties.
    #[arg(long, value_name = "N", conflicts_with_all = ["formulas", "finite", "infinite"])]
    models: Option<u64>,

    /// The seed of the formulas or models [default: from the clock].
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

    /// Wall-clock time of an engine for a formula or property, or of a model.
    #[arg(short, long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    timeout: Duration,

    /// Memory of the process: bytes, or with a unit (512M, 4G).
    #[arg(short, long, value_name = "SIZE", value_parser = size)]
    memory: Option<u64>,

    /// Try this many formulas or models at a time.
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
    args.refuse_engines_without_models()?;
    let (seed, cancellation) = (args.seed.unwrap_or_else(clock), ended_by_signals()?);
    if args.seed.is_none() {
        complain(&format!("seed {seed}\n"));
    }
    let (count, unit) = match args.models {
        Some(models) => (Some(models), "models"),
        None => (args.formulas, "formulas"),
    };
    let total = count.and_then(|count| usize::try_from(count).ok());
    let screen = Screen { bar: Bar::new(total, unit), json: args.json };
    let (findings, interrupted) = match args.models {
        Some(_) => {
            let summary = args.model_hunt(seed).run(&cancellation, &screen);
            screen.bar.finish();
            let summary = summary?;
            screen.print(|| summary.text(), || summary.json())?;
            (summary.findings, summary.interrupted)
        }
        None => {
            let summary = args.hunt(seed).run(&cancellation, &screen);
            screen.bar.finish();
            let summary = summary?;
            screen.print(|| summary.text(), || summary.json())?;
            (summary.findings, summary.interrupted)
        }
    };
    Ok(match (findings, interrupted) {
        (0, false) => Status::Yes,
        (0, true) => Status::Unknown,
        _ => Status::Internal,
    })
}

impl Fuzz {
    fn hunt(&self, seed: u64) -> Hunt {
        Hunt {
            engines: self.engines.clone(),
            time: self.seconds.or(self.formulas.is_none().then_some(DEFAULT_TIME)),
            formulas: self.formulas,
            seed,
            size: self.size,
            words: match (self.infinite, self.finite) {
                (true, _) => vec![WordKind::Infinite],
                (_, true) => vec![WordKind::Finite],
                _ => vec![WordKind::Infinite, WordKind::Finite],
            },
            limits: self.limits(),
            jobs: self.jobs,
            keep_going: self.keep_going,
        }
    }

    /// An error for an engine that decides no property of any model, if models are drawn.
    fn refuse_engines_without_models(&self) -> anyhow::Result<()> {
        if self.models.is_none() {
            return Ok(());
        }
        let checking = checking_engines();
        let is_useless = |engine: &&EngineSpec| {
            !checking.iter().any(|known| known.info().name == engine.info().name)
        };
        match self.engines.iter().find(is_useless) {
            Some(engine) => bail!("`{engine}` checks no models; see `kermode engines`"),
            None => Ok(()),
        }
    }

    fn model_hunt(&self, seed: u64) -> ModelHunt {
        let engines = match self.all_engines {
            true => checking_engines(),
            false => self.engines.clone(),
        };
        let shape = match engines.is_empty() {
            true => ModelShape::default(),
            false => ModelShape { bits: 7, depth: 2, properties: 8, ..ModelShape::default() },
        };
        ModelHunt {
            time: self.seconds,
            models: self.models,
            seed,
            shape,
            engines,
            limits: self.limits(),
            jobs: self.jobs,
            keep_going: self.keep_going,
        }
    }

    /// The limits of one formula or model.
    fn limits(&self) -> Limits {
        Limits { wall: Some(self.timeout), cpu: None, memory: self.memory }
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
        let _ = Listener::found(self, finding);
        end(Status::Internal)
    }
}

impl ModelListener for Screen {
    fn found(&self, finding: &ModelFinding) -> io::Result<()> {
        self.print(|| finding.text(), || finding.json())
    }
}
