//! The reachable graph as a picture for Graphviz.

use kermode_automata::dot::{BEGINNING, OPENING, beginning, escape};
use kermode_system::Model;
use serde_json::{Map, Value, json};

use super::listing::{assignment, state_json};
use super::{ModelReport, ModelViewError};
use crate::frame::budget::Budget;
use crate::frame::observer::Observer;
use crate::state_space::{GraphError, StateGraph, state_graph};

/// The largest graph that is drawn.
const MOST_STATES: usize = 500;
const MOST_STEPS: usize = 5_000;

pub(super) fn report(
    model: &Model,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<ModelReport, ModelViewError> {
    let graph = state_graph(model, MOST_STATES, MOST_STEPS, budget, observer);
    let graph = graph.map_err(|error| match error {
        GraphError::Stop(stop) => ModelViewError::Stop(stop),
        GraphError::TooManyStates(_) => ModelViewError::TooLarge(error, MOST_STATES),
        GraphError::TooManySteps(_) => ModelViewError::TooLarge(error, MOST_STEPS),
    })?;
    let states: Vec<Value> = graph.states.iter().map(|state| state_json(model, state)).collect();
    let json = Map::from_iter([
        ("states".to_owned(), json!(states)),
        ("initial".to_owned(), json!(graph.initial)),
        ("edges".to_owned(), json!(graph.edges)),
    ]);
    Ok(ModelReport { text: picture(model, &graph), json, warnings: Vec::new(), stop: None })
}

fn picture(model: &Model, graph: &StateGraph) -> String {
    let mut lines: Vec<String> = OPENING.map(str::to_owned).into();
    for (number, state) in graph.states.iter().enumerate() {
        let values = state.values(model).into_iter().map(|value| escape(&assignment(&value)));
        let label = values.collect::<Vec<_>>().join("\\n");
        lines.push(format!("  s{number} [label=\"{label}\"]"));
    }
    lines.push(beginning());
    let initial = graph.initial.iter().map(|number| format!("  {BEGINNING} -> s{number}"));
    lines.extend(initial);
    lines.extend(graph.edges.iter().map(|(from, to)| format!("  s{from} -> s{to}")));
    lines.push("}\n".to_owned());
    lines.join("\n")
}
