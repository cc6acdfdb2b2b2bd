//! `product:syntactic/el`: the product of a model with the symbolic automaton of a formula, and the
//! fixpoints of Emerson and Lei \[EL86\] over decision diagrams.
//!
//! The automaton is one of the thirty encodings of \[RV11\] (`crates/system`), `symbolic:ENC` is a
//! short name of the engine with encoding `ENC`. For satisfiability the model is free: every word
//! is the word of a run. Sets of states form an algebra (`compiled/`) for the fixpoints in
//! `fixpoint/`. Backward is the default: a formula constrains the future, so a few backward steps
//! show which states have an infinite path, while the number of forward steps may be as large as
//! the length of the word.

mod reach;
mod runs;
#[cfg(test)]
mod system_tests;

use kermode_base::BitSet;
use kermode_ltl::rewrite::RuleSet;
use kermode_ltl::{Formula, Store, WordKind};
use kermode_system::{Encoding, Expression, Model};

use crate::compiled::Compilation;
use crate::compiled::compiled_model::variable_count;
use crate::compiled::path_search::{Goal, Side, search as search_path};
use crate::compiled::states::SystemStates;
use crate::engines::antichain::{DIRECTION, SIFTING};
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::WorkCounters;
use crate::fixpoint::emptiness::search;
use crate::fixpoint::trace::Lasso;
use crate::frame::answer::{Answer, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Alias, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::{
    Choice, EngineOption, Number, OptionInfo, Options, Takes, Typed, ValueError,
};
use crate::frame::prepare::{RULES, over_infinite_words, solve_parts};
use crate::frame::problem::{Language, PathEnd, Problem};
use crate::frame::witness::nonempty;
use reach::{REACH, Reach, search_backward};
use runs::Constrained;

/// The order in which the fixpoints of fair states treat justice constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Schedule {
    Model,
    Formula,
    Smallest,
}

const SCHEDULE: Choice<Schedule> = Choice {
    key: "schedule",
    help: "the order of the justice constraints",
    values: &[
        ("model", "those of the model before those of the formula", Schedule::Model),
        ("formula", "those of the formula before those of the model", Schedule::Formula),
        ("smallest", "those with the smallest diagrams first", Schedule::Smallest),
    ],
};

pub(crate) const CLUSTER: Number = Number {
    key: "cluster",
    help: "largest number of nodes of a joined part of the transition relation",
    default: "500",
    range: 0..=u64::MAX,
};

/// The encoding of the formula.
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

pub(crate) const SYNTACTIC_EL: EngineInfo = EngineInfo {
    name: "product:syntactic/el",
    summary: "the model times a symbolic automaton of the formula, and the fixpoints of Emerson and Lei over decision diagrams",
    paper: "RV11",
    accepts: Accepts { models: true, ..Accepts::FORMULAS },
    options: &[&ENCODING, &DIRECTION, &REACH, &SCHEDULE, &SIFTING, &CLUSTER, &RULES],
    alias: Some(Alias { family: "symbolic", option: &ENCODING }),
    build: |options| Ok(Box::new(SyntacticProduct::new(options)?)),
};

struct SyntacticProduct {
    encoding: Encoding,
    direction: Direction,
    reach: Reach,
    schedule: Schedule,
    sifting: bool,
    cluster: usize,
    rules: RuleSet,
}

impl SyntacticProduct {
    fn new(options: &Options) -> Result<Self, ValueError> {
        Ok(SyntacticProduct {
            encoding: options.get(&ENCODING)?,
            direction: options.get(&DIRECTION)?,
            reach: options.get(&REACH)?,
            schedule: options.get(&SCHEDULE)?,
            sifting: options.get(&SIFTING)?,
            cluster: usize::try_from(options.get(&CLUSTER)?).unwrap_or(usize::MAX),
            rules: options.get(&RULES)?,
        })
    }
}

impl Engine for SyntacticProduct {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let mut counts = ProductCounts::default();
        let (words, end) = match problem.language {
            Language::Runs { .. } => (WordKind::Infinite, PathEnd::Anywhere),
            Language::FiniteRuns { end, .. } => (WordKind::Finite, end),
            _ => return self.satisfiable(problem, budget, observer, &mut counts),
        };
        let (Language::Runs { model, property } | Language::FiniteRuns { model, property, .. }) =
            problem.language
        else {
            unreachable!("a language of a model")
        };
        let (encoding, rules) = (self.encoding, &self.rules);
        let formula = (property, words);
        let product = Constrained::new(problem.store, model, formula, encoding, rules, budget)?;
        let mut search = Search { engine: self, problem, budget, observer, counts: &mut counts };
        match product.last {
            None => {
                search.model(&product.model, Some(&product.part.model), &|_, lasso, longest| {
                    let start = Some(lasso.prefix.len());
                    let moments = [lasso.prefix, lasso.cycle].concat();
                    product.trace(&moments, start, longest, budget)
                })
            }
            Some(last) => search.finite(&product, last, end),
        }
    }
}

impl SyntacticProduct {
    /// Whether a formula has a word.
    fn satisfiable(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
        counts: &mut ProductCounts,
    ) -> Result<Answer, Stop> {
        solve_parts(problem, &self.rules, budget, &mut |store, formula, words, budget| {
            over_infinite_words(store, formula, words, &mut |store, formula| {
                let mut search =
                    Search { engine: self, problem, budget, observer, counts: &mut *counts };
                search.formula(store, formula)
            })
        })
    }
}

/// Counters over all parts of a formula.
#[derive(Default)]
struct ProductCounts {
    variables: usize,
    work: WorkCounters,
}

/// The witness of a run, unless it gets longer than some length.
type WitnessOf<'w> =
    dyn Fn(&SystemStates, Lasso<BitSet, BitSet>, usize) -> Result<Option<Witness>, Stop> + 'w;

/// The search for a run of one model.
struct Search<'a> {
    engine: &'a SyntacticProduct,
    problem: &'a Problem<'a>,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    counts: &'a mut ProductCounts,
}

impl Search<'_> {
    fn formula(&mut self, store: &mut Store, formula: Formula) -> Result<Answer, Stop> {
        let mut model = Model::new();
        let interrupt = &mut || self.budget.check();
        model.constrain(store, formula, self.engine.encoding, interrupt)?;
        self.model(&model, None, &|states, lasso, _| Ok(Some(Witness::Word(states.word(&lasso)))))
    }

    /// Searches for a fair run of a model. If it is the product of a model and a formula, `factor`
    /// is the model.
    fn model(
        &mut self,
        model: &Model,
        factor: Option<&Model>,
        witness_of: &WitnessOf,
    ) -> Result<Answer, Stop> {
        let SyntacticProduct { direction, reach, schedule, sifting, cluster, .. } = *self.engine;
        self.counts.variables += variable_count(model);
        let total = self.counts.variables;
        let (budget, work) = (self.budget, &mut self.counts.work);
        let compilation = Compilation { sifting, shared: self.problem.diagrams };
        let (mut compiled, context) = compilation.of(model, budget, self.observer, work)?;
        match schedule {
            Schedule::Model => {}
            Schedule::Formula => compiled.justice.reverse(),
            Schedule::Smallest => {
                compiled.justice.sort_by_key(|justice| justice.constraint().node_count());
            }
        }
        let mut states = SystemStates::new(compiled, direction, cluster, context)?;
        let found = match direction {
            Direction::Forward => search(&mut states),
            Direction::Backward => search_backward(&mut states, reach, factor),
        };
        states.tell(total);
        let Some(found) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(self.problem.witness, self.budget, |longest| {
            states.keep_order();
            let lasso = found.lasso(&mut states, longest)?;
            lasso.map_or(Ok(None), |lasso| witness_of(&states, lasso, longest))
        }))
    }

    /// Searches for a finite path whose last state satisfies a condition.
    fn finite(
        &mut self,
        product: &Constrained,
        last: Expression,
        end: PathEnd,
    ) -> Result<Answer, Stop> {
        let SyntacticProduct { direction, sifting, cluster, .. } = *self.engine;
        let (budget, work) = (self.budget, &mut self.counts.work);
        let compilation = Compilation { sifting, shared: self.problem.diagrams };
        let (compiled, context) = compilation.of(&product.model, budget, self.observer, work)?;
        let mut states = SystemStates::new(compiled, direction, cluster, context)?;
        let found = goal(&mut states, product, last, end).and_then(|goal| {
            let side = direction.of(Side::Initial, Side::Target);
            Ok((search_path(&mut states, &goal, side)?, goal))
        });
        states.tell(variable_count(&product.model));
        let (Some(meeting), goal) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(self.problem.witness, self.budget, |longest| {
            if meeting.length(&goal) > longest {
                return Ok(None);
            }
            let path = meeting.path(&mut states, &goal)?;
            product.trace(&path, None, longest, budget)
        }))
    }
}

/// The last states of paths.
fn goal(
    states: &mut SystemStates,
    product: &Constrained,
    last: Expression,
    end: PathEnd,
) -> Result<Goal, Stop> {
    let accepting = states.compile(&product.model, last)?;
    let mut ends = states.legal()?.and(&accepting)?;
    if end == PathEnd::DeadEnd {
        // The automaton may block steps of the model: only those of the model count.
        let with_successor = states.with_successor_in(&product.part.model)?;
        ends = ends.and_not(&with_successor)?;
    }
    Ok(Goal::of_states(ends))
}
