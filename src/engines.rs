//! `engines`: the table of engines.

use kermode::solve::{Accepts, ENCODINGS, ENGINES, EngineInfo};
use serde_json::json;

use crate::args::Listing;
use crate::report::print_line;
use crate::status::Status;

pub(crate) fn run(args: &Listing) -> anyhow::Result<Status> {
    let encodings = ENCODINGS.iter().filter(|other| !ENGINES.iter().any(|e| e.name == other.name));
    match args.json {
        true => ENGINES.iter().chain(encodings).try_for_each(show_json)?,
        false => ENGINES.iter().try_for_each(show)?,
    }
    Ok(Status::Yes)
}

fn show_json(engine: &EngineInfo) -> std::io::Result<()> {
    print_line(&engine_json(engine).to_string())
}

fn show(engine: &EngineInfo) -> std::io::Result<()> {
    print_line(&format!("{:<22} {}", engine.name, engine.summary))?;
    print_line(&format!("  accepts: {}", accepts(engine.accepts).join(", ")))?;
    print_line(&format!("  paper: {}", engine.paper))?;
    for option in engine.options {
        print_line(&format!("  {}={}: {}", option.key, option.default, option.help))?;
    }
    if ENCODINGS.iter().any(|other| other.name == engine.name) {
        let [forms, orders] = encodings();
        print_line(&format!("  encodings: {}, each in the orders {}", forms, orders))?;
    }
    Ok(())
}

/// The forms of encodings, and their orders.
fn encodings() -> [String; 2] {
    let names = ENCODINGS.iter().filter_map(|engine| engine.name.rsplit_once('/'));
    let (mut forms, mut orders): (Vec<&str>, Vec<&str>) = names.unzip();
    forms.dedup();
    orders.truncate(orders.len() / forms.len().max(1));
    [forms, orders].map(|names| names.join(", "))
}

fn accepts(accepts: Accepts) -> Vec<&'static str> {
    let named = [
        (accepts.infinite, "infinite words"),
        (accepts.finite, "finite words"),
        (accepts.past, "past operators"),
        (accepts.automata, "alternating automata"),
        (accepts.complete, "settles everything within its limits"),
        (!accepts.complete, "leaves some open"),
    ];
    named.into_iter().filter_map(|(does, name)| does.then_some(name)).collect()
}

fn engine_json(engine: &EngineInfo) -> serde_json::Value {
    let options: Vec<_> = engine
        .options
        .iter()
        .map(|option| json!({ "key": option.key, "default": option.default, "help": option.help }))
        .collect();
    json!({
        "name": engine.name,
        "summary": engine.summary,
        "paper": engine.paper,
        "infinite": engine.accepts.infinite,
        "finite": engine.accepts.finite,
        "past": engine.accepts.past,
        "automata": engine.accepts.automata,
        "complete": engine.accepts.complete,
        "options": options,
    })
}
