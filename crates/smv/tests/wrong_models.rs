//! The models in `wrong/`, each with one mistake: they are refused at the line that their first
//! line names, with the messages of `wrong_models.txt`. NuSMV 2.6 refuses all of them.
//!
//! With the variable `UPDATE_SNAPSHOTS` the file of messages is written anew.

mod plain;

use std::convert::Infallible;
use std::fs;
use std::path::Path;

use kermode_base::{Diagnostic, Severity, Source};
use kermode_smv::{ReadOptions, SmvModel, Unusable};
use plain::without_styles;

#[test]
fn each_mistake_is_refused_in_its_line_with_its_message() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let folder = fs::read_dir(tests.join("wrong")).expect("the folder is there");
    let mut paths: Vec<_> =
        folder.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    assert!(paths.len() >= 120, "only {} models", paths.len());
    let mut problems = Vec::new();
    let mut found = String::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("the model is there");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let source = Source { name: &name, text: &text };
        let diagnostics = diagnostics(&text);
        problems.extend(problem(&source, &diagnostics).map(|problem| format!("{name}: {problem}")));
        for diagnostic in &diagnostics {
            found.push_str(&without_styles(&source.render(diagnostic)));
        }
        found.push_str("################\n");
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    let snapshot = tests.join("wrong_models.txt");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&snapshot, &found).expect("the file can be written");
    }
    let expected = fs::read_to_string(&snapshot).expect("the file is there");
    for (found, expected) in found.split("####\n").zip(expected.split("####\n")) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
}

/// What is wrong with the messages about a wrong model.
fn problem(source: &Source, diagnostics: &[Diagnostic]) -> Option<String> {
    let expected = expected_line(source.text).expect("the first line names the line of the error");
    let mut errors = diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let Some(error) = errors.next() else { return Some("accepted".to_owned()) };
    let line = source.line_and_column(error.span.start).0;
    if line != expected {
        return Some(format!("line {line} instead of {expected}: {}", error.message));
    }
    diagnostics.iter().find_map(|found| {
        let is_place = found.span.start < found.span.end && found.span.end <= source.text.len();
        match found {
            _ if !is_place => Some(format!("no place: {found:?}")),
            _ if found.help.is_none() => Some(format!("no remedy: {found:?}")),
            _ if found.label.is_empty() => Some(format!("no label: {found:?}")),
            _ => None,
        }
    })
}

/// The number in the first line, which ends with `Error in line 3.`
fn expected_line(text: &str) -> Option<usize> {
    let first = text.lines().next()?;
    first.rsplit("Error in line ").next()?.trim_end_matches('.').parse().ok()
}

/// What a model is told.
fn diagnostics(text: &str) -> Vec<Diagnostic> {
    let (options, limits) = (ReadOptions::default(), Default::default());
    match SmvModel::read::<Infallible>(text, &options, &limits, &mut || Ok(())) {
        Ok(model) => model.warnings,
        Err(Unusable::Stopped(never)) => match never {},
        Err(Unusable::Wrong(diagnostics)) => diagnostics,
    }
}
