//! `sat:k-liveness`: refutations by counting, \[CS12\] over the frames of \[LRPZV19\].
//!
//! On the run of an infinite word each promise, such as that of an until, is infinitely often not
//! pending. So for each number `k` the run has a finite part with `k` *rounds*, in each of which
//! every promise in turn is not pending at some position. If no path has so many rounds, there is
//! no word. Whether there is such a path is a question of reachability, which frames decide
//! (`frames.rs`): the rounds that remain are one more demand of a state, and a state with fewer of
//! them demands less.
//!
//! A path with `k` rounds proves nothing, and the search starts anew with twice as many. So the
//! engine never finds a word.

use kermode_ltl::WordKind;
use kermode_ltl::rewrite::RuleSet;

use super::closure::Closure;
use super::context::SatContext;
use super::frames::FrameSearch;
use super::step::{Goal, OneStep};
use crate::frame::answer::Answer;
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::Number;
use crate::frame::prepare::{RULES, solve_parts};
use crate::frame::problem::Problem;

const ROUNDS: Number =
    Number { key: "rounds", help: "the largest number of rounds", default: "16", range: 1..=1_024 };

pub(crate) const K_LIVENESS: EngineInfo = EngineInfo {
    name: "sat:k-liveness",
    summary: "proves that no path fulfils all promises k times, by frames of conflicts; finds no words",
    paper: "CS12",
    accepts: Accepts { finite: false, complete: false, ..Accepts::FORMULAS },
    options: &[&ROUNDS, &RULES],
    alias: None,
    build: |options| {
        Ok(Box::new(KLiveness { rounds: options.get(&ROUNDS)?, rules: options.get(&RULES)? }))
    },
};

struct KLiveness {
    rounds: u64,
    rules: RuleSet,
}

impl Engine for KLiveness {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        solve_parts(problem, &self.rules, budget, &mut |store, formula, words, budget| {
            if words == WordKind::Finite {
                return Err(Stop::Unsupported("finite words".to_owned()));
            }
            budget.check()?;
            let closure = Closure::of(store, formula, words);
            let mut rounds = 1;
            loop {
                let goal = Goal::Rounds(rounds as usize);
                let step = OneStep::new(&closure, goal, SatContext::new(budget));
                let mut search = FrameSearch::new(step, budget);
                let found = search.run(observer);
                search.tell(observer);
                observer.statistic("rounds", rounds);
                if !found? {
                    return Ok(Answer::Empty(None));
                }
                if rounds == self.rounds {
                    let why = format!("there are paths with {rounds} rounds of promises");
                    return Err(Stop::Limit(why));
                }
                rounds = (2 * rounds).min(self.rounds);
            }
        })
    }
}
