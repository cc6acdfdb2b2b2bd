//! The fully symbolic engine against the oracles: on all small formulas, on random ones with
//! everything in them, and on random automata, in both directions of time and with both kinds of
//! acceptance. Every answer "satisfiable" comes with a word, which `decide` has replayed.

mod common;

use kermode_base::Rng;
use kermode_ltl::dialect::{Dialect, parse};
use kermode_ltl::families::Request;
use kermode_ltl::random::all_formulas;
use kermode_ltl::{BinaryOp, Store, UnaryOp, WordKind};
use kermode_solve::{EngineSpec, Problem};

use common::{
    KINDS, compare, compare_on_automata, is_nonempty, random_formula, verdict_stands_without_word,
};

/// Both directions and both kinds of acceptance, without rewriting.
const VARIANTS: [&str; 4] = [
    "antichain:symbolic:rules=none",
    "antichain:symbolic:direction=forward:rules=none",
    "antichain:symbolic:acceptance=breakpoint:rules=none",
    "antichain:symbolic:direction=forward:acceptance=breakpoint:rules=none",
];

fn variants() -> [EngineSpec; 4] {
    VARIANTS.map(|name| name.parse().expect("an engine"))
}

#[test]
fn all_small_formulas() {
    let unary = [UnaryOp::Not, UnaryOp::Next, UnaryOp::Finally, UnaryOp::Globally];
    let binary = [BinaryOp::And, BinaryOp::Or, BinaryOp::Until, BinaryOp::Release];
    let mut store = Store::new();
    let propositions = ["a", "b"].map(|name| store.proposition(name));
    let by_size = all_formulas(&mut store, &propositions, &unary, &binary, 5);
    for formula in by_size.into_iter().flatten() {
        KINDS.into_iter().for_each(|words| compare(&store, formula, words, &variants()));
    }
}

#[test]
fn random_formulas() {
    let mut rng = Rng::new(2009);
    let engines = variants();
    for round in 0..3_000 {
        let mut store = Store::new();
        let (formula, words) = random_formula(&mut store, &mut rng, round);
        compare(&store, formula, words, &engines);
    }
}

#[test]
fn random_automata() {
    let drawn = compare_on_automata(85, 2_000, &[None, Some(2)], &variants());
    let nonempty = drawn.nonempty;
    assert!(nonempty > 300 && nonempty < 1_700, "{nonempty}");
}

/// A lift is where conditions are many, a counter where the loop is long.
#[test]
fn families() {
    for (name, size) in [("lift", "3"), ("lift-b", "4"), ("counter", "4"), ("counter-linear", "4")]
    {
        let mut store = Store::new();
        let request = Request::parse(name, &[size]).expect("a family");
        let formula = request.instances().next().expect("a member").build(&mut store);
        let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
        variants().iter().for_each(|engine| assert!(is_nonempty(&problem, engine), "{engine}"));
    }
}

#[test]
fn the_verdict_stands_if_the_budget_ends_before_the_word_is_there() {
    let mut store = Store::new();
    let formula = parse(&mut store, "a U X b", Dialect::Kermode.into()).expect("a formula").formula;
    for engine in variants() {
        for words in KINDS {
            let problem = Problem::satisfiability(&store, formula, words);
            verdict_stands_without_word(&problem, &engine, "peak_nodes");
        }
    }
}
