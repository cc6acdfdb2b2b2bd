//! The models in `models/`: those that are correct are read, and those with errors of syntax are
//! refused at the line where reading stops.

use std::fs;
use std::path::Path;

use kermode_base::{Severity, Source};
use kermode_smv::syntax::{ReadOptions, parse};

/// Classes of errors that the reader finds. The others need the meaning of names.
const SYNTAX_CLASSES: [&str; 11] = [
    "syntax error",
    "real constant",
    "preprocessor line",
    "no MODULE at start of file",
    "LTL operator not allowed here",
    "next not allowed here",
    "bounds of a temporal operator reversed or negative",
    "word constant does not fit its width",
    "array of module instances",
    "dotted constant in an enumeration",
    "word-indexed array (infinite-state type)",
];

/// A row of the table of expected results.
struct Row {
    file: String,
    accepted: bool,
    error_line: Option<usize>,
    error_class: String,
}

fn rows(folder: &Path) -> Vec<Row> {
    let table = fs::read_to_string(folder.join("results.tsv")).expect("the table is there");
    let rows = table.lines().skip(1).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        Row {
            file: columns[0].to_owned(),
            accepted: columns[1] == "yes",
            error_line: columns[2].parse().ok(),
            error_class: columns[3].to_owned(),
        }
    });
    rows.collect()
}

#[test]
fn models_are_read_or_refused_at_their_line() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let (mut read, mut refused) = (0, 0);
    let mut wrong = Vec::new();
    for row in rows(&folder) {
        let text = fs::read_to_string(folder.join(&row.file)).expect("the model is there");
        let parsed = parse(&text, &ReadOptions::default());
        let source = Source { name: &row.file, text: &text };
        let errors = parsed.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        let lines: Vec<usize> = errors.map(|d| source.line_and_column(d.span.start).0).collect();
        let by_syntax = SYNTAX_CLASSES.contains(&row.error_class.as_str());
        let expected = if row.accepted || !by_syntax { None } else { row.error_line };
        if lines.first().copied() != expected {
            let shown = source.render_all(&parsed.diagnostics).concat();
            wrong.push(format!("{}: {expected:?}, but\n{shown}", row.file));
        }
        read += usize::from(row.accepted);
        refused += usize::from(by_syntax);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(read >= 130 && refused >= 30, "{read} models, {refused} with errors of syntax");
}
