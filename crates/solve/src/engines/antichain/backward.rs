//! `antichain:backward`: emptiness of alternating automata by the backward fixpoint `F` of
//! \[DDMR08\] over antichains of maximal states \[DR07\], and thereby satisfiability of LTL and
//! LTLf.
//!
//! On finite words the engine computes the states that reach a final state until an initial state
//! is among them. On infinite words the greatest fixpoint begins with all states, unreachable ones
//! included, and ends as soon as no initial state is left. The letters of the word are those of the
//! steps found in the last round.

use kermode_automata::AlternatingAutomaton;
use kermode_automata::space::Reversible;
use kermode_ltl::WordKind;
use kermode_ltl::rewrite::RuleSet;

use super::counts::AntichainCounts;
use super::model::{Manner, ModelSettings, solve_model};
use super::reverse_search::ReverseSearch;
use crate::alternating::order::Orders;
use crate::alternating::{InSpace, Successors, in_space_of};
use crate::fixpoint::antichain::Antichain;
use crate::fixpoint::fixpoints::{fair_states, reachable};
use crate::frame::answer::{Answer, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::Choice;
use crate::frame::prepare::{RULES, solve_automata};
use crate::frame::problem::{Problem, WitnessPolicy};
use crate::frame::witness::nonempty;

const ORDER: Choice<bool> = Choice {
    key: "order",
    help: "the orders by which states subsume others",
    values: &[
        ("very-weak", "sets instead of pairs where the automaton is very weak", true),
        ("inclusion", "inclusion of pairs", false),
    ],
};

pub(crate) const BACKWARD: EngineInfo = EngineInfo {
    name: "antichain:backward",
    summary: "the backward fixpoint over antichains of greatest sets of locations",
    paper: "DDMR08",
    accepts: Accepts { models: true, run_automata: true, ..Accepts::AUTOMATA },
    options: &[&ORDER, &RULES],
    alias: None,
    build: |options| {
        Ok(Box::new(Backward { very_weak: options.get(&ORDER)?, rules: options.get(&RULES)? }))
    },
};

struct Backward {
    very_weak: bool,
    rules: RuleSet,
}

impl Engine for Backward {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        if problem.language.has_model() {
            let orders = Orders { very_weak: self.very_weak, ..Orders::default() };
            let (manner, rules) = (Manner::Backward, &self.rules);
            let settings = ModelSettings { manner, orders, rules, sifting: true };
            return solve_model(problem, &settings, budget, observer);
        }
        let counts = &mut AntichainCounts::default();
        solve_automata(problem, &self.rules, budget, &mut |automaton, budget| {
            self.answer_of(automaton, problem.witness, budget, observer, counts)
        })
    }
}

impl Backward {
    /// Whether an automaton accepts a word, with the word.
    fn answer_of(
        &self,
        automaton: &AlternatingAutomaton,
        witness: WitnessPolicy,
        budget: &Budget,
        observer: &mut dyn Observer,
        counts: &mut AntichainCounts,
    ) -> Result<Answer, Stop> {
        counts.locations += automaton.location_count();
        let orders = Orders { very_weak: self.very_weak, ..Orders::default() };
        let work = BackwardSearch { words: automaton.words(), witness, budget, observer, counts };
        in_space_of(automaton, Successors::MinimalModels, orders, budget, work)?
    }
}

/// A search in some space.
struct BackwardSearch<'w> {
    words: WordKind,
    witness: WitnessPolicy,
    budget: &'w Budget,
    observer: &'w mut dyn Observer,
    counts: &'w mut AntichainCounts,
}

impl InSpace for BackwardSearch<'_> {
    type Output = Result<Answer, Stop>;

    fn run<S: Reversible<Stop = Stop>>(self, space: S) -> Result<Answer, Stop> {
        let BackwardSearch { words, witness, budget, observer, counts } = self;
        decided(ReverseSearch::new(space, budget, observer, counts), words, witness, budget)
    }
}

/// Whether a space accepts a word, by the states that reach its final states, or by a fixpoint from
/// all states.
pub fn decide_backward<S: Reversible<Stop = Stop>>(
    space: S,
    words: WordKind,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Answer, Stop> {
    let search_counts = &mut AntichainCounts::default();
    let search = ReverseSearch::new(space, budget, observer, search_counts);
    decided(search, words, WitnessPolicy::default(), budget)
}

fn decided<S: Reversible<Stop = Stop>>(
    mut search: ReverseSearch<S>,
    words: WordKind,
    witness: WitnessPolicy,
    budget: &Budget,
) -> Result<Answer, Stop> {
    let start = match words {
        WordKind::Finite => above_finals(&mut search),
        WordKind::Infinite => above_fixpoint(&mut search),
    };
    search.tell();
    let Some(start) = start? else { return Ok(Answer::Empty(None)) };
    Ok(nonempty(witness, budget, |_| search.word(start).map(|word| Some(Witness::Word(word)))))
}

/// A state above an initial one that reaches a final state.
fn above_finals<S: Reversible<Stop = Stop>>(
    search: &mut ReverseSearch<S>,
) -> Result<Option<u32>, Stop> {
    let finals = search.finals()?;
    let mut start = None;
    reachable(search, &finals, &mut |search, new| {
        start = search.above_initial(new);
        Ok(start.is_some())
    })?;
    Ok(start)
}

/// A state above an initial one from which all marks can be visited infinitely often.
fn above_fixpoint<S: Reversible<Stop = Stop>>(
    search: &mut ReverseSearch<S>,
) -> Result<Option<u32>, Stop> {
    let everything = search.everything()?;
    let mut none_left =
        |search: &mut ReverseSearch<S>, left: &Antichain| Ok(search.above_initial(left).is_none());
    let fixpoint = fair_states(search, everything, &mut none_left)?;
    Ok(fixpoint.and_then(|fixpoint| search.above_initial(&fixpoint)))
}
