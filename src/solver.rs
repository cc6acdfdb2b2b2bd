//! Who answers: the engine that was named, or a portfolio of engines.

use std::path::Path;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::bail;
use kermode::solve::portfolio::{Decided, Schedule, SharedTally};
use kermode::solve::{Accepts, Budget, ENGINES, EngineInfo, EngineSpec, Problem, decide};

use crate::args::{Racing, Rewriting, Solving};
use crate::input::Text;
use crate::portfolio::Portfolio;
use crate::progress::Progress;
use crate::report;

/// One engine, or several.
pub(crate) enum Solver {
    Engine(EngineSpec),
    Portfolio(Portfolio),
}

impl Solver {
    /// Who answers questions about formulas, with the rules that were asked for.
    pub(crate) fn for_formulas(solving: &Solving, rewriting: &Rewriting) -> anyhow::Result<Solver> {
        let with_rules = |engine: EngineSpec| match (&rewriting.rules, rewriting.no_rewrite) {
            (Some(rules), _) => engine.with("rules", rules),
            (None, true) => Ok(engine.clone().with("rules", "none")?.or(Some(engine))),
            (None, false) => Ok(Some(engine)),
        };
        let Some(engine) = &solving.engine else {
            // Engines of a schedule that do no rewriting have no use for rules.
            let with_rules =
                |engine: EngineSpec| with_rules(engine.clone()).map(|e| e.unwrap_or(engine));
            let schedule = schedule(&solving.racing)?.with(with_rules)?;
            return Ok(Solver::Portfolio(portfolio(schedule, &solving.racing)));
        };
        match with_rules(engine.clone())? {
            Some(engine) => Ok(Solver::Engine(engine)),
            None => bail!("engine {engine} does no rewriting, so that it takes no `--rules`"),
        }
    }

    /// Who answers questions about automata.
    pub(crate) fn for_automata(solving: &Solving) -> anyhow::Result<Solver> {
        let takes = |accepts: Accepts| accepts.automata;
        let able = || {
            let able = ENGINES.iter().filter(|engine: &&EngineInfo| takes(engine.accepts));
            able.map(|engine| engine.name).collect::<Vec<_>>().join(", ")
        };
        match &solving.engine {
            Some(engine) if takes(engine.info().accepts) => Ok(Solver::Engine(engine.clone())),
            Some(engine) => bail!("engine {engine} takes no automata; those that do: {}", able()),
            None => {
                let schedule = schedule(&solving.racing)?.that(takes);
                if schedule.is_empty() {
                    bail!("no engine of the schedule takes automata; those that do: {}", able());
                }
                Ok(Solver::Portfolio(portfolio(schedule, &solving.racing)))
            }
        }
    }

    /// Decides a problem.
    pub(crate) fn decide(
        &self,
        problem: &Problem,
        budget: &Budget,
        progress: &mut Progress,
        tally: &SharedTally,
    ) -> Decided {
        match self {
            Solver::Portfolio(portfolio) => portfolio.decide(problem, budget, progress, tally),
            Solver::Engine(engine) => {
                let verdict = decide(problem, engine, budget, progress);
                let statistics = std::mem::take(&mut progress.statistics);
                let (entrants, worker_cpu) = (Vec::new(), Duration::ZERO);
                Decided { verdict, engine: Some(engine.clone()), statistics, entrants, worker_cpu }
            }
        }
    }

    /// What it is called where nobody in particular has answered.
    pub(crate) fn name(&self) -> String {
        match self {
            Solver::Engine(engine) => engine.to_string(),
            Solver::Portfolio(_) => "portfolio".to_owned(),
        }
    }
}

fn portfolio(schedule: Schedule, racing: &Racing) -> Portfolio {
    let processors = || available_parallelism().map_or(1, usize::from);
    let jobs = racing.jobs.unwrap_or_else(processors);
    Portfolio { schedule, jobs, all: racing.all, deterministic: racing.deterministic }
}

fn schedule(racing: &Racing) -> anyhow::Result<Schedule> {
    racing.portfolio.as_deref().map_or_else(|| Ok(Schedule::standard()), read)
}

fn read(file: &Path) -> anyhow::Result<Schedule> {
    let text = Text::of_file(file)?;
    Schedule::read(&text.text).or_else(|errors| {
        report::diagnostics(text.source(), &errors);
        bail!("`{}` is no schedule", text.name)
    })
}
