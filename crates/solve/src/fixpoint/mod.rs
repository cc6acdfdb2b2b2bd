//! Sets of states as fixpoints see them. A fixpoint of \[DDMR08\] is written once, over [`Regions`]; what a set of
//! states is, and what a step leads to, is the business of an implementation.

pub mod antichain;
pub(crate) mod bdd_context;
pub mod fixpoints;
pub(crate) mod lasso;
pub(crate) mod walk;

use crate::frame::budget::Stop;

/// An algebra of sets of states that works in one direction of time: sets that are closed upwards have successors,
/// sets that are closed downwards have predecessors. There is no complement: antichains have none.
pub trait Regions {
    /// A set of states.
    type Region;

    /// The empty set.
    fn none(&self) -> Self::Region;

    /// Whether there is no state in it.
    fn is_empty(&self, region: &Self::Region) -> bool;

    /// Adds states, and gives those that were not there.
    fn add(&mut self, region: &mut Self::Region, more: &Self::Region)
    -> Result<Self::Region, Stop>;

    /// Whether all states of the smaller are in the larger.
    fn includes(&mut self, larger: &Self::Region, smaller: &Self::Region) -> Result<bool, Stop>;

    /// Whether two regions are equal at first sight; where that is not to be seen, they are not.
    fn are_identical(&self, _one: &Self::Region, _other: &Self::Region) -> bool {
        false
    }

    /// Takes out the part that is best to go on with.
    fn pick(&mut self, region: &mut Self::Region) -> Self::Region;

    /// All successors, or all predecessors.
    fn step(&mut self, region: &Self::Region) -> Result<Self::Region, Stop>;

    /// How many acceptance conditions there are, at least one: without any there is one that every step serves.
    fn mark_count(&self) -> usize;

    /// The successors, or predecessors, by steps with a mark.
    fn marked_step(&mut self, region: &Self::Region, mark: usize) -> Result<Self::Region, Stop>;
}

/// In which direction of time a fixpoint works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
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
