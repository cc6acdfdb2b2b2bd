//! The models of `tests/models`, with the answers of NuSMV 2.6 in `results.tsv`.

mod golden_table;

use kermode_base::{Severity, Source};
use kermode_smv::{ReadOptions, SmvModel, Unusable};

use golden_table::{Row, rows};

/// The lines of errors in a model, or nothing if it is accepted.
fn error_lines(row: &Row) -> Option<Vec<(usize, String)>> {
    let options = ReadOptions::default();
    let read = SmvModel::read::<()>(&row.text, &options, &Default::default(), &mut || Ok(()));
    let diagnostics = match read {
        Ok(_) => return None,
        Err(Unusable::Stopped(())) => unreachable!("nothing interrupts"),
        Err(Unusable::Wrong(diagnostics)) => diagnostics,
    };
    let source = Source { name: &row.file, text: &row.text };
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let line = |diagnostic: &kermode_base::Diagnostic| {
        (source.line_and_column(diagnostic.span.start).0, diagnostic.message.clone())
    };
    Some(errors.map(line).collect())
}

/// Models are accepted and refused as by NuSMV, and the first error is in its line.
#[test]
fn the_same_models_are_accepted() {
    let mut differences = Vec::new();
    for row in rows() {
        let found = error_lines(&row);
        let problem = match (&found, row.accepted, row.error_line) {
            (None, true, _) => continue,
            (None, false, _) => format!("accepted; expected: {}", row.error_class),
            (Some(errors), true, _) => format!("refused: {errors:?}"),
            (Some(errors), false, Some(line)) if errors[0].0 != line => {
                format!("error in another line than {line} ({}): {errors:?}", row.error_class)
            }
            (Some(_), false, _) => continue,
        };
        differences.push(format!("{}: {problem}", row.file));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
