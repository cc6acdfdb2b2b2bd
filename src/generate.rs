//! `gen`: members of the formula families of the literature, and random formulas.

use std::fmt::Write;

use kermode::ltl::dialect::convert;
use kermode::ltl::families::{FAMILIES, Family, Instance, Request};
use kermode::ltl::{Measure, Store};
use serde_json::{Map, json};

use crate::args::Gen;
use crate::convert::{print_sizes, sizes_json};
use crate::report::print_line;
use crate::status::Status;

pub(crate) fn run(args: &Gen) -> anyhow::Result<Status> {
    match &args.family {
        Some(family) => {
            let request = Request::parse(family, &args.arguments)?;
            request.instances().try_for_each(|instance| show(&instance, args))?;
        }
        None if args.json => {
            FAMILIES.iter().try_for_each(|family| print_line(&family_json(family).to_string()))?;
        }
        None => FAMILIES.iter().try_for_each(|family| print_line(&described(family)))?,
    }
    Ok(Status::Yes)
}

/// The name and summary of a family, in columns.
fn heading(family: &Family) -> String {
    let width = FAMILIES.iter().map(|family| family.usage().len()).max().unwrap_or_default();
    format!("{:width$}  {}", family.usage(), family.summary)
}

fn show(instance: &Instance, args: &Gen) -> anyhow::Result<()> {
    let mut store = Store::new();
    let formula = instance.build(&mut store);
    let (formula, written) = convert(&mut store, formula, args.to.into())?;
    if args.json {
        let arguments = instance.arguments().map(|(name, value)| (name.to_owned(), json!(value)));
        let mut object = Map::new();
        object.insert("command".to_owned(), json!("gen"));
        object.insert("family".to_owned(), json!(instance.name()));
        object.insert("arguments".to_owned(), arguments.collect());
        object.insert("formula".to_owned(), json!(written));
        if args.stats {
            let sizes = sizes_json(Measure::of(&store, formula));
            object.insert("sizes".to_owned(), sizes);
        }
        return Ok(print_line(&serde_json::Value::Object(object).to_string())?);
    }
    print_line(&written)?;
    if args.stats {
        print_sizes(Measure::of(&store, formula))?;
    }
    Ok(())
}

/// The description of a family: summary, arguments, and paper.
fn described(family: &Family) -> String {
    let mut text = heading(family) + "\n";
    for suffix in family.suffixes {
        let _ = writeln!(text, "  -{}: {}", suffix.name, suffix.help);
    }
    for parameter in family.parameters {
        let default = parameter.default.map(|value| format!("={value}")).unwrap_or_default();
        let (name, help, kind) = (parameter.name, parameter.help, parameter.kind);
        let _ = writeln!(text, "  {name}{default}: {help}, {kind}");
    }
    text + "  paper: " + family.paper
}

fn family_json(family: &Family) -> serde_json::Value {
    let suffixes = family.suffixes.iter();
    let suffixes = suffixes.map(|suffix| json!({ "name": suffix.name, "help": suffix.help }));
    let parameters = family.parameters.iter().map(|parameter| {
        json!({
            "name": parameter.name,
            "takes": parameter.kind.to_string(),
            "default": parameter.default,
            "help": parameter.help,
        })
    });
    json!({
        "name": family.name,
        "summary": family.summary,
        "suffixes": suffixes.collect::<Vec<_>>(),
        "parameters": parameters.collect::<Vec<_>>(),
        "paper": family.paper,
    })
}
