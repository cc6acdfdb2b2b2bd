//! `antichain:forward`: emptiness of alternating automata by the forward fixpoints of \[DDMR08\]
//! over antichains, and thereby satisfiability of LTL and LTLf.
//!
//! The engine first computes the reachable states, smallest states first. On finite words the
//! search ends with the first accepting state. On infinite words it ends as soon as an accepting
//! loop is certain. If the reachable states have no certain loop, the graph of possible steps often
//! shows that there is no word (`search`); otherwise the greatest fixpoint `F'` decides.

use kermode_automata::space::Ordered;
use kermode_automata::{AlternatingAutomaton, AlternatingStatistics};
use kermode_ltl::WordKind;
use kermode_ltl::rewrite::RuleSet;

use super::by_sat::BySat;
use super::counts::{AntichainCounts, SearchProgress};
use super::model::{Manner, ModelSettings, solve_model};
use super::search::{AntichainSearch, LassoPath};
use crate::alternating::afa_subset::AfaSubset;
use crate::alternating::order::Orders;
use crate::alternating::very_weak::VeryWeak;
use crate::alternating::{InSpace, Sharpen, Successors, in_space_of};
use crate::fixpoint::Regions;
use crate::fixpoint::antichain::Antichain;
use crate::fixpoint::fixpoints::fair_states;
use crate::frame::answer::{Answer, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::{Choice, EngineOption, OptionInfo, Takes, Typed, ValueError};
use crate::frame::prepare::{RULES, solve_automata};
use crate::frame::problem::{Problem, WitnessPolicy};
use crate::frame::witness::nonempty;
use crate::search::edge_list::Edge;

const POST: Choice<Post> = Choice {
    key: "post",
    help: "how successors are found",
    values: &[
        (
            "minimal",
            "as minimal models of a monotone function",
            Post::Listed(Successors::MinimalModels),
        ),
        ("algorithm1", "by Algorithm 1 of the paper", Post::Listed(Successors::AlgorithmOne)),
        (
            "sat",
            "one at a time by a SAT solver, depth first, with order=very-weak; not for runs of models",
            Post::BySat,
        ),
    ],
};

/// How successors are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Post {
    /// All successors of a state at once, by decision diagrams.
    Listed(Successors),
    /// One at a time, by a SAT solver.
    BySat,
}

/// The option for the orders that make states unnecessary.
pub(super) const ORDER: OrderOption = OrderOption;

/// Orders by name, joined by `+`.
pub(super) struct OrderOption;

impl EngineOption for OrderOption {
    fn info(&self) -> OptionInfo {
        let names = [
            ("auto", "very-weak, and sharper orders in long searches; cannot be combined"),
            ("inclusion", "inclusion of pairs"),
            ("very-weak", "sets instead of pairs where the automaton is very weak"),
            ("direct", "direct simulation between locations"),
            ("delayed", "delayed simulation between locations"),
            ("incompatible", "pairs of locations without a common word"),
        ];
        let takes = Takes::Several(names.map(|(name, meaning)| (name.into(), meaning)).to_vec());
        let help = "the orders by which states subsume others";
        OptionInfo { key: "order", default: "auto", help, takes }
    }

    fn check(&self, value: &str) -> Result<(), ValueError> {
        self.read(value).map(drop)
    }
}

impl Typed for OrderOption {
    type Value = Orders;

    fn read(&self, value: &str) -> Result<Orders, ValueError> {
        let expected = "auto, or names out of inclusion, very-weak, direct, delayed and incompatible, joined by `+`";
        value.parse().map_err(|()| ValueError::unexpected("order", value, expected))
    }
}

pub(crate) const FORWARD: EngineInfo = EngineInfo {
    name: "antichain:forward",
    summary: "forward fixpoints over antichains of sets of locations, without a nondeterministic automaton",
    paper: "DDMR08",
    accepts: Accepts { models: true, run_automata: true, ..Accepts::AUTOMATA },
    options: &[&POST, &ORDER, &RULES],
    alias: None,
    build: |options| {
        let (post, mut orders) = (options.get(&POST)?, options.get(&ORDER)?);
        if post == Post::BySat {
            orders.very_weak = true;
        }
        if post == Post::Listed(Successors::AlgorithmOne) {
            let expected = "names without very-weak if post=algorithm1, which finds pairs";
            let refused = || ValueError::unexpected("order", &options.text(&ORDER), expected);
            orders = orders.of_pairs().ok_or_else(refused)?;
        }
        Ok(Box::new(Forward { post, orders, rules: options.get(&RULES)? }))
    },
};

struct Forward {
    post: Post,
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
        if problem.language.has_model() {
            if self.post == Post::BySat {
                return Err(Stop::Unsupported("runs of models with post=sat".to_owned()));
            }
            let manner = Manner::Forward;
            let Forward { orders, ref rules, .. } = *self;
            let settings = ModelSettings { manner, orders, rules, sifting: true };
            return solve_model(problem, &settings, budget, observer);
        }
        let counts = &mut AntichainCounts::default();
        solve_automata(problem, &self.rules, budget, &mut |automaton, budget| {
            self.answer_of(automaton, problem.witness, budget, observer, counts)
        })
    }
}

impl Forward {
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
        let question = EmptinessQuery { automaton, post: self.post, witness, budget };
        let answer = question.answer(self.orders, observer, counts, &mut |_| false)?;
        Ok(answer.expect("it never gives up"))
    }
}

/// Decides when to give up a search.
pub(super) type GiveUp<'g> = dyn FnMut(SearchProgress) -> bool + 'g;

/// After this many posts it pays to compute the relations between locations.
const POSTS_BEFORE_SHARPER: usize = 64;

/// The question whether an automaton accepts a word.
pub(super) struct EmptinessQuery<'q> {
    pub(super) automaton: &'q AlternatingAutomaton,
    pub(super) post: Post,
    pub(super) witness: WitnessPolicy,
    pub(super) budget: &'q Budget,
}

impl EmptinessQuery<'_> {
    /// The answer, unless the search is given up.
    pub(super) fn answer(
        &self,
        orders: Orders,
        observer: &mut dyn Observer,
        counts: &mut AntichainCounts,
        give_up: &mut GiveUp,
    ) -> Result<Option<Answer>, Stop> {
        let EmptinessQuery { automaton, post, witness, budget } = *self;
        let words = automaton.words();
        let is_lazy = post == Post::BySat;
        let work =
            ForwardSearch { words, witness, orders, is_lazy, budget, observer, counts, give_up };
        match post {
            Post::Listed(successors) => in_space_of(automaton, successors, orders, budget, work)?,
            Post::BySat => in_lazy_space_of(automaton, orders, budget, work),
        }
    }
}

/// Runs a search in the space of an automaton whose steps a SAT solver finds.
fn in_lazy_space_of(
    automaton: &AlternatingAutomaton,
    orders: Orders,
    budget: &Budget,
    work: ForwardSearch,
) -> Result<Option<Answer>, Stop> {
    match automaton.words() {
        WordKind::Finite => {
            let successors = Successors::MinimalModels;
            let space = AfaSubset::new(automaton, successors, orders, budget)?;
            work.search(BySat::new(space, automaton, budget))
        }
        WordKind::Infinite if AlternatingStatistics::of(automaton).very_weak => {
            let space = VeryWeak::new(automaton, orders, budget)?;
            work.search(BySat::new(space, automaton, budget))
        }
        WordKind::Infinite => {
            let why = "post=sat takes finite words or very weak automata";
            Err(Stop::Unsupported(why.to_owned()))
        }
    }
}

/// A search in some space.
struct ForwardSearch<'w, 'g> {
    words: WordKind,
    witness: WitnessPolicy,
    orders: Orders,
    is_lazy: bool,
    budget: &'w Budget,
    observer: &'w mut dyn Observer,
    counts: &'w mut AntichainCounts,
    give_up: &'w mut GiveUp<'g>,
}

impl InSpace for ForwardSearch<'_, '_> {
    type Output = Result<Option<Answer>, Stop>;

    fn run<S: Sharpen>(self, space: S) -> Result<Option<Answer>, Stop> {
        self.search(space)
    }
}

impl ForwardSearch<'_, '_> {
    fn search<S: Sharpen>(self, mut space: S) -> Result<Option<Answer>, Stop> {
        let ForwardSearch { words, witness, orders, is_lazy, budget, observer, counts, give_up } =
            self;
        if orders.as_needed {
            let mut is_long = |progress: SearchProgress| progress.posts >= POSTS_BEFORE_SHARPER;
            let mut search = AntichainSearch::new(space, is_lazy, budget, observer, counts);
            let answer = decided(&mut search, words, witness, budget, &mut is_long)?;
            if answer.is_some() {
                return Ok(answer);
            }
            space = search.into_space();
            space.sharpen(Orders { direct: true, incompatible: true, ..orders })?;
        }
        let mut search = AntichainSearch::new(space, is_lazy, budget, observer, counts);
        decided(&mut search, words, witness, budget, give_up)
    }
}

/// Whether a space accepts a word, by the states that are reachable from its initial states.
pub fn decide_forward<S: Ordered<Stop = Stop>>(
    space: S,
    words: WordKind,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Answer, Stop> {
    let counts = &mut AntichainCounts::default();
    let mut search = AntichainSearch::new(space, false, budget, observer, counts);
    let witness = WitnessPolicy::default();
    Ok(decided(&mut search, words, witness, budget, &mut |_| false)?.expect("it never gives up"))
}

fn decided<S: Ordered<Stop = Stop>>(
    search: &mut AntichainSearch<S>,
    words: WordKind,
    witness: WitnessPolicy,
    budget: &Budget,
    give_up: &mut GiveUp,
) -> Result<Option<Answer>, Stop> {
    let found = match words {
        WordKind::Finite => {
            final_path(search, give_up).map(|end| end.map(|path| path.map(Found::Path)))
        }
        WordKind::Infinite => {
            lasso(search, give_up).map(|end| end.map(|lasso| lasso.map(Found::Lasso)))
        }
    };
    search.tell();
    Ok(match found? {
        None => None,
        Some(None) => Some(Answer::Empty(None)),
        Some(Some(found)) => Some(nonempty(witness, budget, |_| {
            let word = match &found {
                Found::Path(path) => search.finite_word(path),
                Found::Lasso(lasso) => search.lasso_word(lasso),
            };
            word.map(|word| Some(Witness::Word(word)))
        })),
    })
}

/// What proves that there is a word.
enum Found {
    Path(Vec<Edge>),
    Lasso(LassoPath),
}

/// A path to a final state, if there is one, unless the search is given up.
fn final_path<S: Ordered<Stop = Stop>>(
    search: &mut AntichainSearch<S>,
    give_up: &mut GiveUp,
) -> Result<Option<Option<Vec<Edge>>>, Stop> {
    let seed = search.initial()?;
    let all = search.reach(&seed, &mut |search| {
        Ok(search.final_met().is_some() || give_up(search.progress()))
    })?;
    let path = search.final_met().map(|state| search.path_to(state));
    Ok((all.is_some() || path.is_some()).then_some(path))
}

/// The result of the first half of a search.
enum Reached {
    Lasso(LassoPath),
    All(Antichain),
    GivenUp,
}

/// A lasso, if there is one, unless the search is given up.
fn lasso<S: Ordered<Stop = Stop>>(
    search: &mut AntichainSearch<S>,
    give_up: &mut GiveUp,
) -> Result<Option<Option<LassoPath>>, Stop> {
    let seed = search.initial()?;
    match reach(search, &seed, give_up)? {
        Reached::Lasso(lasso) => Ok(Some(Some(lasso))),
        Reached::All(_) if !search.a_lasso_is_possible()? => Ok(Some(None)),
        Reached::All(all) => {
            search.drop_only_simulated();
            visited_infinitely_often(search, all).map(Some)
        }
        Reached::GivenUp => Ok(None),
    }
}

/// The reachable states, or a certain lasso found before.
fn reach<S: Ordered<Stop = Stop>>(
    search: &mut AntichainSearch<S>,
    seed: &Antichain,
    give_up: &mut GiveUp,
) -> Result<Reached, Stop> {
    let mut certain = None;
    let all = search.reach(seed, &mut |search| {
        certain = search.certain_lasso_if_due()?;
        Ok(certain.is_some() || give_up(search.progress()))
    })?;
    if all.is_some() {
        certain = search.certain_lasso()?;
    }
    Ok(match (certain, all) {
        (Some(lasso), _) => Reached::Lasso(lasso),
        (None, Some(all)) => Reached::All(all),
        (None, None) => Reached::GivenUp,
    })
}

/// The greatest fixpoint `F'`: a lasso that is certain after one of its rounds, or nothing if the
/// fixpoint is empty.
fn visited_infinitely_often<S: Ordered<Stop = Stop>>(
    search: &mut AntichainSearch<S>,
    all: Antichain,
) -> Result<Option<LassoPath>, Stop> {
    let mut certain = None;
    let visited = fair_states(search, all, &mut |search, _| {
        certain = search.certain_lasso()?;
        Ok(certain.is_some())
    })?;
    let is_empty = visited.is_none_or(|visited| search.is_empty(&visited));
    assert!(certain.is_some() || is_empty, "what is visited infinitely often lies on a lasso");
    Ok(certain)
}
