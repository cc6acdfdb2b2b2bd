//! Emptiness over infinite words by the fixpoints, in either direction of time, and the lasso that
//! proves the contrary.
//!
//! Backward, all states are taken to have an infinite path first, and those that have none are
//! taken out; then those are kept that have a fair one. As soon as no initial state is left there
//! is no word. Forward, what can be reached is computed, then what of it lies at the end of a fair
//! run \[EL86\].
//!
//! A space has two algebras. One knows steps alone, and often has smaller states; the other knows
//! their acceptance marks. Regions of the first are lifted to the second.

use super::fixpoints::{fair_states, reachable, with_infinite_path};
use super::trace::{ClosedWalk, Lasso, Traces, Walk, approach, around};
use super::{Direction, Regions};
use crate::frame::budget::Stop;

/// A space in which infinite words are looked for.
pub trait FairSpace {
    /// A set of states, in both algebras.
    type Region: Clone;
    /// One state.
    type State: Clone;
    /// The algebra of steps without marks.
    type Plain<'s>: Traces<Region = Self::Region, State = Self::State>
    where
        Self: 's;
    /// The algebra of steps with marks.
    type Marked<'s>: Traces<Region = Self::Region, State = Self::State>
    where
        Self: 's;

    /// In which direction both work.
    fn direction(&self) -> Direction;

    /// All states that come into question; no step leaves them.
    fn all(&self) -> Self::Region;

    /// The initial states, which look the same in both algebras.
    fn initial(&self) -> Result<Self::Region, Stop>;

    /// Whether every infinite run is fair.
    fn is_safety(&self) -> bool;

    /// The algebra of steps without marks.
    fn plain(&mut self) -> Self::Plain<'_>;

    /// The algebra of steps with marks.
    fn marked(&mut self) -> Result<Self::Marked<'_>, Stop>;

    /// The region of the plain algebra in the marked one.
    fn lift(&mut self, region: &Self::Region) -> Result<Self::Region, Stop>;

    /// The state of the marked algebra in the plain one.
    fn lower(&self, state: Self::State) -> Self::State;
}

/// The fixpoint that proves that there is a fair run.
pub enum FairRun<R> {
    /// States from which a fair run starts, and the initial ones among them.
    After {
        /// The states.
        fair: R,
        /// The initial ones.
        initial: R,
    },
    /// States at the end of fair runs, and the rings in which they were reached.
    Before {
        /// The states.
        fair: R,
        /// The rings, the initial states first.
        rings: Vec<R>,
    },
}

/// Looks for a fair run.
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

impl<R: Clone> FairRun<R> {
    /// The run, unless it gets too long.
    pub fn lasso<F: FairSpace<Region = R>>(
        &self,
        space: &mut F,
        longest: usize,
    ) -> Result<Option<Lasso<F::State>>, Stop> {
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

/// A closed walk among fair states from one of some states.
fn walked<T: Traces>(
    space: &mut T,
    fair: &T::Region,
    from: &T::Region,
    longest: usize,
) -> Result<Option<ClosedWalk<T::State>>, Stop> {
    let start = space.some_state(from);
    around(space, fair, start, longest)
}
