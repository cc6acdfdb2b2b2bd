//! `antichain:backward`: emptiness of alternating automata by the backward fixpoint `F` of [DDMR08]
//! over antichains of greatest states [DR07], and through it satisfiability of LTL and LTLf.
//!
//! On finite words the states from which a final one can be reached are computed until an initial
//! state is among them. On infinite words the greatest fixpoint begins with all states, also those
//! that cannot be reached; it ends as soon as no initial state is left. The letters of the word are
//! those of the steps by which the last round came about.

use kermode_automata::AlternatingAutomaton;
use kermode_automata::space::Reversible;
use kermode_ltl::WordKind;
use kermode_ltl::rewrite::RuleSet;

use super::counts::Counts;
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
    help: "which states make others unnecessary",
    values: &[
        ("very-weak", "sets instead of pairs where the automaton is very weak", true),
        ("inclusion", "inclusion of pairs", false),
    ],
};

pub(crate) const BACKWARD: EngineInfo = EngineInfo {
    name: "antichain:backward",
    summary: "the backward fixpoint over antichains of greatest sets of locations",
    paper: "DDMR08",
    accepts: Accepts::AUTOMATA,
    options: &[&ORDER, &RULES],
    variant: None,
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
        let counts = &mut Counts::default();
        solve_automata(problem, &self.rules, budget, &mut |automaton, budget| {
            self.answer_of(automaton, problem.witness, budget, observer, counts)
        })
    }
}

impl Backward {
    /// Whether an automaton accepts a word, and which.
    fn answer_of(
        &self,
        automaton: &AlternatingAutomaton,
        witness: WitnessPolicy,
        budget: &Budget,
        observer: &mut dyn Observer,
        counts: &mut Counts,
    ) -> Result<Answer, Stop> {
        counts.locations += automaton.location_count();
        let orders = Orders { very_weak: self.very_weak, ..Orders::default() };
        let work = Work { words: automaton.words(), witness, budget, observer, counts };
        in_space_of(automaton, Successors::MinimalModels, orders, budget, work)?
    }
}

/// A search in some space.
struct Work<'w> {
    words: WordKind,
    witness: WitnessPolicy,
    budget: &'w Budget,
    observer: &'w mut dyn Observer,
    counts: &'w mut Counts,
}

impl InSpace for Work<'_> {
    type Output = Result<Answer, Stop>;

    fn run<S: Reversible<Stop = Stop>>(self, space: S) -> Result<Answer, Stop> {
        let Work { words, witness, budget, observer, counts } = self;
        decided(ReverseSearch::new(space, budget, observer, counts), words, witness, budget)
    }
}

/// Whether a space accepts a word, by what its final states, or all of its states, are reached
/// from.
pub fn decide_backward<S: Reversible<Stop = Stop>>(
    space: S,
    words: WordKind,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Answer, Stop> {
    let search_counts = &mut Counts::default();
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

/// A state above an initial one from which a final state can be reached.
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

/// A state above an initial one from which all marks can be seen infinitely often.
fn above_fixpoint<S: Reversible<Stop = Stop>>(
    search: &mut ReverseSearch<S>,
) -> Result<Option<u32>, Stop> {
    let everything = search.everything()?;
    let mut none_left =
        |search: &mut ReverseSearch<S>, left: &Antichain| Ok(search.above_initial(left).is_none());
    let fixpoint = fair_states(search, everything, &mut none_left)?;
    Ok(fixpoint.and_then(|fixpoint| search.above_initial(&fixpoint)))
}
