//! The size of a state space.

use kermode_base::Natural;
use kermode_system::Model;
use serde_json::{Map, Value, json};

use super::{ModelReport, PartialReport, number_json};
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;
use crate::state_space::{StateSpace, Totality, state_space};

pub(super) fn report(
    model: &Model,
    budget: &Budget,
    observer: &mut dyn Observer,
    partial: &PartialReport,
) -> ModelReport {
    let space = state_space(model, budget, observer, &mut |space| partial.set(of(space)));
    of(&space)
}

fn of(space: &StateSpace) -> ModelReport {
    let (text, json, warnings) = (text(space), json(space), warnings(space));
    ModelReport { text, json, warnings, stop: space.stop.clone() }
}

impl Totality {
    /// The word for it in tables.
    pub fn name(self) -> &'static str {
        match self {
            Totality::Total => "yes",
            Totality::UnreachableDeadlocks => "no-unreachable",
            Totality::Deadlocks => "no-deadlock",
        }
    }

    fn explanation(self) -> &'static str {
        match self {
            Totality::Total => "yes",
            Totality::UnreachableDeadlocks => "no, but only unreachable states lack a successor",
            Totality::Deadlocks => "no, a reachable state lacks a successor",
        }
    }
}

fn text(space: &StateSpace) -> String {
    let number = |number: &Option<Natural>| number.as_ref().map(Natural::to_string);
    let lines = [
        ("state bits", Some(space.state_bits.to_string())),
        ("input bits", Some(space.input_bits.to_string())),
        ("initial states", number(&space.initial)),
        ("reachable states", number(&space.reachable)),
        ("fair states", number(&space.fair)),
        ("deadlock states", number(&space.deadlocks)),
        ("depth", space.depth.map(|depth| depth.to_string())),
        ("total", space.totality.map(|totality| totality.explanation().to_owned())),
        ("nodes of the reachable states", space.reachable_nodes.map(|nodes| nodes.to_string())),
        ("peak nodes", Some(space.peak_nodes.to_string())),
        ("time", Some(format!("{:.3} s", space.time.as_secs_f64()))),
    ];
    let unknown = match &space.stop {
        Some(stop) => format!("unknown ({stop})"),
        None => "unknown".to_owned(),
    };
    let line = |(name, value): &(&str, Option<String>)| {
        format!("{name}: {}\n", value.as_ref().unwrap_or(&unknown))
    };
    lines.iter().map(line).collect()
}

fn json(space: &StateSpace) -> Map<String, Value> {
    let number = |number: &Option<Natural>| json!(number.as_ref().map(number_json));
    let mut object = Map::new();
    let mut insert = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
    insert("state_bits", json!(space.state_bits));
    insert("input_bits", json!(space.input_bits));
    insert("initial", number(&space.initial));
    insert("reachable", number(&space.reachable));
    insert("fair", number(&space.fair));
    insert("deadlocks", number(&space.deadlocks));
    insert("depth", json!(space.depth));
    insert("total", json!(space.totality.map(Totality::name)));
    insert("reachable_nodes", json!(space.reachable_nodes));
    insert("peak_nodes", json!(space.peak_nodes));
    insert("seconds", json!(space.time.as_secs_f64()));
    if let Some(stop) = &space.stop {
        insert("reason", json!(stop.to_string()));
    }
    object
}

fn warnings(space: &StateSpace) -> Vec<String> {
    let mut warnings = Vec::new();
    let is_zero = |number: &Option<Natural>| number.as_ref().is_some_and(Natural::is_zero);
    if is_zero(&space.initial) {
        let text = "the model has no initial state: every LTL and CTL property holds";
        return vec![text.to_owned()];
    }
    if let Some(deadlocks) = space.deadlocks.as_ref().filter(|number| !number.is_zero()) {
        let states = match *deadlocks == Natural::from(1u64) {
            true => "1 reachable state has".to_owned(),
            false => format!("{deadlocks} reachable states have"),
        };
        warnings.push(format!("{states} no successor: LTL and CTL ignore paths that end there"));
    }
    if is_zero(&space.fair) {
        let text = "the model has no fair state: every LTL and CTL property holds";
        warnings.push(text.to_owned());
    }
    if let Some(stop @ (Stop::Memory | Stop::Nodes)) = &space.stop {
        warnings.push(format!("numbers are missing: {stop}"));
    }
    warnings
}
