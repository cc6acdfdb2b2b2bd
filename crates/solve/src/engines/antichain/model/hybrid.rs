//! `antichain:hybrid` on models: forward over antichains and, when these are about to blow up, over
//! diagrams of both parts.
//!
//! The antichains are expected to blow up if
//!
//! 1. a state of the property has more than [`MOST_SUCCESSORS`] minimal successors on a letter, a
//!    number that is known before any of them is built, or
//! 2. the search has taken a number of steps (option `patience`) and has dropped fewer than one in
//!    twenty of the states of the property that it met. Then the order does not help, and a diagram
//!    of the locations is smaller than a list of their sets.
//!
//! The symbolic search is backward for runs and forward for finite paths. If it creates more than a
//! number of nodes (option `nodes`), the forward search restarts and is not interrupted any more.

use super::finite::FinitePaths;
use super::forward::ForwardRuns;
use super::{Manner, ModelQuestion, forward_orders};
use crate::alternating::order::Orders;
use crate::alternating::{InSpace, Successors, in_space_of};
use crate::fixpoint::Direction;
use crate::frame::answer::Answer;
use crate::frame::budget::Stop;
use crate::frame::observer::Observer;
use crate::frame::problem::PathEnd;

/// A state of the property with more minimal successors is a blow-up.
const MOST_SUCCESSORS: u128 = 20_000;

/// When a search goes over to other representations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engines::antichain) struct HybridRule {
    /// The number of steps after which the growth of the antichains is checked.
    pub(in crate::engines::antichain) patience: u64,
    /// The number of nodes that the symbolic search may create.
    pub(in crate::engines::antichain) nodes: u64,
}

impl ModelQuestion<'_> {
    /// Whether a fair run has a word that the automaton accepts.
    pub(super) fn hybrid_runs(
        &self,
        rule: HybridRule,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let patience = Some(rule.patience);
        let work = ForwardRuns { question: self, patience, observer: &mut *observer };
        if let Some(answer) = self.unless_growing(work)? {
            return Ok(answer);
        }
        observer.statistic("antichains_given_up", 1);
        let (direction, generalised) = (Direction::Backward, true);
        let nodes = Some(rule.nodes);
        match self.symbolic_runs(direction, generalised, nodes, &mut *observer) {
            Err(Stop::Limit(_)) => {}
            answer => return answer,
        }
        observer.statistic("diagrams_given_up", 1);
        self.runs(Manner::Forward, observer)
    }

    /// Whether a nonempty finite path has a word that the automaton accepts.
    pub(super) fn hybrid_paths(
        &self,
        rule: HybridRule,
        end: PathEnd,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let (manner, patience) = (Manner::Forward, Some(rule.patience));
        let work = FinitePaths { question: self, manner, patience, end, observer: &mut *observer };
        if let Some(answer) = self.unless_growing(work)? {
            return Ok(answer);
        }
        observer.statistic("antichains_given_up", 1);
        let nodes = Some(rule.nodes);
        match self.symbolic_paths(Direction::Forward, nodes, end, &mut *observer) {
            Err(Stop::Limit(_)) => {}
            answer => return answer,
        }
        observer.statistic("diagrams_given_up", 1);
        self.paths(Manner::Forward, end, observer)
    }

    /// The answer of a watched search, or nothing if its antichains are about to blow up.
    fn unless_growing<W: InSpace<Output = Result<Answer, Stop>>>(
        &self,
        work: W,
    ) -> Result<Option<Answer>, Stop> {
        let orders = forward_orders(self.orders);
        let orders = Orders { most_successors: Some(MOST_SUCCESSORS), ..orders };
        let successors = Successors::MinimalModels;
        match in_space_of(self.automaton, successors, orders, self.budget, work)? {
            Ok(answer) => Ok(Some(answer)),
            Err(Stop::Limit(_)) => Ok(None),
            Err(stop) => Err(stop),
        }
    }
}
