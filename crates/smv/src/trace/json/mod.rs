//! Traces as JSON: `docs/schema/trace.json` describes the form.
//!
//! ```json
//! {
//!   "states": [
//!     {"x": 0, "mode": "idle"},
//!     {"x": 1, "mode": "busy"}
//!   ],
//!   "inputs": [
//!     {"go": true},
//!     {"go": false}
//!   ],
//!   "loop_start": 1
//! }
//! ```
//!
//! Boolean values are Booleans and integers are numbers; symbolic constants and words are strings.
//! The inputs with an index are those of the step that leaves the state with this index. The last
//! state of a finite trace has none, and `loop_start` is `null` then.

mod read;
mod scan;

pub use read::read;

use std::fmt::Write;

use serde_json::{Map, Value as Json, json};

use crate::flat::{FlatModel, Value};
use crate::interpreter::{Layout, State, Trace};

/// The JSON of a trace.
pub fn to_json(model: &FlatModel, trace: &Trace) -> Json {
    let objects = |values: &[State], layout: Layout<'_>| -> Vec<Json> {
        values.iter().map(|values| object(model, &layout, values)).collect()
    };
    json!({
        "states": objects(&trace.states, Layout::of_states(model)),
        "inputs": objects(&trace.inputs, Layout::of_inputs(model)),
        "loop_start": trace.loop_start,
    })
}

/// The text of a trace: one line per state and per step.
pub fn write(model: &FlatModel, trace: &Trace) -> String {
    let mut text = "{\n".to_owned();
    let parts = [
        ("states", &trace.states, Layout::of_states(model)),
        ("inputs", &trace.inputs, Layout::of_inputs(model)),
    ];
    for (name, values, layout) in parts {
        let lines = values.iter().map(|state| format!("\n    {}", object(model, &layout, state)));
        let lines: Vec<String> = lines.collect();
        let end = if lines.is_empty() { "" } else { "\n  " };
        let _ = writeln!(text, "  \"{name}\": [{}{end}],", lines.join(","));
    }
    let start = trace.loop_start.map_or("null".to_owned(), |start| start.to_string());
    let _ = writeln!(text, "  \"loop_start\": {start}\n}}");
    text
}

/// The object from names to values.
fn object(model: &FlatModel, layout: &Layout<'_>, state: &State) -> Json {
    let member = |(id, value)| {
        let value = match value {
            Value::Boolean(value) => Json::from(value),
            Value::Integer(value) => Json::from(value),
            Value::Symbol(_) | Value::Word(_) => Json::from(model.show(value)),
        };
        (model.variable(id).name.clone(), value)
    };
    Json::Object(layout.values(state).map(member).collect::<Map<_, _>>())
}
