//! State spaces of alternating automata, on demand: sets of locations for finite words, and for infinite ones the
//! pairs of Miyano and Hayashi. Their successors are computed by decision diagrams in one of two ways.

pub(crate) mod afa_subset;
pub(crate) mod algorithm_one;
#[cfg_attr(not(test), expect(dead_code, reason = "engines that mix both encodings are to come"))]
pub(crate) mod closed;
pub(crate) mod conjunctions;
pub(crate) mod encoding;
pub(crate) mod ending;
pub(crate) mod layout;
pub(crate) mod miyano_hayashi;
pub(crate) mod neighbours;
pub(crate) mod predecessors;
pub(crate) mod steps;
pub(crate) mod transitions;
pub(crate) mod very_weak;

use std::time::Duration;

use kermode_automata::space::Ordered;
use kermode_automata::{AlternatingAutomaton, Location};
use kermode_bdd::{BitSet, CannotStart, Capacity, Family, Manager, OutOfNodes};

use kermode_ltl::Letter;

use crate::budget::{Budget, Stop};
use crate::order::Orders;

/// How the least successors of a state are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Successors {
    /// As minimal models of a monotone function.
    MinimalModels,
    /// By Algorithm 1 of the paper.
    AlgorithmOne,
}

/// A space whose order can be made sharper between two searches.
pub(crate) trait Sharpen: Ordered<Stop = Stop> {
    /// Finds out what the orders need to know.
    fn sharpen(&mut self, orders: Orders) -> Result<(), Stop>;
}

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

/// A family that is to be listed has not more sets than this.
pub(crate) fn check_length(family: &Family, most: Option<u128>) -> Result<(), Stop> {
    match most {
        Some(most) if family.len() > most => {
            Err(Stop::Limit(format!("a state has more than {most} least successors")))
        }
        _ => Ok(()),
    }
}

/// The names of the locations of a set.
pub(crate) fn labels(automaton: &AlternatingAutomaton, set: &BitSet) -> String {
    let labels: Vec<&str> =
        set.iter().map(|index| automaton.label(Location::from_index(index))).collect();
    format!("{{{}}}", labels.join(", "))
}

/// The locations of an automaton that are accepting.
pub(crate) fn accepting(automaton: &AlternatingAutomaton) -> BitSet {
    let accepting = automaton.locations().filter(|&location| automaton.is_accepting(location));
    accepting.map(Location::index).collect()
}

/// Whether a set of locations satisfies the initial condition.
pub(crate) fn is_above_initial(automaton: &AlternatingAutomaton, set: &BitSet) -> bool {
    let values = automaton.values(&Letter::default(), |location| set.contains(location.index()));
    values[automaton.initial().index()]
}

/// All bits of a set folded into one word.
pub(crate) fn folded(set: &BitSet) -> u64 {
    set.words().iter().fold(0, |all, word| all | word)
}
