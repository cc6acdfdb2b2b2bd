//! A question about a model and a property, and what the cells of the matrix share: the automaton,
//! the compiled model, the statistics.

use kermode_base::BitSet;
use kermode_ltl::Store;
use kermode_system::{Model, Variable};

use super::automaton::{PropertyAutomaton, combined, degeneralised, translated};
use super::copies::CopiedModel;
use super::mistakes::Mistake;
use super::options::Schedule;
use super::{Algorithm, ProductEngine, Representation};
use crate::compiled::Compilation;
use crate::compiled::compiled_model::{CompiledModel, variable_count};
use crate::compiled::states::SystemStates;
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::{BddContext, WorkCounters};
use crate::fixpoint::trace::{ClosedWalk, Lasso, Moment};
use crate::frame::answer::{Answer, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;
use crate::frame::problem::{Problem, RunProperty};

/// Counters over all parts of a formula.
#[derive(Default)]
pub(super) struct ProductCounts {
    pub(super) variables: usize,
    property_states: usize,
    pub(super) property_variables: usize,
    pub(super) justice: usize,
    /// How many automata are terminal, weak, and neither.
    classes: [u64; 3],
    /// How often each algorithm was run.
    pub(super) runs: [u64; 4],
    work: WorkCounters,
}

/// The names of the algorithms in statistics. The third and the fourth are both `weak`.
const RUNS: [&str; 4] =
    ["runs_emerson_lei", "runs_liveness_to_safety", "runs_terminal", "runs_weak"];
const CLASSES: [&str; 3] = ["property_terminal", "property_weak", "property_neither"];

/// The witness of a lasso over the variables in an order, unless it gets longer than some length.
pub(super) type WitnessOf<'w> = dyn Fn(&SystemStates, &[Variable], Lasso<BitSet, BitSet>, usize) -> Result<Option<Witness>, Stop>
    + 'w;

/// A model and a property: does some fair run have it?
pub(super) struct Question<'q> {
    pub(super) store: &'q mut Store,
    pub(super) property: RunProperty<'q>,
    /// The model. Its atoms are propositions of the property.
    pub(super) model: Model,
    /// Whether all words are words of the model.
    pub(super) is_free: bool,
    pub(super) witness_of: &'q WitnessOf<'q>,
}

/// The search for a run.
pub(super) struct Search<'a> {
    pub(super) engine: &'a ProductEngine,
    pub(super) problem: &'a Problem<'a>,
    pub(super) budget: &'a Budget,
    pub(super) observer: &'a mut dyn Observer,
    pub(super) counts: &'a mut ProductCounts,
}

impl Search<'_> {
    pub(super) fn question(&mut self, question: Question) -> Result<Answer, Stop> {
        let algorithm = self.engine.algorithm;
        match self.engine.representation {
            Representation::Partitioned => match algorithm {
                Algorithm::EmersonLei => self.partitioned_fixpoints(question),
                Algorithm::ToSafety => self.partitioned_saved_state(question),
                Algorithm::Weak => self.partitioned_weak(question),
            },
            Representation::Syntactic | Representation::Logarithmic => {
                let product = self.symbolic_product(question)?;
                match algorithm {
                    Algorithm::EmersonLei => self.fixpoints(product),
                    Algorithm::ToSafety => self.saved_state(product),
                    Algorithm::Weak => self.weak(product),
                }
            }
        }
    }

    /// The explicit automaton of the property.
    pub(super) fn property(
        &mut self,
        question: &mut Question,
        is_buchi: bool,
        model: &mut Model,
    ) -> Result<PropertyAutomaton, Stop> {
        let (level, budget) = (self.engine.level, self.budget);
        let mut automaton = match question.property {
            RunProperty::Formula(formula) => {
                translated(question.store, formula, &model.atoms, level, budget)?
            }
            RunProperty::Automata(automata) => combined(automata, level, budget)?,
        };
        if is_buchi {
            automaton = degeneralised(&automaton, level, budget)?;
        }
        let mut property = PropertyAutomaton::new(&automaton, model, budget)?;
        if self.engine.mistake == Some(Mistake::MarkIsDropped) {
            property.mark_count = property.mark_count.saturating_sub(1);
        }
        self.counts.property_states += property.state_count;
        self.counts.classes[property.class as usize] += 1;
        self.observer.statistic("property_states", self.counts.property_states as u64);
        for (name, count) in CLASSES.into_iter().zip(self.counts.classes) {
            if count > 0 {
                self.observer.statistic(name, count);
            }
        }
        Ok(property)
    }

    /// Reports what is run.
    pub(super) fn count(&mut self, model: &Model) {
        self.counts.variables += variable_count(model);
        for (name, count) in RUNS.into_iter().zip(self.counts.runs) {
            if count > 0 {
                self.observer.statistic(name, count);
            }
        }
        if self.engine.representation != Representation::Partitioned {
            let variables = self.counts.property_variables as u64;
            self.observer.statistic("property_variables", variables);
        }
        self.observer.statistic("justice_constraints", self.counts.justice as u64);
    }

    /// The states of a model, with this many variables on top of the order.
    pub(super) fn compiled(
        &mut self,
        model: &Model,
        top: usize,
        direction: Direction,
    ) -> Result<SystemStates<'_>, Stop> {
        let cluster = self.engine.cluster;
        let (compiled, context) = self.compilation(model, top)?;
        SystemStates::new(compiled, direction, cluster, context)
    }

    /// The states of a model with copies, with this many variables of the model on top.
    pub(super) fn compiled_with_copies(
        &mut self,
        copies: &CopiedModel,
        top: usize,
    ) -> Result<SystemStates<'_>, Stop> {
        let cluster = self.engine.cluster;
        let (mut compiled, mut context) = self.compilation(&copies.model, 2 * top)?;
        compiled.make_parameters(&copies.parameters());
        context.regroup(copies.groups());
        SystemStates::new(compiled, Direction::Forward, cluster, context)
    }

    fn compilation(
        &mut self,
        model: &Model,
        top: usize,
    ) -> Result<(CompiledModel, BddContext<'_>), Stop> {
        let ProductEngine { schedule, sifting, .. } = *self.engine;
        let shared = self.problem.diagrams;
        let compilation = Compilation { sifting, top, shared };
        let work = &mut self.counts.work;
        let (mut compiled, context) = compilation.of(model, self.budget, self.observer, work)?;
        scheduled(&mut compiled, schedule);
        Ok((compiled, context))
    }
}

/// Brings the justice constraints into the chosen order.
fn scheduled(compiled: &mut CompiledModel, schedule: Schedule) {
    match schedule {
        Schedule::Model => {}
        Schedule::Formula => compiled.justice.reverse(),
        Schedule::Smallest => {
            compiled.justice.sort_by_key(|justice| justice.constraint().node_count());
        }
    }
}

/// The lasso of a path and the closed walk from its last state, if that was not too long.
pub(super) fn continued<S, L>(
    mut prefix: Vec<Moment<S, L>>,
    closed: Option<ClosedWalk<S, L>>,
) -> Option<Lasso<S, L>> {
    let closed = closed?;
    let mut walk = closed.walk.in_time(Direction::Backward);
    let cycle = walk.split_off(closed.begin);
    prefix.extend(walk);
    Some(Lasso { prefix, cycle })
}
