//! State spaces of alternating automata, on demand: sets of locations for finite words, and for infinite ones the
//! pairs of Miyano and Hayashi. Their successors are computed by decision diagrams in one of two ways.

pub(crate) mod afa_subset;
pub(crate) mod algorithm_one;
pub(crate) mod conjunctions;
pub(crate) mod layout;
pub(crate) mod miyano_hayashi;
pub(crate) mod transitions;

use kermode_automata::{AlternatingAutomaton, Location};
use kermode_bdd::{BitSet, CannotStart, Capacity, OutOfNodes};

use crate::budget::{Budget, Stop};

/// How the least successors of a state are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Successors {
    /// As minimal models of a monotone function.
    MinimalModels,
    /// By Algorithm 1 of the paper.
    AlgorithmOne,
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

/// Room for diagrams: for most problems a table that is small to make, and no more than half of the memory.
pub(crate) fn capacity(variables: usize, budget: &Budget) -> Capacity {
    const MOST_NODES: usize = 1 << 22;
    let cache = (variables * 256).next_power_of_two().clamp(1 << 12, 1 << 18);
    let generous = Capacity { variables, nodes: MOST_NODES, cache };
    match budget.memory_limit() {
        Some(limit) if (limit / 2) < generous.memory() as u64 => {
            Capacity::within(variables, limit / 2)
        }
        _ => generous,
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

/// All bits of a set folded into one word.
pub(crate) fn folded(set: &BitSet) -> u64 {
    set.words().iter().fold(0, |all, word| all | word)
}
