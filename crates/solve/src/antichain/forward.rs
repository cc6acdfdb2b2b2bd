//! `antichain:forward`: emptiness of alternating automata by the forward fixpoints of [DDMR08] over antichains, and
//! through it satisfiability of LTL and LTLf.
//!
//! What can be reached is computed first, the smallest states first. On finite words the search ends with the first
//! accepting state. On infinite words it ends as soon as an accepting loop is certain; if none is when all is reached, a look
//! at what is possible at all often shows that there is no word (`search`), and otherwise the greatest
//! fixpoint `F'` decides.

use kermode_automata::space::Ordered;
use kermode_automata::{AlternatingAutomaton, Statistics};
use kermode_ltl::WordKind;
use kermode_ltl::rewrite::RuleSet;

use super::answer;
use super::counts::Counts;
use super::edges::Edge;
use super::search::{Lasso, Search};
use crate::budget::{Budget, Stop};
use crate::engine::{Accepts, Engine, EngineInfo, OptionInfo};
use crate::observer::Observer;
use crate::order::Orders;
use crate::prepare::{RULES, solve_automata};
use crate::problem::Problem;
use crate::region::Regions;
use crate::region::antichain::Antichain;
use crate::region::fixpoints::{infinitely_often, reachable};
use crate::space::Successors;
use crate::space::afa_subset::AfaSubset;
use crate::space::miyano_hayashi::MiyanoHayashi;
use crate::space::very_weak::VeryWeak;
use crate::verdict::Answer;

const POST: OptionInfo = OptionInfo {
    key: "post",
    default: "minimal",
    help: "how successors are found: minimal (models of a monotone function) or algorithm1 (of the paper)",
};

const ORDER: OptionInfo = OptionInfo {
    key: "order",
    default: "very-weak",
    help: "which states make others unnecessary: inclusion, very-weak, direct, delayed, incompatible, joined by `+`",
};
const ORDER_NAMES: &str =
    "names out of inclusion, very-weak, direct, delayed and incompatible, joined by `+`";

pub(crate) const FORWARD: EngineInfo = EngineInfo {
    name: "antichain:forward",
    summary: "forward fixpoints over antichains of sets of locations, without a nondeterministic automaton",
    paper: "DDMR08",
    accepts: Accepts { infinite: true, finite: true, past: true, automata: true, complete: true },
    options: &[POST, ORDER, RULES],
    build: |options| {
        let choices =
            [("minimal", Successors::MinimalModels), ("algorithm1", Successors::AlgorithmOne)];
        let successors = options.choice(&POST, &choices)?;
        let orders = options.parsed(&ORDER, ORDER_NAMES)?;
        Ok(Box::new(Forward { successors, orders, rules: options.rules(&RULES)? }))
    },
};

struct Forward {
    successors: Successors,
    orders: Orders,
    rules: RuleSet,
}

impl Engine for Forward {
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

impl Forward {
    /// Whether an automaton accepts a word, and which.
    fn answer_of(
        &self,
        automaton: &AlternatingAutomaton,
        budget: &Budget,
        observer: &mut dyn Observer,
        counts: &mut Counts,
    ) -> Result<Answer, Stop> {
        counts.locations += automaton.location_count();
        let words = automaton.words();
        match words {
            WordKind::Finite => {
                let space = AfaSubset::new(automaton, self.successors, self.orders, budget)?;
                decided(Search::new(space, budget, observer, counts), words)
            }
            WordKind::Infinite if self.orders.very_weak && Statistics::of(automaton).very_weak => {
                let space = VeryWeak::new(automaton, self.orders, budget)?;
                decided(Search::new(space, budget, observer, counts), words)
            }
            WordKind::Infinite => {
                let space = MiyanoHayashi::new(automaton, self.successors, self.orders, budget)?;
                decided(Search::new(space, budget, observer, counts), words)
            }
        }
    }
}

/// Whether a space accepts a word, by what can be reached from its initial states.
pub fn decide_forward<S: Ordered<Stop = Stop>>(
    space: S,
    words: WordKind,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Answer, Stop> {
    decided(Search::new(space, budget, observer, &mut Counts::default()), words)
}

fn decided<S: Ordered<Stop = Stop>>(
    mut search: Search<S>,
    words: WordKind,
) -> Result<Answer, Stop> {
    match words {
        WordKind::Finite => {
            let path = final_path(&mut search);
            search.tell();
            Ok(answer(path?.map(|path| search.finite_word(&path))))
        }
        WordKind::Infinite => {
            let lasso = lasso(&mut search);
            search.tell();
            Ok(answer(lasso?.map(|lasso| search.lasso_word(&lasso))))
        }
    }
}

fn final_path<S: Ordered<Stop = Stop>>(search: &mut Search<S>) -> Result<Option<Vec<Edge>>, Stop> {
    let seed = search.initial()?;
    reachable(search, &seed, &mut |search, _| Ok(search.final_met().is_some()))?;
    Ok(search.final_met().map(|state| search.path_to(state)))
}

fn lasso<S: Ordered<Stop = Stop>>(search: &mut Search<S>) -> Result<Option<Lasso>, Stop> {
    let seed = search.initial()?;
    let (mut all, mut certain) = reached(search, &seed)?;
    if certain.is_some() || !search.a_lasso_is_possible()? {
        return Ok(certain);
    }
    if search.drop_only_simulated() {
        (all, certain) = reached(search, &seed)?;
        if certain.is_some() || !search.a_lasso_is_possible()? {
            return Ok(certain);
        }
    }
    let mut after_round = |search: &mut Search<S>, _: &Antichain| {
        certain = search.certain_lasso()?;
        Ok(certain.is_some())
    };
    let visited = infinitely_often(search, all, &mut after_round)?;
    let is_empty = visited.is_none_or(|visited| search.is_empty(&visited));
    assert!(certain.is_some() || is_empty, "what is visited infinitely often lies on a lasso");
    Ok(certain)
}

/// What can be reached, and a lasso if one is certain by then.
fn reached<S: Ordered<Stop = Stop>>(
    search: &mut Search<S>,
    seed: &Antichain,
) -> Result<(Antichain, Option<Lasso>), Stop> {
    let mut certain = None;
    let mut if_due = |search: &mut Search<S>, _: &Antichain| {
        certain = search.certain_lasso_if_due()?;
        Ok(certain.is_some())
    };
    match reachable(search, seed, &mut if_due)? {
        Some(reached) => Ok((reached, search.certain_lasso()?)),
        None => Ok((search.none(), certain)),
    }
}
