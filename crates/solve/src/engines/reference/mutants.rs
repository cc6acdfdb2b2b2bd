//! `mutant:tableau`: a tableau with one deliberate mistake, for tests only. No list of engines
//! includes it.

use kermode_ltl::reference::mutants::{MUTANTS, Mutant};

use super::tableau::{TABLEAU, answer};
use crate::frame::answer::Answer;
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::{EngineOption, OptionInfo, Takes, Typed, ValueError};
use crate::frame::problem::Problem;

/// The name of the mistake.
struct WrongPoint;

impl EngineOption for WrongPoint {
    fn info(&self) -> OptionInfo {
        let takes = Takes::Choice(MUTANTS.iter().map(|mutant| (mutant.name.into(), "")).collect());
        OptionInfo { key: "wrong", default: "until-promise", help: "what is wrong", takes }
    }

    fn check(&self, value: &str) -> Result<(), ValueError> {
        self.read(value).map(drop)
    }
}

impl Typed for WrongPoint {
    type Value = &'static Mutant;

    fn read(&self, value: &str) -> Result<&'static Mutant, ValueError> {
        let mutant = MUTANTS.iter().find(|mutant| mutant.name == value);
        mutant.ok_or_else(|| ValueError::unexpected("wrong", value, "the name of a mutant"))
    }
}

pub(crate) const MUTANT: EngineInfo = EngineInfo {
    name: "mutant:tableau",
    summary: "a tableau that is wrong",
    options: &[&WrongPoint],
    build: |options| Ok(Box::new(Wrong { mutant: options.get(&WrongPoint)? })),
    ..TABLEAU
};

struct Wrong {
    mutant: &'static Mutant,
}

impl Engine for Wrong {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        answer(problem, budget, observer, |store, formula, words, interrupt| {
            self.mutant.tableau(store, formula, words, interrupt)
        })
    }
}
