//! `reference:enumerate`: all words up to a bound. Never says no.

use kermode_ltl::reference::enumerate;
use kermode_ltl::{Letter, Word, semantics};

use crate::budget::{Budget, Stop};
use crate::engine::{Accepts, Engine, EngineInfo, OptionInfo};
use crate::observer::Observer;
use crate::problem::Problem;
use crate::verdict::Answer;

const LETTERS: OptionInfo =
    OptionInfo { key: "letters", default: "8", help: "the most letters of a word" };
const WORDS: OptionInfo =
    OptionInfo { key: "words", default: "1000000", help: "how many words are tried" };

pub(crate) const ENUMERATE: EngineInfo = EngineInfo {
    name: "reference:enumerate",
    summary: "all words up to a bound, shortest first; never says no",
    paper: "definition of the semantics",
    accepts: Accepts { infinite: true, finite: true, past: true, complete: false },
    options: &[LETTERS, WORDS],
    build: |options| {
        let letters = usize::try_from(options.number(&LETTERS)?).unwrap_or(usize::MAX);
        let words = options.number(&WORDS)?;
        Ok(Box::new(Enumerate { letters, words }))
    },
};

pub(super) struct Enumerate {
    letters: usize,
    words: u64,
}

impl Default for Enumerate {
    fn default() -> Self {
        Enumerate { letters: 8, words: 1_000_000 }
    }
}

/// The naive evaluator looks at so many positions at most; far bounds of past operators unroll loops.
const LONGEST_UNROLLING: usize = 10_000;

impl Engine for Enumerate {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let Problem { store, formula, words } = *problem;
        let shortest = Word::lasso(Vec::new(), vec![Letter::default()]);
        if semantics::unrolled_length(store, formula, &shortest) > LONGEST_UNROLLING {
            return Err(Stop::Limit("past operators reach back too far".to_owned()));
        }
        let mut tried: u64 = 0;
        let mut interrupt = || {
            if tried == self.words {
                return Err(Stop::Limit(format!("none of the first {tried} words will do")));
            }
            tried += 1;
            observer.progress(&|| format!("{tried} words tried"));
            budget.check()
        };
        let found = enumerate(store, formula, words, self.letters, &mut interrupt);
        observer.statistic("words", tried);
        match found? {
            Some(word) => Ok(Answer::Satisfiable(word)),
            None => {
                Err(Stop::Limit(format!("no word of at most {} letters will do", self.letters)))
            }
        }
    }
}
