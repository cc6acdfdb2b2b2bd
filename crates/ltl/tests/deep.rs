//! Formulas nested a million deep on a thread with the default stack of 2 MiB, and broken inputs as
//! deep: nothing recurses, and nothing is quadratic.

use std::convert::Infallible;
use std::thread::Builder;
use std::time::{Duration, Instant};

use kermode_base::Source;
use kermode_ltl::dialect::{ReadMode, express, parse, read_document, write};
use kermode_ltl::normal::{boolean_normal_form, expand_bounded, negation_normal_form};
use kermode_ltl::semantics::satisfies;
use kermode_ltl::{Dialect, Formula, Measure, Store, Syntax, Word, WordKind};

const DEPTH: usize = 1_000_000;

/// Runs a test on a thread with the default stack, whatever `RUST_MIN_STACK` says about others.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = Builder::new().stack_size(2 << 20).spawn(test).expect("a thread");
    thread.join().expect("a test that passes");
}

/// Everything that can be done with a formula in Kermode's syntax: `value` is its truth on a word
/// of one letter for ever.
fn exercise(text: &str, value: bool) {
    let mut store = Store::new();
    let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
    let measure = Measure::of(&store, formula);
    assert_eq!(measure.distinct, store.subformulas(formula).len() as u64);
    holds(&mut store, formula, value);
    reads_back(&mut store, formula);
    let words = WordKind::Infinite;
    let nnf = negation_normal_form(&mut store, formula, words);
    holds(&mut store, nnf, value);
    let bnf = boolean_normal_form(&mut store, formula, words);
    holds(&mut store, bnf, value);
    let expanded = expand_bounded(&mut store, formula, words, 0).expect("no bounds");
    assert_eq!(expanded, formula);
    drop(store);
}

/// Written in every dialect and read again.
fn reads_back(store: &mut Store, formula: Formula) {
    for dialect in Dialect::ALL {
        let syntax = Syntax::from(dialect);
        let expressed = express(store, formula, syntax).expect("no past");
        let written = write(store, expressed, syntax).expect("plain names");
        let read = parse(store, &written, syntax).expect("what was written").formula;
        assert_eq!(read, expressed, "{}", dialect.name());
    }
}

/// On the word in which `a` holds for ever and nothing else does.
fn holds(store: &mut Store, formula: Formula, value: bool) {
    let a = store.proposition("a");
    let word = Word::lasso(Vec::new(), vec![[a].into_iter().collect()]);
    let Ok(result) = satisfies(store, formula, &word, &mut || Ok::<(), Infallible>(()));
    assert_eq!(result, value);
}

fn repeat(text: &str) -> String {
    text.repeat(DEPTH)
}

#[test]
fn parentheses() {
    on_a_small_stack(|| {
        for dialect in Dialect::ALL {
            let mut store = Store::new();
            let text = format!("{}a{}", repeat("("), repeat(")"));
            let formula = parse(&mut store, &text, dialect.into()).unwrap().formula;
            assert_eq!(formula, store.named("a"));
        }
        // In SPIN these are not left to Promela.
        let text = format!("{}X a{}", repeat("("), repeat(")"));
        assert!(parse(&mut Store::new(), &text, Dialect::Spin.into()).is_ok());
        let text = format!("{}x > 1{} U a", repeat("("), repeat(")"));
        assert!(parse(&mut Store::new(), &text, Dialect::Spin.into()).is_ok());
    });
}

#[test]
fn negations() {
    on_a_small_stack(|| exercise(&format!("{}a", repeat("!")), true));
}

#[test]
fn nexts() {
    on_a_small_stack(|| exercise(&format!("{}a", repeat("X ")), true));
}

#[test]
fn untils_to_the_right() {
    on_a_small_stack(|| exercise(&format!("{}a", repeat("b U ")), true));
}

#[test]
fn conjunctions_to_the_left() {
    on_a_small_stack(|| exercise(&format!("a{}", repeat(" & a")), true));
}

#[test]
fn implications() {
    on_a_small_stack(|| {
        exercise(&format!("{}b", repeat("a -> ")), false);
        let text = format!("b{}", repeat(" -> a"));
        let mut store = Store::new();
        let formula = parse(&mut store, &text, Dialect::Spin.into()).unwrap().formula;
        holds(&mut store, formula, true);
    });
}

#[test]
fn equivalences_in_parentheses() {
    on_a_small_stack(|| {
        let text = format!("{}a{}", repeat("(b <-> "), repeat(")"));
        let mut store = Store::new();
        let formula = parse(&mut store, &text, Dialect::Kermode.into()).unwrap().formula;
        holds(&mut store, formula, true);
        let nnf = negation_normal_form(&mut store, formula, WordKind::Infinite);
        holds(&mut store, nnf, true);
    });
}

/// The past unrolls the loop, so these stay on finite words, where they need no unrolling.
#[test]
fn the_past() {
    on_a_small_stack(|| {
        let syntax = Syntax { dialect: Dialect::Kermode, words: WordKind::Finite };
        let mut store = Store::new();
        let text = format!("{}a", repeat("O H "));
        let formula = parse(&mut store, &text, syntax).unwrap().formula;
        let a = store.proposition("a");
        let word = Word::finite(vec![[a].into_iter().collect()]);
        let nnf = negation_normal_form(&mut store, formula, WordKind::Finite);
        let never = &mut || Ok::<(), Infallible>(());
        assert_eq!(satisfies(&store, nnf, &word, never), Ok(true));
        assert_eq!(Measure::of(&store, formula).past_depth, 2 * DEPTH as u64);
    });
}

/// Broken inputs get their diagnostic at once.
#[test]
fn broken_inputs() {
    const BROKEN: usize = 300_000;
    on_a_small_stack(|| {
        let texts = [
            "(".repeat(BROKEN),
            ")".repeat(BROKEN),
            format!("{}a", "(".repeat(BROKEN)),
            format!("a{}", ")".repeat(BROKEN)),
            format!("{}a{}", "(".repeat(BROKEN), ")".repeat(BROKEN - 1)),
            format!("{}a{}", "(".repeat(BROKEN), ")".repeat(BROKEN + 1)),
            "!".repeat(BROKEN),
            "a U ".repeat(BROKEN),
            "(a & ".repeat(BROKEN),
            "a -> (".repeat(BROKEN),
            format!("{}a", "{".repeat(BROKEN)),
            format!("{}é", "a & ".repeat(BROKEN)),
            "a ".repeat(BROKEN),
            "\"a\\".repeat(BROKEN),
            "X[".repeat(BROKEN),
            "/*".repeat(BROKEN),
        ];
        for dialect in Dialect::ALL {
            for text in &texts {
                let started = Instant::now();
                let name = &text[..8];
                let Err(error) = parse(&mut Store::new(), text, dialect.into()) else {
                    panic!("{} reads {name}", dialect.name());
                };
                let shown = Source { name: "deep", text }.render(&error);
                assert!(shown.len() < 2_000, "{shown}");
                let time = started.elapsed();
                assert!(time < Duration::from_secs(2), "{} {name}: {time:?}", dialect.name());
            }
        }
    });
}

/// Many lines, each of them wrong.
#[test]
fn broken_lines() {
    let text = "x: a & (b\n".repeat(50_000);
    let started = Instant::now();
    let syntax = Syntax::from(Dialect::Kermode);
    let document = read_document(&mut Store::new(), &text, syntax, ReadMode::Lines);
    // Each line but the first repeats a name as well.
    assert_eq!(document.diagnostics.len(), 2 * 50_000 - 1);
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
}
