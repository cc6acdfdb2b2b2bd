//! `antichain:hybrid`: forward over antichains and, when these are about to blow up, backward over
//! decision diagrams: the two extensions that section 3 of \[DDMR08b\] proposes, in one engine.
//!
//! A forward search is short where states subsume each other or a loop closes soon, and fails where
//! neither happens: a counter of `n` bits has one word, of `n * 2^n` letters, and no state on its
//! path subsumes another. The backward fixpoint takes about `n` steps there, and its sets have
//! small diagrams. But where antichains do well, diagrams may be a hundred times slower. The engine
//! expects a blow-up if
//!
//! 1. a state has more than [`MOST_SUCCESSORS`] minimal successors, a number that is known before
//!    any of them is built, or
//! 2. the search has expanded a thousand states (option `patience`) and has dropped less than one
//!    in [`DROPPED_OF`] of those it discovered. On counters that is one in a thousand, on lifts one
//!    in five.
//!
//! It then searches backward over diagrams. If these do not fit into a small table (option `nodes`)
//! or take much longer than the antichains did, the forward search restarts and is not interrupted
//! any more. `docs/results/antichains.md` shows how often each decision is right. Products with
//! models have a rule of their own, in the module `model::hybrid`.

use std::time::Duration;

use kermode_ltl::rewrite::RuleSet;

use super::counts::{AntichainCounts, SearchProgress};
use super::forward::{EmptinessQuery, ORDER, Post};
use super::model::{HybridRule, Manner, ModelSettings, solve_model};
use super::symbolic::answer_by_diagrams;
use crate::alternating::Successors;
use crate::alternating::order::Orders;
use crate::alternating::symbolic::{self, Settings, SymbolicSpace};
use crate::fixpoint::Direction;
use crate::frame::answer::{Answer, LeftOut};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::Number;
use crate::frame::prepare::{RULES, solve_automata};
use crate::frame::problem::Problem;

/// A state with more minimal successors is a blow-up.
const MOST_SUCCESSORS: u128 = 20_000;
/// A search that drops at least one in this many states is not given up.
const DROPPED_OF: usize = 20;

/// The CPU time for diagrams: at least `LEAST_TIME`, and a multiple of the time of the antichains.
const LEAST_TIME: Duration = Duration::from_secs(1);
const TIMES_AS_LONG: u32 = 4;

const PATIENCE: Number = Number {
    key: "patience",
    help: "number of expanded states after which the growth of the antichains is checked",
    default: "1000",
    range: 0..=u64::MAX,
};

const NODES: Number = Number {
    key: "nodes",
    help: "number of nodes of decision diagrams after which the search returns to antichains",
    default: "262144",
    range: 0..=u64::MAX,
};

pub(crate) const HYBRID: EngineInfo = EngineInfo {
    name: "antichain:hybrid",
    summary: "forward over antichains; if they grow too fast, backward over decision diagrams",
    paper: "DDMR08b",
    accepts: Accepts { models: true, run_automata: true, ..Accepts::AUTOMATA },
    options: &[&PATIENCE, &NODES, &ORDER, &RULES],
    alias: None,
    build: |options| {
        Ok(Box::new(Hybrid {
            patience: saturating(options.get(&PATIENCE)?),
            nodes: saturating(options.get(&NODES)?),
            orders: options.get(&ORDER)?,
            rules: options.get(&RULES)?,
        }))
    },
};

fn saturating(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

struct Hybrid {
    patience: usize,
    nodes: usize,
    orders: Orders,
    rules: RuleSet,
}

impl Engine for Hybrid {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        if problem.language.has_model() {
            let Hybrid { patience, nodes, orders, ref rules } = *self;
            let manner =
                Manner::Hybrid(HybridRule { patience: patience as u64, nodes: nodes as u64 });
            let settings = ModelSettings { manner, orders, rules, sifting: true };
            return solve_model(problem, &settings, budget, observer);
        }
        let counts = &mut AllCounts::default();
        solve_automata(problem, &self.rules, budget, &mut |automaton, budget| {
            counts.forward.locations += automaton.location_count();
            let (post, witness) = (Post::Listed(Successors::MinimalModels), problem.witness);
            let question = EmptinessQuery { automaton, post, witness, budget };
            self.answer_of(&question, observer, counts)
        })
    }
}

/// Counters over all parts of a problem.
#[derive(Default)]
struct AllCounts {
    forward: AntichainCounts,
    backward: symbolic::SymbolicCounts,
    /// How often the antichains were given up, and how often the diagrams.
    antichains_given_up: u64,
    diagrams_given_up: u64,
}

impl Hybrid {
    fn answer_of(
        &self,
        question: &EmptinessQuery,
        observer: &mut dyn Observer,
        counts: &mut AllCounts,
    ) -> Result<Answer, Stop> {
        let orders = Orders { most_successors: Some(MOST_SUCCESSORS), ..self.orders };
        let mut blows_up = |progress| self.blows_up(progress);
        let found = question.answer(orders, observer, &mut counts.forward, &mut blows_up);
        match found {
            Ok(Some(answer)) => return Ok(answer),
            Ok(None) | Err(Stop::Limit(_)) => {}
            Err(stop) => return Err(stop),
        }
        counts.antichains_given_up += 1;
        observer.statistic("antichains_given_up", counts.antichains_given_up);
        let by_diagrams = self.backward(question, observer, &mut counts.backward);
        match &by_diagrams {
            Err(Stop::Limit(_) | Stop::Nodes | Stop::Memory | Stop::Timeout) => {}
            // There is a word, but the table was too small for its letters.
            Ok(Answer::Nonempty(Err(LeftOut::Stopped(Stop::Nodes | Stop::Memory)))) => {}
            _ => return by_diagrams,
        }
        counts.diagrams_given_up += 1;
        observer.statistic("diagrams_given_up", counts.diagrams_given_up);
        match question.answer(self.orders, observer, &mut counts.forward, &mut |_| false) {
            Ok(answer) => Ok(answer.expect("it is not given up again")),
            Err(_) if by_diagrams.is_ok() => by_diagrams,
            Err(stop) => Err(stop),
        }
    }

    /// Whether antichains are about to blow up.
    fn blows_up(&self, progress: SearchProgress) -> bool {
        progress.posts >= self.patience && progress.dropped * DROPPED_OF < progress.met
    }

    fn backward(
        &self,
        question: &EmptinessQuery,
        observer: &mut dyn Observer,
        counts: &mut symbolic::SymbolicCounts,
    ) -> Result<Answer, Stop> {
        let settings = Settings {
            direction: Direction::Backward,
            generalised: true,
            sifting: true,
            most_nodes: Some(self.nodes),
        };
        let EmptinessQuery { automaton, witness, budget, .. } = *question;
        let slice = budget.slice(LEAST_TIME + budget.cpu_elapsed() * TIMES_AS_LONG);
        let symbolic = SymbolicSpace::new(automaton, settings, &slice, observer, counts)?;
        answer_by_diagrams(symbolic, witness, budget)
    }
}
