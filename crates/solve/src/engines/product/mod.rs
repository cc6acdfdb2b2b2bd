//! `product:REP/ALG`: the product of a model with the automaton of a property, in three
//! representations, searched by three algorithms \[STV05\]. The property is a formula or a
//! difference of automata.
//!
//! The representations:
//! - `syntactic`: a symbolic automaton, one of the thirty encodings of \[RV11\] (`crates/system`);
//!   `symbolic:ENC` is a short name of `product:syntactic/el` with encoding `ENC`; automata become
//!   one alternating automaton, also symbolic (`alternating.rs`);
//! - `log`: an explicit automaton in logarithmic encoding (`logarithmic.rs`);
//! - `pdp`: an explicit automaton whose states partition the product (`partition.rs`).
//!
//! The algorithms:
//! - `el`: the fixpoints of Emerson and Lei \[EL86\]. Backward is the default: a formula
//!   constrains the future, so a few backward steps show which states have an infinite path, while
//!   the number of forward steps may be as large as the length of the word;
//! - `l2s`: liveness as safety \[BAS02\] (`to_safety.rs`, `looping.rs`);
//! - `weak`: one fixpoint for terminal and weak automata \[BRS99\] (`weak.rs`). A symbolic
//!   automaton has no components to look at, so there is no `syntactic/weak`.
//!
//! For satisfiability the model is free: every word is the word of a run. All cells share the
//! fixpoints in `fixpoint/`, which work on the algebras of `compiled/` and `partition.rs`.

mod alternating;
mod automaton;
mod copies;
mod logarithmic;
mod looping;
mod mistakes;
#[cfg(test)]
pub(crate) mod mutant_tests;
mod options;
mod partition;
mod partition_algebra;
mod partitioned;
mod reach;
mod recurrence;
mod runs;
mod saving;
mod search;
mod symbolic;
#[cfg(test)]
mod system_tests;
mod to_safety;
mod weak;

pub(crate) use automaton::{LEVEL, combined, translated};
pub(crate) use options::CLUSTER;
pub(crate) use runs::{Observed, check_atoms};

use kermode_automata::translation::Level;
use kermode_ltl::rewrite::RuleSet;
use kermode_ltl::{Formula, Store, WordKind};
use kermode_system::{Domain, Encoding, Model, SymbolKind};

use crate::engines::antichain::{DIRECTION, SIFTING};
use crate::fixpoint::Direction;
use crate::frame::answer::{Answer, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Alias, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::{Options, ValueError};
use crate::frame::prepare::{RULES, over_infinite_words, solve_parts};
use crate::frame::problem::{Language, PathEnd, Problem, RunProperty};
use mistakes::Mistake;
use options::{COPIES, Copied, ENCODING, SCHEDULE, Schedule, TOP};
use reach::{REACH, Reach};
use search::{ProductCounts, Question, Search};

const MODELS: Accepts = Accepts { models: true, run_automata: true, ..Accepts::FORMULAS };

pub(crate) const SYNTACTIC_EL: EngineInfo = EngineInfo {
    name: "product:syntactic/el",
    summary: "the model times a symbolic automaton of the formula, and the fixpoints of Emerson and Lei over decision diagrams",
    paper: "RV11",
    accepts: MODELS,
    options: &[&ENCODING, &DIRECTION, &REACH, &SCHEDULE, &TOP, &SIFTING, &CLUSTER, &RULES],
    alias: Some(Alias { family: "symbolic", option: &ENCODING }),
    build: |options| build(options, Representation::Syntactic, Algorithm::EmersonLei),
};

pub(crate) const SYNTACTIC_L2S: EngineInfo = EngineInfo {
    name: "product:syntactic/l2s",
    summary: "the model times a symbolic automaton of the formula, and a forward search for a state that was saved before",
    paper: "BAS02",
    accepts: MODELS,
    options: &[&ENCODING, &COPIES, &TOP, &SIFTING, &CLUSTER, &RULES],
    alias: None,
    build: |options| build(options, Representation::Syntactic, Algorithm::ToSafety),
};

pub(crate) const LOG_EL: EngineInfo = EngineInfo {
    name: "product:log/el",
    summary: "the model times an explicit automaton of the formula in logarithmic encoding, and the fixpoints of Emerson and Lei",
    paper: "STV05",
    accepts: MODELS,
    options: &[&LEVEL, &DIRECTION, &REACH, &SCHEDULE, &TOP, &SIFTING, &CLUSTER, &RULES],
    alias: None,
    build: |options| build(options, Representation::Logarithmic, Algorithm::EmersonLei),
};

pub(crate) const LOG_L2S: EngineInfo = EngineInfo {
    name: "product:log/l2s",
    summary: "the model times an explicit automaton of the formula in logarithmic encoding, and a forward search for a state that was saved before",
    paper: "STV05, BAS02",
    accepts: MODELS,
    options: &[&LEVEL, &COPIES, &TOP, &SIFTING, &CLUSTER, &RULES],
    alias: None,
    build: |options| build(options, Representation::Logarithmic, Algorithm::ToSafety),
};

pub(crate) const LOG_WEAK: EngineInfo = EngineInfo {
    name: "product:log/weak",
    summary: "the model times a terminal or weak automaton of the formula in logarithmic encoding, and one fixpoint",
    paper: "STV05, BRS99",
    accepts: Accepts { complete: false, ..MODELS },
    options: &[&LEVEL, &REACH, &TOP, &SIFTING, &CLUSTER, &RULES],
    alias: None,
    build: |options| build(options, Representation::Logarithmic, Algorithm::Weak),
};

pub(crate) const PDP_EL: EngineInfo = EngineInfo {
    name: "product:pdp/el",
    summary: "the model partitioned by the states of an explicit automaton of the formula, and the fixpoints of Emerson and Lei",
    paper: "STV05",
    accepts: MODELS,
    options: &[&LEVEL, &DIRECTION, &REACH, &SCHEDULE, &SIFTING, &CLUSTER, &RULES],
    alias: None,
    build: |options| build(options, Representation::Partitioned, Algorithm::EmersonLei),
};

pub(crate) const PDP_L2S: EngineInfo = EngineInfo {
    name: "product:pdp/l2s",
    summary: "the model partitioned by the states of a Büchi automaton of the formula and those that it saves, and a forward search for a state that was saved before",
    paper: "STV05, BAS02",
    accepts: MODELS,
    options: &[&LEVEL, &COPIES, &SIFTING, &CLUSTER, &RULES],
    alias: None,
    build: |options| build(options, Representation::Partitioned, Algorithm::ToSafety),
};

pub(crate) const PDP_WEAK: EngineInfo = EngineInfo {
    name: "product:pdp/weak",
    summary: "the model partitioned by the states of a terminal or weak automaton of the formula, and one fixpoint",
    paper: "STV05, BRS99",
    accepts: Accepts { complete: false, ..MODELS },
    options: &[&LEVEL, &REACH, &SIFTING, &CLUSTER, &RULES],
    alias: None,
    build: |options| build(options, Representation::Partitioned, Algorithm::Weak),
};

/// How the automaton of the formula is represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Representation {
    Syntactic,
    Logarithmic,
    Partitioned,
}

/// How a fair run is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Algorithm {
    EmersonLei,
    ToSafety,
    Weak,
}

/// An engine of the matrix. Options that the engine does not have are at their defaults.
struct ProductEngine {
    representation: Representation,
    algorithm: Algorithm,
    encoding: Encoding,
    level: Level,
    direction: Direction,
    reach: Reach,
    schedule: Schedule,
    copies: Copied,
    /// Whether the variables of the formula stay on top of the variable order.
    top: bool,
    sifting: bool,
    cluster: usize,
    rules: RuleSet,
    mistake: Option<Mistake>,
}

fn build(
    options: &Options,
    representation: Representation,
    algorithm: Algorithm,
) -> Result<Box<dyn Engine>, ValueError> {
    Ok(Box::new(ProductEngine::new(options, representation, algorithm)?))
}

impl ProductEngine {
    fn new(
        options: &Options,
        representation: Representation,
        algorithm: Algorithm,
    ) -> Result<Self, ValueError> {
        Ok(ProductEngine {
            representation,
            algorithm,
            encoding: options.get(&ENCODING)?,
            level: options.get(&LEVEL)?,
            direction: options.get(&DIRECTION)?,
            reach: options.get(&REACH)?,
            schedule: options.get(&SCHEDULE)?,
            copies: options.get(&COPIES)?,
            top: options.get(&TOP)?,
            sifting: options.get(&SIFTING)?,
            cluster: usize::try_from(options.get(&CLUSTER)?).unwrap_or(usize::MAX),
            rules: options.get(&RULES)?,
            mistake: None,
        })
    }
}

impl Engine for ProductEngine {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let mut counts = ProductCounts::default();
        let mut search = Search { engine: self, problem, budget, observer, counts: &mut counts };
        match problem.language {
            Language::Runs { model, property } => self.runs(&mut search, model, property),
            Language::FiniteRuns { model, property, end } => {
                self.finite_runs(&mut search, model, property, end)
            }
            _ => self.satisfiable(search),
        }
    }
}

impl ProductEngine {
    /// Whether a model has a fair run whose word has a property.
    fn runs(
        &self,
        search: &mut Search,
        model: &Model,
        property: RunProperty,
    ) -> Result<Answer, Stop> {
        let budget = search.budget;
        let observed = self.observed(search, model, (property, WordKind::Infinite))?;
        let mut store = observed.store.clone();
        search.question(Question {
            store: &mut store,
            property: observed.property,
            model: observed.model.clone(),
            is_free: false,
            witness_of: &|_, order, lasso, longest| {
                let start = Some(lasso.prefix.len());
                let moments = [lasso.prefix, lasso.cycle].concat();
                observed.trace(order, &moments, start, longest, budget)
            },
        })
    }

    /// Whether a model has a finite path whose word has a property.
    fn finite_runs(
        &self,
        search: &mut Search,
        model: &Model,
        property: RunProperty,
        end: PathEnd,
    ) -> Result<Answer, Stop> {
        if (self.representation, self.algorithm)
            != (Representation::Syntactic, Algorithm::EmersonLei)
        {
            let why = "finite paths of models; product:syntactic/el takes them";
            return Err(Stop::Unsupported(why.to_owned()));
        }
        let observed = self.observed(search, model, (property, WordKind::Finite))?;
        search.finite(&observed, end)
    }

    /// The part of a model on which a property depends. Symbolic automata of formulas are about
    /// states, all others about steps.
    fn observed<'m>(
        &self,
        search: &Search,
        model: &'m Model,
        property: (RunProperty<'m>, WordKind),
    ) -> Result<Observed<'m>, Stop> {
        let about_states = self.representation == Representation::Syntactic;
        let store = search.problem.store;
        Observed::new(store, model, property, about_states, &self.rules, search.budget)
    }

    /// Whether a formula has a word.
    fn satisfiable(&self, search: Search) -> Result<Answer, Stop> {
        let Search { problem, budget, observer, counts, .. } = search;
        solve_parts(problem, &self.rules, budget, &mut |store, formula, words, budget| {
            over_infinite_words(store, formula, words, &mut |store, formula| {
                let (observer, counts) = (&mut *observer, &mut *counts);
                let mut search = Search { engine: self, problem, budget, observer, counts };
                let model = self.free_model(store, formula);
                search.question(Question {
                    store,
                    property: formula.into(),
                    model,
                    is_free: true,
                    witness_of: &|states, _, lasso, _| Ok(Some(Witness::Word(states.word(&lasso)))),
                })
            })
        })
    }

    /// A model with all words. Explicit automata read propositions as inputs, so that states have
    /// none; symbolic ones add variables for them.
    fn free_model(&self, store: &Store, formula: Formula) -> Model {
        let mut model = Model::new();
        if self.representation != Representation::Syntactic {
            for proposition in store.propositions(formula) {
                let name = store.name(proposition);
                let bit = model.declare(name, SymbolKind::Input, Domain::Boolean).bits[0];
                let atom = model.graph.current(bit);
                model.atoms.insert(proposition, atom);
            }
        }
        model
    }
}
