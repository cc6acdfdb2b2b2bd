//! Emptiness over infinite words by fixpoints, in either direction of time, and the lasso that
//! witnesses nonemptiness.
//!
//! Backward, the first fixpoint removes the states without an infinite path, the second the states
//! without a fair path. If no initial state is left, there is no word. Forward, the first fixpoint
//! computes the reachable states, the second those at the end of a fair run \[EL86\].
//!
//! A space has two algebras: a plain one without acceptance marks, which often has smaller states,
//! and a marked one. Regions of the first are lifted to the second.

use super::fixpoints::{fair_states, reachable, with_infinite_path};
use super::trace::{ClosedWalk, ClosedWalkIn, Lasso, Traces, Walk, approach, around};
use super::{Direction, Images, Regions};
use crate::frame::budget::Stop;

/// A space to search for infinite words.
pub trait FairSpace {
    /// A set of states, in both algebras.
    type Region: Clone;
    /// One state.
    type State: Clone;
    /// The label of a step.
    type Label: Clone;
    /// The algebra of steps without marks.
    type Plain<'s>: Traces<Region = Self::Region, State = Self::State, Label = Self::Label>
    where
        Self: 's;
    /// The algebra of steps with marks.
    type Marked<'s>: Traces<Region = Self::Region, State = Self::State, Label = Self::Label>
    where
        Self: 's;

    /// The direction of both algebras.
    fn direction(&self) -> Direction;

    /// The states to start from; no step leaves them.
    fn all(&self) -> Self::Region;

    /// The initial states, which both algebras represent in the same way.
    fn initial(&self) -> Result<Self::Region, Stop>;

    /// Whether every infinite run is fair.
    fn is_safety(&self) -> bool;

    /// The algebra of steps without marks.
    fn plain(&mut self) -> Self::Plain<'_>;

    /// The algebra of steps with marks.
    fn marked(&mut self) -> Result<Self::Marked<'_>, Stop>;

    /// Lifts a region of the plain algebra to the marked one.
    fn lift(&mut self, region: &Self::Region) -> Result<Self::Region, Stop>;

    /// Projects a state of the marked algebra to the plain one.
    fn lower(&self, state: Self::State) -> Self::State;
}

/// A space whose direction can be changed.
pub trait TwoWaySpace: FairSpace {
    /// Sets the direction of further steps.
    fn face(&mut self, direction: Direction) -> Result<(), Stop>;

    /// The algebra of the steps whose results are in a region: backward, of the paths that stay in
    /// the region until they arrive.
    fn within(&mut self, region: Self::Region) -> Self::Plain<'_>;

    /// A measure of the time that a step from a region takes.
    fn size(&self, region: &Self::Region) -> usize;
}

/// A lasso of a space.
pub type LassoIn<F> = Lasso<<F as FairSpace>::State, <F as FairSpace>::Label>;

/// The fixpoint that proves the existence of a fair run.
pub enum FairRun<R> {
    /// States from which a fair run starts.
    After {
        /// All of them.
        fair: R,
        /// The initial states among them.
        initial: R,
    },
    /// States at the end of fair runs.
    Before {
        /// All of them.
        fair: R,
        /// The rings of the reachability fixpoint, the initial states first.
        rings: Vec<R>,
    },
}

/// Searches for a fair run.
pub fn search<F: FairSpace>(space: &mut F) -> Result<Option<FairRun<F::Region>>, Stop> {
    match space.direction() {
        Direction::Backward => backward(space),
        Direction::Forward => forward(space),
    }
}

fn backward<F: FairSpace>(space: &mut F) -> Result<Option<FairRun<F::Region>>, Stop> {
    let (all, initial) = (space.all(), space.initial()?);
    let mut plain = space.plain();
    let going_on = with_infinite_path(&mut plain, all, &mut |plain, left| {
        let initial = plain.intersection(left, &initial)?;
        Ok(plain.is_empty(&initial))
    })?;
    drop(plain);
    let Some(mut fair) = going_on else { return Ok(None) };
    if !space.is_safety() {
        let start = space.lift(&fair)?;
        let found = fair_states(&mut space.marked()?, start, &mut |marked, left| {
            let initial = marked.intersection(left, &initial)?;
            Ok(marked.is_empty(&initial))
        })?;
        let Some(states) = found else { return Ok(None) };
        fair = states;
    }
    let initial = space.plain().intersection(&initial, &fair)?;
    Ok(Some(FairRun::After { fair, initial }))
}

fn forward<F: FairSpace>(space: &mut F) -> Result<Option<FairRun<F::Region>>, Stop> {
    let initial = space.initial()?;
    let mut rings = Vec::new();
    let mut plain = space.plain();
    let reached = reachable(&mut plain, &initial, &mut |_, ring| {
        rings.push(ring.clone());
        Ok(false)
    })?;
    let reached = reached.unwrap_or_else(|| plain.none());
    let going_on =
        with_infinite_path(&mut plain, reached, &mut |plain, left| Ok(plain.is_empty(left)))?;
    drop(plain);
    let Some(mut fair) = going_on else { return Ok(None) };
    if !space.is_safety() {
        let start = space.lift(&fair)?;
        let found =
            fair_states(
                &mut space.marked()?,
                start,
                &mut |marked, left| Ok(marked.is_empty(left)),
            )?;
        let Some(states) = found else { return Ok(None) };
        fair = states;
    }
    Ok(Some(FairRun::Before { fair, rings }))
}

/// Searches for a fair run in a space that faces backward and has reachable states only.
///
/// Backward, all states remain from which a fair cycle can be reached, until no cycle is left: the
/// fixpoint finds them again for each mark. But the states of a fair cycle also have steps with all
/// marks behind them. So forward closures first leave out the states that only lead to such
/// cycles, for instance those in which the automaton of a property has yet to choose, and the
/// fixpoint works among the others.
pub fn search_reachable<S: TwoWaySpace>(space: &mut S) -> Result<Option<FairRun<S::Region>>, Stop> {
    debug_assert_eq!(space.direction(), Direction::Backward);
    if space.is_safety() {
        return backward(space);
    }
    space.face(Direction::Forward)?;
    let recurrent = with_marks_behind(space);
    space.face(Direction::Backward)?;
    let fair = fair_within(space, recurrent?)?;
    let initial = space.initial()?;
    let mut plain = space.plain();
    if plain.is_empty(&fair) {
        return Ok(None);
    }
    let fair = plain.closure(&fair, None)?;
    let initial = plain.intersection(&initial, &fair)?;
    Ok((!plain.is_empty(&initial)).then_some(FairRun::After { fair, initial }))
}

/// States of a space that faces forward: those that a path through steps with a mark leads to, for
/// each of the marks.
fn with_marks_behind<S: TwoWaySpace>(space: &mut S) -> Result<S::Region, Stop> {
    let mut left = space.all();
    let mark_count = space.plain().mark_count();
    for mark in 0..mark_count {
        let mut paths = space.within(left.clone());
        let seed = paths.marked_image(&left, mark)?;
        left = paths.closure(&seed, Some(&left))?;
    }
    Ok(left)
}

/// The states of a region from which a fair path starts that stays in the region. Steps must be
/// backward.
pub fn fair_within<S: TwoWaySpace>(space: &mut S, region: S::Region) -> Result<S::Region, Stop> {
    debug_assert_eq!(space.direction(), Direction::Backward);
    let is_safety = space.is_safety();
    let mut paths = space.within(region.clone());
    let infinite = with_infinite_path(&mut paths, region, &mut |_, _| Ok(false))?;
    let infinite = infinite.unwrap_or_else(|| paths.none());
    if is_safety {
        return Ok(infinite);
    }
    let fair = fair_states(&mut paths, infinite, &mut |_, _| Ok(false))?;
    Ok(fair.unwrap_or_else(|| paths.none()))
}

impl<R: Clone> FairRun<R> {
    /// The run as a lasso, unless it gets too long.
    pub fn lasso<F: FairSpace<Region = R>>(
        &self,
        space: &mut F,
        longest: usize,
    ) -> Result<Option<LassoIn<F>>, Stop> {
        let (direction, is_safety) = (space.direction(), space.is_safety());
        let (fair, from) = match self {
            FairRun::After { fair, initial } => (fair, initial),
            FairRun::Before { fair, .. } => (fair, fair),
        };
        let closed = match is_safety {
            true => walked(&mut space.plain(), fair, from, longest)?,
            false => walked(&mut space.marked()?, fair, from, longest)?,
        };
        let Some(ClosedWalk { walk, begin }) = closed else { return Ok(None) };
        match self {
            FairRun::After { .. } => {
                let mut prefix = walk.in_time(direction);
                let cycle = prefix.split_off(begin);
                Ok(Some(Lasso { prefix, cycle }))
            }
            FairRun::Before { rings, .. } => {
                let cycle = walk.since(begin);
                let mut back = Walk::from(space.lower(cycle.here.clone()));
                approach(&mut space.plain(), rings, &mut back)?;
                let (prefix, cycle) = (back.in_time(direction), cycle.in_time(direction));
                Ok(Some(Lasso { prefix, cycle }))
            }
        }
    }
}

/// A closed walk among fair states that starts in one of the given states.
fn walked<T: Traces>(
    space: &mut T,
    fair: &T::Region,
    from: &T::Region,
    longest: usize,
) -> Result<Option<ClosedWalkIn<T>>, Stop> {
    let start = space.some_state(from);
    around(space, fair, start, longest)
}
