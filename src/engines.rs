//! `engines`: the table of engines.

use kermode::solve::{Accepts, ENGINES, EngineInfo};
use serde_json::json;

use crate::args::Listing;
use crate::report::print_line;
use crate::status::Status;

pub(crate) fn run(args: &Listing) -> anyhow::Result<Status> {
    for engine in ENGINES {
        match args.json {
            true => print_line(&engine_json(engine).to_string())?,
            false => show(engine)?,
        }
    }
    Ok(Status::Yes)
}

fn show(engine: &EngineInfo) -> std::io::Result<()> {
    print_line(&format!("{:<22} {}", engine.name, engine.summary))?;
    print_line(&format!("  accepts: {}", accepts(engine.accepts).join(", ")))?;
    print_line(&format!("  paper: {}", engine.paper))?;
    for option in engine.options {
        print_line(&format!("  {}={}: {}", option.key, option.default, option.help))?;
    }
    Ok(())
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
