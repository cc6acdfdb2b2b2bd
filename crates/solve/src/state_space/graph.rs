//! The reachable states and steps of a small model, written out.

use kermode_base::{BitSet, Natural};
use kermode_system::Model;
use rustc_hash::FxHashMap;

use super::listing::{State, some_states};
use super::states;
use crate::fixpoint::bdd_context::WorkCounters;
use crate::fixpoint::emptiness::FairSpace;
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;

/// The reachable part of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateGraph {
    /// The reachable states.
    pub states: Vec<State>,
    /// The indices of the initial states.
    pub initial: Vec<usize>,
    /// The steps, as indices of both states, sorted.
    pub edges: Vec<(usize, usize)>,
}

/// Why a graph is not written out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// The model has too many reachable states.
    #[error("the model has {0} reachable states")]
    TooManyStates(Natural),
    /// The model has too many steps.
    #[error("the model has {0} steps between reachable states")]
    TooManySteps(Natural),
    /// The budget ended.
    #[error(transparent)]
    Stop(#[from] Stop),
}

/// The reachable graph of a model with at most this many states and steps.
pub fn state_graph(
    model: &Model,
    most_states: usize,
    most_steps: usize,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<StateGraph, GraphError> {
    let mut work = WorkCounters::default();
    let mut space = states(model, budget, observer, &mut work)?;
    space.bound_by_reached()?;
    let (reached, bits) = (space.all(), space.model().state_pairs.len());
    let count = reached.model_count(bits);
    if count > Natural::from(most_states as u64) {
        return Err(GraphError::TooManyStates(count));
    }
    let states = some_states(&space, &reached, most_states)?;
    let steps = space.steps_from(&reached)?;
    let count = steps.model_count(2 * bits);
    if count > Natural::from(most_steps as u64) {
        return Err(GraphError::TooManySteps(count));
    }
    let numbers: FxHashMap<&State, usize> =
        states.iter().enumerate().map(|(number, state)| (state, number)).collect();
    let number = |state: BitSet| numbers[&State(state)];
    let pairs = space.model().state_pairs.iter();
    let both = pairs.flat_map(|&(current, next)| [current, next]);
    let both = reached.manager().variable_set(both).map_err(Stop::from)?;
    let edge = |step: BitSet| {
        // Current variables have even numbers, next variables odd numbers.
        let (next, current): (Vec<usize>, Vec<usize>) =
            step.iter().partition(|variable| variable % 2 == 1);
        let state = |variables: Vec<usize>| variables.into_iter().map(|v| v / 2).collect();
        (number(state(current)), number(state(next)))
    };
    let mut edges: Vec<(usize, usize)> = steps.models(&both).map(edge).collect();
    edges.sort_unstable();
    let first = space.model().initial.clone();
    let is_initial = |state: &State| first.eval(|variable| state.0.contains(variable.index() / 2));
    let initial = (0..states.len()).filter(|&number| is_initial(&states[number])).collect();
    Ok(StateGraph { states, initial, edges })
}
