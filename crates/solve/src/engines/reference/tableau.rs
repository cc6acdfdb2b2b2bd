//! `reference:tableau`: the textbook graph of atoms.

use kermode_ltl::reference::{TableauStop, tableau};
use kermode_ltl::{Formula, Store, Word, WordKind};

use crate::frame::answer::Answer;
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::problem::Problem;

pub(crate) const TABLEAU: EngineInfo = EngineInfo {
    name: "reference:tableau",
    summary: "the textbook graph of atoms with a component check; complete, for small formulas",
    paper: "MP95",
    accepts: Accepts::FORMULAS,
    options: &[],
    alias: None,
    build: |_| Ok(Box::new(TableauEngine)),
};

pub(super) struct TableauEngine;

impl Engine for TableauEngine {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        answer(problem, budget, observer, tableau)
    }
}

/// What a tableau says of a problem.
pub(super) fn answer(
    problem: &Problem,
    budget: &Budget,
    observer: &mut dyn Observer,
    tableau: impl FnOnce(&Store, Formula, WordKind, Interrupt) -> TableauAnswer,
) -> Result<Answer, Stop> {
    let store = problem.store;
    let (formula, words) = problem.formula()?;
    let mut checks: u64 = 0;
    let mut interrupt = || {
        checks += 1;
        observer.progress(&|| format!("graph of atoms, {checks} checks"));
        budget.check()
    };
    let said = tableau(store, formula, words, &mut interrupt);
    observer.statistic("steps", checks);
    match said {
        Ok(Some(word)) => Ok(Answer::word(word)),
        Ok(None) => Ok(Answer::Empty(None)),
        Err(TableauStop::Interrupted(stop)) => Err(stop),
        Err(too_large) => Err(Stop::Limit(too_large.to_string())),
    }
}

type Interrupt<'i> = &'i mut dyn FnMut() -> Result<(), Stop>;
type TableauAnswer = Result<Option<Word>, TableauStop<Stop>>;
