//! Sets of states for fixpoints, in three layers:
//!
//! - [`Regions`] is the algebra of sets: union, inclusion, emptiness.
//! - [`Images`] adds images under one step. Every fixpoint of \[DDMR08\] and \[EL86\] is written
//!   once over it ([`fixpoints`]).
//! - [`Traces`](trace::Traces) adds single states, so that a run can be extracted from a fixpoint
//!   ([`trace`]), [`emptiness`] decides whether there is an infinite run, and [`path_search`]
//!   whether there is a path to a region.
//!
//! An implementation chooses the representation: a BDD, an antichain, an array of BDDs.

pub mod antichain;
pub(crate) mod bdd_context;
pub mod emptiness;
pub mod fixpoints;
pub mod path_search;
pub mod trace;

use crate::frame::budget::Stop;

/// An algebra of sets of states. There is no complement: antichains have none.
pub trait Regions {
    /// A set of states.
    type Region: Clone;

    /// The empty set.
    fn none(&self) -> Self::Region;

    /// Whether the region has no state.
    fn is_empty(&self, region: &Self::Region) -> bool;

    /// Adds states, and returns the new ones.
    fn add(&mut self, region: &mut Self::Region, more: &Self::Region)
    -> Result<Self::Region, Stop>;

    /// Whether `larger` includes `smaller`.
    fn includes(&mut self, larger: &Self::Region, smaller: &Self::Region) -> Result<bool, Stop>;

    /// A cheap, incomplete test: true means equal, false means unknown.
    fn are_identical(&self, _one: &Self::Region, _other: &Self::Region) -> bool {
        false
    }

    /// Removes the part of the region to expand next.
    fn pick(&mut self, region: &mut Self::Region) -> Self::Region;
}

/// Steps between sets of states in one direction of time: the image forward, the preimage backward.
pub trait Images: Regions {
    /// All successors, or all predecessors.
    fn image(&mut self, region: &Self::Region) -> Result<Self::Region, Stop>;

    /// `mu x. (Image(x) + seed)`, by steps in any order. `bound`, if given, includes the result.
    fn closure(
        &mut self,
        seed: &Self::Region,
        bound: Option<&Self::Region>,
    ) -> Result<Self::Region, Stop>
    where
        Self: Sized,
    {
        fixpoints::breadth_first(self, seed, bound)
    }

    /// The number of acceptance marks, at least one: without acceptance conditions, every step has
    /// the only mark.
    fn mark_count(&self) -> usize;

    /// The successors, or predecessors, by steps with a mark.
    fn marked_image(&mut self, region: &Self::Region, mark: usize) -> Result<Self::Region, Stop>;
}

/// The direction of time in which a fixpoint works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Successors of upward-closed sets.
    Forward,
    /// Predecessors of downward-closed sets.
    Backward,
}

impl Direction {
    /// `current` or `next`, whichever the step starts from.
    pub(crate) fn of<T>(self, current: T, next: T) -> T {
        match self {
            Direction::Forward => current,
            Direction::Backward => next,
        }
    }
}
