//! The folders of the crate are layers: no layer imports one above it, and none imports through the
//! root of the crate, where everything is re-exported.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers, lowest first.
const LAYERS: [&str; 14] = [
    "frame",
    "translate",
    "operate",
    "fixpoint",
    "compiled",
    "state_space",
    "model_report",
    "search",
    "alternating",
    "engines",
    "portfolio",
    "cores",
    "check",
    "certify",
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the crate") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code without comments: links of the documentation may lead anywhere.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// What follows each `prefix` of a path, braces being taken apart: `{a, b::c}` is `a` and `b`.
fn heads<'t>(text: &'t str, prefix: &str) -> Vec<&'t str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let starts_path = |at: usize| !text[..at].ends_with(|c: char| is_name(c) || c == ':');
    let mut heads = Vec::new();
    for (at, _) in text.match_indices(prefix).filter(|&(at, _)| starts_path(at)) {
        let rest = &text[at + prefix.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            heads.push(&rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())]);
            continue;
        };
        let mut depth = 0;
        let mut is_head = true;
        for (place, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => is_head = true,
                c if is_head && is_name(c) => {
                    let name = &group[place..];
                    heads.push(&name[..name.find(|c| !is_name(c)).unwrap_or(name.len())]);
                    is_head = false;
                }
                _ => {}
            }
        }
    }
    heads
}

/// The forbidden imports of a file of a layer.
fn intruders(layer: usize, is_root_of_layer: bool, text: &str) -> Vec<String> {
    let code = code(text);
    let allowed = |head: &&str| LAYERS[..=layer].contains(head);
    let crate_wide = heads(&code, "crate::").into_iter().filter(|head| !allowed(head));
    let mut found: Vec<String> = crate_wide.map(|head| format!("crate::{head}")).collect();
    // `super` of a layer is the root of the crate.
    if is_root_of_layer {
        let siblings = heads(&code, "super::").into_iter().filter(|head| !allowed(head));
        found.extend(siblings.map(|head| format!("super::{head}")));
    }
    found
}

#[test]
fn no_layer_imports_one_above_it() {
    let mut layers = Vec::new();
    for (number, layer) in LAYERS.iter().enumerate() {
        let folder = source().join(layer);
        let mut all = Vec::new();
        files(&folder, &mut all);
        assert!(!all.is_empty(), "the layer {layer} is empty");
        for file in all {
            let text = fs::read_to_string(&file).expect("a file of the crate");
            let is_root = file == folder.join("mod.rs");
            let found = intruders(number, is_root, &text);
            assert!(found.is_empty(), "{} imports {found:?}", file.display());
            assert!(!code(&text).contains("super::super::super"), "{}", file.display());
        }
        layers.push(folder);
    }
    let mut all = Vec::new();
    files(&source(), &mut all);
    let outside: Vec<_> =
        all.iter().filter(|file| !layers.iter().any(|layer| file.starts_with(layer))).collect();
    assert_eq!(outside, [&source().join("lib.rs")], "every file is in a layer");
}

#[test]
fn an_import_of_a_layer_above_is_found() {
    let fixpoint = LAYERS.iter().position(|&layer| layer == "fixpoint").expect("a layer");
    let found = |text| intruders(fixpoint, false, text);
    assert_eq!(found("use crate::search::couvreur;"), ["crate::search"]);
    assert_eq!(found("use crate::{frame::budget, engines::{a, b}};"), ["crate::engines"]);
    assert_eq!(found("let a = crate::decide(b);"), ["crate::decide"]);
    assert_eq!(found("use crate::{\n    portfolio,\n};"), ["crate::portfolio"]);
    assert_eq!(intruders(fixpoint, true, "use super::engines;"), ["super::engines"]);
    assert!(found("use crate::frame::budget::Stop; // crate::engines").is_empty());
    assert!(found("use kermode_crate::engines;").is_empty());
    assert!(found("use crate::fixpoint::{walk, lasso};").is_empty());
}
