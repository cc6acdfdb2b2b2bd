//! `sat:bmc`: bounded search for words by a SAT solver \[BCCZ99\], \[BHJLS06\].
//!
//! Words of one letter come first, then of two, and so on; infinite words loop back from their last
//! letter. One solver is used for all lengths. The engine finds words. It also answers that there
//! is none if the formula cannot be unrolled any further, which happens for few formulas only.

use kermode_ltl::WordKind;
use kermode_ltl::rewrite::RuleSet;

use super::closure::Closure;
use super::context::SatContext;
use super::unrolling::Unrolling;
use crate::frame::answer::{Answer, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::Number;
use crate::frame::prepare::{RULES, solve_parts_with_past};
use crate::frame::problem::{Problem, WitnessPolicy};
use crate::frame::witness::nonempty;

const LENGTH: Number = Number {
    key: "length",
    help: "the largest number of letters",
    default: "1000000",
    range: 1..=u64::MAX,
};

pub(crate) const BMC: EngineInfo = EngineInfo {
    name: "sat:bmc",
    summary: "words of one, two, three letters and so on, by a SAT solver",
    paper: "BHJLS06",
    accepts: Accepts { complete: false, ..Accepts::FORMULAS },
    options: &[&LENGTH, &RULES],
    alias: None,
    build: |options| {
        Ok(Box::new(BoundedSearch { length: options.get(&LENGTH)?, rules: options.get(&RULES)? }))
    },
};

struct BoundedSearch {
    length: u64,
    rules: RuleSet,
}

impl Engine for BoundedSearch {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        solve_parts_with_past(problem, &self.rules, budget, &mut |store, formula, words, budget| {
            let closure = Closure::of(store, formula, words);
            self.search(&closure, words, problem.witness, budget, observer)
        })
    }
}

impl BoundedSearch {
    fn search(
        &self,
        closure: &Closure,
        words: WordKind,
        witness: WitnessPolicy,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let mut unrolling = Unrolling::new(closure, words, SatContext::new(budget));
        let answer = self.lengthen(&mut unrolling, witness, budget, observer);
        unrolling.context.tell(observer);
        observer.statistic("positions", unrolling.len() as u64);
        answer
    }

    fn lengthen(
        &self,
        unrolling: &mut Unrolling,
        witness: WitnessPolicy,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        while (unrolling.len() as u64) < self.length {
            budget.check()?;
            observer.progress(&|| format!("words of {} letters", unrolling.len() + 1));
            let end = unrolling.extend();
            if unrolling.query(&[end])? {
                let word = || Ok(Some(Witness::Word(unrolling.word())));
                return Ok(nonempty(witness, budget, |_| word()));
            }
            // Without the end the unrolling is contradictory too.
            if unrolling.context.core().is_empty() {
                return Ok(Answer::Empty(None));
            }
        }
        Err(Stop::Limit(format!("no word of at most {} letters was found", self.length)))
    }
}
