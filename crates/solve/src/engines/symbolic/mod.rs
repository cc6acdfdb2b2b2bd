//! `symbolic:...`: emptiness of the symbolic automata of a formula by decision diagrams, one engine for each of the thirty
//! encodings of \[RV11\].
//!
//! A formula becomes a system (`crates/system`), the system diagrams (`model.rs`), and sets of its states an algebra
//! (`states.rs`) for the fixpoints of Emerson and Lei \[EL86\], which `region/` has for all. Backward is the default: a formula constrains the future, so
//! that few steps from all states tell which of them have one, where as many steps as the word is long may be needed to
//! reach them all.

mod ahead;
mod model;
mod states;
#[cfg(test)]
mod system_tests;

use kermode_bdd::Capacity;
use kermode_ltl::rewrite::RuleSet;
use kermode_ltl::{Formula, Store};
use kermode_system::{Encoding, Graph, encode};

use crate::engines::antichain::{DIRECTION, SIFTING, direction};
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::{BddContext, Work};
use crate::fixpoint::lasso::{answer_with, search};
use crate::frame::answer::Answer;
use crate::frame::bdd_manager::{MOST_NODES, manager_with};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo, OptionInfo, Options, SpecError};
use crate::frame::observer::Observer;
use crate::frame::prepare::{RULES, over_infinite_words, solve_parts};
use crate::frame::problem::{Problem, WitnessPolicy};
use model::{Model, Source, pair, taken_apart, variable_count};
use states::States;

const REACH: OptionInfo = OptionInfo {
    key: "reach",
    default: "off",
    help: "on or off: whether fixpoints backward stay within what can be reached; those forward always do",
};

const CLUSTER: OptionInfo = OptionInfo {
    key: "cluster",
    default: "500",
    help: "parts of the transition relation are joined while they have no more nodes",
};

/// The encoding at a place of [`Encoding::all`].
const fn info<const PLACE: usize>(name: &'static str) -> EngineInfo {
    EngineInfo {
        name,
        summary: "a symbolic automaton in this encoding, and the fixpoints of Emerson and Lei over decision diagrams",
        paper: "RV11",
        accepts: Accepts {
            infinite: true,
            finite: true,
            past: true,
            automata: false,
            complete: true,
        },
        options: &[DIRECTION, REACH, SIFTING, CLUSTER, RULES],
        build: |options| Ok(Box::new(Symbolic::new(PLACE, options)?)),
    }
}

/// The encoding that stands for all in the table of engines.
pub(crate) const SYMBOLIC: EngineInfo = info::<12>("symbolic:nnf/sloppy/gba/default");

/// All encodings, in the order of [`Encoding::all`].
pub(crate) static ENCODINGS: [EngineInfo; 30] = [
    info::<0>("symbolic:bnf/fussy/gba/default"),
    info::<1>("symbolic:bnf/fussy/gba/naive"),
    info::<2>("symbolic:bnf/fussy/gba/lexp"),
    info::<3>("symbolic:bnf/fussy/gba/lexm"),
    info::<4>("symbolic:bnf/fussy/gba/mcs-max"),
    info::<5>("symbolic:bnf/fussy/gba/mcs-min"),
    info::<6>("symbolic:nnf/fussy/gba/default"),
    info::<7>("symbolic:nnf/fussy/gba/naive"),
    info::<8>("symbolic:nnf/fussy/gba/lexp"),
    info::<9>("symbolic:nnf/fussy/gba/lexm"),
    info::<10>("symbolic:nnf/fussy/gba/mcs-max"),
    info::<11>("symbolic:nnf/fussy/gba/mcs-min"),
    SYMBOLIC,
    info::<13>("symbolic:nnf/sloppy/gba/naive"),
    info::<14>("symbolic:nnf/sloppy/gba/lexp"),
    info::<15>("symbolic:nnf/sloppy/gba/lexm"),
    info::<16>("symbolic:nnf/sloppy/gba/mcs-max"),
    info::<17>("symbolic:nnf/sloppy/gba/mcs-min"),
    info::<18>("symbolic:nnf/fussy/tgba/default"),
    info::<19>("symbolic:nnf/fussy/tgba/naive"),
    info::<20>("symbolic:nnf/fussy/tgba/lexp"),
    info::<21>("symbolic:nnf/fussy/tgba/lexm"),
    info::<22>("symbolic:nnf/fussy/tgba/mcs-max"),
    info::<23>("symbolic:nnf/fussy/tgba/mcs-min"),
    info::<24>("symbolic:nnf/sloppy/tgba/default"),
    info::<25>("symbolic:nnf/sloppy/tgba/naive"),
    info::<26>("symbolic:nnf/sloppy/tgba/lexp"),
    info::<27>("symbolic:nnf/sloppy/tgba/lexm"),
    info::<28>("symbolic:nnf/sloppy/tgba/mcs-max"),
    info::<29>("symbolic:nnf/sloppy/tgba/mcs-min"),
];

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
    fn new(place: usize, options: &Options) -> Result<Self, SpecError> {
        let on = [("on", true), ("off", false)];
        let direction = direction(options)?;
        let reach = options.choice(&REACH, &on)? && direction == Direction::Backward;
        Ok(Symbolic {
            encoding: Encoding::all().nth(place).expect("there are thirty"),
            direction,
            reach,
            sifting: options.choice(&SIFTING, &on)?,
            cluster: usize::try_from(options.number(&CLUSTER)?).unwrap_or(usize::MAX),
            rules: options.rules(&RULES)?,
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
        let mut graph = Graph::new();
        let interrupt = &mut || self.budget.check();
        let encoded = encode(&mut graph, store, formula, self.engine.encoding, interrupt)?;
        let transition = taken_apart(&mut graph, encoded.system.transition());
        let source = Source {
            graph: &graph,
            system: &encoded.system,
            transition: &transition,
            order: &encoded.order,
            propositions: &encoded.propositions,
        };
        self.system(source, witness)
    }

    fn system(&mut self, source: Source, witness: WitnessPolicy) -> Result<Answer, Stop> {
        let Symbolic { direction, reach, sifting, cluster, .. } = *self.engine;
        let variables = variable_count(source);
        let cache = (variables * 1024).next_power_of_two().clamp(1 << 12, 1 << 20);
        let manager = manager_with(Capacity { variables, nodes: MOST_NODES, cache }, self.budget)?;
        let pairs = (0..source.order.len()).map(pair);
        let groups = sifting.then(|| pairs.map(|(now, next)| vec![now, next]).collect());
        self.counts.variables += variables;
        let total = self.counts.variables;
        let work = &mut self.counts.work;
        let mut context = BddContext::new(manager, groups, self.budget, self.observer, work);
        let model = context.prepare(|context| Model::new(source, context))?;
        let mut states = States::new(model, direction, cluster, context)?;
        let found = match reach {
            true => states.bound_by_reached().and_then(|()| search(&mut states)),
            false => search(&mut states),
        };
        states.tell(total);
        let Some(found) = found? else { return Ok(Answer::Empty(None)) };
        Ok(answer_with(witness, |longest| found.word(&mut states, longest)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_the_encodings() {
        let names = Encoding::all().map(|encoding| format!("symbolic:{encoding}"));
        assert!(names.eq(ENCODINGS.iter().map(|info| info.name.to_owned())));
    }
}
