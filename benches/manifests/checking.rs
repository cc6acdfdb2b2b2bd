//! The tables of `docs/results/antichain-checking.md`: antichain engines on models that grow, as
//! Fig. 2(e)-(h) and Table 2 of [DDMR08] have them, with memory, and other tools beside them.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::hybrid::replaced;

/// The campaign.
pub(crate) const CAMPAIGN: &str = "antichain-checking";

/// Writes the tables into the page.
pub(crate) fn write_page(root: &Path, records: &[PathBuf]) {
    let text: String =
        records.iter().map(|path| fs::read_to_string(path).expect("records")).collect();
    let records: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect();
    let page = root.join("docs/results/antichain-checking.md");
    let text = fs::read_to_string(&page).expect("the page");
    fs::write(&page, replaced(&text, "tables", &tables(&records))).expect("the page is written");
    println!("{}", page.display());
}

fn text_of<'r>(record: &'r Value, field: &str) -> &'r str {
    record[field].as_str().unwrap_or_default()
}

/// The property without the number of pushes, which grows with the stack.
fn property(record: &Value) -> &str {
    text_of(record, "property").trim_end_matches(|c: char| c.is_ascii_digit())
}

/// One table for each family and property: of each tool the CPU seconds and the peak of memory.
fn tables(records: &[Value]) -> String {
    let tools = distinct(records.iter().map(|record| text_of(record, "tool")));
    // The properties of the gas station have numbers of their own.
    let key = |record: &Value| match text_of(record, "family") {
        "gas" => format!("gas, `{}`", text_of(record, "property")),
        family => format!("{family}, `{}`", property(record)),
    };
    let keys: Vec<String> = records.iter().map(key).collect();
    let mut text = String::new();
    for title in distinct(keys.iter().map(String::as_str)) {
        let of_title: Vec<&Value> =
            records.iter().zip(&keys).filter(|(_, key)| *key == title).map(|(r, _)| r).collect();
        let _ = writeln!(
            text,
            "### {title}\n\nCPU seconds, and in brackets the peak of memory in MB.\n"
        );
        let _ = writeln!(text, "| n | verdict | {} |", tools.join(" | "));
        let _ = writeln!(text, "|---:|---|{}", "---:|".repeat(tools.len()));
        let mut sizes: Vec<u64> = of_title
            .iter()
            .filter_map(|record| record["parameter"].as_f64())
            .map(|n| n as u64)
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
        for size in sizes {
            let row: Vec<&Value> = of_title
                .iter()
                .copied()
                .filter(|record| record["parameter"].as_f64() == Some(size as f64))
                .collect();
            let verdict = text_of(row[0], "expected");
            let cells: Vec<String> = tools.iter().map(|tool| cell(&row, tool)).collect();
            let _ = writeln!(text, "| {size} | {verdict} | {} |", cells.join(" | "));
        }
        text.push('\n');
    }
    text
}

/// What a tool did on a member.
fn cell(row: &[&Value], tool: &str) -> String {
    let Some(record) = row.iter().find(|record| text_of(record, "tool") == tool) else {
        return "–".to_owned();
    };
    match text_of(record, "outcome") {
        "holds" | "violated" => {
            let seconds = record["cpu_seconds"].as_f64().unwrap_or_default();
            let memory = record["peak_bytes"].as_f64().unwrap_or_default() / 1e6;
            format!("{seconds:.2} ({memory:.0})")
        }
        "cpu-limit" | "wall-limit" => "time".to_owned(),
        "memory-limit" => "memory".to_owned(),
        other => other.to_owned(),
    }
}

/// Each text once, in the order of the first occurrence.
fn distinct<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut found: Vec<&str> = Vec::new();
    for text in texts {
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found
}
