//! Finite paths of models by antichains of sets of locations: the space `kripke_afa_subset`.
//!
//! Each state of a path has a letter, the last one too. A pair of the product has a state of the
//! model and the set of locations before its letter is read. So a path is accepted if its last pair
//! has a step of the property to a final set on the letter of its state, and the path may end
//! there. Forward, rings grow around the initial pairs; backward, around the pairs that may be
//! last.

use kermode_bdd::Bdd;
use kermode_system::Target;

use super::{Manner, ModelQuestion};
use crate::alternating::InSpace;
use crate::alternating::by_letter::ByLetter;
use crate::alternating::kripke::mistakes::{Mistake, is_planted};
use crate::alternating::kripke::property::OrderInUse;
use crate::alternating::kripke::region::Region;
use crate::alternating::kripke::states::{KripkeState, KripkeStates};
use crate::compiled::path_search::Goal;
use crate::compiled::traces::ModelMoment;
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::WorkCounters;
use crate::fixpoint::emptiness::FairSpace;
use crate::fixpoint::fixpoints::reachable;
use crate::fixpoint::trace::{Moment, Walk, approach};
use crate::frame::answer::Answer;
use crate::frame::budget::Stop;
use crate::frame::observer::Observer;
use crate::frame::problem::PathEnd;
use crate::frame::witness::nonempty;

/// The search in some space of the automaton.
pub(super) struct FinitePaths<'q> {
    pub(super) question: &'q ModelQuestion<'q>,
    pub(super) manner: Manner,
    /// If the search is watched, the number of steps after which growth is checked.
    pub(super) patience: Option<u64>,
    pub(super) end: PathEnd,
    pub(super) observer: &'q mut dyn Observer,
}

/// A path: the rings of a search, and a pair of the last ring that ends it.
struct FoundPath {
    rings: Vec<Region>,
    end: KripkeState,
}

impl InSpace for FinitePaths<'_> {
    type Output = Result<Answer, Stop>;

    fn run<S: ByLetter>(self, space: S) -> Result<Answer, Stop> {
        let FinitePaths { question, manner, patience, end, observer } = self;
        let (budget, work) = (question.budget, &mut WorkCounters::default());
        let direction = match manner {
            Manner::Backward => Direction::Backward,
            _ => Direction::Forward,
        };
        let mut states = question.states(space, direction, budget, observer, work)?;
        states.patience = patience;
        let found = last_states(question, &mut states, end).and_then(|last| match direction {
            Direction::Forward => forward(&mut states, &last),
            Direction::Backward => backward(&mut states, &last),
        });
        states.patience = None;
        question.tell(&mut states);
        let Some(found) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(question.problem.witness, budget, |longest| {
            if found.rings.len() > longest {
                return Ok(None);
            }
            let moments = found.moments(&mut states)?;
            (question.witness_of)(&question.model.order, &moments, None, longest)
        }))
    }
}

/// The states of the model where paths may end.
fn last_states<S: ByLetter>(
    question: &ModelQuestion,
    states: &mut KripkeStates<S>,
    end: PathEnd,
) -> Result<Bdd, Stop> {
    match end {
        PathEnd::Anywhere => states.system.legal(),
        PathEnd::DeadEnd => {
            let goal = Goal::new(&mut states.system, question.model, Target::DeadEnd)?;
            states.system.face(states.property.direction())?;
            Ok(goal.states)
        }
    }
}

fn forward<S: ByLetter>(
    states: &mut KripkeStates<S>,
    last: &Bdd,
) -> Result<Option<FoundPath>, Stop> {
    let seed = states.initial()?;
    search(states, &seed, &mut |states, property| {
        let KripkeStates { system, property: space, .. } = states;
        let mut accepted = system.manager().bottom();
        for step in space.steps(property, None, system)?.iter() {
            if space.is_final(step.other) || is_planted(Mistake::PathsEndEarly) {
                accepted = accepted.or(step.label.condition())?;
            }
        }
        Ok(accepted.and(last)?)
    })
}

fn backward<S: ByLetter>(
    states: &mut KripkeStates<S>,
    last: &Bdd,
) -> Result<Option<FoundPath>, Stop> {
    let (initial, mut seed) = (states.system.initial()?, Region::default());
    for after in states.property.greatest_final()? {
        let KripkeStates { system, property, .. } = &mut *states;
        for step in property.steps(after, None, system)?.iter() {
            let accepted = last.and(step.label.condition())?;
            seed.insert(property.order(OrderInUse::Simulated), step.other, &accepted)?;
        }
    }
    search(states, &seed, &mut |states, property| {
        Ok(match states.property.is_above_initial(property) {
            true => initial.clone(),
            false => states.system.manager().bottom(),
        })
    })
}

/// The states of the model that end a search if they are paired with a state of the property.
type EndOf<'e, 'o, S> = dyn FnMut(&mut KripkeStates<'o, S>, u32) -> Result<Bdd, Stop> + 'e;

/// Computes rings around a seed until one has a pair that ends the search.
fn search<'o, S: ByLetter>(
    states: &mut KripkeStates<'o, S>,
    seed: &Region,
    end_of: &mut EndOf<'_, 'o, S>,
) -> Result<Option<FoundPath>, Stop> {
    let (mut rings, mut found) = (Vec::new(), None);
    reachable(&mut states.plain(), seed, &mut |algebra, ring: &Region| {
        rings.push(ring.clone());
        for (property, part) in ring.iter() {
            let ends = part.and(&end_of(algebra.states, property)?)?;
            if !ends.is_bottom() {
                let system = algebra.states.system.some_state(&ends);
                found = Some(KripkeState { property, system });
                return Ok(true);
            }
        }
        Ok(false)
    })?;
    Ok(found.map(|end| FoundPath { rings, end }))
}

impl FoundPath {
    /// The states of the path in time, each with the inputs of the step that leaves it.
    fn moments<S: ByLetter>(self, states: &mut KripkeStates<S>) -> Result<Vec<ModelMoment>, Stop> {
        states.system.keep_order();
        let direction = states.property.direction();
        let mut walk = Walk::from(self.end.clone());
        approach(&mut states.plain(), &self.rings, &mut walk)?;
        let last = direction.of(&self.end, &walk.here).system.clone();
        let label = states.system.some_inputs(&last)?;
        let moment = |m: Moment<KripkeState, _>| Moment { state: m.state.system, label: m.label };
        let mut moments: Vec<ModelMoment> =
            walk.in_time(direction).into_iter().map(moment).collect();
        moments.push(Moment { state: last, label });
        Ok(moments)
    }
}
