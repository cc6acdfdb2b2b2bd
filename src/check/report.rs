//! Prints the outcomes of properties.

use kermode::base::quoting::escape_controls;
use kermode::solve::InternalError;
use kermode::solve::check::{CheckOutcome, CheckVerdict, Checker, Property};
use kermode::solve::question::unknown;
use serde_json::{Map, Value, json};

use crate::args::Check;
use crate::input::Text;
use crate::report::{complain, print_line};
use crate::status::Status;

/// Prints outcomes one after the other.
pub(super) struct CheckReport<'c> {
    args: &'c Check,
    model: &'c Text,
    checker: &'c Checker,
    /// The number of traces printed so far.
    traces: usize,
}

impl<'c> CheckReport<'c> {
    pub(super) fn new(args: &'c Check, model: &'c Text, checker: &'c Checker) -> Self {
        CheckReport { args, model, checker, traces: 0 }
    }

    /// Prints the outcome of a property.
    pub(super) fn show(
        &mut self,
        property: &Property,
        outcome: &CheckOutcome,
    ) -> anyhow::Result<Status> {
        let _ = (&self.checker, &self.traces);
        if let Err(error) = &outcome.result {
            complain(&self.internal_error(property, outcome, error));
        }
        if self.args.output.json {
            print_line(&Value::Object(self.json(property, outcome)).to_string())?;
        } else {
            let verdict = line(outcome);
            match self.args.output.quiet {
                true => print_line(&verdict)?,
                false => {
                    let label = escape_controls(&property.label());
                    print_line(&format!("{label}: {verdict}"))?;
                }
            }
        }
        Ok(status(outcome))
    }

    fn json(&self, property: &Property, outcome: &CheckOutcome) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("command".to_owned(), json!("check"));
        object.insert("file".to_owned(), json!(self.model.name));
        object.insert("formula".to_owned(), json!(property.text));
        object.insert("verdict".to_owned(), json!(line(outcome)));
        object
    }

    fn internal_error(
        &self,
        property: &Property,
        outcome: &CheckOutcome,
        error: &InternalError,
    ) -> String {
        let engine = outcome.engine.as_deref().unwrap_or_default();
        format!(
            "internal error: {error}\nthis is a bug in Kermode; reproduce it with\n  kermode check {} -p '{}' -e {engine}\n",
            self.model.name, property.text
        )
    }
}

/// The verdict as it is printed.
fn line(outcome: &CheckOutcome) -> String {
    match &outcome.result {
        Err(_) => "internal error".to_owned(),
        Ok(CheckVerdict::Unknown(stop)) => unknown(stop),
        Ok(verdict) => verdict.word().to_owned(),
    }
}

fn status(outcome: &CheckOutcome) -> Status {
    match &outcome.result {
        Err(_) => Status::Internal,
        Ok(CheckVerdict::Holds) => Status::Yes,
        Ok(CheckVerdict::Violated(_)) => Status::No,
        Ok(CheckVerdict::Unknown(_)) => Status::Unknown,
    }
}
