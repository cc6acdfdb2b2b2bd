//! `sat:bmc`: bounded search for words by a SAT solver \[BCCZ99\], \[BHJLS06\].
//!
//! Words of one letter come first, then longer ones; infinite words loop back from their last
//! letter. One solver is used for all lengths. The engine finds words. It also answers that there
//! is none if the formula cannot be unrolled any further, which happens for few formulas only.
//!
//! It is often hard to show that a length is a little too short: serving ten clients takes ten
//! positions, which is a pigeon-hole problem. So the conflicts of a query are limited, to a share
//! of all conflicts before, and the next length is tried if that does not suffice. A lasso can be
//! made longer by any number of letters, so of the lengths of infinite words some are left out.
//! Paths of models get more conflicts per length: longer ones are much harder there.

use kermode_ltl::WordKind;
use kermode_ltl::rewrite::RuleSet;

use super::closure::Closure;
use super::context::SatContext;
use super::paths::PathQuestion;
use super::unrolling::{AllLetters, Letters, Unrolling};
use crate::frame::answer::{Answer, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::Number;
use crate::frame::prepare::{RULES, solve_parts_with_past};
use crate::frame::problem::Problem;

const LENGTH: Number = Number {
    key: "length",
    help: "the largest number of letters",
    default: "1000000",
    range: 1..=u64::MAX,
};

const CONFLICTS: Number = Number {
    key: "conflicts",
    help: "the least limit on the conflicts of a query; for models twenty times as many",
    default: "1000",
    range: 1..=1 << 40,
};

pub(crate) const BMC: EngineInfo = EngineInfo {
    name: "sat:bmc",
    summary: "words of one, two, three letters and so on, by a SAT solver",
    paper: "BHJLS06",
    accepts: Accepts { models: true, targets: true, complete: false, ..Accepts::FORMULAS },
    options: &[&LENGTH, &CONFLICTS, &RULES],
    alias: None,
    build: |options| {
        Ok(Box::new(BoundedSearch {
            length: options.get(&LENGTH)?,
            conflicts: options.get(&CONFLICTS)?,
            rules: options.get(&RULES)?,
        }))
    },
};

/// Of infinite words, the next length is larger by one and this part.
const SKIP: usize = 3;

/// Of formulas, the part of all conflicts so far that a query may have. Of models it is all.
const CONFLICTS_SHARE: u64 = 4;

/// Queries about models may have this many times as many conflicts.
const MODEL_FACTOR: u64 = 20;

/// The limit on the conflicts of a query: the least one, and a part of all conflicts so far.
#[derive(Clone, Copy)]
struct ConflictLimit {
    least: u64,
    share: u64,
}

struct BoundedSearch {
    length: u64,
    conflicts: u64,
    rules: RuleSet,
}

impl Engine for BoundedSearch {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let Some(question) = PathQuestion::of(problem, &self.rules, budget)? else {
            return self.formula(problem, budget, observer);
        };
        let PathQuestion { closure, words, .. } = &question;
        let context = SatContext::large(budget);
        let mut unrolling = Unrolling::new(closure, question.letters(), *words, context);
        let limit = ConflictLimit { least: MODEL_FACTOR * self.conflicts, share: 1 };
        let found = self.lengthen(&mut unrolling, *words, limit, budget, observer);
        unrolling.answer(found, problem.witness, budget, observer, |longest| {
            question.witness(&unrolling, longest, budget)
        })
    }
}

impl BoundedSearch {
    /// Decides a formula over all words.
    fn formula(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        solve_parts_with_past(problem, &self.rules, budget, &mut |store, formula, words, budget| {
            let closure = Closure::of(store, formula, words);
            let letters = AllLetters(closure.propositions.len());
            let mut unrolling = Unrolling::new(&closure, letters, words, SatContext::large(budget));
            let limit = ConflictLimit { least: self.conflicts, share: CONFLICTS_SHARE };
            let found = self.lengthen(&mut unrolling, words, limit, budget, observer);
            unrolling.answer(found, problem.witness, budget, observer, |_| {
                Ok(Some(Witness::Word(unrolling.word())))
            })
        })
    }

    /// Whether there is a word.
    fn lengthen<L: Letters>(
        &self,
        unrolling: &mut Unrolling<L>,
        words: WordKind,
        limit: ConflictLimit,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<bool, Stop> {
        let (mut next, mut is_gapless) = (1, true);
        while (unrolling.len() as u64) < self.length {
            budget.check()?;
            observer.progress(&|| format!("words of {} letters", unrolling.len() + 1));
            let end = unrolling.extend();
            if unrolling.len() < next {
                continue;
            }
            next = match words {
                WordKind::Finite => next + 1,
                WordKind::Infinite => next + 1 + next / SKIP,
            };
            let conflicts = limit.least.max(unrolling.context.conflicts() / limit.share);
            match unrolling.context.query_within(&[end], conflicts)? {
                Some(true) => return Ok(true),
                Some(false) if unrolling.context.core().is_empty() => {
                    // There is no word of this length or a longer one. An infinite word has any
                    // length; a finite word may have one of those that were left undecided.
                    if words == WordKind::Infinite || is_gapless {
                        return Ok(false);
                    }
                    let why = "some lengths took too many conflicts, and no word is longer";
                    return Err(Stop::Limit(why.to_owned()));
                }
                Some(false) => {}
                None => is_gapless = false,
            }
        }
        Err(Stop::Limit(format!("no word of at most {} letters was found", self.length)))
    }
}
