//! Whole files: no panic, findings that point into the text and can be rendered, lines that are
//! where they are said to be, and no formula without an error that lacks one.

#![no_main]

use kermode_ltl::dialect::{Atoms, ReadMode, plain_text, read_document};
use kermode_base::Source;
use kermode_ltl::{Dialect, Store, Syntax, WordKind};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let dialect = Dialect::ALL[usize::from(first) % 5];
    let words = if first & 64 == 0 { WordKind::Infinite } else { WordKind::Finite };
    let mode = match first >> 4 & 3 {
        0 => ReadMode::Whole,
        1 => ReadMode::Requirement,
        _ => ReadMode::Lines,
    };
    let mut store = Store::new();
    let document = read_document(&mut store, text, Syntax { dialect, words }, mode);
    let source = Source { name: "fuzz", text };
    for diagnostic in &document.diagnostics {
        assert!(diagnostic.span.start <= diagnostic.span.end && diagnostic.span.end <= text.len());
        let shown = source.render(diagnostic);
        assert!(shown.contains('^'));
    }
    for entry in &document.entries {
        assert!(text.get(entry.span.clone()).is_some());
        assert_eq!(source.line_and_column(entry.span.start).0, entry.line);
        assert!(entry.formula.is_ok() || !document.is_sound());
        assert!(!plain_text(&text[entry.span.clone()]).contains('\n'));
        if let Ok(formula) = entry.formula {
            Atoms::of(&mut store, &[formula], dialect);
        }
    }
});
