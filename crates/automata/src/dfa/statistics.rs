//! What can be counted of a deterministic automaton over finite words.

use kermode_base::Natural;
use kermode_bdd::{CannotStart, OutOfNodes};

use super::edges::{Extent, label_manager, letters_to};
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
        let hidden = automaton.hidden(extent);
        let manager = label_manager(automaton)?;
        let propositions = automaton.propositions().len();
        let mut counted = DfaStatistics {
            states: automaton.state_count() - usize::from(hidden.is_some()),
            accepting: automaton.states().iter().filter(|state| state.accepting).count(),
            edges: 0,
            transitions: Natural::ZERO,
            propositions,
            nodes: automaton.diagrams().len(),
            complete: hidden.is_none(),
        };
        let shown = (0..automaton.state_count() as u32).filter(|&state| Some(state) != hidden);
        for state in shown {
            interrupt()?;
            let targets = automaton.targets(state).into_iter();
            counted.edges += targets.filter(|&target| Some(target) != hidden).count();
            let letters = match hidden {
                Some(sink) => {
                    letters_to(automaton, automaton.successors(state), sink, &manager)?.not()?
                }
                None => manager.top(),
            };
            counted.transitions.add(&letters.model_count(propositions));
        }
        Ok(counted)
    }
}
