//! What the tests of the dialects share: texts against their readings.

use kermode_ltl::dialect::{parse, write};
use kermode_ltl::{Dialect, Store, Syntax, WordKind};

/// Checks that texts have the readings given, which are written in Kermode's own syntax.
#[track_caller]
pub(crate) fn reads_in(dialect: Dialect, words: WordKind, table: &[(&str, &str)]) {
    for (text, expected) in table {
        let mut store = Store::new();
        let read = parse(&mut store, text, Syntax { dialect, words })
            .unwrap_or_else(|error| panic!("{dialect:?} does not read {text}: {error:?}"));
        let expected_formula = parse(&mut store, expected, Dialect::Kermode.into())
            .unwrap_or_else(|error| panic!("the reading {expected} of {text}: {error:?}"));
        assert!(
            read.formula == expected_formula.formula,
            "{dialect:?} reads {text} as {:?}, not as {expected}",
            write(&store, read.formula, Dialect::Kermode.into()),
        );
    }
}

#[track_caller]
pub(crate) fn reads(dialect: Dialect, table: &[(&str, &str)]) {
    reads_in(dialect, WordKind::Infinite, table);
}

/// Checks that texts are refused.
#[track_caller]
pub(crate) fn refuses(dialect: Dialect, texts: &[&str]) {
    for text in texts {
        let mut store = Store::new();
        if let Ok(read) = parse(&mut store, text, dialect.into()) {
            let read = write(&store, read.formula, Dialect::Kermode.into());
            panic!("{dialect:?} should refuse {text}, and reads it as {read:?}");
        }
    }
}

/// Checks that texts are a proposition of a name.
#[track_caller]
pub(crate) fn names(dialect: Dialect, table: &[(&str, &str)]) {
    for (text, name) in table {
        let mut store = Store::new();
        let read = parse(&mut store, text, dialect.into())
            .unwrap_or_else(|error| panic!("{dialect:?} does not read {text}: {error:?}"));
        let expected = store.named(name);
        assert_eq!(read.formula, expected, "{dialect:?} {text}");
    }
}
