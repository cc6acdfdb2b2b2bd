//! `reference:enumerate`: all words up to a bound. Never says no.

use kermode_ltl::reference::enumerate;
use kermode_ltl::{Formula, Letter, Store, Word, WordKind, semantics};

use crate::frame::answer::Answer;
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::Number;
use crate::frame::problem::Problem;

const LETTERS: Number = Number {
    key: "letters",
    help: "the largest number of letters of a word",
    default: "8",
    range: 0..=u64::MAX,
};
const WORDS: Number = Number {
    key: "words",
    help: "the largest number of words that are tried",
    default: "1000000",
    range: 0..=u64::MAX,
};

pub(crate) const ENUMERATE: EngineInfo = EngineInfo {
    name: "reference:enumerate",
    summary: "all words up to a bound, shortest first; never answers no",
    paper: "definition of the semantics",
    accepts: Accepts { complete: false, ..Accepts::FORMULAS },
    options: &[&LETTERS, &WORDS],
    alias: None,
    build: |options| {
        let letters = usize::try_from(options.get(&LETTERS)?).unwrap_or(usize::MAX);
        let words = options.get(&WORDS)?;
        Ok(Box::new(Enumerate { letters, words }))
    },
};

pub(super) struct Enumerate {
    letters: usize,
    words: u64,
}

impl Enumerate {
    pub(super) fn new(letters: usize, words: u64) -> Self {
        Enumerate { letters, words }
    }

    /// The largest word length for which the naive evaluator looks at an acceptable number of
    /// positions: past operators unroll loops.
    fn affordable_letters(&self, store: &Store, formula: Formula) -> Option<usize> {
        let loop_of = |letters| Word::lasso(Vec::new(), vec![Letter::default(); letters]);
        let positions = |letters| semantics::unrolled_length(store, formula, &loop_of(letters));
        (1..=self.letters.min(LONGEST_UNROLLING)).rev().find(|&n| positions(n) <= LONGEST_UNROLLING)
    }
}

const LONGEST_UNROLLING: usize = 10_000;

impl Engine for Enumerate {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let store = problem.store;
        let (formula, words) = problem.formula()?;
        let letters = match words {
            WordKind::Finite => Some(self.letters),
            WordKind::Infinite => self.affordable_letters(store, formula),
        };
        let too_far = || Stop::Limit("past operators reach back too far".to_owned());
        let letters = letters.ok_or_else(too_far)?;
        let mut tried: u64 = 0;
        let mut next_word = || {
            if tried == self.words {
                return Err(Stop::Limit(format!("none of the first {tried} words will do")));
            }
            tried += 1;
            observer.progress(&|| format!("{tried} words tried"));
            budget.check()
        };
        let mut interrupt = || budget.check();
        let found = enumerate(store, formula, words, letters, &mut next_word, &mut interrupt);
        observer.statistic("words", tried);
        match found? {
            Some(word) => Ok(Answer::word(word)),
            None => Err(Stop::Limit(format!("no word of at most {letters} letters will do"))),
        }
    }
}
