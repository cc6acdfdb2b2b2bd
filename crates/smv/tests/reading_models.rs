//! The models in `models/`: those that are correct are read, and those with errors of syntax are
//! refused at the line where reading stops.

mod golden_table;

use kermode_base::{Severity, Source};
use kermode_smv::syntax::{ReadOptions, parse};

use golden_table::rows;

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

#[test]
fn models_are_read_or_refused_at_their_line() {
    let (mut read, mut refused) = (0, 0);
    let mut wrong = Vec::new();
    for row in rows() {
        let parsed = parse(&row.text, &ReadOptions::default());
        let source = Source { name: &row.file, text: &row.text };
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
