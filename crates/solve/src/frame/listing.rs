//! The table of engines, as text for users and as JSON for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::engine::{Accepts, Alias, EngineInfo};
use super::options::{OptionInfo, Takes};

/// The description of an engine in a few lines: its purpose, its problems and its options.
pub fn text(engine: &EngineInfo) -> String {
    let mut out = format!("{:<22} {}\n", engine.name, engine.summary);
    let _ = writeln!(out, "  accepts: {}", accepts(engine.accepts).join(", "));
    let _ = writeln!(out, "  paper: {}", engine.paper);
    for option in engine.options {
        let OptionInfo { key, default, help, takes } = option.info();
        let _ = writeln!(out, "  {key}={default}: {help}{}", values(&takes));
    }
    if let Some(Alias { family, option }) = engine.alias {
        let key = option.info().key.to_uppercase();
        let _ = writeln!(out, "  alias: {family}:{key}");
    }
    out
}

/// A short form of values such as `a/x`, `a/y`, `b/x` and `b/y`.
fn grouped(takes: &Takes) -> String {
    let Takes::Choice(words) = takes else { return String::new() };
    let pairs = words.iter().filter_map(|(word, _)| word.rsplit_once('/'));
    let (mut first, mut last): (Vec<&str>, Vec<&str>) = pairs.unzip();
    first.dedup();
    last.truncate(last.len() / first.len().max(1));
    format!("{}, each with /{}", first.join(", "), last.join(", /"))
}

/// The values of an option, to be printed after its help text.
fn values(takes: &Takes) -> String {
    let listed = |words: &[(_, &str)]| {
        let word = |(word, meaning): &(std::borrow::Cow<str>, &str)| format!("{word} ({meaning})");
        words.iter().map(word).collect::<Vec<_>>().join(", ")
    };
    match takes {
        Takes::Choice(words) if words.iter().all(|(_, meaning)| meaning.is_empty()) => {
            format!(": {}", grouped(takes))
        }
        Takes::Choice(words) => format!(": {}", listed(words)),
        Takes::Several(words) => format!(": one or more, joined by `+`, of {}", listed(words)),
        Takes::Flag => " (on or off)".to_owned(),
        Takes::Number(_) | Takes::Rules => String::new(),
    }
}

/// The short names of an engine.
fn aliases(engine: &EngineInfo) -> Option<Vec<String>> {
    let Alias { family, option } = engine.alias?;
    match option.info().takes {
        Takes::Choice(words) => {
            Some(words.into_iter().map(|(word, _)| format!("{family}:{word}")).collect())
        }
        _ => None,
    }
}

fn accepts(accepts: Accepts) -> Vec<&'static str> {
    let named = [
        (accepts.infinite, "infinite words"),
        (accepts.finite, "finite words"),
        (accepts.past, "past operators"),
        (!accepts.unbounded, "only formulas with bounded operators"),
        (accepts.automata, "alternating automata"),
        (accepts.models, "runs of models"),
        (accepts.targets, "paths of models to a target"),
        (accepts.ctl, "formulas of CTL about models"),
        (accepts.complete, "decides every problem within its limits"),
        (!accepts.complete, "does not decide every problem"),
    ];
    named.into_iter().filter_map(|(does, name)| does.then_some(name)).collect()
}

fn option_json(option: OptionInfo) -> Value {
    let OptionInfo { key, default, help, takes } = option;
    let words = |words: Vec<(std::borrow::Cow<str>, &str)>| {
        let value = |(value, help)| json!({ "value": value, "help": help });
        words.into_iter().map(value).collect::<Vec<Value>>()
    };
    let mut object = json!({ "key": key, "default": default, "help": help });
    let (takes, more) = match takes {
        Takes::Choice(values) => ("choice", Some(("values", json!(words(values))))),
        Takes::Several(values) => ("several", Some(("values", json!(words(values))))),
        Takes::Number(range) => ("number", Some(("range", json!([range.start(), range.end()])))),
        Takes::Flag => ("flag", None),
        Takes::Rules => ("rules", None),
    };
    object["takes"] = json!(takes);
    if let Some((key, value)) = more {
        object[key] = value;
    }
    object
}

/// The description as a JSON object.
pub fn json(engine: &EngineInfo) -> Value {
    let options = engine.options.iter().map(|option| option_json(option.info()));
    let mut object = json!({
        "name": engine.name,
        "summary": engine.summary,
        "paper": engine.paper,
        "infinite": engine.accepts.infinite,
        "finite": engine.accepts.finite,
        "past": engine.accepts.past,
        "unbounded": engine.accepts.unbounded,
        "automata": engine.accepts.automata,
        "models": engine.accepts.models,
        "targets": engine.accepts.targets,
        "ctl": engine.accepts.ctl,
        "complete": engine.accepts.complete,
        "options": options.collect::<Vec<Value>>(),
    });
    if let Some(aliases) = aliases(engine) {
        object["aliases"] = json!(aliases);
    }
    object
}
