//! Breadth-first search for a path from an initial state to a region, from one side or from both,
//! and the path that it proves.

use super::emptiness::{FairSpace, TwoWaySpace};
use super::fixpoints::Growth;
use super::trace::{Moment, Traces, Walk, approach};
use super::{Direction, Regions};
use crate::frame::budget::Stop;

/// Which side of the search grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The rings around the initial states.
    Initial,
    /// The rings around the target.
    Target,
    /// In each step the one whose frontier is smaller.
    Cheaper,
}

/// The proof that there is a path: rings around the initial states and around the target. The last
/// ones of both lists have common states.
pub struct Meeting<R> {
    from_initial: Vec<R>,
    from_target: Vec<R>,
    common: R,
}

/// A path in a space: its steps, each with the state that it leaves, and its last state.
pub type PathIn<S> =
    (Vec<Moment<<S as FairSpace>::State, <S as FairSpace>::Label>>, <S as FairSpace>::State);

/// Searches for a path from an initial state to the target.
pub fn search<S: TwoWaySpace>(
    space: &mut S,
    target: &S::Region,
    side: Side,
) -> Result<Option<Meeting<S::Region>>, Stop> {
    search_noting(space, target, side, &mut |_, _| {})
}

/// The same, with a callback that gets the states that one side has reached if there are no others:
/// for the direction forward, all reachable states.
pub fn search_noting<S: TwoWaySpace>(
    space: &mut S,
    target: &S::Region,
    side: Side,
    complete: &mut dyn FnMut(Direction, &S::Region),
) -> Result<Option<Meeting<S::Region>>, Stop> {
    let initial = space.initial()?;
    if is_empty(space, target) {
        return Ok(None);
    }
    let (mut ahead, first) = Growth::new(&mut space.plain(), &initial)?;
    let (mut back, last) = Growth::new(&mut space.plain(), target)?;
    let common = space.plain().intersection(&first, &last)?;
    let mut meeting = Meeting { common, from_initial: vec![first], from_target: vec![last] };
    while is_empty(space, &meeting.common) {
        let direction = match side {
            Side::Initial => Direction::Forward,
            Side::Target => Direction::Backward,
            Side::Cheaper => cheaper(space, &ahead, &back),
        };
        space.face(direction)?;
        let (growth, other, rings) = match direction {
            Direction::Forward => (&mut ahead, &back, &mut meeting.from_initial),
            Direction::Backward => (&mut back, &ahead, &mut meeting.from_target),
        };
        if growth.is_complete(&space.plain()) {
            complete(direction, growth.all());
            return Ok(None);
        }
        let new = growth.step(&mut space.plain())?;
        meeting.common = space.plain().intersection(&new, other.all())?;
        rings.push(new);
    }
    Ok(Some(meeting))
}

fn is_empty<S: TwoWaySpace>(space: &mut S, region: &S::Region) -> bool {
    space.plain().is_empty(region)
}

/// The direction in which the next step is expected to take less time.
fn cheaper<S: TwoWaySpace>(
    space: &S,
    ahead: &Growth<S::Region>,
    back: &Growth<S::Region>,
) -> Direction {
    match space.size(ahead.frontier()) <= space.size(back.frontier()) {
        true => Direction::Forward,
        false => Direction::Backward,
    }
}

impl<R> Meeting<R> {
    /// The number of states of the path.
    pub fn length(&self) -> usize {
        self.from_initial.len() + self.from_target.len() - 1
    }

    /// The path.
    pub fn path<S: TwoWaySpace<Region = R>>(&self, space: &mut S) -> Result<PathIn<S>, Stop> {
        let middle = space.plain().some_state(&self.common);
        space.face(Direction::Forward)?;
        let mut walk = Walk::from(middle.clone());
        approach(&mut space.plain(), &self.from_initial, &mut walk)?;
        let mut path = walk.in_time(Direction::Forward);
        space.face(Direction::Backward)?;
        let mut walk = Walk::from(middle);
        approach(&mut space.plain(), &self.from_target, &mut walk)?;
        let last = walk.here.clone();
        path.extend(walk.in_time(Direction::Backward));
        Ok((path, last))
    }
}
