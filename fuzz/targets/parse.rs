//! One formula in one dialect: the reader does not panic, errors point into the text, and what was
//! read can be written and read again.

#![no_main]

use kermode_ltl::dialect::{express, parse, write};
use kermode_base::Source;
use kermode_ltl::{Dialect, Measure, Node, Store, Syntax, WordKind};
use libfuzzer_sys::fuzz_target;

/// Written formulas are as large as their trees.
const LARGEST: u64 = 100_000;
/// Bounds that are written out take as many nodes as they are far.
const FARTHEST: u32 = 1_000;

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let dialect = Dialect::ALL[usize::from(first) % 5];
    let words = if first >= 128 { WordKind::Finite } else { WordKind::Infinite };
    let syntax = Syntax { dialect, words };
    let mut store = Store::new();
    let formula = match parse(&mut store, text, syntax) {
        Ok(parsed) => parsed.formula,
        Err(error) => {
            assert!(error.span.start <= error.span.end && error.span.end <= text.len());
            assert!(
                text.is_char_boundary(error.span.start) && text.is_char_boundary(error.span.end)
            );
            assert!(!error.message.is_empty());
            Source { name: "fuzz", text }.render(&error);
            return;
        }
    };
    if Measure::of(&store, formula).size > LARGEST {
        return;
    }
    if let Ok(text) = write(&store, formula, syntax) {
        let again = parse(&mut store, &text, syntax).expect("what is written is read");
        assert_eq!(again.formula, formula, "{text}");
    }
    // The same through every other dialect, unless bounds would be written out to millions of
    // nodes.
    let far = |f| match store.node(f) {
        Node::BoundedUnary(_, bounds, _) | Node::BoundedBinary(_, bounds, _, _) => {
            store.interval(bounds).high > FARTHEST
        }
        _ => false,
    };
    if store.subformulas(formula).iter().any(far) {
        return;
    }
    for dialect in Dialect::ALL {
        let syntax = Syntax { dialect, words };
        let Ok(expressed) = express(&mut store, formula, syntax) else { continue };
        if Measure::of(&store, expressed).size > LARGEST {
            continue;
        }
        if let Ok(text) = write(&store, expressed, syntax) {
            let again = parse(&mut store, &text, syntax).expect("what is written is read");
            assert_eq!(again.formula, expressed, "{text}");
        }
    }
});
