//! `reference:auto`: the tableau, and where that is too large, enumeration.

use super::enumerate::Enumerate;
use super::tableau::Tableau;
use crate::budget::{Budget, Stop};
use crate::engine::{Accepts, Engine, EngineInfo};
use crate::observer::Observer;
use crate::problem::Problem;
use crate::verdict::Answer;

pub(crate) const AUTO: EngineInfo = EngineInfo {
    name: "reference:auto",
    summary: "reference:tableau, and for formulas too large for it reference:enumerate",
    paper: "MP95",
    accepts: Accepts { infinite: true, finite: true, past: true, complete: true },
    options: &[],
    build: |_| Ok(Box::new(Auto)),
};

struct Auto;

impl Engine for Auto {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        match Tableau.solve(problem, budget, observer) {
            Err(Stop::Limit(too_large)) => {
                Enumerate::default().solve(problem, budget, observer).map_err(|stop| match stop {
                    Stop::Limit(none) => Stop::Limit(format!("{too_large}; {none}")),
                    other => other,
                })
            }
            answer => answer,
        }
    }
}
