//! The limit on work with diagrams for the relations.
//!
//! Joining two diagrams takes at most as many steps as the product of their sizes. This number is
//! charged before the operation: an operation that may be too long, or longer than the rest of the
//! limit, is skipped. So the result does not depend on the machine, and a relation costs at most
//! some tens of milliseconds.

use kermode_automata::Location;
use kermode_bdd::{Bdd, OutOfNodes};
use rustc_hash::FxHashMap;

use crate::alternating::transitions::{Transitions, by_x};

/// The largest number of steps for a relation.
const MOST_STEPS: usize = 1 << 20;
/// The largest number of steps for an operation.
const MOST_STEPS_AT_ONCE: usize = 1 << 14;
/// The least cost of an operation.
const STEPS_AT_LEAST: usize = 64;

/// The remaining work.
pub(super) struct WorkLimit {
    left: usize,
    /// The diagrams of transitions with their sizes; nothing if the transition is too large.
    transitions: FxHashMap<usize, Option<(Bdd, usize)>>,
}

impl WorkLimit {
    pub(super) fn new() -> Self {
        WorkLimit { left: MOST_STEPS, transitions: FxHashMap::default() }
    }

    /// The diagram of a transition and its size, if it may be built.
    pub(super) fn transition(
        &mut self,
        transitions: &mut Transitions,
        location: usize,
    ) -> Result<Option<(Bdd, usize)>, OutOfNodes> {
        if let Some(known) = self.transitions.get(&location) {
            return Ok(known.clone());
        }
        let place = Location::from_index(location);
        let diagram = transitions.of_within(place, 0, &by_x, self.room())?;
        let made = diagram.map(|diagram| self.sized(diagram));
        if made.is_none() {
            self.left -= self.room();
        }
        self.transitions.insert(location, made.clone());
        Ok(made)
    }

    /// How many nodes a new diagram may take.
    pub(super) fn room(&self) -> usize {
        MOST_STEPS_AT_ONCE.min(self.left)
    }

    /// Charges a new diagram, and returns it with its size.
    pub(super) fn sized(&mut self, diagram: Bdd) -> (Bdd, usize) {
        let size = diagram.node_count().max(1);
        self.left = self.left.saturating_sub(size);
        (diagram, size)
    }

    /// Whether the limit is used up.
    pub(super) fn is_spent(&self) -> bool {
        self.left < STEPS_AT_LEAST
    }

    /// Whether an operation on diagrams of these sizes is allowed. If so its cost is charged,
    /// otherwise the least cost.
    pub(super) fn allows(&mut self, first: usize, second: usize) -> bool {
        let steps = first.saturating_mul(second).max(STEPS_AT_LEAST);
        let allowed = steps <= self.room();
        self.left -= if allowed { steps } else { STEPS_AT_LEAST.min(self.left) };
        allowed
    }
}
