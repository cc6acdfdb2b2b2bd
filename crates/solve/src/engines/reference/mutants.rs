//! `mutant:tableau`: a tableau that is wrong in one point, for tests alone. No list of engines has it.

use kermode_ltl::reference::mutants::{MUTANTS, Mutant};

use super::tableau::{TABLEAU, answer};
use crate::frame::answer::Answer;
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Engine, EngineInfo, OptionInfo, SpecError};
use crate::frame::observer::Observer;
use crate::frame::problem::Problem;

const WRONG: OptionInfo = OptionInfo {
    key: "wrong",
    default: "until-promise",
    help: "the name of what is wrong, as `kermode_ltl::reference::mutants` has it",
};

pub(crate) static MUTANT: EngineInfo = EngineInfo {
    name: "mutant:tableau",
    summary: "a tableau that is wrong",
    options: &[WRONG],
    build: |options| {
        let name = options.value(&WRONG);
        let mutant = MUTANTS.iter().find(|mutant| mutant.name == name);
        let mutant = mutant.ok_or_else(|| SpecError::Value {
            key: WRONG.key,
            value: name.to_owned(),
            expected: "the name of a mutant",
        })?;
        Ok(Box::new(Wrong { mutant }))
    },
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
