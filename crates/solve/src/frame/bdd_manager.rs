//! BDD managers that fit a budget, and what their failures are as stops.

use std::time::Duration;

use kermode_bdd::{CannotStart, Capacity, Manager, OutOfNodes};

use super::budget::{Budget, Stop};

impl From<OutOfNodes> for Stop {
    fn from(_: OutOfNodes) -> Stop {
        Stop::Memory
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
/// More nodes than can be made in a second: five millions while tables are small, and then one or two.
const NODES_PER_SECOND: u128 = 8_000_000;

/// Room for diagrams: no more than half of the memory that may be used, and less where that much cannot be
/// reserved. Nor is there more than can be filled in the time that is left: an operation on diagrams cannot be
/// interrupted, but it ends when there is no room.
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
    let in_time = budget.time_left().map(nodes_in).filter(|&nodes| nodes < capacity.nodes);
    capacity.nodes = in_time.unwrap_or(capacity.nodes);
    loop {
        match Manager::new(capacity) {
            Err(CannotStart::NoMemory(_)) if capacity.nodes > FEW_NODES => capacity.nodes /= 4,
            made => {
                if in_time == Some(capacity.nodes) {
                    budget.note_small_table();
                }
                return Ok(made?);
            }
        }
    }
}

/// How many nodes can be made in some time at most.
fn nodes_in(time: Duration) -> usize {
    let nodes = time.as_micros().saturating_mul(NODES_PER_SECOND) / 1_000_000;
    usize::try_from(nodes).unwrap_or(usize::MAX).max(FEW_NODES)
}
