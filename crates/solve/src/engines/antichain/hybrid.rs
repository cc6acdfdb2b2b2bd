//! `antichain:hybrid`: forward over antichains, and when these are about to blow up, backward over
//! decision diagrams: the two extensions that section 3 of [DDMR08b] proposes, in one.
//!
//! A search forward is short where states subsume each other or a loop closes soon, and hopeless
//! where neither happens: a counter of `n` bits has one word, of `n * 2^n` letters, and no state on
//! its way makes another unnecessary. The same question asked backward takes a number of steps in
//! the order of `n`, and the sets that come up have small diagrams. But where antichains do well,
//! diagrams may be a hundred times slower. A blow-up is seen coming if
//!
//! 1. a state has more than [`MOST_SUCCESSORS`] least successors: their number is known before any
//!    of them is made, or
//! 2. the search has gone on with a thousand states (option `patience`) and has dropped less than
//!    one in [`DROPPED_OF`] of those it met. On counters that is one in a thousand, on lifts one in
//!    five.
//!
//! Then all is decided backward over diagrams. If these do not fit into a small table (option
//! `nodes`) or take much longer than the antichains had, the search forward starts again and is not
//! interrupted any more. `docs/antichains.md` tells how often each of these decisions is right.

use std::time::Duration;

use kermode_ltl::rewrite::RuleSet;

use super::counts::{Counts, Progress};
use super::forward::{ORDER, Question};
use super::symbolic::answer_by_diagrams;
use crate::alternating::Successors;
use crate::alternating::order::Orders;
use crate::alternating::symbolic::{self, Settings, Symbolic};
use crate::fixpoint::Direction;
use crate::frame::answer::{Answer, LeftOut};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::Number;
use crate::frame::prepare::{RULES, solve_automata};
use crate::frame::problem::Problem;

/// More least successors of a state than this are a blow-up.
const MOST_SUCCESSORS: u128 = 20_000;
/// A search that drops at least one of so many states goes well.
const DROPPED_OF: usize = 20;

/// Diagrams get so much CPU time, and so many times of what antichains had.
const LEAST_TIME: Duration = Duration::from_secs(1);
const TIMES_AS_LONG: u32 = 4;

const PATIENCE: Number = Number {
    key: "patience",
    help: "how many states a search over antichains expands before it is judged",
    default: "1000",
    range: 0..=u64::MAX,
};

const NODES: Number = Number {
    key: "nodes",
    help: "how many nodes the decision diagrams may have before antichains are taken again",
    default: "262144",
    range: 0..=u64::MAX,
};

pub(crate) const HYBRID: EngineInfo = EngineInfo {
    name: "antichain:hybrid",
    summary: "forward over antichains; if they are about to blow up, backward over decision diagrams",
    paper: "DDMR08b",
    accepts: Accepts::AUTOMATA,
    options: &[&PATIENCE, &NODES, &ORDER, &RULES],
    variant: None,
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
        let counts = &mut AllCounts::default();
        solve_automata(problem, &self.rules, budget, &mut |automaton, budget| {
            counts.forward.locations += automaton.location_count();
            let (successors, witness) = (Successors::MinimalModels, problem.witness);
            let question = Question { automaton, successors, witness, budget };
            self.answer_of(&question, observer, counts)
        })
    }
}

/// What was counted, over all parts of a problem.
#[derive(Default)]
struct AllCounts {
    forward: Counts,
    backward: symbolic::Counts,
    /// How often the antichains were given up, and how often the diagrams.
    antichains_given_up: u64,
    diagrams_given_up: u64,
}

impl Hybrid {
    fn answer_of(
        &self,
        question: &Question,
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
    fn blows_up(&self, progress: Progress) -> bool {
        progress.posts >= self.patience && progress.dropped * DROPPED_OF < progress.met
    }

    fn backward(
        &self,
        question: &Question,
        observer: &mut dyn Observer,
        counts: &mut symbolic::Counts,
    ) -> Result<Answer, Stop> {
        let settings = Settings {
            direction: Direction::Backward,
            generalised: true,
            sifting: true,
            most_nodes: Some(self.nodes),
        };
        let Question { automaton, witness, budget, .. } = *question;
        let slice = budget.slice(LEAST_TIME + budget.cpu_elapsed() * TIMES_AS_LONG);
        let symbolic = Symbolic::new(automaton, settings, &slice, observer, counts)?;
        answer_by_diagrams(symbolic, witness, budget)
    }
}
