//! The smallest conjuncts of formulas: which they are, and that together they mean the same.

use kermode_base::Rng;
use kermode_ltl::conjuncts::conjuncts;
use kermode_ltl::dialect::{parse, write};
use kermode_ltl::random::{Operators, RandomFormula, random_word};
use kermode_ltl::semantics::naive;
use kermode_ltl::{Dialect, Store, WordKind};

fn conjuncts_of(text: &str) -> Vec<String> {
    let mut store = Store::new();
    let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
    let found = conjuncts(&mut store, formula);
    let text = |&conjunct| write(&store, conjunct, Dialect::Kermode.into()).expect("a text");
    found.iter().map(text).collect()
}

#[test]
fn conjunctions_are_taken_apart_behind_operators() {
    for (text, expected) in [
        ("a", vec!["a"]),
        ("a & b & a", vec!["a", "b"]),
        ("G(a & X(b & c))", vec!["G a", "G X b", "G X c"]),
        ("!(a | F(b | !c) | (d -> e))", vec!["!a", "G !b", "G c", "d", "!e"]),
        ("!X(a | b)", vec!["N !a", "N !b"]),
        ("H(a & Y b) & (a | (b & c))", vec!["H a", "H Y b", "a | b & c"]),
        ("F(a & b)", vec!["F(a & b)"]),
    ] {
        assert_eq!(conjuncts_of(text), expected, "{text}");
    }
}

/// Each moment's conjuncts would be as long as the way to it.
#[test]
fn long_chains_do_not_blow_up() {
    let depth = 2_000;
    let text = format!("{}b{}", "a & X(".repeat(depth), ")".repeat(depth));
    assert!(conjuncts_of(&text).len() < 20);
}

#[test]
fn together_they_mean_the_same() {
    let mut rng = Rng::new(2026);
    for round in 0..3_000 {
        let mut store = Store::new();
        let propositions: Vec<_> = ["a", "b", "c"].map(|p| store.proposition(p)).to_vec();
        let operators = Operators::future().with_weak_next().with_past().with_constants();
        let size = rng.between(1, 18);
        let random = RandomFormula { size, propositions: propositions.clone(), operators };
        let formula = random.draw(&mut store, &mut rng);
        let parts = conjuncts(&mut store, formula);
        let words = [WordKind::Infinite, WordKind::Finite][round % 2];
        for _ in 0..8 {
            let word = random_word(&mut rng, &propositions, words, 3, 3);
            let all = parts.iter().all(|&part| naive::satisfies(&store, part, &word));
            assert_eq!(naive::satisfies(&store, formula, &word), all, "{parts:?} on {word:?}");
        }
    }
}
