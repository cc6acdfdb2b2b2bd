//! `antichain:backward` on models: the pairs from which a fair run starts, by the fixpoint `F` over
//! antichains of maximal states of the property.
//!
//! The fixpoint begins with all states of the property and all states of the model. If that creates
//! many nodes, it begins again with the states that the model can reach.

use kermode_bdd::Bdd;

use crate::alternating::InSpace;
use crate::alternating::by_letter::ByLetter;
use crate::alternating::kripke::mistakes::{Mistake, is_planted};
use crate::alternating::kripke::property::OrderInUse;
use crate::alternating::kripke::region::Region;
use crate::alternating::kripke::states::KripkeStates;
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::{BddContext, WorkCounters};
use crate::fixpoint::emptiness::{FairRun, FairSpace};
use crate::fixpoint::fixpoints::{fair_states, with_infinite_path};
use crate::frame::answer::Answer;
use crate::frame::budget::Stop;
use crate::frame::observer::Observer;
use crate::frame::witness::nonempty;

use super::ModelQuestion;

/// The nodes that the search among all states of the model may create.
const ALL_NODES: u64 = 1 << 16;

/// The search in some space of the automaton.
pub(super) struct BackwardRuns<'q> {
    pub(super) question: &'q ModelQuestion<'q>,
    pub(super) observer: &'q mut dyn Observer,
}

impl InSpace for BackwardRuns<'_> {
    type Output = Result<Answer, Stop>;

    fn run<S: ByLetter>(self, space: S) -> Result<Answer, Stop> {
        let BackwardRuns { question, observer } = self;
        let (budget, work) = (question.budget, &mut WorkCounters::default());
        let mut states = question.states(space, Direction::Backward, budget, observer, work)?;
        let found = search(&mut states);
        question.tell(&mut states);
        let Some(found) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(question.problem.witness, budget, |longest| {
            states.system.keep_order();
            let lasso = found.lasso(&mut states, longest)?;
            lasso.map_or(Ok(None), |lasso| question.witness(lasso, longest))
        }))
    }
}

/// Searches among all states, then among those that the model can reach.
fn search<S: ByLetter>(states: &mut KripkeStates<S>) -> Result<Option<FairRun<Region>>, Stop> {
    BddContext::begin_attempt(states.system.context(), ALL_NODES);
    let found = fair_run(states);
    match (BddContext::end_attempt(states.system.context()), found) {
        (true, Err(Stop::Limit(_))) => {}
        (_, found) => return found,
    }
    let reached = states.system.closure_of_initial()?;
    states.bound_by(reached)?;
    fair_run(states)
}

fn fair_run<S: ByLetter>(states: &mut KripkeStates<S>) -> Result<Option<FairRun<Region>>, Stop> {
    let initial = states.system.initial()?;
    let all = states.all();
    let going_on = with_infinite_path(&mut states.plain(), all, &mut |algebra, left| {
        Ok(initial_pairs(algebra.states, left, &initial)?.is_empty())
    })?;
    let Some(mut fair) = going_on else { return Ok(None) };
    if !states.is_safety() {
        let found = fair_states(&mut states.marked()?, fair, &mut |algebra, left| {
            Ok(initial_pairs(algebra.states, left, &initial)?.is_empty())
        })?;
        let Some(states) = found else { return Ok(None) };
        fair = states;
    }
    let initial = initial_pairs(states, &fair, &initial)?;
    Ok(Some(FairRun::After { fair, initial }))
}

/// The pairs of a region with an initial state of the model whose state of the property is above an
/// initial one.
fn initial_pairs<S: ByLetter>(
    states: &KripkeStates<S>,
    region: &Region,
    initial: &Bdd,
) -> Result<Region, Stop> {
    let property = &states.property;
    let mut found = Region::default();
    let is_initial =
        |state: u32| property.is_above_initial(state) || is_planted(Mistake::EveryStateIsInitial);
    for (state, part) in region.iter().filter(|&(state, _)| is_initial(state)) {
        let order = property.order(OrderInUse::Simulated);
        found.insert(order, state, &part.and(initial)?)?;
    }
    Ok(found)
}
