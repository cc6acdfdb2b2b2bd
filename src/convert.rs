//! `convert`: formulas in another syntax or in a normal form.

use kermode::ltl::dialect::{Document, Entry};
use kermode::ltl::rewrite::RuleSet;
use kermode::ltl::{Class, Classes, Conversion, Converted, Measure, Store, Syntax};
use kermode::solve::{Budget, Stop};
use serde_json::{Map, json};

use crate::args::{Convert, Expand};
use crate::deadline::{Interrupts, or_end};
use crate::input::{self, ReadError};
use crate::report::{self, complain, print_line, print_refusal};
use crate::status::Status;

pub(crate) fn run(args: &Convert) -> anyhow::Result<Status> {
    let interrupts = Interrupts::new()?;
    let budget = interrupts.budget(args.budgeting.limits());
    let say = |stop: &Stop| report::gave_up("convert", args.json, stop);
    or_end(&budget, &interrupts, say, || run_within(args, &budget))
}

fn run_within(args: &Convert, budget: &Budget) -> anyhow::Result<Status> {
    let mut store = Store::new();
    let text = input::load(args.formula.as_deref(), &args.input, budget)?;
    let document = text.document(&mut store, args.input.reading, args.input.whole, false)?;
    let conversion = args.conversion();
    let to = Syntax { dialect: args.to, words: args.input.reading.words() };
    let mut statuses = vec![if document.is_sound() { Status::Yes } else { Status::Bad }];
    for entry in &document.entries {
        let formula = match entry.formula {
            Ok(formula) => formula,
            Err(index) if args.json => {
                let error = text.entry_error(&document.diagnostics[index], entry);
                print_refusal("convert", Some(&error))?;
                continue;
            }
            Err(_) => {
                keep_place(&document, args)?;
                continue;
            }
        };
        // The formula gets a store of its own, so that one of many formulas does not pay for the
        // others. The exception is the expansion of past operators: their propositions must be
        // fresh among all formulas of a file.
        let (mut own, formulas) = store.extract(&[formula]);
        let (store, formula) = match args.expand.contains(&Expand::Past) {
            true => (&mut store, formula),
            false => (&mut own, formulas[0]),
        };
        match conversion.apply(store, formula, to) {
            Ok(converted) => show(store, entry, &converted, args)?,
            Err(error) => {
                statuses.push(if error.is_limit() { Status::Unknown } else { Status::Bad });
                let message = format!("{:#}", anyhow::Error::from(error));
                complain(&format!("error: {}:{}: {message}\n", text.name, entry.line));
                keep_place(&document, args)?;
                if args.json {
                    let place = Some((entry.line, 1));
                    let error =
                        ReadError { message, file: Some(text.name.clone()), place, help: None };
                    print_refusal("convert", Some(&error))?;
                }
            }
        }
    }
    Ok(Status::of_all(statuses))
}

/// In a file with several formulas, a formula without result leaves a line in its place.
fn keep_place(document: &Document, args: &Convert) -> std::io::Result<()> {
    match document.entries.len() > 1 && !args.json {
        true => print_line("error"),
        false => Ok(()),
    }
}

impl Convert {
    fn conversion(&self) -> Conversion {
        Conversion {
            expand_bounded: self.expand.contains(&Expand::Bounded),
            expand_past: self.expand.contains(&Expand::Past),
            negation_normal_form: self.nnf,
            simplify: self.simplify.then(|| self.rules.clone().unwrap_or_else(RuleSet::all)),
            boolean_normal_form: self.bnf,
        }
    }
}

fn show(store: &Store, entry: &Entry, converted: &Converted, args: &Convert) -> anyhow::Result<()> {
    let Converted { formula, text, fired } = converted;
    let sizes = Measure::of(store, *formula);
    let classes = Classes::of(store, *formula, args.input.reading.words());
    if args.json {
        let mut object = Map::new();
        object.insert("command".to_owned(), json!("convert"));
        object.insert("line".to_owned(), json!(entry.line));
        if let Some(name) = &entry.name {
            object.insert("name".to_owned(), json!(name));
        }
        object.insert("formula".to_owned(), json!(text));
        if args.stats {
            let names: Vec<&str> = classes.iter().map(Class::name).collect();
            let fired = fired.iter().map(|(rule, count)| ((*rule).to_owned(), json!(count)));
            object.insert("sizes".to_owned(), sizes_json(sizes));
            object.insert("classes".to_owned(), json!(names));
            object.insert("fired".to_owned(), fired.collect());
        }
        return Ok(print_line(&serde_json::Value::Object(object).to_string())?);
    }
    match &entry.name {
        Some(name) => print_line(&format!("{name}: {text}"))?,
        None => print_line(text)?,
    }
    if args.stats {
        print_sizes(sizes)?;
        print_line(&format!("# classes: {classes}"))?;
        fired
            .iter()
            .try_for_each(|(rule, count)| print_line(&format!("# rule {rule}: {count}")))?;
    }
    Ok(())
}

/// Prints the sizes as comments below the formula.
pub(crate) fn print_sizes(measure: Measure) -> std::io::Result<()> {
    let mut sizes = measure.named().into_iter();
    sizes.try_for_each(|(_, label, value)| print_line(&format!("# {label}: {value}")))
}

/// The sizes as a JSON object.
pub(crate) fn sizes_json(measure: Measure) -> serde_json::Value {
    measure.named().into_iter().map(|(key, _, value)| (key.to_owned(), json!(value))).collect()
}
