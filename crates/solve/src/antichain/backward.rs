//! `antichain:backward`: emptiness of alternating automata by the backward fixpoint `F` of [DDMR08] over antichains of
//! greatest states [DR07], and through it satisfiability of LTL and LTLf.
//!
//! On finite words the states from which a final one can be reached are computed until an initial state is among
//! them. On infinite words the greatest fixpoint begins with all states, also those that cannot be reached; it ends
//! as soon as no initial state is left. The letters of the word are those of the steps by which the last round came about.

use kermode_automata::space::Reversible;
use kermode_automata::{AlternatingAutomaton, Statistics};
use kermode_ltl::rewrite::RuleSet;
use kermode_ltl::{Word, WordKind};

use super::answer;
use super::counts::Counts;
use super::reverse_search::ReverseSearch;
use crate::budget::{Budget, Stop};
use crate::engine::{Accepts, Engine, EngineInfo, OptionInfo};
use crate::observer::Observer;
use crate::order::Orders;
use crate::prepare::{RULES, solve_automata};
use crate::problem::Problem;
use crate::region::antichain::Antichain;
use crate::region::fixpoints::{infinitely_often, reachable};
use crate::space::Successors;
use crate::space::afa_subset::AfaSubset;
use crate::space::miyano_hayashi::MiyanoHayashi;
use crate::space::very_weak::VeryWeak;
use crate::verdict::Answer;

const ORDER: OptionInfo = OptionInfo {
    key: "order",
    default: "very-weak",
    help: "which states make others unnecessary: inclusion (of pairs) or very-weak (of sets, where the automaton is)",
};

pub(crate) const BACKWARD: EngineInfo = EngineInfo {
    name: "antichain:backward",
    summary: "the backward fixpoint over antichains of greatest sets of locations",
    paper: "DDMR08",
    accepts: Accepts { infinite: true, finite: true, past: true, automata: true, complete: true },
    options: &[ORDER, RULES],
    build: |options| {
        let very_weak = options.choice(&ORDER, &[("inclusion", false), ("very-weak", true)])?;
        Ok(Box::new(Backward { very_weak, rules: options.rules(&RULES)? }))
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
        solve_automata(problem, &self.rules, budget, &mut |automaton| {
            self.answer_of(automaton, budget, observer, counts)
        })
    }
}

impl Backward {
    /// Whether an automaton accepts a word, and which.
    fn answer_of(
        &self,
        automaton: &AlternatingAutomaton,
        budget: &Budget,
        observer: &mut dyn Observer,
        counts: &mut Counts,
    ) -> Result<Answer, Stop> {
        counts.locations += automaton.location_count();
        let successors = Successors::MinimalModels;
        match automaton.words() {
            WordKind::Finite => {
                let space = AfaSubset::new(automaton, successors, Orders::default(), budget)?;
                told(ReverseSearch::new(space, budget, observer, counts), finite_word)
            }
            WordKind::Infinite if self.very_weak && Statistics::of(automaton).very_weak => {
                let space = VeryWeak::new(automaton, Orders::default(), budget)?;
                told(ReverseSearch::new(space, budget, observer, counts), lasso)
            }
            WordKind::Infinite => {
                let space = MiyanoHayashi::new(automaton, successors, Orders::default(), budget)?;
                told(ReverseSearch::new(space, budget, observer, counts), lasso)
            }
        }
    }
}

/// What a search for a word gives, the counts being told whatever comes of it.
fn told<S: Reversible<Stop = Stop>>(
    mut search: ReverseSearch<S>,
    find: impl FnOnce(&mut ReverseSearch<S>) -> Result<Option<Result<Word, Stop>>, Stop>,
) -> Result<Answer, Stop> {
    let word = find(&mut search);
    search.tell();
    Ok(answer(word?))
}

/// A word that ends in a final state.
fn finite_word<S: Reversible<Stop = Stop>>(
    search: &mut ReverseSearch<S>,
) -> Result<Option<Result<Word, Stop>>, Stop> {
    let finals = search.finals()?;
    let mut start = None;
    reachable(search, &finals, &mut |search, reached| {
        start = search.above_initial(reached);
        Ok(start.is_some())
    })?;
    Ok(start.map(|start| search.word(start)))
}

/// A lasso from an initial state.
fn lasso<S: Reversible<Stop = Stop>>(
    search: &mut ReverseSearch<S>,
) -> Result<Option<Result<Word, Stop>>, Stop> {
    let everything = search.everything()?;
    let mut none_left =
        |search: &mut ReverseSearch<S>, left: &Antichain| Ok(search.above_initial(left).is_none());
    let fixpoint = infinitely_often(search, everything, &mut none_left)?;
    let start = fixpoint.and_then(|fixpoint| search.above_initial(&fixpoint));
    Ok(start.map(|start| search.word(start)))
}
