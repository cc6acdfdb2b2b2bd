//! `preprocess:only`: what rewriting and the rules that keep satisfiability settle by themselves.

use kermode_ltl::preprocess::preprocess_unless;
use kermode_ltl::rewrite::RuleSet;
use kermode_ltl::{Letter, Word, WordKind};

use crate::budget::{Budget, Stop};
use crate::engine::{Accepts, Engine, EngineInfo, OptionInfo};
use crate::observer::Observer;
use crate::problem::Problem;
use crate::verdict::{Answer, LeftOut};

const RULES: OptionInfo = OptionInfo {
    key: "rules",
    default: "all",
    help: "all, none, or names of rules joined by `+`; see `kermode rules`",
};

pub(crate) const ONLY: EngineInfo = EngineInfo {
    name: "preprocess:only",
    summary: "rewriting, pure literals, definitions and splitting; says what they settle",
    paper: "SB00, EH00",
    accepts: Accepts { infinite: true, finite: true, past: true, complete: false },
    options: &[RULES],
    build: |options| Ok(Box::new(Only { rules: options.rules(&RULES)? })),
};

struct Only {
    rules: RuleSet,
}

/// A word that is brought back is not longer than this.
const LONGEST: usize = 1_000_000;

impl Engine for Only {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        budget.check()?;
        let mut store = problem.store.clone();
        let (formula, words) = (problem.formula, problem.words);
        let left =
            preprocess_unless(&mut store, formula, words, &self.rules, &mut || budget.check())?;
        let distinct: usize = left.parts.iter().map(|&part| store.subformulas(part).len()).sum();
        observer.statistic("parts", left.parts.len() as u64);
        observer.statistic("distinct_subformulas_left", distinct as u64);
        match left.decided(&store) {
            Some(false) => Ok(Answer::Unsatisfiable),
            Some(true) => {
                let any = match problem.words {
                    WordKind::Infinite => Word::lasso(Vec::new(), vec![Letter::default()]),
                    WordKind::Finite => Word::finite(vec![Letter::default()]),
                };
                let words = vec![any; left.parts.len()];
                let word = left.restore_unless(&store, &words, LONGEST, &mut || budget.check());
                Ok(match word {
                    Ok(Some(word)) => Answer::Satisfiable(word),
                    Ok(None) => Answer::SatisfiableUnseen(LeftOut::NotMade { limit: LONGEST }),
                    Err(stop) => Answer::SatisfiableUnseen(LeftOut::Stopped(stop)),
                })
            }
            None => Err(Stop::Limit("preprocessing does not settle it".to_owned())),
        }
    }
}
