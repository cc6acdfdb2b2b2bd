//! BDD managers that fit a budget, and their failures as stops.

use std::time::Duration;

use kermode_bdd::{CannotStart, Capacity, Manager, OutOfNodes};

use super::budget::{Budget, Stop};

impl From<OutOfNodes> for Stop {
    fn from(_: OutOfNodes) -> Stop {
        Stop::Nodes
    }
}

impl From<CannotStart> for Stop {
    fn from(error: CannotStart) -> Stop {
        match error {
            CannotStart::TooManyVariables(_) => Stop::Limit(error.to_string()),
            CannotStart::NoMemory(_) => Stop::Memory,
        }
    }
}

/// The largest number of nodes: a table of 1.3 GB, which is only reserved at first.
pub(crate) const MOST_NODES: usize = 1 << 25;
/// The size of a table that can always be allocated.
const FEW_NODES: usize = 1 << 16;
/// An upper bound on the nodes that can be built per second: five million while tables are small,
/// later one or two.
const NODES_PER_SECOND: u128 = 8_000_000;

/// A manager for this budget. It takes at most half of the permitted memory, and less if it cannot
/// reserve so many bytes. It has no more nodes than can be built in the remaining time: an
/// operation on diagrams cannot be interrupted, but it ends when the table is full.
pub(crate) fn manager(variables: usize, budget: &Budget) -> Result<Manager, Stop> {
    let cache = (variables * 256).next_power_of_two().clamp(1 << 12, 1 << 18);
    manager_with(Capacity { variables, nodes: MOST_NODES, cache }, budget)
}

/// The same with at most this capacity.
pub(crate) fn manager_with(capacity: Capacity, budget: &Budget) -> Result<Manager, Stop> {
    let mut capacity = allowed(capacity, budget);
    loop {
        match Manager::new(capacity) {
            Err(CannotStart::NoMemory(_)) if capacity.nodes > FEW_NODES => capacity.nodes /= 4,
            made => return Ok(made?),
        }
    }
}

/// The part of a capacity that a budget allows.
pub(crate) fn allowed(mut capacity: Capacity, budget: &Budget) -> Capacity {
    if let Some(limit) = budget.memory_limit() {
        let allowed = Capacity::within(capacity.variables, limit / 2);
        capacity.nodes = capacity.nodes.min(allowed.nodes);
        capacity.cache = capacity.cache.min(allowed.cache);
    }
    capacity.nodes = capacity.nodes.min(nodes_in_time(budget));
    capacity
}

/// Whether more time would allow more nodes. If so, a full table is a timeout: it had as many nodes
/// as can be built in the remaining time.
pub(crate) fn more_time_gives_more_nodes(budget: &Budget) -> bool {
    let in_memory = budget.memory_limit().map(|limit| Capacity::within(0, limit / 2).nodes);
    nodes_in_time(budget) < in_memory.unwrap_or(MOST_NODES).min(MOST_NODES)
}

/// The largest number of nodes that can be built in the remaining time.
fn nodes_in_time(budget: &Budget) -> usize {
    let nodes = |time: Duration| time.as_micros().saturating_mul(NODES_PER_SECOND) / 1_000_000;
    let nodes = budget.time_left().map(|left| usize::try_from(nodes(left)).unwrap_or(usize::MAX));
    nodes.unwrap_or(usize::MAX).max(FEW_NODES)
}
