//! From regions to runs: a walk through the rings of a fixpoint, against its direction.
//!
//! Each state of a ring has a neighbour in the ring before it. In a fixpoint of fair states the
//! walk meets the marks in turn: from the current state through the rings around the steps with the
//! mark, by such a step back into the fixpoint, and on to the next mark. One pass over all marks is
//! a *round*. The walk closes when a state recurs at the end of a round, or reaches a state from
//! which the steps since an earlier end can be repeated for ever. The choice of a neighbour depends
//! on state and ring only, so a state recurs at the latest when no new ones are left.

use std::hash::Hash;

use indexmap::IndexMap;
use kermode_ltl::{Letter, Word};
use rustc_hash::FxBuildHasher;

use super::fixpoints::reachable;
use super::{Direction, Images};
use crate::frame::budget::Stop;

/// An algebra with access to single states.
pub trait Traces: Images {
    /// One state.
    type State: Clone + Eq + Hash;
    /// What a walk stores of a step, such as its letter.
    type Label: Clone;

    /// The intersection of two regions.
    fn intersection(
        &mut self,
        one: &Self::Region,
        other: &Self::Region,
    ) -> Result<Self::Region, Stop>;

    /// Some state of a nonempty region.
    fn some_state(&self, region: &Self::Region) -> Self::State;

    /// Whether a state is in a region.
    fn contains(&self, region: &Self::Region, state: &Self::State) -> bool;

    /// A state of a region that is adjacent to a state, against the direction of the algebra, with
    /// the label of the step between them. If a mark is given, the step has it.
    fn neighbour(
        &mut self,
        state: &Self::State,
        region: &Self::Region,
        mark: Option<usize>,
    ) -> Result<(Self::Label, Self::State), Stop>;

    /// Whether the steps from a state to a later one can be repeated from there for ever.
    fn closes(&self, earlier: &Self::State, later: &Self::State) -> bool {
        earlier == later
    }

    /// Whether every infinite run is fair.
    fn is_safety(&self) -> bool;
}

/// States and the labels of the steps between them: step `i` has label `i` and leaves state `i`.
/// The state after the last step is [`Walk::here`].
#[derive(Clone, Debug)]
pub struct Walk<S, L = Letter> {
    states: Vec<S>,
    labels: Vec<L>,
    /// The last state.
    pub here: S,
}

impl<S, L> Walk<S, L> {
    /// An empty walk.
    pub fn from(start: S) -> Self {
        Walk { states: Vec::new(), labels: Vec::new(), here: start }
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether the walk has no step.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The part of the walk from a step on.
    pub(super) fn since(mut self, step: usize) -> Self {
        self.states.drain(..step);
        self.labels.drain(..step);
        self
    }

    fn step(&mut self, (label, next): (L, S)) {
        self.labels.push(label);
        self.states.push(std::mem::replace(&mut self.here, next));
    }

    /// The steps in the order of time, each with the state that it leaves. Walks through backward
    /// fixpoints are in that order, walks through forward ones in reverse.
    pub fn in_time(self, direction: Direction) -> Vec<Moment<S, L>> {
        let Walk { mut states, mut labels, here } = self;
        if direction == Direction::Forward {
            states.push(here);
            states.remove(0);
            states.reverse();
            labels.reverse();
        }
        states.into_iter().zip(labels).map(|(state, label)| Moment { state, label }).collect()
    }
}

/// A state of a run and the label of the step that leaves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment<S, L = Letter> {
    /// The state.
    pub state: S,
    /// The label.
    pub label: L,
}

/// A run that ends in a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso<S, L = Letter> {
    /// The steps before the loop.
    pub prefix: Vec<Moment<S, L>>,
    /// The loop, which is not empty.
    pub cycle: Vec<Moment<S, L>>,
}

impl<S> Lasso<S> {
    /// The word of the run.
    pub fn into_word(self) -> Word {
        let letters = |moments: Vec<Moment<S>>| moments.into_iter().map(|m| m.label).collect();
        Word::lasso(letters(self.prefix), letters(self.cycle))
    }
}

/// This many ends of rounds are compared by `closes`, further ones by equality only.
const MOST_COMPARED: usize = 256;

/// A closed walk, and the step at which its cycle begins.
pub(crate) struct ClosedWalk<S, L> {
    pub(crate) walk: Walk<S, L>,
    pub(crate) begin: usize,
}

/// A closed walk in an algebra.
pub(crate) type ClosedWalkIn<T> = ClosedWalk<<T as Traces>::State, <T as Traces>::Label>;

/// Walks from a state of some ring to the first ring.
pub fn approach<T: Traces>(
    space: &mut T,
    rings: &[T::Region],
    walk: &mut Walk<T::State, T::Label>,
) -> Result<(), Stop> {
    let place = rings.iter().position(|ring| space.contains(ring, &walk.here));
    let place = place.expect("the state is in a ring");
    for ring in rings[..place].iter().rev() {
        walk.step(space.neighbour(&walk.here, ring, None)?);
    }
    Ok(())
}

/// Walks among fair states until the walk closes. Gives up when it gets too long.
pub(crate) fn around<T: Traces>(
    space: &mut T,
    fair: &T::Region,
    start: T::State,
    longest: usize,
) -> Result<Option<ClosedWalkIn<T>>, Stop> {
    // Without marks, any step is enough.
    let mut rings = vec![Vec::new(); space.mark_count()];
    let mut walk = Walk::from(start);
    let mut ends: Ends<T::State> = IndexMap::default();
    while walk.len() <= longest {
        if let Some(begin) = closed(space, &ends, &walk.here) {
            return Ok(Some(ClosedWalk { walk, begin }));
        }
        ends.insert(walk.here.clone(), walk.len());
        for (mark, rings) in rings.iter_mut().enumerate() {
            extend(space, rings, fair, mark, &walk.here)?;
            approach(space, rings, &mut walk)?;
            walk.step(space.neighbour(&walk.here, fair, Some(mark))?);
        }
    }
    Ok(None)
}

/// Computes rings around the steps with a mark until the state is in one of them. Most states are
/// in the first.
fn extend<T: Traces>(
    space: &mut T,
    rings: &mut Vec<T::Region>,
    fair: &T::Region,
    mark: usize,
    state: &T::State,
) -> Result<(), Stop> {
    if space.is_safety() {
        rings.resize(1, fair.clone());
    }
    if rings.iter().any(|ring| space.contains(ring, state)) {
        return Ok(());
    }
    let seed = match rings.first() {
        Some(first) => first.clone(),
        None => space.marked_image(fair, mark)?,
    };
    rings.clear();
    reachable(space, &seed, &mut |space, ring| {
        rings.push(ring.clone());
        Ok(space.contains(ring, state))
    })?;
    Ok(())
}

/// The states at the ends of rounds, with the number of steps before them.
type Ends<S> = IndexMap<S, usize, FxBuildHasher>;

/// The step at which the cycle begins that this end of a round closes.
fn closed<T: Traces>(space: &T, ends: &Ends<T::State>, state: &T::State) -> Option<usize> {
    let equal = ends.get(state).copied();
    equal.or_else(|| {
        let mut compared = ends.iter().take(MOST_COMPARED);
        compared.find_map(|(earlier, &begin)| space.closes(earlier, state).then_some(begin))
    })
}
