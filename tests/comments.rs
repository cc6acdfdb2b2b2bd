//! Comments fit on a screen: no line of a comment has more than 100 columns.

use std::fs;
use std::path::{Path, PathBuf};

const COLUMNS: usize = 100;

/// The folders with sources of our own.
const FOLDERS: [&str; 6] = ["crates", "src", "tests", "benches", "examples", "fuzz"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_line_of_a_comment_is_too_long() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    FOLDERS.iter().for_each(|folder| sources(&root.join(folder), &mut paths));
    assert!(paths.len() > 300, "only {} files", paths.len());
    let mut long = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("a source file");
        for (number, line) in text.lines().enumerate() {
            let comment = line.trim_start();
            if comment.starts_with("//") && line.chars().count() > COLUMNS {
                long.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    assert!(long.is_empty(), "comments past {COLUMNS} columns:\n{}", long.join("\n"));
}
