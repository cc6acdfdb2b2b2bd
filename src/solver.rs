//! The engine or schedule that the user chose. The engines of a schedule run in processes of their
//! own.

use std::path::Path;

use anyhow::bail;
use kermode::solve::portfolio::{Decided, Schedule, SharedTally, processors};
use kermode::solve::{Budget, Problem, Solver};

use crate::args::{Rewriting, Solving};
use crate::input::Text;
use crate::portfolio::Portfolio;
use crate::progress::Progress;
use crate::report;

/// The engine or schedule that answers, and how several engines run.
pub(crate) struct Answerer {
    pub(crate) solver: Solver,
    portfolio: Portfolio,
}

impl Answerer {
    /// The engines for questions about formulas, with the chosen rules.
    pub(crate) fn for_formulas(
        solving: &Solving,
        rewriting: &Rewriting,
        budget: &Budget,
    ) -> anyhow::Result<Answerer> {
        let solver = solver(solving, budget)?;
        let solver = match (&rewriting.rules, rewriting.no_rewrite) {
            (Some(rules), _) => solver.with_rules(rules)?,
            (None, true) => solver.without_rewriting()?,
            (None, false) => solver,
        };
        Ok(Answerer::new(solver, solving))
    }

    /// The engines for questions about automata.
    pub(crate) fn for_automata(solving: &Solving, budget: &Budget) -> anyhow::Result<Answerer> {
        Ok(Answerer::new(solver(solving, budget)?.for_automata()?, solving))
    }

    fn new(solver: Solver, solving: &Solving) -> Answerer {
        let racing = &solving.racing;
        let jobs = racing.jobs.unwrap_or_else(processors);
        let portfolio = Portfolio { jobs, all: racing.all, deterministic: racing.deterministic };
        Answerer { solver, portfolio }
    }

    /// Decides a problem. The tally has the state of the engines meanwhile.
    pub(crate) fn decide(
        &self,
        problem: &Problem,
        budget: &Budget,
        progress: &mut Progress,
        tally: &SharedTally,
    ) -> Decided {
        match &self.solver {
            Solver::Engine(engine) => {
                let part = budget.part(budget.cancellation().clone());
                self.solver.decide(problem, &tally.listening(part, engine), progress)
            }
            Solver::Portfolio(schedule) => {
                self.portfolio.decide(problem, schedule, budget, progress, tally)
            }
        }
    }
}

fn solver(solving: &Solving, budget: &Budget) -> anyhow::Result<Solver> {
    match (&solving.engine, &solving.racing.portfolio) {
        (Some(engine), _) => Ok(engine.clone().into()),
        (None, Some(file)) => Ok(read(file, budget)?.into()),
        (None, None) => Ok(Solver::default()),
    }
}

/// Reads a schedule. Errors are reported here.
pub(crate) fn read(file: &Path, budget: &Budget) -> anyhow::Result<Schedule> {
    let text = Text::of_file(file, budget)?;
    Schedule::read(&text.text).or_else(|errors| {
        report::diagnostics(text.source(), &errors);
        bail!("`{}` is no schedule", text.name)
    })
}
