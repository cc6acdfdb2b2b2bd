//! `symbolic:...`: emptiness of the symbolic automata of a formula by decision diagrams, one engine
//! for each of the thirty encodings of \[RV11\].
//!
//! A formula becomes a model (`crates/system`), the model diagrams (`compiled_model.rs`), and sets
//! of its states an algebra (`states.rs`) for the fixpoints of Emerson and Lei \[EL86\], which
//! `fixpoint/` has for all. Backward is the default: a formula constrains the future, so that few
//! steps from all states tell which of them have one, where as many steps as the word is long may
//! be needed to reach them all.

mod ahead;
mod compiled_model;
mod states;
#[cfg(test)]
mod system_tests;

use kermode_bdd::Capacity;
use kermode_ltl::rewrite::RuleSet;
use kermode_ltl::{Formula, Store};
use kermode_system::{Encoding, Model};

use crate::engines::antichain::{DIRECTION, SIFTING};
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::{BddContext, Work};
use crate::fixpoint::emptiness::{answer_with, search};
use crate::fixpoint::trace::Lasso;
use crate::frame::answer::Answer;
use crate::frame::bdd_manager::{MOST_NODES, manager_with};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::{
    EngineOption, Flag, Number, OptionInfo, Options, Takes, Typed, ValueError,
};
use crate::frame::prepare::{RULES, over_infinite_words, solve_parts};
use crate::frame::problem::{Problem, WitnessPolicy};
use compiled_model::{CompiledModel, pair, variable_count};
use states::States;

const REACH: Flag = Flag {
    key: "reach",
    help: "whether backward fixpoints stay within what can be reached; forward ones always do",
    default: false,
};

const CLUSTER: Number = Number {
    key: "cluster",
    help: "parts of the transition relation are joined while they have no more nodes",
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
    accepts: Accepts { infinite: true, finite: true, past: true, automata: false, complete: true },
    options: &[&DIRECTION, &REACH, &SIFTING, &CLUSTER, &RULES],
    variant: Some(&ENCODING),
    build: |options| Ok(Box::new(Symbolic::new(options)?)),
};

struct Symbolic {
    encoding: Encoding,
    direction: Direction,
    /// Whether fixpoints stay within what can be reached.
    reach: bool,
    sifting: bool,
    cluster: usize,
    rules: RuleSet,
}

impl Symbolic {
    fn new(options: &Options) -> Result<Self, ValueError> {
        let direction = options.get(&DIRECTION)?;
        Ok(Symbolic {
            encoding: options.get(&ENCODING)?,
            direction,
            reach: options.get(&REACH)? && direction == Direction::Backward,
            sifting: options.get(&SIFTING)?,
            cluster: usize::try_from(options.get(&CLUSTER)?).unwrap_or(usize::MAX),
            rules: options.get(&RULES)?,
        })
    }
}

impl Engine for Symbolic {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let mut counts = Counts::default();
        solve_parts(problem, &self.rules, budget, &mut |store, formula, words| {
            over_infinite_words(store, formula, words, &mut |store, formula| {
                let mut run = Run { engine: self, budget, observer, counts: &mut counts };
                run.formula(store, formula, problem.witness)
            })
        })
    }
}

/// What was counted, over all parts of a formula.
#[derive(Default)]
struct Counts {
    variables: usize,
    work: Work,
}

/// One formula under way.
struct Run<'a> {
    engine: &'a Symbolic,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    counts: &'a mut Counts,
}

impl Run<'_> {
    fn formula(
        &mut self,
        store: &mut Store,
        formula: Formula,
        witness: WitnessPolicy,
    ) -> Result<Answer, Stop> {
        let mut model = Model::new();
        let interrupt = &mut || self.budget.check();
        model.constrain(store, formula, self.engine.encoding, interrupt)?;
        self.model(&model, witness)
    }

    fn model(&mut self, model: &Model, witness: WitnessPolicy) -> Result<Answer, Stop> {
        let Symbolic { direction, reach, sifting, cluster, .. } = *self.engine;
        let variables = variable_count(model);
        let cache = (variables * 1024).next_power_of_two().clamp(1 << 12, 1 << 20);
        let manager = manager_with(Capacity { variables, nodes: MOST_NODES, cache }, self.budget)?;
        let pairs = (0..model.order.len()).map(pair);
        let groups = sifting.then(|| pairs.map(|(now, next)| vec![now, next]).collect());
        self.counts.variables += variables;
        let total = self.counts.variables;
        let work = &mut self.counts.work;
        let mut context = BddContext::new(manager, groups, self.budget, self.observer, work);
        let compiled = context.prepare(|context| CompiledModel::new(model, context))?;
        let mut states = States::new(compiled, direction, cluster, context)?;
        let found = match reach {
            true => states.bound_by_reached().and_then(|()| search(&mut states)),
            false => search(&mut states),
        };
        states.tell(total);
        let Some(found) = found? else { return Ok(Answer::Empty(None)) };
        Ok(answer_with(witness, |longest| {
            let lasso = found.lasso(&mut states, longest)?;
            Ok(lasso.map(Lasso::into_word))
        }))
    }
}
