//! `reference:auto`: the shortest words first, then the tableau, and where that is too large, more
//! words.

use super::enumerate::Enumerate;
use super::tableau::TableauEngine;
use crate::frame::answer::Answer;
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::problem::Problem;

pub(crate) const AUTO: EngineInfo = EngineInfo {
    name: "reference:auto",
    summary: "short words first, then reference:tableau, or reference:enumerate if the tableau is too large",
    paper: "MP95",
    accepts: Accepts::FORMULAS,
    options: &[],
    alias: None,
    build: |_| Ok(Box::new(Auto)),
};

struct Auto;

/// The letters of the words that are tried first, and the subformulas that this may look at.
const FIRST_LETTERS: usize = 3;
const FIRST_LOOKS: u64 = 100_000;
/// The letters and the number of the words that are tried where the tableau gives up.
const LAST_LETTERS: usize = 8;
const LAST_WORDS: u64 = 1_000_000;

impl Engine for Auto {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let size = problem.store.subformulas(problem.formula()?.0).len() as u64;
        let first = Enumerate::new(FIRST_LETTERS, FIRST_LOOKS / size);
        match first.solve(problem, budget, observer) {
            Err(Stop::Limit(_)) => {}
            settled => return settled,
        }
        match TableauEngine.solve(problem, budget, observer) {
            Err(Stop::Limit(too_large)) => {
                let more = Enumerate::new(LAST_LETTERS, LAST_WORDS);
                more.solve(problem, budget, observer).map_err(|stop| match stop {
                    Stop::Limit(none) => Stop::Limit(format!("{too_large}; {none}")),
                    other => other,
                })
            }
            answer => answer,
        }
    }
}
