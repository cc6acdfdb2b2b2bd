//! What can be counted of a deterministic automaton over finite words.

use kermode_base::Natural;
use kermode_bdd::{CannotStart, OutOfNodes};

use super::edges::{Edges, Extent};
use super::graph::Dfa;

/// Sizes of a minimal automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DfaStatistics {
    /// The number of states.
    pub states: usize,
    /// The number of accepting states.
    pub accepting: usize,
    /// The number of pairs of a state and a next state.
    pub edges: usize,
    /// Edges times the letters that each reads.
    pub transitions: Natural,
    /// The number of propositions.
    pub propositions: usize,
    /// The nodes of the decision diagrams of all states, leaves included.
    pub nodes: usize,
    /// Whether each letter leads to a state.
    pub complete: bool,
}

impl DfaStatistics {
    /// Computes the statistics.
    pub fn of<E>(
        automaton: &Dfa,
        extent: Extent,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E>
    where
        E: From<OutOfNodes> + From<CannotStart>,
    {
        let edges = Edges::of(automaton, extent, interrupt)?;
        let propositions = automaton.propositions().len();
        let mut transitions = Natural::ZERO;
        for (_, label) in edges.rows().iter().flat_map(|row| &row.edges) {
            transitions.add(&label.model_count(propositions));
        }
        Ok(DfaStatistics {
            states: edges.rows().len(),
            accepting: edges.rows().iter().filter(|row| row.accepting).count(),
            edges: edges.rows().iter().map(|row| row.edges.len()).sum(),
            transitions,
            propositions,
            nodes: automaton.diagrams().len(),
            complete: automaton.hidden(extent).is_none(),
        })
    }
}
