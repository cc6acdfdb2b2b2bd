//! BDD managers that fit a budget, and what their failures are as stops.

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

/// How many nodes there may be: a table of 1.3 GB, which is only reserved at first.
pub(crate) const MOST_NODES: usize = 1 << 25;
/// A table that is always to be had.
const FEW_NODES: usize = 1 << 16;
/// More nodes than can be made in a second: five millions while tables are small, and then one or
/// two.
const NODES_PER_SECOND: u128 = 8_000_000;

/// Room for diagrams: no more than half of the memory that may be used, and less where that much
/// cannot be reserved. Nor is there more than can be filled in the time that is left: an operation
/// on diagrams cannot be interrupted, but it ends when there is no room.
pub(crate) fn manager(variables: usize, budget: &Budget) -> Result<Manager, Stop> {
    let cache = (variables * 256).next_power_of_two().clamp(1 << 12, 1 << 18);
    manager_with(Capacity { variables, nodes: MOST_NODES, cache }, budget)
}

/// The same, with no more room than this.
pub(crate) fn manager_with(mut capacity: Capacity, budget: &Budget) -> Result<Manager, Stop> {
    if let Some(limit) = budget.memory_limit() {
        let allowed = Capacity::within(capacity.variables, limit / 2);
        capacity.nodes = capacity.nodes.min(allowed.nodes);
        capacity.cache = capacity.cache.min(allowed.cache);
    }
    capacity.nodes = capacity.nodes.min(nodes_in_time(budget));
    loop {
        match Manager::new(capacity) {
            Err(CannotStart::NoMemory(_)) if capacity.nodes > FEW_NODES => capacity.nodes /= 4,
            made => return Ok(made?),
        }
    }
}

/// Whether a table could have more nodes if there were more time. If so, a full table is a timeout:
/// it held as many nodes as can be made in the time that was left.
pub(crate) fn more_time_gives_more_nodes(budget: &Budget) -> bool {
    let in_memory = budget.memory_limit().map(|limit| Capacity::within(0, limit / 2).nodes);
    nodes_in_time(budget) < in_memory.unwrap_or(MOST_NODES).min(MOST_NODES)
}

/// How many nodes can be made at most in the time that is left.
fn nodes_in_time(budget: &Budget) -> usize {
    let nodes = |time: Duration| time.as_micros().saturating_mul(NODES_PER_SECOND) / 1_000_000;
    let nodes = budget.time_left().map(|left| usize::try_from(nodes(left)).unwrap_or(usize::MAX));
    nodes.unwrap_or(usize::MAX).max(FEW_NODES)
}
