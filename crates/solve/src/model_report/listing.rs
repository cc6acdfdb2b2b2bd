//! Reachable states as values of variables.

use kermode_base::Natural;
use kermode_smv::SmvModel;
use kermode_smv::syntax::ExpressionKind;
use kermode_system::{Model, Symbol};
use serde_json::{Map, Value, json};

use super::{ModelReport, ModelViewError, number_json};
use crate::frame::budget::Budget;
use crate::frame::observer::Observer;
use crate::state_space::{State, list_states};

pub(super) fn report(
    model: &mut SmvModel,
    condition: &str,
    most: usize,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<ModelReport, ModelViewError> {
    let interrupt = &mut || budget.check();
    let condition = model.expression(condition, ExpressionKind::Simple, interrupt)?;
    let condition = model.encoded.boolean(&model.flat, condition);
    let model = &model.encoded.model;
    let list = list_states(model, condition, most, budget, observer)?;
    let mut text = String::new();
    for state in &list.states {
        text += &line(model, state);
        text.push('\n');
    }
    let shown = Natural::from(list.states.len() as u64);
    let more = list.total.minus(&shown).unwrap_or_default();
    text += &match (more.is_zero(), list.total == Natural::from(1u64)) {
        (true, true) => "1 state\n".to_owned(),
        (true, false) => format!("{} states\n", list.total),
        (false, _) => format!("{} states; {more} more are not shown\n", list.total),
    };
    let states: Vec<Value> = list.states.iter().map(|state| state_json(model, state)).collect();
    let json = Map::from_iter([
        ("states".to_owned(), json!(states)),
        ("total".to_owned(), number_json(&list.total)),
    ]);
    Ok(ModelReport { text, json, warnings: Vec::new(), stop: None })
}

/// The values of a state on one line.
fn line(model: &Model, state: &State) -> String {
    let values = state.values(model).into_iter().map(|value| assignment(&value));
    values.collect::<Vec<_>>().join("  ")
}

pub(super) fn assignment((symbol, value): &(&Symbol, String)) -> String {
    format!("{} = {value}", symbol.name)
}

pub(super) fn state_json(model: &Model, state: &State) -> Value {
    let values = state.values(model).into_iter();
    values.map(|(symbol, value)| (symbol.name.clone(), json!(value))).collect()
}
