//! `model`: the parts, the states and the texts of an SMV model.

use anyhow::Context;
use kermode::smv::SmvModel;
use kermode::solve::model_report::{ModelReport, ModelView, ModelViewError, PartialReport};
use kermode::solve::{Budget, Stop};
use serde_json::{Map, Value, json};

use crate::args::{Model, View};
use crate::deadline::{Interrupts, end, in_time, or_end};
use crate::input::Text;
use crate::model_source;
use crate::progress::Progress;
use crate::report::{self, complain, complaint, print_line, print_refusal, print_text};
use crate::status::Status;

pub(crate) fn run(args: &Model) -> anyhow::Result<Status> {
    let interrupts = Interrupts::new()?;
    let budget = interrupts.budget(args.budgeting.limits());
    let say = |stop: &Stop| report::gave_up("model", args.json, stop);
    let read = or_end(&budget, &interrupts, say, || read(args, &budget))?;
    let Some((text, mut model)) = read else { return Ok(Status::Bad) };
    let view = args.view.view(args.max);
    let partial = PartialReport::default();
    let work = || view.of(&mut model, &budget, &mut Progress::new(), &partial);
    let late = |stop: Stop| match partial.take() {
        Some(known) => show(args, &text, &ModelReport { stop: Some(stop), ..known }),
        None => Ok(report::gave_up("model", args.json, &stop)?),
    };
    match in_time(work, &budget, &interrupts, late) {
        Ok(Ok(report)) => show(args, &text, &report),
        Ok(Err(error)) => refuse(args, &error),
        Err(shown) => end(shown.unwrap_or(Status::Bad)),
    }
}

/// Reads the model, and writes its order if that is wanted.
fn read(args: &Model, budget: &Budget) -> anyhow::Result<Option<(Text, SmvModel)>> {
    let read = model_source::read(&args.source, ("model", args.json), budget)?;
    if let (Some((_, model)), Some(file)) = (&read, &args.write_order) {
        let cannot = || format!("cannot write `{}`", file.display());
        std::fs::write(file, model.encoded.write_order()).with_context(cannot)?;
    }
    Ok(read)
}

impl View {
    fn view(&self, most: usize) -> ModelView {
        match &self.states {
            Some(condition) => ModelView::States { condition: condition.clone(), most },
            None if self.flat => ModelView::Flat,
            None if self.boolean => ModelView::Boolean,
            None if self.stats => ModelView::Statistics,
            None if self.format.is_some() => ModelView::Picture,
            None => ModelView::Summary,
        }
    }
}

fn show(args: &Model, text: &Text, report: &ModelReport) -> anyhow::Result<Status> {
    for warning in &report.warnings {
        complain(&format!("warning: {warning}\n"));
    }
    if args.json {
        let mut object = Map::new();
        object.insert("command".to_owned(), json!("model"));
        object.insert("file".to_owned(), json!(text.name));
        object.extend(report.json.clone());
        if !report.warnings.is_empty() {
            object.insert("warnings".to_owned(), json!(report.warnings));
        }
        print_line(&Value::Object(object).to_string())?;
    } else {
        print_text(&report.text)?;
    }
    Ok(if report.stop.is_some() { Status::Unknown } else { Status::Yes })
}

/// Reports why there is no view.
fn refuse(args: &Model, error: &ModelViewError) -> anyhow::Result<Status> {
    match error {
        ModelViewError::Stop(stop) => Ok(report::gave_up("model", args.json, stop)?),
        ModelViewError::TooLarge(..) => {
            let error = complaint(&anyhow::anyhow!("{error}"));
            if args.json {
                print_refusal("model", Some(&error))?;
            }
            Ok(Status::Bad)
        }
        ModelViewError::Expression(diagnostics) => {
            let argument = Text::argument("--states", args.view.states.as_deref().unwrap_or(""));
            report::diagnostics(argument.source(), diagnostics);
            if args.json {
                print_refusal("model", argument.first_error(diagnostics).as_ref())?;
            }
            Ok(Status::Bad)
        }
    }
}
