//! What the readers of traces share: names, values and messages about them.

use std::ops::Range;

use kermode_base::{Diagnostic, closest};
use rustc_hash::FxHashMap;

use crate::flat::{Domain, FlatModel, Value, VariableId};
use crate::interpreter::{Layout, State};

/// The most errors that a reader reports.
pub(super) const MOST_ERRORS: usize = 20;

/// The most values, and names, that a message lists.
const MOST_LISTED: usize = 8;

/// The variables of a model by name.
pub(super) fn variables_by_name(model: &FlatModel) -> FxHashMap<&str, VariableId> {
    let variables = model.variables.iter().enumerate();
    variables.map(|(index, variable)| (variable.name.as_str(), VariableId(index as u32))).collect()
}

/// A name that the model does not have.
pub(super) fn unknown_variable(span: Range<usize>, name: &str, model: &FlatModel) -> Diagnostic {
    let error = Diagnostic::error(span, format!("the model has no variable `{name}`"))
        .label("not declared");
    let known = model.variables.iter().map(|variable| variable.name.as_str());
    match closest(name, known) {
        Some(known) => error.help(format!("did you mean `{known}`?")),
        None => error.help("a trace has the variables of the model with their full names"),
    }
}

/// A value that a variable cannot have.
pub(super) fn wrong_value(
    span: Range<usize>,
    model: &FlatModel,
    variable: VariableId,
    text: &str,
) -> Diagnostic {
    let name = &model.variable(variable).name;
    Diagnostic::error(span, format!("`{name}` cannot be `{text}`"))
        .label("not a value of this variable")
        .help(format!("its values are {}", domain_text(model, &model.variable(variable).domain)))
}

/// The values of a domain, in words.
pub(super) fn domain_text(model: &FlatModel, domain: &Domain) -> String {
    match domain {
        Domain::Boolean => "TRUE and FALSE".to_owned(),
        Domain::Range(low, high) => format!("the integers from {low} to {high}"),
        Domain::Enumeration(values) => {
            listed(values.iter().map(|&value| model.show(value)).collect())
        }
        &Domain::Word { signed, width } => {
            let (kind, letter) = if signed { ("signed", 's') } else { ("unsigned", 'u') };
            format!("{kind} words of {width} bits, such as 0{letter}d{width}_0")
        }
    }
}

/// Some texts, with commas between them; the last ones are counted if there are many.
pub(super) fn listed(texts: Vec<String>) -> String {
    match texts.len().checked_sub(MOST_LISTED) {
        None | Some(0) => texts.join(", "),
        Some(more) => format!("{} and {more} more", texts[..MOST_LISTED].join(", ")),
    }
}

/// The state with these values, or the message that some are missing.
pub(super) fn complete(
    layout: &Layout<'_>,
    model: &FlatModel,
    what: &str,
    span: Range<usize>,
    value: impl Fn(VariableId) -> Option<Value>,
) -> Result<State, Diagnostic> {
    layout.state(&value).ok_or_else(|| {
        let variables = layout.variables().iter();
        let missing = variables.filter(|&&id| value(id).is_none());
        let missing = missing.map(|&id| format!("`{}`", model.variable(id).name)).collect();
        Diagnostic::error(span, format!("{what} has no value for {}", listed(missing)))
            .label("incomplete")
            .help("a trace has values for all variables of the model")
    })
}
