//! `preprocess:only`: decides what rewriting and the rules that preserve satisfiability decide
//! alone.

use kermode_ltl::rewrite::RuleSet;

use crate::frame::answer::Answer;
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::prepare::{RULES, any_word, preprocessed, restored};
use crate::frame::problem::Problem;

pub(crate) const ONLY: EngineInfo = EngineInfo {
    name: "preprocess:only",
    summary: "preprocessing alone: rewriting, the first position, pure literals, definitions, splitting, short windows",
    paper: "SB00, EH00",
    accepts: Accepts { complete: false, ..Accepts::FORMULAS },
    options: &[&RULES],
    alias: None,
    build: |options| Ok(Box::new(Only { rules: options.get(&RULES)? })),
};

struct Only {
    rules: RuleSet,
}

impl Engine for Only {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let (store, left, words) = preprocessed(problem, &self.rules, budget)?;
        let distinct: usize = left.parts.iter().map(|&part| store.subformulas(part).len()).sum();
        observer.statistic("parts", left.parts.len() as u64);
        observer.statistic("distinct_subformulas_left", distinct as u64);
        match left.decided(&store) {
            Some(false) => Ok(Answer::Empty(None)),
            Some(true) => {
                let words = vec![any_word(words); left.parts.len()];
                Ok(restored(&left, &store, &words, problem.witness, budget))
            }
            None => Err(Stop::Limit("preprocessing does not settle it".to_owned())),
        }
    }
}
