//! The examples of `docs/traces.md` are what the formats write.

mod plain;
mod trace_support;

use std::path::Path;

use kermode_base::Source;
use kermode_smv::flat::VariableId;
use kermode_smv::interpreter::Fairness;
use kermode_smv::trace::nusmv::{DEMONSTRATED, Heading, Marks, property_text, verdict_line, write};
use kermode_smv::trace::table::{TableOptions, write_table};
use kermode_smv::trace::{self, NoPath, check, json, vcd};
use plain::without_styles;
use trace_support::read_model;

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/traces.md");
    std::fs::read_to_string(path).expect("the page")
}

/// The first block of a language.
fn block<'p>(page: &'p str, language: &str) -> &'p str {
    let fence = format!("```{language}\n");
    let start = page.find(&fence).expect("a block") + fence.len();
    &page[start..start + page[start..].find("```").expect("its end")]
}

#[test]
fn the_examples_of_the_page_are_true() {
    let page = page();
    let text = block(&page, "smv");
    let (file, flat) = read_model(text);
    let written = block(&page, "json");
    let read = trace::read(written, &flat).expect("a trace");
    let path = read[0].paths().remove(0);
    let fairness = Fairness::JusticeAndCompassion;
    check::<()>(&flat, &read[0], fairness, &mut || Ok(())).expect("a path of the model");

    let place = |name: &str| flat.variables.iter().position(|variable| variable.name == name);
    let first = ["x", "limit"].map(|name| VariableId(place(name).expect("a variable") as u32));
    let table = TableOptions { first: &first, ..TableOptions::default() };
    let property = &flat.properties[0];
    let formula = property_text(&file, property).expect("a formula");
    let nusmv = verdict_line(property.kind, &formula, "", "false")
        + DEMONSTRATED
        + &write(&flat, &path, &Heading::counterexample(1, property.kind), Marks::Equal);

    let wrong = json::write(&flat, &path).replacen("\"x\":1", "\"x\":2", 1);
    let read = trace::read(&wrong, &flat).expect("a trace").remove(0);
    let Err(NoPath::Refused(refusal)) = check::<()>(&flat, &read, fairness, &mut || Ok(())) else {
        panic!("a wrong step: {wrong}");
    };
    let in_trace = Source { name: "trace.json", text: &wrong }.render(&refusal.in_trace);
    let in_model = Source { name: "model.smv", text }.render(&refusal.in_model);
    let refusal = without_styles(&format!("{in_trace}\n{in_model}"));

    let blocks = [
        ("json", json::write(&flat, &path)),
        ("text", write_table(&flat, &path, &table)),
        ("text", nusmv),
        ("text", vcd::write(&flat, &path)),
        ("text", refusal),
    ];
    for (language, expected) in blocks {
        let fenced = format!("```{language}\n{expected}```\n");
        assert!(page.contains(&fenced), "the page does not have\n{fenced}");
    }
}
