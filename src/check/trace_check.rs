//! `check --trace-check`: whether traces are paths of the model.

use std::path::Path;

use kermode::base::Diagnostic;
use kermode::smv::SmvModel;
use kermode::smv::interpreter::Fairness;
use kermode::smv::trace::{NoPath, check, read};
use kermode::solve::Budget;
use serde_json::json;

use crate::args::Check;
use crate::input::Text;
use crate::report::{self, print_line, print_refusal};
use crate::status::Status;

/// Replays the traces of a file, and prints a verdict for each.
pub(super) fn run(
    args: &Check,
    model: &SmvModel,
    text: &Text,
    file: &Path,
    budget: &Budget,
) -> anyhow::Result<Status> {
    let traces = Text::load(None, Some(file), budget)?;
    let read = match read(&traces.text, &model.flat) {
        Ok(read) => read,
        Err(diagnostics) => {
            report::diagnostics(traces.source(), &diagnostics);
            if args.output.json {
                print_refusal("check", traces.first_error(&diagnostics).as_ref())?;
            }
            return Ok(Status::Bad);
        }
    };
    let mut status = Status::Yes;
    for (number, trace) in read.iter().enumerate() {
        let checked = check(&model.flat, trace, Fairness::Ignored, &mut || budget.check());
        let refusal = match checked {
            Ok(_) => None,
            Err(NoPath::Refused(refusal)) => Some(refusal),
            Err(NoPath::Stopped(stop)) => return Err(stop.into()),
        };
        if let Some(refusal) = &refusal {
            status = Status::No;
            report::diagnostics(traces.source(), std::slice::from_ref(&refusal.in_trace));
            let lines = &model.file().lines;
            report::mapped_diagnostics(
                text.source(),
                std::slice::from_ref(&refusal.in_model),
                lines,
            );
        }
        let verdict = if refusal.is_some() { "refused" } else { "accepted" };
        let position = refusal.as_ref().map(|refusal| refusal.violation.position);
        print_line(&match args.output.json {
            true => {
                let message = refusal.as_ref().map(|refusal| &refusal.in_trace);
                let message = message.map(|diagnostic: &Diagnostic| &diagnostic.message);
                let mut object = json!({ "command": "check", "file": text.name });
                object["trace_file"] = json!(traces.name);
                object["number"] = json!(number + 1);
                object["verdict"] = json!(verdict);
                if let Some(message) = message {
                    object["state"] = json!(position);
                    object["reason"] = json!(message);
                }
                object.to_string()
            }
            false if args.output.quiet || read.len() == 1 => verdict.to_owned(),
            false => format!("trace {}: {verdict}", number + 1),
        })?;
    }
    Ok(status)
}
