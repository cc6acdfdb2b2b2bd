//! Sets of states as fixpoints see them, in three layers:
//!
//! - [`Regions`] is the algebra of sets: union, inclusion, emptiness.
//! - [`Images`] adds what one step leads to. Every fixpoint of \[DDMR08\] and \[EL86\] is written
//!   once over it ([`fixpoints`]).
//! - [`Traces`](trace::Traces) adds single states, so that a run can be read off a fixpoint
//!   ([`trace`]), and [`emptiness`] decides by these whether there is an infinite run.
//!
//! What a set is, a decision diagram, an antichain or an array of diagrams, is up to an
//! implementation.

pub mod antichain;
pub(crate) mod bdd_context;
pub mod emptiness;
pub mod fixpoints;
pub mod trace;

use crate::frame::budget::Stop;

/// An algebra of sets of states. There is no complement: antichains have none.
pub trait Regions {
    /// A set of states.
    type Region: Clone;

    /// The empty set.
    fn none(&self) -> Self::Region;

    /// Whether there is no state in it.
    fn is_empty(&self, region: &Self::Region) -> bool;

    /// Adds states, and gives those that were not there.
    fn add(&mut self, region: &mut Self::Region, more: &Self::Region)
    -> Result<Self::Region, Stop>;

    /// Whether all states of the smaller are in the larger.
    fn includes(&mut self, larger: &Self::Region, smaller: &Self::Region) -> Result<bool, Stop>;

    /// A cheap, incomplete test: true means equal, false means unknown.
    fn are_identical(&self, _one: &Self::Region, _other: &Self::Region) -> bool {
        false
    }

    /// Takes out the part that is best to expand next.
    fn pick(&mut self, region: &mut Self::Region) -> Self::Region;
}

/// Steps between sets of states in one direction of time: the image forward, the preimage backward.
pub trait Images: Regions {
    /// All successors, or all predecessors.
    fn image(&mut self, region: &Self::Region) -> Result<Self::Region, Stop>;

    /// How many acceptance marks there are, at least one: without any, every step has the only
    /// mark.
    fn mark_count(&self) -> usize;

    /// The successors, or predecessors, by steps with a mark.
    fn marked_image(&mut self, region: &Self::Region, mark: usize) -> Result<Self::Region, Stop>;
}

/// In which direction of time a fixpoint works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Successors of sets that are closed upwards.
    Forward,
    /// Predecessors of sets that are closed downwards.
    Backward,
}

impl Direction {
    /// The one of two from which a step starts.
    pub(crate) fn of<T>(self, current: T, next: T) -> T {
        match self {
            Direction::Forward => current,
            Direction::Backward => next,
        }
    }
}
