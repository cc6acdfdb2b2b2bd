//! `convert`: formulas in another syntax or in a normal form.

use kermode::ltl::dialect::{self, Document, EXPANSION_LIMIT, Entry, Unconvertible};
use kermode::ltl::eliminate::eliminate_past;
use kermode::ltl::normal::{
    ExpansionTooLarge, boolean_normal_form, expand_bounded, negation_normal_form,
};
use kermode::ltl::rewrite::{RULES, RuleSet, simplify};
use kermode::ltl::{Class, Classes, Formula, Measure, Store, Syntax};
use serde_json::{Map, json};

use crate::args::{Convert, Expand};
use crate::input::{self, ReadError};
use crate::report::{complain, print_line, print_refusal};
use crate::status::Status;

pub(crate) fn run(args: &Convert) -> anyhow::Result<Status> {
    let mut store = Store::new();
    let text = input::load(args.formula.as_deref(), &args.input)?;
    let document = text.document(&mut store, args.input.reading, args.input.whole)?;
    let mut statuses = vec![if document.is_sound() { Status::Yes } else { Status::Bad }];
    for entry in &document.entries {
        let formula = match entry.formula {
            Ok(formula) => formula,
            Err(index) if args.json => {
                let error = text.read_error(&document.diagnostics[index], entry.line);
                print_refusal("convert", Some(&error))?;
                continue;
            }
            Err(_) => {
                keep_place(&document, args)?;
                continue;
            }
        };
        // A store of its own, so that one of many formulas does not pay for the others; but propositions
        // that remember must be fresh among all formulas of a file.
        let (mut own, formulas) = store.extract(&[formula]);
        let (store, formula) = match args.expand.contains(&Expand::Past) {
            true => (&mut store, formula),
            false => (&mut own, formulas[0]),
        };
        match convert(store, formula, args) {
            Ok(converted) => show(store, entry, &converted, args)?,
            Err(error) => {
                let message = format!("{error:#}");
                complain(&format!("error: {}:{}: {message}\n", text.name, entry.line));
                keep_place(&document, args)?;
                if args.json {
                    let place = Some((entry.line, 1));
                    let error = ReadError { message, place, help: None };
                    print_refusal("convert", Some(&error))?;
                }
                let limit = error.is::<ExpansionTooLarge>()
                    || matches!(error.downcast_ref(), Some(Unconvertible::TooLarge { .. }));
                statuses.push(if limit { Status::Unknown } else { Status::Bad });
            }
        }
    }
    Ok(Status::of_all(statuses))
}

/// A formula that gives no text leaves a line in its place where there are several.
fn keep_place(document: &Document, args: &Convert) -> std::io::Result<()> {
    match document.entries.len() > 1 && !args.json {
        true => print_line("error"),
        false => Ok(()),
    }
}

/// What became of a formula.
struct Converted {
    formula: Formula,
    written: String,
    /// How often each rule fired, if it was simplified.
    fired: Vec<(&'static str, u64)>,
}

fn convert(store: &mut Store, formula: Formula, args: &Convert) -> anyhow::Result<Converted> {
    let words = args.input.reading.words();
    let mut formula = formula;
    let mut fired = Vec::new();
    if args.expand.contains(&Expand::Bounded) {
        formula = expand_bounded(store, formula, words, EXPANSION_LIMIT)?;
    }
    if args.expand.contains(&Expand::Past) {
        formula = eliminate_past(store, formula, words, EXPANSION_LIMIT)?.formula;
    }
    if args.nnf {
        formula = negation_normal_form(store, formula, words);
    }
    if args.simplify {
        let rules = args.rules.clone().unwrap_or_else(RuleSet::all);
        let simplified = simplify(store, formula, words, &rules);
        formula = simplified.formula;
        let counts = RULES.iter().zip(simplified.fired).filter(|(_, count)| *count > 0);
        fired = counts.map(|(rule, count)| (rule.name, count)).collect();
    }
    if args.bnf {
        formula = boolean_normal_form(store, formula, words);
    }
    let syntax = Syntax { dialect: args.to, words };
    let (formula, written) = dialect::convert(store, formula, syntax)?;
    Ok(Converted { formula, written, fired })
}

fn show(store: &Store, entry: &Entry, converted: &Converted, args: &Convert) -> anyhow::Result<()> {
    let Converted { formula, written, fired } = converted;
    let sizes = sizes(Measure::of(store, *formula));
    let classes = Classes::of(store, *formula, args.input.reading.words());
    if args.json {
        let mut object = Map::new();
        object.insert("command".to_owned(), json!("convert"));
        object.insert("line".to_owned(), json!(entry.line));
        if let Some(name) = &entry.name {
            object.insert("name".to_owned(), json!(name));
        }
        object.insert("formula".to_owned(), json!(written));
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
        Some(name) => print_line(&format!("{name}: {written}"))?,
        None => print_line(written)?,
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

/// The sizes as comments, below the formula.
pub(crate) fn print_sizes(sizes: Sizes) -> std::io::Result<()> {
    sizes.iter().try_for_each(|(label, _, value)| print_line(&format!("# {label}: {value}")))
}

/// The sizes as an object.
pub(crate) fn sizes_json(sizes: Sizes) -> serde_json::Value {
    sizes.iter().map(|(_, key, value)| ((*key).to_owned(), json!(value))).collect()
}

/// Each size with its label and its key.
pub(crate) type Sizes = [(&'static str, &'static str, u64); 8];

/// The sizes that are shown.
pub(crate) fn sizes(measure: Measure) -> Sizes {
    [
        ("temporal operators", "temporal_operators", measure.temporal_operators),
        ("Boolean operators", "boolean_operators", measure.boolean_operators),
        ("occurrences of propositions", "occurrences", measure.occurrences),
        ("propositions", "propositions", measure.propositions),
        ("nodes of the tree", "size", measure.size),
        ("distinct subformulas", "distinct", measure.distinct),
        ("temporal depth", "temporal_depth", measure.temporal_depth),
        ("past depth", "past_depth", measure.past_depth),
    ]
}
