//! `tgba:couvreur` and `tgba:magic`: emptiness of generalised Büchi automata on the fly, and
//! thereby satisfiability of LTL and LTLf \[Cou99\].
//!
//! A formula over finite words is first translated to infinite words with a proposition `alive`.
//! Generalised Büchi automata are searched directly, several of them as a product on the fly, and
//! so are complements of those that are not weak.
//! Alternating automata are searched as well: very weak ones as sets of locations with one mark per
//! non-accepting location, others as pairs of Miyano and Hayashi, and those over finite words as
//! sets with an end.
//!
//! Runs of models are searched in the product of the model's explicit states and the automaton of
//! the formula ([`runs`]).

mod layout;
mod mistakes;
#[cfg(test)]
mod mutant_tests;
mod numbered;
mod path;
mod pending;
mod product;
mod property;
mod runs;
mod supertrace;

use std::borrow::Cow;

use kermode_automata::couvreur::{Construction, Couvreur, StepSelection, Tableau};
use kermode_automata::product::Product as SpaceProduct;
use kermode_automata::space::{AllSteps, Space};
use kermode_automata::tgba::{
    Effort, SliceComplement, TgbaStatistics, complement, intersection, reduce,
};
use kermode_automata::translation::Level;
use kermode_automata::{AlternatingAutomaton, Automaton, Tgba};
use kermode_ltl::rewrite::RuleSet;
use kermode_ltl::{Formula, Store, Word, WordKind};

use crate::alternating::ending::{Ending, cut};
use crate::alternating::order::Orders;
use crate::alternating::{InSpace, Successors, in_space_of};
use crate::engines::product::LEVEL;
use crate::frame::answer::{Answer, Witness};
use crate::frame::bdd_manager::manager;
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::{Choice, Number, Options, ValueError};
use crate::frame::prepare::{RULES, over_infinite_words, solve_parts};
use crate::frame::problem::{Language, Problem, WitnessPolicy};
use crate::frame::witness::nonempty;
use crate::search::{Levels, SearchCounts, Traversal, couvreur, magic};
use mistakes::Mistake;
use runs::RunSearch;

const NODES: Choice<Construction> = Choice {
    key: "nodes",
    help: "the construction from formulas",
    values: &[
        ("small", "merged nodes, the identity of G F, no implied demands", Construction::SMALL),
        ("plain", "Theorem 1 of the paper", Construction::PLAIN),
        ("merged", "merged nodes, Table 2 of the paper", Construction::MERGED),
        ("gf", "the identity of G F", Construction::RECURRENCE),
    ],
};

const STEPS: Choice<StepSelection> = Choice {
    key: "steps",
    help: "the steps of a node",
    values: &[
        (
            "least",
            "the minimal steps over all letters, which preserves emptiness only",
            StepSelection::Least,
        ),
        ("primes", "all prime implicants", StepSelection::Primes),
        ("cover", "an irredundant cover", StepSelection::Cover),
    ],
};

const AUTOMATON: Choice<PropertyAutomatonKind> = Choice {
    key: "automaton",
    help: "the automaton of the formula in products with models",
    values: &[
        (
            "lazy",
            "nodes on demand, expanded for the letter of a step alone",
            PropertyAutomatonKind::Lazy,
        ),
        ("reduced", "the whole automaton, made small before", PropertyAutomatonKind::Reduced),
    ],
};

const HASH: Choice<bool> = Choice {
    key: "hash",
    help: "how the states of a product with a model are stored",
    values: &[
        ("exact", "as vectors of bits", false),
        (
            "bits",
            "as bits of a table: the search may miss states, and says violated or unknown",
            true,
        ),
    ],
};

const BITS: Number = Number {
    key: "bits",
    help: "logarithm of the number of bits of the table of `hash=bits`",
    default: "28",
    range: 6..=40,
};

pub(crate) const COUVREUR: EngineInfo = EngineInfo {
    name: "tgba:couvreur",
    summary: "a generalised Büchi automaton on the fly, and Couvreur's search for an accepting component",
    paper: "Cou99",
    accepts: ALL,
    options: &[&NODES, &STEPS, &AUTOMATON, &LEVEL, &RULES],
    alias: None,
    build: |options| Ok(Box::new(OnTheFly::new(options, SearchAlgorithm::Couvreur)?)),
};

pub(crate) const MAGIC: EngineInfo = EngineInfo {
    name: "tgba:magic",
    summary: "the same automaton with one mark, and a nested depth-first search",
    paper: "GH93",
    accepts: ALL,
    options: &[&NODES, &STEPS, &AUTOMATON, &LEVEL, &HASH, &BITS, &RULES],
    alias: None,
    build: |options| Ok(Box::new(OnTheFly::new(options, SearchAlgorithm::Magic)?)),
};

const ALL: Accepts = Accepts { models: true, run_automata: true, ..Accepts::AUTOMATA };

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchAlgorithm {
    Couvreur,
    Magic,
}

/// The automaton of a formula in products with models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PropertyAutomatonKind {
    Lazy,
    Reduced,
}

/// How the states of a product with a model are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StateTable {
    Exact,
    /// As bits of a table, with the logarithm of its size.
    Bits(u32),
}

struct OnTheFly {
    construction: Construction,
    check: SearchAlgorithm,
    automaton: PropertyAutomatonKind,
    level: Level,
    table: StateTable,
    rules: RuleSet,
    mistake: Option<Mistake>,
}

impl OnTheFly {
    fn new(options: &Options, check: SearchAlgorithm) -> Result<Self, ValueError> {
        let steps = options.get(&STEPS)?;
        let construction = Construction { steps, ..options.get(&NODES)? };
        let table = match options.get(&HASH)? {
            true => StateTable::Bits(options.get(&BITS)? as u32),
            false => StateTable::Exact,
        };
        Ok(OnTheFly {
            construction,
            check,
            automaton: options.get(&AUTOMATON)?,
            level: options.get(&LEVEL)?,
            table,
            rules: options.get(&RULES)?,
            mistake: None,
        })
    }
}

impl Engine for OnTheFly {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let (counts, witness) = (&mut SearchCounts::default(), problem.witness);
        match problem.language {
            Language::Runs { model, property } => {
                RunSearch { engine: self, problem, budget, observer }.answer(model, property)
            }
            Language::FiniteRuns { .. } => {
                let why = "finite paths of models; product:syntactic/el takes them";
                Err(Stop::Unsupported(why.to_owned()))
            }
            Language::Automata(difference) => {
                let mut search = TgbaSearch { engine: self, witness, budget, observer, counts };
                let interrupt = &mut || budget.check();
                let without_ranks = difference.instead_of_ranks::<Stop>(interrupt)?;
                let difference = without_ranks.as_ref().unwrap_or(difference);
                let found = match difference.generalised::<Stop>(interrupt)? {
                    Some(accepting) => search.difference(accepting, difference.rejecting())?,
                    None => None,
                };
                match found {
                    Some(answer) => Ok(answer),
                    None => search.automaton(&*difference.automaton::<Stop>(interrupt)?),
                }
            }
            _ => solve_parts(problem, &self.rules, budget, &mut |store, formula, words, budget| {
                let mut search = TgbaSearch { engine: self, witness, budget, observer, counts };
                over_infinite_words(store, formula, words, &mut |store, formula| {
                    search.formula(store, formula)
                })
            }),
        }
    }
}

struct TgbaSearch<'a> {
    engine: &'a OnTheFly,
    witness: WitnessPolicy,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    counts: &'a mut SearchCounts,
}

impl TgbaSearch<'_> {
    fn formula(&mut self, store: &mut Store, formula: Formula) -> Result<Answer, Stop> {
        let tableau = Tableau::new(store, formula, self.engine.construction)?;
        let budget = self.budget;
        let manager = manager(tableau.variable_count(), budget)?;
        let mut interrupt = || budget.check();
        self.answer(Couvreur::new(tableau, manager, &mut interrupt), |word| word)
    }

    /// The intersection of generalised Büchi automata without the words of others. There is no
    /// answer if a complement is better built from the dual alternating automaton, as that of a
    /// weak automaton is, or of one that alternates. A deterministic automaton is complemented with
    /// the condition that it was read with: its generalised Büchi automaton may be
    /// nondeterministic.
    fn difference(
        &mut self,
        accepting: Vec<&Tgba>,
        rejecting: &[Automaton],
    ) -> Result<Option<Answer>, Stop> {
        let budget = self.budget;
        let mut automata: Vec<Cow<Tgba>> = accepting.into_iter().map(Cow::Borrowed).collect();
        let mut on_demand: Option<SliceComplement> = None;
        for automaton in rejecting {
            let interrupt = &mut || budget.check();
            if let Automaton::EmersonLei(automaton) = automaton
                && let Some(complement) = automaton.deterministic_complement::<Stop>(interrupt)?
            {
                automata.push(Cow::Owned(complement));
                continue;
            }
            let Some(automaton) = automaton.generalised::<Stop>(interrupt)? else {
                return Ok(None);
            };
            let automaton = reduce::<Stop>(automaton, Effort::Repeated, interrupt)?;
            let shape = TgbaStatistics::of(&automaton)?;
            if !shape.deterministic && shape.inherently_weak {
                return Ok(None);
            }
            let slices = match shape.deterministic || on_demand.is_some() {
                true => None,
                false => SliceComplement::of::<Stop>(&automaton, interrupt)?,
            };
            match slices {
                Some(slices) => on_demand = Some(slices),
                None => automata.push(Cow::Owned(complement(&automaton, interrupt)?)),
            }
        }
        match on_demand {
            Some(slices) if automata.is_empty() => self.answer(&slices, |word| word).map(Some),
            Some(slices) => {
                let all = self.intersection(automata)?;
                self.answer(SpaceProduct::new(&*all, &slices), |word| word).map(Some)
            }
            None => self.generalised(automata).map(Some),
        }
    }

    /// The intersection of automata, at least one.
    fn intersection<'t>(&self, automata: Vec<Cow<'t, Tgba>>) -> Result<Cow<'t, Tgba>, Stop> {
        let mut automata = automata.into_iter();
        let mut all = automata.next().expect("an automaton");
        for automaton in automata {
            let interrupt = &mut || self.budget.check();
            all = Cow::Owned(intersection::<Stop>(&all, &automaton, interrupt)?);
        }
        Ok(all)
    }

    /// The intersection of generalised Büchi automata, at least one, as the product of the last one
    /// and all others.
    fn generalised(&mut self, mut automata: Vec<Cow<Tgba>>) -> Result<Answer, Stop> {
        let last = automata.pop().expect("a difference has a part");
        if automata.is_empty() {
            return self.answer(&*last, |word| word);
        }
        let before = self.intersection(automata)?;
        self.answer(SpaceProduct::new(&*before, &*last), |word| word)
    }

    fn automaton(&mut self, automaton: &AlternatingAutomaton) -> Result<Answer, Stop> {
        let orders = Orders { very_weak: true, ..Orders::default() };
        let (words, budget) = (automaton.words(), self.budget);
        let work = OfAutomaton { search: self, words };
        in_space_of(automaton, Successors::MinimalModels, orders, budget, work)?
    }

    /// Whether a space is empty. Its words are mapped back to those of the problem.
    fn answer<S: Space>(&mut self, space: S, restore: impl Fn(Word) -> Word) -> Result<Answer, Stop>
    where
        Stop: From<S::Stop>,
    {
        let (budget, observer, counts) = (self.budget, &mut *self.observer, &mut *self.counts);
        let walk = Walk { witness: self.witness, budget, restore };
        match self.engine.check {
            SearchAlgorithm::Couvreur => {
                walk.answer(Traversal::new(space, budget, observer, counts), couvreur)
            }
            SearchAlgorithm::Magic => {
                let levels = Levels::new(space);
                walk.answer(Traversal::of_levels(levels, budget, observer, counts), magic)
            }
        }
    }
}

/// The search for words of an alternating automaton.
struct OfAutomaton<'s, 'a> {
    search: &'s mut TgbaSearch<'a>,
    words: WordKind,
}

impl InSpace for OfAutomaton<'_, '_> {
    type Output = Result<Answer, Stop>;

    fn run<S>(self, space: S) -> Result<Answer, Stop>
    where
        S: Space<Label = (), Stop = Stop, Cursor = AllSteps<<S as Space>::State>>,
    {
        match self.words {
            WordKind::Finite => self.search.answer(Ending(space), |word| cut(&word)),
            WordKind::Infinite => self.search.answer(space, |word| word),
        }
    }
}

/// The data that turn the result of a search into an answer.
struct Walk<'w, R> {
    witness: WitnessPolicy,
    budget: &'w Budget,
    restore: R,
}

impl<R: Fn(Word) -> Word> Walk<'_, R> {
    /// The answer of a search. Its counters are reported in any case.
    fn answer<'t, S: Space>(
        &self,
        mut traversal: Traversal<'t, S>,
        search: impl FnOnce(&mut Traversal<'t, S>) -> Result<Option<Vec<u32>>, Stop>,
    ) -> Result<Answer, Stop>
    where
        Stop: From<S::Stop>,
    {
        let found = search(&mut traversal);
        traversal.tell();
        let Some(component) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(self.witness, self.budget, |_| {
            let word = traversal.word(&component)?;
            Ok(Some(Witness::Word((self.restore)(word))))
        }))
    }
}
