//! Searches for paths of a model to a goal: a state, or a step.

use kermode_bdd::Bdd;
use kermode_system::{Model, Target};

use super::states::SystemStates;
use super::traces::ModelMoment;
use crate::fixpoint::emptiness::FairSpace;
pub(crate) use crate::fixpoint::path_search::Side;
use crate::fixpoint::path_search::{self, Meeting};
use crate::fixpoint::trace::Moment;
use crate::fixpoint::{Direction, Images};
use crate::frame::budget::Stop;

/// What a path leads to.
pub(crate) struct Goal {
    /// The states where it ends, before its last step if that is the target.
    pub(crate) states: Bdd,
    /// The condition on the last step, if the target is a step.
    pub(crate) step: Option<Bdd>,
}

impl Goal {
    /// The paths that end in one of these states.
    pub(crate) fn of_states(states: Bdd) -> Self {
        Goal { states, step: None }
    }

    /// The paths that end with a target.
    pub(crate) fn new(
        states: &mut SystemStates,
        model: &Model,
        target: Target,
    ) -> Result<Self, Stop> {
        let legal = states.legal()?;
        match target {
            Target::State(expression) => {
                let wanted = states.compile(model, expression)?;
                Ok(Goal { states: legal.and(&wanted)?, step: None })
            }
            Target::Step(expression) => {
                let wanted = states.compile(model, expression)?;
                states.face(Direction::Backward)?;
                let before = states.step_where(&legal, Some(&wanted))?;
                Ok(Goal { states: before, step: Some(wanted) })
            }
            Target::DeadEnd => {
                states.face(Direction::Backward)?;
                let with_successor = states.plain().image(&legal)?;
                Ok(Goal { states: legal.and_not(&with_successor)?, step: None })
            }
        }
    }

    /// The number of states of the path that a search has found.
    pub(crate) fn path_length(&self, meeting: &Meeting<Bdd>) -> usize {
        meeting.length() + usize::from(self.step.is_some())
    }

    /// The states of the path that a search has found, each with the inputs of the step that leaves
    /// it.
    pub(crate) fn path(
        &self,
        meeting: &Meeting<Bdd>,
        states: &mut SystemStates,
    ) -> Result<Vec<ModelMoment>, Stop> {
        let (mut path, mut last) = meeting.path(states)?;
        if let Some(step) = &self.step {
            let legal = states.legal()?;
            let next = states.neighbour(&last, &legal, Some(step))?;
            path.push(Moment { state: last, label: next.label });
            last = next.state;
        }
        let inputs = states.some_inputs(&last)?;
        path.push(Moment { state: last, label: inputs });
        Ok(path)
    }
}

/// Searches for a path from an initial state to the goal.
pub(crate) fn search(
    states: &mut SystemStates,
    goal: &Goal,
    side: Side,
) -> Result<Option<Meeting<Bdd>>, Stop> {
    path_search::search(states, &goal.states, side)
}

/// The same for a model whose reachable states may have been computed before. If this search
/// computes them, they are kept.
pub(crate) fn search_model(
    states: &mut SystemStates,
    model: &Model,
    goal: &Goal,
    side: Side,
) -> Result<Option<Meeting<Bdd>>, Stop> {
    if let Some(reached) = states.kept_reachable(model)
        && reached.and(&goal.states)?.is_bottom()
    {
        return Ok(None);
    }
    let mut all = None;
    let found =
        path_search::search_noting(states, &goal.states, side, &mut |direction, reached| {
            all = (direction == Direction::Forward).then(|| reached.clone());
        })?;
    if let Some(all) = all {
        states.keep_reachable(model, &all);
    }
    Ok(found)
}
