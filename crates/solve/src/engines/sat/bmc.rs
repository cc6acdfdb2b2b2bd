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

use kermode_ltl::WordKind;
use kermode_ltl::eliminate::to_unbounded;
use kermode_ltl::rewrite::{RuleSet, simplify_unless};

use super::closure::Closure;
use super::context::SatContext;
use super::model::ModelLetters;
use super::unrolling::{AllLetters, Letters, Unrolling};
use crate::frame::answer::{Answer, ModelTrace, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::Number;
use crate::frame::prepare::{EXPANSION_LIMIT, RULES, solve_parts_with_past};
use crate::frame::problem::{Language, PathEnd, Problem, RunProperty, WitnessPolicy};
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
    accepts: Accepts { models: true, complete: false, ..Accepts::FORMULAS },
    options: &[&LENGTH, &RULES],
    alias: None,
    build: |options| {
        Ok(Box::new(BoundedSearch { length: options.get(&LENGTH)?, rules: options.get(&RULES)? }))
    },
};

/// Of infinite words, the next length is larger by one and this part.
const SKIP: usize = 3;

/// The least limit on the conflicts of a query.
const LEAST_CONFLICTS: u64 = 1_000;

/// The part of all conflicts so far that a query may have.
const CONFLICTS_SHARE: u64 = 4;

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
        let (model, formula, words) = match problem.language {
            Language::Runs { model, property: RunProperty::Formula(formula) } => {
                (model, formula, WordKind::Infinite)
            }
            Language::FiniteRuns {
                model,
                property: RunProperty::Formula(formula),
                end: PathEnd::Anywhere,
            } => (model, formula, WordKind::Finite),
            Language::FiniteRuns { .. } => {
                return Err(Stop::Unsupported("paths that end in dead ends".to_owned()));
            }
            _ => return self.formula(problem, budget, observer),
        };
        budget.check()?;
        let mut store = problem.store.clone();
        let interrupt = &mut || budget.check();
        let simple = simplify_unless(&mut store, formula, words, &self.rules, interrupt)?;
        let left = to_unbounded(&mut store, simple.formula, words, EXPANSION_LIMIT)?;
        let closure = Closure::of(&mut store, left.formula, words);
        let letters = ModelLetters::new(model, words, closure.propositions.clone());
        let mut unrolling = Unrolling::new(&closure, letters, words, SatContext::large(budget));
        self.search(&mut unrolling, words, problem.witness, budget, observer, |found| {
            let start = found.loop_start();
            let trace = found.source.trace(&found.context, found.len(), start);
            Witness::Trace(ModelTrace::of(model, trace))
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
            self.search(&mut unrolling, words, problem.witness, budget, observer, |found| {
                Witness::Word(found.word())
            })
        })
    }

    fn search<L: Letters>(
        &self,
        unrolling: &mut Unrolling<L>,
        words: WordKind,
        policy: WitnessPolicy,
        budget: &Budget,
        observer: &mut dyn Observer,
        witness: impl FnOnce(&Unrolling<L>) -> Witness,
    ) -> Result<Answer, Stop> {
        let found = self.lengthen(unrolling, words, budget, observer);
        unrolling.context.tell(observer);
        observer.statistic("positions", unrolling.len() as u64);
        match found? {
            true => Ok(nonempty(policy, budget, |_| Ok(Some(witness(unrolling))))),
            false => Ok(Answer::Empty(None)),
        }
    }

    /// Whether there is a word.
    fn lengthen<L: Letters>(
        &self,
        unrolling: &mut Unrolling<L>,
        words: WordKind,
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
            let limit = LEAST_CONFLICTS.max(unrolling.context.conflicts() / CONFLICTS_SHARE);
            match unrolling.context.query_within(&[end], limit)? {
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
