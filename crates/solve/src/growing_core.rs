//! `core:growing`: satisfiability of large conjunctions by few of their conjuncts.
//!
//! Specifications are conjunctions, and what makes them unsatisfiable is often a handful of conjuncts, a *core*. A word that
//! satisfies some conjuncts is judged by all of them. If it satisfies all, it is the answer. If not, some that it violates
//! join the core, and another engine is asked for a word of that. This is refinement by counterexamples [CGJLV00], with
//! conjuncts in place of predicates. A core of which no word is found in time grows, too, in the end to the whole formula: then this is the
//! other engine, begun late.
//!
//! Invariant: the core is a part of the conjuncts, so that it is implied; if it has no word the formula has none. It grows each
//! round, so that there are at most as many rounds as conjuncts.

use std::time::Duration;

use kermode_ltl::conjuncts::conjuncts;
use kermode_ltl::rewrite::RuleSet;
use kermode_ltl::{Formula, Proposition, Store, Word, WordKind, semantics};
use rustc_hash::FxHashSet;

use crate::budget::{Budget, Stop};
use crate::decide::WitnessPolicy;
use crate::engine::{Accepts, Engine, EngineInfo, EngineSpec, OptionInfo, Options, SpecError};
use crate::observer::Observer;
use crate::prepare::{RULES, any_word, solve_parts};
use crate::problem::Problem;
use crate::verdict::{Answer, LeftOut};
use crate::{antichain, symbolic, tgba};

const BY: OptionInfo = OptionInfo {
    key: "by",
    default: "forward",
    help: "who is asked for words of the core: forward (antichain:forward), couvreur (tgba:couvreur) or symbolic (symbolic:nnf/sloppy/gba/default)",
};

pub(crate) const GROWING: EngineInfo = EngineInfo {
    name: "core:growing",
    summary: "few conjuncts at first, and more as long as words of them violate others",
    paper: "CGJLV00",
    accepts: Accepts { infinite: true, finite: true, past: true, automata: false, complete: true },
    options: &[BY, RULES],
    build: |options| Ok(Box::new(GrowingCore::new(options)?)),
};

struct GrowingCore {
    inner: Box<dyn Engine>,
    rules: RuleSet,
}

impl GrowingCore {
    fn new(options: &Options) -> Result<Self, SpecError> {
        let engines: [(&'static str, &'static EngineInfo); 3] = [
            ("forward", &antichain::FORWARD),
            ("couvreur", &tgba::COUVREUR),
            ("symbolic", &symbolic::SYMBOLIC),
        ];
        let inner = EngineSpec::of(options.choice(&BY, &engines)?);
        let inner = inner.clone().with(RULES.key, options.value(&RULES))?.unwrap_or(inner);
        Ok(GrowingCore { inner: inner.build()?, rules: options.rules(&RULES)? })
    }
}

impl Engine for GrowingCore {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        solve_parts(problem, &self.rules, budget, &mut |store, formula, words| {
            let witness = WitnessPolicy { wanted: true, ..problem.witness };
            let mut growth = Growth::new(store, formula, words, budget.cpu_elapsed());
            let answer = growth.run(self, store, witness, budget, observer);
            observer.statistic("conjuncts", growth.conjuncts.len() as u64);
            observer.statistic("core", growth.core.len() as u64);
            observer.statistic("rounds", growth.rounds);
            answer
        })
    }
}

/// In so many rounds a core that is not small doubles; while it is small, a round takes one conjunct.
const ROUNDS_TO_DOUBLE: usize = 16;

/// A word of a part of the conjuncts is looked for as long as all the work before took, at least so long: then the core
/// grows by half of the others. Some parts are harder than the whole, where others would keep their states few.
const LEAST_PATIENCE: Duration = Duration::from_millis(10);

struct Conjunct {
    formula: Formula,
    propositions: Vec<Proposition>,
    size: usize,
}

/// A core that grows.
struct Growth {
    words: WordKind,
    conjuncts: Vec<Conjunct>,
    /// Places of conjuncts.
    core: Vec<usize>,
    is_taken: Vec<bool>,
    /// The propositions of the core.
    known: FxHashSet<Proposition>,
    rounds: u64,
    /// The CPU time of the budget when it began.
    started: Duration,
}

impl Growth {
    fn new(store: &mut Store, formula: Formula, words: WordKind, started: Duration) -> Self {
        let conjunct = |store: &Store, formula| Conjunct {
            formula,
            propositions: store.propositions(formula),
            size: store.subformulas(formula).len(),
        };
        let formulas = conjuncts(store, formula);
        let is_taken = vec![false; formulas.len()];
        let conjuncts = formulas.into_iter().map(|formula| conjunct(store, formula)).collect();
        let (core, known) = (Vec::new(), FxHashSet::default());
        Growth { words, conjuncts, core, is_taken, known, rounds: 0, started }
    }

    fn run(
        &mut self,
        engine: &GrowingCore,
        store: &mut Store,
        witness: WitnessPolicy,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let mut word = any_word(self.words);
        loop {
            let violated = self.violated(store, &word, budget)?;
            // A word that violates the core was not one of it: whoever replays it will say so.
            if violated.iter().all(|&place| self.is_in_core(place)) {
                return Ok(Answer::Satisfiable(word));
            }
            self.grow(violated, 1 + self.core.len() / ROUNDS_TO_DOUBLE);
            match self.word(engine, store, witness, budget, observer)? {
                Answer::Satisfiable(next) => word = next,
                answer => return Ok(answer),
            }
        }
    }

    /// A word of the core, which grows more while it is too hard to find one; or the answer to the whole.
    fn word(
        &mut self,
        engine: &GrowingCore,
        store: &mut Store,
        witness: WitnessPolicy,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        loop {
            observer.progress(&|| self.describe());
            if self.is_all() {
                return self.ask(engine, store, witness, budget, observer);
            }
            let patience = LEAST_PATIENCE.max(budget.cpu_elapsed() - self.started);
            match self.ask(engine, store, witness, &budget.slice(patience), observer) {
                Err(Stop::Timeout | Stop::Memory)
                | Ok(Answer::SatisfiableUnseen(LeftOut::Stopped(Stop::Timeout | Stop::Memory))) => {
                    budget.check()?;
                    let others = self.others();
                    let half = others.len().div_ceil(2);
                    self.grow(others, half);
                }
                Ok(Answer::SatisfiableUnseen(LeftOut::Stopped(stop))) => return Err(stop),
                // Nothing is learnt from a word that is too long.
                Ok(Answer::SatisfiableUnseen(_)) => self.grow(self.others(), usize::MAX),
                result => return result,
            }
        }
    }

    /// Asks for a word of the core.
    fn ask(
        &mut self,
        engine: &GrowingCore,
        store: &mut Store,
        witness: WitnessPolicy,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        self.rounds += 1;
        let core = self.core.iter().map(|&place| self.conjuncts[place].formula);
        let conjunction = store.all(core);
        let problem = Problem::satisfiability(store, conjunction, self.words);
        engine.inner.solve(&Problem { witness, ..problem }, budget, observer)
    }

    /// The conjuncts that a word does not satisfy.
    fn violated(&self, store: &Store, word: &Word, budget: &Budget) -> Result<Vec<usize>, Stop> {
        let mut violated = Vec::new();
        for (place, conjunct) in self.conjuncts.iter().enumerate() {
            if !semantics::satisfies(store, conjunct.formula, word, &mut || budget.check())? {
                violated.push(place);
            }
        }
        Ok(violated)
    }

    /// Takes the first of these conjuncts into the core: those that speak of little that the core does not, and among them
    /// small ones.
    fn grow(&mut self, mut places: Vec<usize>, count: usize) {
        places.retain(|&place| !self.is_in_core(place));
        places.sort_by_cached_key(|&place| {
            let conjunct = &self.conjuncts[place];
            let is_new = |p: &&Proposition| !self.known.contains(*p);
            (conjunct.propositions.iter().filter(is_new).count(), conjunct.size)
        });
        for place in places.into_iter().take(count) {
            self.is_taken[place] = true;
            self.known.extend(&self.conjuncts[place].propositions);
            self.core.push(place);
        }
    }

    /// The conjuncts that are not in the core.
    fn others(&self) -> Vec<usize> {
        (0..self.conjuncts.len()).filter(|&place| !self.is_in_core(place)).collect()
    }

    fn is_all(&self) -> bool {
        self.core.len() == self.conjuncts.len()
    }

    fn is_in_core(&self, place: usize) -> bool {
        self.is_taken[place]
    }

    fn describe(&self) -> String {
        format!("{} of {} conjuncts", self.core.len(), self.conjuncts.len())
    }
}

#[cfg(test)]
mod tests {
    use kermode_ltl::dialect::{Dialect, parse};

    use super::*;
    use crate::observer::Silent;

    /// An engine that gives the word of no propositions, or says that a word is too long, whatever the question.
    struct Stubborn(fn() -> Answer);

    impl Engine for Stubborn {
        fn solve(&self, _: &Problem, _: &Budget, _: &mut dyn Observer) -> Result<Answer, Stop> {
            Ok((self.0)())
        }
    }

    fn ask(inner: fn() -> Answer, text: &str) -> Result<Answer, Stop> {
        let mut store = Store::new();
        let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
        let engine = GrowingCore { inner: Box::new(Stubborn(inner)), rules: RuleSet::none() };
        let problem = Problem::satisfiability(&store, formula, WordKind::Finite);
        engine.solve(&problem, &Budget::unlimited(), &mut Silent::default())
    }

    #[test]
    fn an_engine_whose_words_are_wrong_is_not_asked_for_ever() {
        let answer = ask(|| Answer::Satisfiable(any_word(WordKind::Finite)), "a & b & X c");
        assert_eq!(answer, Ok(Answer::Satisfiable(any_word(WordKind::Finite))));
    }

    #[test]
    fn a_word_that_was_not_made_says_nothing_of_the_others() {
        let too_long = || Answer::SatisfiableUnseen(LeftOut::NotMade { limit: 1 });
        assert_eq!(ask(too_long, "a & b"), Ok(too_long()));
        let cancelled = || Answer::SatisfiableUnseen(LeftOut::Stopped(Stop::Cancelled));
        assert_eq!(ask(cancelled, "a & b"), Err(Stop::Cancelled));
    }

    #[test]
    fn parts_that_are_too_hard_grow_to_the_whole() {
        let late = || Answer::SatisfiableUnseen(LeftOut::Stopped(Stop::Timeout));
        assert_eq!(ask(late, "a & b & c & d"), Ok(late()));
    }
}
