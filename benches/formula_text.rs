//! Reading, writing and normalising long formulas: throughput, and time and memory per node.
//!
//! Run with `cargo bench --bench formula_text`. Each block of rows doubles the text: if the figures
//! per node stay the same, the work is linear. `random` is a conjunction of random formulas over
//! 1,000 propositions, the worst case for the caches; `rules` are requirements over fresh
//! propositions; `shared` repeats itself, so that almost every node is already stored; `deep` is
//! deeply nested.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::time::Instant;

use kermode::base::Rng;
use kermode::ltl::dialect::{Dialect, parse, write};
use kermode::ltl::normal::{boolean_normal_form, negation_normal_form};
use kermode::ltl::random::{Operators, RandomFormula};
use kermode::ltl::{BinaryOp, Formula, Measure, Node, Store, WordKind};

const MEGABYTE: f64 = 1_000_000.0;

fn main() {
    println!(
        "{:<8} {:>6} {:>10} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "input", "MB", "nodes", "MB/s", "parse", "write", "nnf", "bnf", "measure", "bytes"
    );
    println!(
        "{:<8} {:>6} {:>10} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "", "", "(tree)", "parse", "ns/node", "ns/node", "ns/node", "ns/node", "ns/node", "/node"
    );
    for megabytes in [1.25, 2.5, 5.0, 10.0] {
        let bytes = (megabytes * MEGABYTE) as usize;
        run("random", &random_text(bytes, 40));
        run("rules", &requirement_text(bytes));
        run("shared", &repeated_text(bytes));
        run("deep", &deep_text(bytes));
    }
}

/// A conjunction of random formulas.
fn random_text(bytes: usize, size: usize) -> String {
    let mut rng = Rng::new(2008);
    let mut store = Store::new();
    let names: Vec<_> = (0..1000).map(|i| store.proposition(&format!("p{i}"))).collect();
    let operators = Operators::future().with_past();
    let random = RandomFormula { size, propositions: names, operators };
    let mut text = String::new();
    while text.len() < bytes {
        let formula = random.draw(&mut store, &mut rng);
        let written = write(&store, formula, Dialect::Kermode.into()).expect("Kermode writes all");
        if !text.is_empty() {
            text.push_str(" & ");
        }
        text.push_str(&format!("({written})"));
    }
    text
}

/// Requirements over fresh propositions, as large specifications have them.
fn requirement_text(bytes: usize) -> String {
    let mut text = String::from("G(request -> F grant)");
    for i in (0..).take_while(|i| i * 62 < bytes) {
        text.push_str(&format!(" & G(request_{i} -> X(busy_{i} U (grant_{i} | !ready_{i})))"));
    }
    text
}

fn repeated_text(bytes: usize) -> String {
    let part = "(G(request -> F grant) | !(ready U (busy & X ready)))";
    vec![part; bytes / (part.len() + 3)].join(" & ")
}

fn deep_text(bytes: usize) -> String {
    let mut text = "X(!".repeat(bytes / 4);
    text.push('a');
    text.push_str(&")".repeat(bytes / 4));
    text
}

fn run(name: &str, text: &str) {
    let mut store = Store::new();
    let (formula, parsing) = timed(|| {
        let parsed = parse(&mut store, text, Dialect::Kermode.into());
        parsed.expect("the text is a formula").formula
    });
    let memory = store.memory();
    let (measure, measuring) = timed(|| Measure::of(&store, formula));
    let (written, writing) = timed(|| write(&store, formula, Dialect::Kermode.into()));
    let written = written.expect("Kermode writes all");
    let words = WordKind::Infinite;
    let mut copy = store.clone();
    let (_, negating) = timed(|| negation_normal_form(&mut copy, formula, words));
    let mut copy = store.clone();
    let (_, boolean) = timed(|| boolean_normal_form(&mut copy, formula, words));
    check(&store, formula, &written);
    let nodes = measure.size as f64;
    println!(
        "{name:<8} {:>6.2} {:>10} {:>8.1} {:>8.1} {:>8.1} {:>8.1} {:>8.1} {:>8.1} {:>8.1}",
        text.len() as f64 / MEGABYTE,
        measure.size,
        text.len() as f64 / MEGABYTE / parsing,
        parsing * 1e9 / nodes,
        writing * 1e9 / nodes,
        negating * 1e9 / nodes,
        boolean * 1e9 / nodes,
        measuring * 1e9 / nodes,
        memory as f64 / measure.distinct as f64,
    );
}

/// What was written reads back as the same formula.
fn check(store: &Store, formula: Formula, written: &str) {
    let mut store = store.clone();
    let again = parse(&mut store, written, Dialect::Kermode.into()).expect("reads back").formula;
    let same = store.intern(Node::Binary(BinaryOp::Iff, formula, again));
    assert!(matches!(store.node(same), Node::Binary(_, a, b) if a == b));
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}
