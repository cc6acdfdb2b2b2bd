//! `symbolic:...`: emptiness of the symbolic automata of a formula by decision diagrams, one engine
//! per encoding of \[RV11\], thirty in all.
//!
//! A formula becomes a model (`crates/system`), the model is compiled to diagrams, and sets of its
//! states form an algebra (`compiled/`) for the fixpoints of Emerson and Lei \[EL86\] in
//! `fixpoint/`. Backward is the default: a formula constrains the
//! future, so a few backward steps show which states have an infinite path, while the number of
//! forward steps may be as large as the length of the word.

#[cfg(test)]
mod system_tests;

use kermode_base::BitSet;
use kermode_ltl::eliminate::to_future;
use kermode_ltl::rewrite::{RuleSet, simplify_unless};
use kermode_ltl::{Formula, Proposition, Store, WordKind};
use kermode_system::{Encoding, Model, Trace, Variable};
use rustc_hash::FxHashMap;

use crate::compiled::compiled_model::variable_count;
use crate::compiled::states::{SystemStates, values};
use crate::compiled::{InputPlace, compile};
use crate::engines::antichain::{DIRECTION, SIFTING};
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::WorkCounters;
use crate::fixpoint::emptiness::search;
use crate::fixpoint::trace::{Lasso, Moment};
use crate::frame::answer::{Answer, ModelTrace, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::{
    EngineOption, Flag, Number, OptionInfo, Options, Takes, Typed, ValueError,
};
use crate::frame::prepare::{EXPANSION_LIMIT, RULES, over_infinite_words, solve_parts};
use crate::frame::problem::{Language, Problem, WitnessPolicy};
use crate::frame::witness::nonempty;

const REACH: Flag = Flag {
    key: "reach",
    help: "whether backward fixpoints are restricted to reachable states; forward ones always are",
    default: false,
};

const CLUSTER: Number = Number {
    key: "cluster",
    help: "largest number of nodes of a joined part of the transition relation",
    default: "500",
    range: 0..=u64::MAX,
};

/// The encoding of the formula, which is the variant in the engine's name.
const ENCODING: EncodingOption = EncodingOption;

struct EncodingOption;

impl EngineOption for EncodingOption {
    fn info(&self) -> OptionInfo {
        let names = Encoding::all().map(|encoding| (encoding.to_string().into(), ""));
        let takes = Takes::Choice(names.collect());
        let help = "the encoding of the formula: form and order of the variables";
        OptionInfo { key: "encoding", default: "nnf/sloppy/gba/default", help, takes }
    }

    fn check(&self, value: &str) -> Result<(), ValueError> {
        self.read(value).map(drop)
    }
}

impl Typed for EncodingOption {
    type Value = Encoding;

    fn read(&self, value: &str) -> Result<Encoding, ValueError> {
        let expected = "one of the encodings that `kermode engines` lists";
        value.parse().map_err(|_| ValueError::unexpected("encoding", value, expected))
    }
}

pub(crate) const SYMBOLIC: EngineInfo = EngineInfo {
    name: "symbolic:nnf/sloppy/gba/default",
    summary: "a symbolic automaton in this encoding, and the fixpoints of Emerson and Lei over decision diagrams",
    paper: "RV11",
    accepts: Accepts { models: true, ..Accepts::FORMULAS },
    options: &[&DIRECTION, &REACH, &SIFTING, &CLUSTER, &RULES],
    variant: Some(&ENCODING),
    build: |options| Ok(Box::new(SymbolicEngine::new(options)?)),
};

struct SymbolicEngine {
    encoding: Encoding,
    direction: Direction,
    /// Whether fixpoints are restricted to the reachable states.
    reach: bool,
    sifting: bool,
    cluster: usize,
    rules: RuleSet,
}

impl SymbolicEngine {
    fn new(options: &Options) -> Result<Self, ValueError> {
        let direction = options.get(&DIRECTION)?;
        Ok(SymbolicEngine {
            encoding: options.get(&ENCODING)?,
            direction,
            reach: options.get(&REACH)? && direction == Direction::Backward,
            sifting: options.get(&SIFTING)?,
            cluster: usize::try_from(options.get(&CLUSTER)?).unwrap_or(usize::MAX),
            rules: options.get(&RULES)?,
        })
    }
}

impl Engine for SymbolicEngine {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let mut counts = EncodingCounts::default();
        if let Language::Runs { model, property } = problem.language {
            let mut run = FormulaRun { engine: self, budget, observer, counts: &mut counts };
            return run.runs(problem, model, property);
        }
        solve_parts(problem, &self.rules, budget, &mut |store, formula, words, budget| {
            over_infinite_words(store, formula, words, &mut |store, formula| {
                let mut run = FormulaRun { engine: self, budget, observer, counts: &mut counts };
                run.formula(store, formula, problem.witness)
            })
        })
    }
}

/// Counters over all parts of a formula.
#[derive(Default)]
struct EncodingCounts {
    variables: usize,
    work: WorkCounters,
}

/// The run of one formula.
struct FormulaRun<'a> {
    engine: &'a SymbolicEngine,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    counts: &'a mut EncodingCounts,
}

impl FormulaRun<'_> {
    fn formula(
        &mut self,
        store: &mut Store,
        formula: Formula,
        witness: WitnessPolicy,
    ) -> Result<Answer, Stop> {
        let mut model = Model::new();
        let interrupt = &mut || self.budget.check();
        model.constrain(store, formula, self.engine.encoding, interrupt)?;
        self.model(&model, witness, &|states, lasso| Witness::Word(states.word(&lasso)))
    }

    /// Searches for a run of a model whose word satisfies a formula. Uses only rules that preserve
    /// the language: the propositions belong to the model.
    fn runs(
        &mut self,
        problem: &Problem,
        model: &Model,
        property: Formula,
    ) -> Result<Answer, Stop> {
        let unknown = |&p: &Proposition| !model.atoms.contains_key(&p);
        if let Some(p) = problem.store.propositions(property).into_iter().find(unknown) {
            let name = problem.store.name(p);
            return Err(Stop::Unsupported(format!("`{name}` is no atom of the model")));
        }
        if let Some(variable) = model.undeclared() {
            let name = model.graph.name(variable);
            return Err(Stop::Unsupported(format!("the model does not declare `{name}` once")));
        }
        let (mut store, budget) = (problem.store.clone(), self.budget);
        let interrupt = &mut || budget.check();
        let words = WordKind::Infinite;
        let simple = simplify_unless(&mut store, property, words, &self.engine.rules, interrupt)?;
        let future = to_future(&mut store, simple.formula, words, EXPANSION_LIMIT)
            .map_err(|error| Stop::Limit(error.to_string()))?;
        let mut constrained = model.clone();
        constrained.constrain(&mut store, future.formula, self.engine.encoding, interrupt)?;
        // The trace gives the word, so atoms are not needed.
        constrained.atoms.clear();
        let places = places_in(&constrained.order, model.system.variables());
        self.model(&constrained, problem.witness, &|_, lasso| {
            let trace = trace_of(&lasso, &places);
            let word = model.word(&trace);
            Witness::Trace(ModelTrace { trace, word })
        })
    }

    fn model(
        &mut self,
        model: &Model,
        witness: WitnessPolicy,
        witness_of: &dyn Fn(&SystemStates, Lasso<BitSet, BitSet>) -> Witness,
    ) -> Result<Answer, Stop> {
        let SymbolicEngine { direction, reach, sifting, cluster, .. } = *self.engine;
        self.counts.variables += variable_count(model);
        let total = self.counts.variables;
        let (budget, work) = (self.budget, &mut self.counts.work);
        let inputs = InputPlace::State;
        let (compiled, context) = compile(model, inputs, sifting, budget, self.observer, work)?;
        let mut states = SystemStates::new(compiled, direction, cluster, context)?;
        let found = match reach {
            true => states.bound_by_reached().and_then(|_| search(&mut states)),
            false => search(&mut states),
        };
        states.tell(total);
        let Some(found) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(witness, self.budget, |longest| {
            let lasso = found.lasso(&mut states, longest)?;
            Ok(lasso.map(|lasso| witness_of(&states, lasso)))
        }))
    }
}

/// The indices of variables in an order.
fn places_in(order: &[Variable], variables: &[Variable]) -> Vec<usize> {
    let places: FxHashMap<Variable, usize> =
        order.iter().enumerate().map(|(place, &variable)| (variable, place)).collect();
    variables.iter().map(|variable| places[variable]).collect()
}

/// The trace of a run, restricted to the variables at some indices.
fn trace_of(lasso: &Lasso<BitSet, BitSet>, places: &[usize]) -> Trace {
    let moments = lasso.prefix.iter().chain(&lasso.cycle);
    let row = |moment: &Moment<BitSet, BitSet>| {
        let values = values(moment);
        places.iter().map(|&place| values.contains(place)).collect::<Vec<bool>>()
    };
    Trace::new(places.len(), moments.map(row), Some(lasso.prefix.len()))
}
