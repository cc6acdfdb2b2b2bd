//! `convert`: formulas in another syntax or in a normal form.

use anyhow::{Context, bail};
use kermode::ltl::dialect::{EXPANSION_LIMIT, Entry, express, write};
use kermode::ltl::normal::{
    ExpansionTooLarge, boolean_normal_form, expand_bounded, negation_normal_form,
};
use kermode::ltl::{Formula, Measure, Store, Syntax};
use serde_json::{Map, json};

use crate::args::{Convert, Expand};
use crate::input;
use crate::report::{complain, print_line, print_refusal};
use crate::status::Status;

/// The largest formula that is written, in nodes of its tree: sharing makes trees of any size.
const MOST_NODES: u64 = 100_000_000;

/// A formula that is too large to be written.
#[derive(Debug, thiserror::Error)]
#[error("written out, the formula has {size} nodes, more than {MOST_NODES}")]
struct TooLarge {
    size: u64,
}

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
            Err(_) => continue,
        };
        match convert(&mut store, formula, args) {
            Ok((formula, written)) => show(&store, entry, formula, &written, args)?,
            Err(error) => {
                complain(&format!("error: {}:{}: {error:#}\n", text.name, entry.line));
                let limit = error.is::<TooLarge>() || error.is::<ExpansionTooLarge>();
                statuses.push(if limit { Status::Unknown } else { Status::Bad });
            }
        }
    }
    Ok(Status::of_all(statuses))
}

fn convert(
    store: &mut Store,
    formula: Formula,
    args: &Convert,
) -> anyhow::Result<(Formula, String)> {
    let words = args.input.reading.words();
    let mut formula = formula;
    if args.expand == Some(Expand::Bounded) {
        formula = expand_bounded(store, formula, words, EXPANSION_LIMIT)?;
    }
    if args.nnf {
        formula = negation_normal_form(store, formula, words);
    }
    if args.bnf {
        formula = boolean_normal_form(store, formula, words);
    }
    let syntax = Syntax { dialect: args.to, words };
    formula = express(store, formula, syntax)?;
    let size = Measure::of(store, formula).size;
    if size > MOST_NODES {
        bail!(TooLarge { size });
    }
    let written = write(store, formula, syntax)
        .with_context(|| format!("cannot be written in the syntax `{}`", args.to.name()))?;
    Ok((formula, written))
}

fn show(
    store: &Store,
    entry: &Entry,
    formula: Formula,
    written: &str,
    args: &Convert,
) -> anyhow::Result<()> {
    let sizes = sizes(Measure::of(store, formula));
    if args.json {
        let mut object = Map::new();
        object.insert("command".to_owned(), json!("convert"));
        object.insert("line".to_owned(), json!(entry.line));
        if let Some(name) = &entry.name {
            object.insert("name".to_owned(), json!(name));
        }
        object.insert("formula".to_owned(), json!(written));
        if args.stats {
            let sizes = sizes.iter().map(|(_, key, value)| ((*key).to_owned(), json!(value)));
            object.insert("sizes".to_owned(), sizes.collect());
        }
        return Ok(print_line(&serde_json::Value::Object(object).to_string())?);
    }
    match &entry.name {
        Some(name) => print_line(&format!("{name}: {written}"))?,
        None => print_line(written)?,
    }
    if args.stats {
        for (label, _, value) in sizes {
            print_line(&format!("# {label}: {value}"))?;
        }
    }
    Ok(())
}

/// Each size with its label and its key.
fn sizes(measure: Measure) -> [(&'static str, &'static str, u64); 8] {
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
