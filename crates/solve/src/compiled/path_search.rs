//! Breadth-first search for a path from an initial state to a goal, from one side or from both, and
//! the path that it proves.

use kermode_bdd::Bdd;
use kermode_system::{Model, Target};

use super::states::SystemStates;
use super::traces::ModelMoment;
use crate::fixpoint::emptiness::FairSpace;
use crate::fixpoint::fixpoints::Growth;
use crate::fixpoint::trace::{Moment, Traces, Walk, approach};
use crate::fixpoint::{Direction, Images};
use crate::frame::budget::Stop;

/// Which side of the search grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Initial,
    Target,
    /// In each step the one whose frontier has the smaller diagram.
    Cheaper,
}

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
}

/// The proof that there is a path: rings around the initial states and around the goal. The last
/// ones of both lists have common states.
pub(crate) struct Meeting {
    from_initial: Vec<Bdd>,
    from_goal: Vec<Bdd>,
    common: Bdd,
}

/// Searches for a path from an initial state to the goal.
pub(crate) fn search(
    states: &mut SystemStates,
    goal: &Goal,
    side: Side,
) -> Result<Option<Meeting>, Stop> {
    if goal.states.is_bottom() {
        return Ok(None);
    }
    let initial = states.initial()?;
    let (mut ahead, first) = Growth::new(&mut states.plain(), &initial)?;
    let (mut back, last) = Growth::new(&mut states.plain(), &goal.states)?;
    let mut meeting =
        Meeting { common: first.and(&last)?, from_initial: vec![first], from_goal: vec![last] };
    while meeting.common.is_bottom() {
        let direction = match side {
            Side::Initial => Direction::Forward,
            Side::Target => Direction::Backward,
            Side::Cheaper => cheaper(&ahead, &back),
        };
        states.face(direction)?;
        let (growth, other, rings) = match direction {
            Direction::Forward => (&mut ahead, &back, &mut meeting.from_initial),
            Direction::Backward => (&mut back, &ahead, &mut meeting.from_goal),
        };
        if growth.is_complete(&states.plain()) {
            return Ok(None);
        }
        let new = growth.step(&mut states.plain())?;
        meeting.common = new.and(other.all())?;
        rings.push(new);
    }
    Ok(Some(meeting))
}

/// The direction in which the next step is expected to take less time.
fn cheaper(ahead: &Growth<Bdd>, back: &Growth<Bdd>) -> Direction {
    match ahead.frontier().node_count() <= back.frontier().node_count() {
        true => Direction::Forward,
        false => Direction::Backward,
    }
}

impl Meeting {
    /// The number of states of the path.
    pub(crate) fn length(&self, goal: &Goal) -> usize {
        let around_both = self.from_initial.len() + self.from_goal.len() - 1;
        around_both + usize::from(goal.step.is_some())
    }

    /// The states of the path, each with the inputs of the step that leaves it.
    pub(crate) fn path(
        &self,
        states: &mut SystemStates,
        goal: &Goal,
    ) -> Result<Vec<ModelMoment>, Stop> {
        let middle = states.plain().some_state(&self.common);
        states.face(Direction::Forward)?;
        let mut walk = Walk::from(middle.clone());
        approach(&mut states.plain(), &self.from_initial, &mut walk)?;
        let mut path = walk.in_time(Direction::Forward);
        states.face(Direction::Backward)?;
        let mut walk = Walk::from(middle);
        approach(&mut states.plain(), &self.from_goal, &mut walk)?;
        let mut last = walk.here.clone();
        path.extend(walk.in_time(Direction::Backward));
        if let Some(step) = &goal.step {
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
