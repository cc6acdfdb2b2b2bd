//! Messages of the reader: each wrong model of `wrong_syntax.txt` with what it is told.
//!
//! With the variable `UPDATE_SNAPSHOTS` the file is written anew.

mod plain;

use std::fs;
use std::path::Path;

use kermode_base::{Severity, Source};
use kermode_smv::syntax::{ReadOptions, parse};
use plain::without_styles;

/// What separates one model from the next.
const NEXT: &str = "################\n";
/// What separates a model from its messages.
const MESSAGES: &str = "----------------\n";

/// The messages without styles.
fn messages(text: &str) -> String {
    let parsed = parse(text, &ReadOptions::default());
    let source = Source { name: "model.smv", text };
    for diagnostic in &parsed.diagnostics {
        let is_error = diagnostic.severity == Severity::Error;
        assert!(!is_error || !diagnostic.label.is_empty(), "no label: {diagnostic:?}");
        assert!(!is_error || diagnostic.help.is_some(), "no remedy: {diagnostic:?}\n{text}");
    }
    let shown = source.render_mapped(&parsed.diagnostics, &parsed.file.lines).concat();
    without_styles(&shown)
}

#[test]
fn wrong_models_get_their_messages() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong_syntax.txt");
    let expected = fs::read_to_string(&path).expect("the file is there");
    let models: Vec<&str> = expected
        .split(NEXT)
        .map(|block| block.split_once(MESSAGES).map_or(block, |(model, _)| model))
        .collect();
    let blocks = models.iter().map(|model| format!("{model}{MESSAGES}{}", messages(model)));
    let found = blocks.collect::<Vec<_>>().join(NEXT);
    assert!(models.len() >= 80, "{} models", models.len());
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, &found).expect("the file can be written");
        return;
    }
    for (found, expected) in found.split(NEXT).zip(expected.split(NEXT)) {
        assert_eq!(found, expected);
    }
}
