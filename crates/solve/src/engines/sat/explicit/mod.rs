//! `sat:explicit`: states one by one, each by one query of a SAT solver \[LZPV15\].
//!
//! States are sets of demands in next normal form (`step.rs`). The search goes depth first, and
//! takes one successor at a time, so that it never lists the successors of a state. Before a state
//! is expanded, one query asks whether the word can end there: a finite word now, an infinite one
//! by one letter for ever.
//!
//! States from which there is no word are excluded, together with all states that have the demands
//! that the solver needed to show it. On infinite words (`lassos.rs`) this is known when a strongly
//! connected component is complete. On finite words (`endings.rs`) a state is excluded as soon as
//! it is visited: a path through a state that demands more can be cut short.

mod endings;
mod lassos;

use kermode_ltl::WordKind;
use kermode_ltl::rewrite::RuleSet;

use super::closure::Closure;
use super::context::SatContext;
use super::step::{Goal, OneStep};
use crate::frame::answer::Answer;
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::prepare::{RULES, solve_parts};
use crate::frame::problem::Problem;

pub(crate) const EXPLICIT: EngineInfo = EngineInfo {
    summary: "states one by one from a SAT solver, and components on the fly",
    paper: "LZPV15",
    options: &[&RULES],
    ..EngineInfo::new("sat:explicit", |options| {
        Ok(Box::new(Explicit { rules: options.get(&RULES)? }))
    })
};

struct Explicit {
    rules: RuleSet,
}

impl Engine for Explicit {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        solve_parts(problem, &self.rules, budget, &mut |store, formula, words, budget| {
            budget.check()?;
            let closure = Closure::of(store, formula, words);
            let step = OneStep::new(&closure, Goal::Word(words), SatContext::new(budget));
            match words {
                WordKind::Finite => endings::search(step, problem.witness, budget, observer),
                WordKind::Infinite => {
                    let promises = closure.promises.len();
                    lassos::search(step, promises, problem.witness, budget, observer)
                }
            }
        })
    }
}
