//! Model checking by antichains: section 5 of \[DDMR08\], without a nondeterministic automaton of
//! the property.
//!
//! A problem about a model becomes the product of the model with a state space of the alternating
//! automaton of the formula ([`kripke`](crate::alternating::kripke)). The model is prepared as for
//! all products: past operators over states are variables of the model, and only the cone of
//! influence of the formula is left. The entry for other callers is [`ModelQuestion`], a model and
//! an automaton over its atoms; automata as specifications are such automata.

mod backward;
mod finite;
mod forward;
mod hybrid;
#[cfg(test)]
mod mutant_tests;
mod symbolic;

use std::borrow::Cow;

use kermode_automata::{AlternatingAutomaton, from_ltl};
use kermode_base::BitSet;
use kermode_ltl::WordKind;
use kermode_ltl::rewrite::RuleSet;
use kermode_system::{Model, Variable};

use crate::alternating::by_letter::ByLetter;
use crate::alternating::kripke::property::PropertyStates;
use crate::alternating::kripke::states::{KripkeState, KripkeStates};
use crate::alternating::order::Orders;
use crate::alternating::{Successors, in_space_of};
use crate::compiled::Compilation;
use crate::compiled::compiled_model::variable_count;
use crate::compiled::states::SystemStates;
use crate::compiled::traces::ModelMoment;
use crate::engines::product::Observed;
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::WorkCounters;
use crate::fixpoint::trace::{Lasso, Moment};
use crate::frame::answer::{Answer, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;
use crate::frame::problem::{Language, PathEnd, Problem, RunProperty};
use backward::BackwardRuns;
use finite::FinitePaths;
use forward::ForwardRuns;
pub(super) use hybrid::HybridRule;

/// The largest number of nodes of a joined part of the transition relation.
const CLUSTER: usize = 2_000;

/// Forward, variables are sifted if this many nodes remain. The rings around the initial pairs have
/// many nodes together, and each of them few.
const SIFT_AT: usize = 1 << 17;

/// How a product is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    Forward,
    Backward,
    Symbolic {
        direction: Direction,
        /// Whether very weak automata have one justice constraint per location, and no pairs.
        generalised: bool,
    },
    Hybrid(HybridRule),
}

/// The settings of a search.
pub(super) struct ModelSettings<'s> {
    pub(super) manner: Manner,
    pub(super) orders: Orders,
    pub(super) rules: &'s RuleSet,
    pub(super) sifting: bool,
}

/// The question whether a fair run of a model has a word that an automaton accepts. The
/// propositions of the automaton are atoms of the model, or free.
pub(super) struct ModelQuestion<'q> {
    pub(super) problem: &'q Problem<'q>,
    pub(super) model: &'q Model,
    pub(super) automaton: &'q AlternatingAutomaton,
    /// The witness of a run: its moments over an order of variables, and the loop.
    pub(super) witness_of: &'q WitnessOf<'q>,
    pub(super) orders: Orders,
    pub(super) sifting: bool,
    pub(super) budget: &'q Budget,
}

/// The witness with these moments, unless it gets longer than some length.
pub(super) type WitnessOf<'w> =
    dyn Fn(&[Variable], &[ModelMoment], Option<usize>, usize) -> Result<Option<Witness>, Stop> + 'w;

/// Answers a problem about a model.
pub(super) fn solve_model(
    problem: &Problem,
    settings: &ModelSettings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Answer, Stop> {
    let (model, property, words, end) = match problem.language {
        Language::Runs { model, property } => (model, property, WordKind::Infinite, None),
        Language::FiniteRuns { model, property, end } => {
            (model, property, WordKind::Finite, Some(end))
        }
        _ => return Err(Stop::Unsupported("this is about models".to_owned())),
    };
    let property = (property, words);
    let observed = Observed::new(problem.store, model, property, false, settings.rules, budget)?;
    let automaton = match observed.property {
        RunProperty::Formula(formula) => {
            Cow::Owned(from_ltl(&mut observed.store.clone(), formula, words)?)
        }
        RunProperty::Automata(automata) => automata.automaton::<Stop>(&mut || budget.check())?,
    };
    let question = ModelQuestion {
        problem,
        model: &observed.model,
        automaton: &automaton,
        witness_of: &|order, moments, start, longest| {
            observed.trace(order, moments, start, longest, budget)
        },
        orders: settings.orders,
        sifting: settings.sifting,
        budget,
    };
    match end {
        None => question.runs(settings.manner, observer),
        Some(end) => question.paths(settings.manner, end, observer),
    }
}

impl ModelQuestion<'_> {
    /// Whether a nonempty finite path has a word that the automaton accepts.
    pub(super) fn paths(
        &self,
        manner: Manner,
        end: PathEnd,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        observer.statistic("locations", self.automaton.location_count() as u64);
        let orders = match manner {
            Manner::Forward => forward_orders(self.orders),
            Manner::Backward => Orders::default(),
            Manner::Symbolic { direction, .. } => {
                return self.symbolic_paths(direction, None, end, observer);
            }
            Manner::Hybrid(rule) => return self.hybrid_paths(rule, end, observer),
        };
        let work = FinitePaths { question: self, manner, patience: None, end, observer };
        in_space_of(self.automaton, Successors::MinimalModels, orders, self.budget, work)?
    }

    /// Whether a fair run has a word that the automaton accepts.
    pub(super) fn runs(&self, manner: Manner, observer: &mut dyn Observer) -> Result<Answer, Stop> {
        observer.statistic("locations", self.automaton.location_count() as u64);
        let (successors, budget) = (Successors::MinimalModels, self.budget);
        match manner {
            Manner::Forward => {
                let orders = forward_orders(self.orders);
                let work = ForwardRuns { question: self, patience: None, observer };
                in_space_of(self.automaton, successors, orders, budget, work)?
            }
            Manner::Backward => {
                let orders = Orders { very_weak: self.orders.very_weak, ..Orders::default() };
                let work = BackwardRuns { question: self, observer };
                in_space_of(self.automaton, successors, orders, budget, work)?
            }
            Manner::Symbolic { direction, generalised } => {
                self.symbolic_runs(direction, generalised, None, observer)
            }
            Manner::Hybrid(rule) => self.hybrid_runs(rule, observer),
        }
    }

    /// The states of the product.
    fn states<'o, S: ByLetter>(
        &self,
        space: S,
        direction: Direction,
        budget: &'o Budget,
        observer: &'o mut dyn Observer,
        work: &'o mut WorkCounters,
    ) -> Result<KripkeStates<'o, S>, Stop> {
        let shared = self.problem.diagrams;
        let compilation = Compilation { sifting: self.sifting, top: 0, shared };
        let (compiled, mut context) = compilation.of(self.model, budget, observer, work)?;
        if direction == Direction::Forward {
            context.sift_from(SIFT_AT);
        }
        let mut system = SystemStates::new(compiled, direction, CLUSTER, context)?;
        let property =
            PropertyStates::new(space, direction, self.automaton, self.model, &mut system)?;
        KripkeStates::new(system, property)
    }

    /// Reports the counters.
    fn tell<S: ByLetter>(&self, states: &mut KripkeStates<S>) {
        let KripkeStates { property, counts, .. } = states;
        let calls = match property.direction() {
            Direction::Forward => "post_calls",
            Direction::Backward => "pre_calls",
        };
        let counted = [
            ("property_states", property.len() as u64),
            ("property_states_expanded", property.expanded),
            (calls, counts.steps),
            ("largest_antichain", counts.largest as u64),
        ];
        for (name, count) in counted {
            states.system.context().statistic(name, count);
        }
        states.system.tell(variable_count(self.model));
    }

    /// The witness of a lasso of the product.
    fn witness(
        &self,
        lasso: Lasso<KripkeState, BitSet>,
        longest: usize,
    ) -> Result<Option<Witness>, Stop> {
        let start = Some(lasso.prefix.len());
        let moments = lasso.prefix.into_iter().chain(lasso.cycle);
        let moments: Vec<ModelMoment> =
            moments.map(|m| Moment { state: m.state.system, label: m.label }).collect();
        (self.witness_of)(&self.model.order, &moments, start, longest)
    }
}

/// The orders of forward searches: steps in a model take longer than relations between locations,
/// so these are computed at once.
fn forward_orders(orders: Orders) -> Orders {
    match orders.as_needed {
        true => Orders { direct: true, incompatible: true, as_needed: false, ..orders },
        false => orders,
    }
}
