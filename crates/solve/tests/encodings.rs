//! The thirty encodings against the oracle: on all small formulas, on random ones with everything
//! in them, on patterns and counters, in both directions of time, within what can be reached or
//! not. Every answer "satisfiable" comes with a word, which `decide` has replayed.

mod common;

use kermode_base::Rng;
use kermode_ltl::dialect::{Dialect, parse};
use kermode_ltl::families::Request;
use kermode_ltl::random::all_formulas;
use kermode_ltl::{BinaryOp, Formula, Store, UnaryOp, WordKind};
use kermode_solve::{EngineSpec, Problem};
use kermode_system::Encoding;

use common::{KINDS, compare, is_nonempty, random_formula, verdict_stands_without_word};

/// How fixpoints are computed, without rewriting.
const SEARCHES: [&str; 4] = [
    "rules=none",
    "rules=none:direction=forward",
    "rules=none:reach=product",
    "rules=none:cluster=1:sifting=off",
];

/// All encodings, each with one of the searches, and every other time with another one.
fn variants(round: usize) -> Vec<EngineSpec> {
    let encodings = Encoding::all().enumerate();
    let named = encodings.map(|(place, encoding)| {
        let search = SEARCHES[(place + round) % SEARCHES.len()];
        format!("symbolic:{encoding}:{search}").parse().expect("an engine")
    });
    named.collect()
}

/// Some of all variants, others each time.
fn some_variants(round: usize, count: usize) -> Vec<EngineSpec> {
    let all = variants(round / Encoding::all().count());
    (0..count).map(|place| all[(round * count + place) % all.len()].clone()).collect()
}

fn small_formulas(store: &mut Store, most_nodes: usize) -> Vec<Formula> {
    let unary = [UnaryOp::Not, UnaryOp::Next, UnaryOp::Finally, UnaryOp::Globally];
    let binary = [BinaryOp::And, BinaryOp::Or, BinaryOp::Until, BinaryOp::Release];
    let propositions = ["a", "b"].map(|name| store.proposition(name));
    let by_size = all_formulas(store, &propositions, &unary, &binary, most_nodes);
    by_size.into_iter().flatten().collect()
}

#[test]
fn all_small_formulas_take_turns() {
    let mut store = Store::new();
    for (round, formula) in small_formulas(&mut store, 6).into_iter().enumerate() {
        compare(&store, formula, WordKind::Infinite, &some_variants(round, 1));
    }
}

#[test]
fn all_very_small_formulas_in_all_encodings() {
    let mut store = Store::new();
    for (round, formula) in small_formulas(&mut store, 3).into_iter().enumerate() {
        KINDS.into_iter().for_each(|words| compare(&store, formula, words, &variants(round)));
    }
}

/// Some twenty minutes.
#[test]
#[ignore = "long; the other tests take turns"]
fn all_small_formulas_in_all_encodings() {
    let mut store = Store::new();
    for (round, formula) in small_formulas(&mut store, 6).into_iter().enumerate() {
        compare(&store, formula, WordKind::Infinite, &variants(round));
    }
}

/// 5,000 random formulas, each in the variants of its round.
fn compare_random_formulas(variants: impl Fn(usize) -> Vec<EngineSpec>) {
    let mut rng = Rng::new(2011);
    for round in 0..5_000 {
        let mut store = Store::new();
        let (formula, words) = random_formula(&mut store, &mut rng, round);
        compare(&store, formula, words, &variants(round));
    }
}

#[test]
fn random_formulas_take_turns() {
    compare_random_formulas(|round| some_variants(round, 1));
}

/// Some minutes.
#[test]
#[ignore = "long; the other tests take turns"]
fn random_formulas_in_all_encodings() {
    compare_random_formulas(variants);
}

fn member(store: &mut Store, family: &str, arguments: &[&str]) -> Formula {
    let request = Request::parse(family, arguments).expect("a family");
    request.instances().next().expect("a member").build(store)
}

#[test]
fn counters_and_lifts() {
    let counters = ["counter", "counter-linear", "counter2", "counter2-linear"];
    let members = counters.map(|family| (family, "3")).into_iter();
    let members = members.chain([("lift", "2"), ("lift-b", "2")]);
    for (round, (family, size)) in members.enumerate() {
        let mut store = Store::new();
        let formula = member(&mut store, family, &[size]);
        let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
        for engine in variants(round) {
            assert!(is_nonempty(&problem, &engine), "{engine}, {family}");
        }
    }
}

#[test]
fn patterns() {
    for (round, family) in ["S", "E", "Q", "U", "U2", "C1", "C2", "R", "R2"].into_iter().enumerate()
    {
        let mut store = Store::new();
        let formula = member(&mut store, family, &["6"]);
        let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
        for engine in variants(round) {
            assert!(is_nonempty(&problem, &engine), "{engine}, {family}");
        }
    }
}

#[test]
fn the_verdict_stands_if_the_budget_ends_before_the_word_is_there() {
    let mut store = Store::new();
    let formula = parse(&mut store, "a U X b", Dialect::Kermode.into()).expect("a formula").formula;
    for engine in variants(0) {
        for words in KINDS {
            let problem = Problem::satisfiability(&store, formula, words);
            verdict_stands_without_word(&problem, &engine, "peak_nodes");
        }
    }
}
