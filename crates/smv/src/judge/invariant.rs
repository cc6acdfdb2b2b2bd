//! Invariants and dead ends: properties of reachable states and steps. Fairness is ignored.

use super::Graph;
use crate::flat::FlatExpression;
use crate::interpreter::Trace;

/// A shortest path to a violation of an invariant; nothing if it holds.
///
/// The path to a violation of an invariant about steps has the step that violates it, and a state
/// without steps does not violate it.
///
/// # Panics
/// When the graph does not observe the invariant.
pub fn violation(graph: &Graph<'_>, invariant: FlatExpression) -> Option<Trace> {
    let place = graph.place(invariant).expect("an observed expression");
    if !graph.model.expressions.is_about_steps(invariant) {
        let is_violated = |&state: &usize| !graph.letter(graph.state_letters[state])[place];
        return (0..graph.states.len()).find(is_violated).map(|state| graph.path_to(state));
    }
    (0..graph.states.len()).find_map(|state| {
        let is_violated = |&edge: &usize| !graph.letter(graph.edges[edge].letter)[place];
        let edge = &graph.edges[graph.leaving(state).find(is_violated)?];
        let mut trace = graph.path_to(state);
        trace.inputs.push(edge.inputs.clone());
        trace.states.push(graph.states[edge.target as usize].clone());
        Some(trace)
    })
}

/// A shortest path to a state without successors; nothing if there is none.
pub fn dead_end(graph: &Graph<'_>) -> Option<Trace> {
    let mut states = 0..graph.states.len();
    states.find(|&state| graph.leaving(state).is_empty()).map(|state| graph.path_to(state))
}
