//! `rules`: the table of rewriting rules.

use kermode::ltl::rewrite::{Keeps, RULES, Rule, Soundness};
use serde_json::json;

use crate::args::Listing;
use crate::report::print_line;
use crate::status::Status;

pub(crate) fn run(args: &Listing) -> anyhow::Result<Status> {
    for rule in RULES {
        match args.json {
            true => print_line(&rule_json(rule).to_string())?,
            false => show(rule)?,
        }
    }
    Ok(Status::Yes)
}

fn show(rule: &Rule) -> std::io::Result<()> {
    let (before, after) = rule.example;
    print_line(&format!("{:<20} {}", rule.name, rule.equations))?;
    print_line(&format!("  keeps the {} on {} words", keeps(rule), words(rule)))?;
    print_line(&format!("  example: {before} becomes {after}"))
}

fn keeps(rule: &Rule) -> &'static str {
    match rule.keeps {
        Keeps::Language => "language",
        Keeps::WholeLanguage => "language of a whole formula",
        Keeps::Satisfiability => "satisfiability",
    }
}

fn words(rule: &Rule) -> &'static str {
    match rule.soundness {
        Soundness::Both => "all",
        Soundness::Infinite => "infinite",
    }
}

fn rule_json(rule: &Rule) -> serde_json::Value {
    let (before, after) = rule.example;
    json!({
        "name": rule.name,
        "equations": rule.equations,
        "keeps": keeps(rule),
        "words": words(rule),
        "example": { "before": before, "after": after },
    })
}
