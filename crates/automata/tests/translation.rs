//! Formulas as automata, at every level: words are accepted exactly if the semantics says so.

use std::error::Error;

use kermode_automata::of_formula::buchi;
use kermode_automata::tgba::{Tgba, accepts};
use kermode_automata::translation::{Goal, Level, Preference, to_buchi, translate};
use kermode_base::Rng;
use kermode_ltl::dialect::{Dialect, parse, write};
use kermode_ltl::random::{Operators, RandomFormula, all_formulas, random_word};
use kermode_ltl::rewrite::Rewriting;
use kermode_ltl::{BinaryOp, Formula, Proposition, Store, UnaryOp, Word, WordKind, semantics};

type Failed = Box<dyn Error>;

const LEVELS: [Level; 4] = [Level::Raw, Level::Low, Level::Medium, Level::High];

fn go_on() -> Result<(), Failed> {
    Ok(())
}

fn read(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).expect("a formula").formula
}

#[track_caller]
fn judge(store: &Store, formula: Formula, automaton: &Tgba, words: &[Word], how: &str) {
    for word in words {
        let accepted = accepts(automaton, word, &mut go_on).expect("a small product");
        let holds = semantics::holds(store, formula, word);
        let shown = || write(store, formula, Dialect::Kermode.into());
        assert_eq!(accepted, holds, "{:?}, {how}: {word:?}", shown());
    }
}

/// The automaton of a level, and the one with accepting states.
fn judge_level(store: &Store, formula: Formula, level: Level, words: &[Word]) {
    let (mut store, formulas) = store.extract(&[formula]);
    let formula = formulas[0];
    let automaton = translate(&mut store, formula, level, &mut go_on).expect("a small automaton");
    judge(&store, formula, &automaton, words, &format!("{level:?}"));
    let buchi = to_buchi(&automaton, level, &mut go_on).expect("a small automaton");
    assert!(buchi.is_state_based() && buchi.mark_count() <= 1);
    judge(&store, formula, &buchi, words, &format!("{level:?}, one mark on states"));
}

fn words(rng: &mut Rng, propositions: &[Proposition], count: usize) -> Vec<Word> {
    (0..count).map(|_| random_word(rng, propositions, WordKind::Infinite, 3, 3)).collect()
}

/// All small formulas at every level. Negations are among them.
fn judge_all(unary: &[UnaryOp], binary: &[BinaryOp], size: usize) {
    let mut store = Store::new();
    let propositions = ["a", "b"].map(|name| store.proposition(name));
    let mut rng = Rng::new(1999);
    let all = all_formulas(&mut store, &propositions, unary, binary, size);
    for formula in all.into_iter().flatten() {
        for level in LEVELS {
            let words = words(&mut rng, &propositions, 8);
            judge_level(&store, formula, level, &words);
        }
    }
}

const NEXT_AND_UNTIL: ([UnaryOp; 2], [BinaryOp; 2]) =
    ([UnaryOp::Not, UnaryOp::Next], [BinaryOp::And, BinaryOp::Until]);
const ALL: ([UnaryOp; 4], [BinaryOp; 4]) = (
    [UnaryOp::Not, UnaryOp::Next, UnaryOp::Finally, UnaryOp::Globally],
    [BinaryOp::And, BinaryOp::Or, BinaryOp::Until, BinaryOp::Release],
);

#[test]
fn all_small_formulas_of_next_and_until() {
    judge_all(&NEXT_AND_UNTIL.0, &NEXT_AND_UNTIL.1, 7);
}

#[test]
fn all_small_formulas_of_all_operators() {
    judge_all(&ALL.0, &ALL.1, 6);
}

#[test]
fn random_formulas() {
    judge_random(8_000, 2012);
}

#[test]
#[ignore = "a campaign of more than a minute"]
fn many_random_formulas() {
    judge_random(200_000, 2013);
}

/// For a formula and for its negation.
fn judge_random(rounds: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    for round in 0..rounds {
        let mut store = Store::new();
        let propositions: Vec<Proposition> =
            ["a", "b", "c"].iter().map(|name| store.proposition(name)).collect();
        let words = words(&mut rng, &propositions, 8);
        let operators = Operators::future().with_constants();
        let random = RandomFormula { size: 4 + round % 12, propositions, operators };
        let formula = random.draw(&mut store, &mut rng);
        let negation = store.not(formula);
        // Levels in turn, the highest one every other time.
        let level = if round % 2 == 0 { Level::High } else { LEVELS[round / 2 % 3] };
        judge_level(&store, formula, level, &words);
        judge_level(&store, negation, level, &words);
    }
}

/// What rules for automata and obligations are about, and automata that lose marks, states and
/// steps.
#[test]
fn sizes_at_the_highest_level() {
    for (text, expected) in [
        ("G F a -> G F b", (2, 4)),
        ("(G F a | F G b) & (G F b | F G c)", (3, 9)),
        ("G(p & X F(q & X F(r & X F s)))", (1, 8)),
        ("F a -> (!b U a)", (3, 5)),
        ("G !a | F(a & F b)", (3, 6)),
        ("(a U b) | G a", (2, 3)),
        ("G(a -> G((b & X F c) -> X(!c U (c & F d))))", (5, 17)),
        ("F(!a & G(!a | c) & G F !a)", (2, 4)),
        ("X F a & G(b & F a)", (1, 2)),
        ("false", (0, 0)),
        ("true", (1, 1)),
    ] {
        let mut store = Store::new();
        let formula = read(&mut store, text);
        let goal = Goal { level: Level::High, preference: Preference::Small };
        let automaton = translate(&mut store, formula, goal, &mut go_on).expect("small");
        assert_eq!((automaton.state_count(), automaton.edge_count()), expected, "{text}");
    }
}

/// States of Büchi automata with the mark on states.
#[test]
fn sizes_with_the_mark_on_states() {
    for (text, expected) in [
        ("G(a -> F b)", 2),
        ("G(a -> (b U c))", 2),
        ("G(a -> F(b & X F c))", 5),
        ("G F a & G F b", 3),
        ("F a & F b", 4),
        ("G F a -> G F b", 3),
    ] {
        let mut store = Store::new();
        let formula = read(&mut store, text);
        let level = Level::High;
        let buchi = buchi(&mut store, formula, level, &Rewriting::Standard, &mut go_on);
        assert_eq!(buchi.expect("small").state_count(), expected, "{text}");
    }
}

/// Section 4.6 of \[STV05\], where a compiler for Boolean combinations of `G F` gave 1,281 states:
/// the states of both kinds of automata, for the formula and its negation.
#[test]
fn a_chain_of_fairness_conditions() {
    let fair = |conditions: &[(&str, &str)]| -> String {
        let conditions = conditions.iter().map(|(p, q)| format!("(G F {p} -> G F({q}))"));
        conditions.collect::<Vec<_>>().join(" & ")
    };
    let chain = fair(&[
        ("p0", "p1"),
        ("p2", "p0"),
        ("p3", "p2"),
        ("p4", "p2"),
        ("p5", "p3"),
        ("p6", "p5 | p4"),
        ("p7", "p6"),
        ("p1", "p7"),
    ]);
    for (text, expected) in
        [(format!("({chain}) -> G F p8"), [10, 18]), (format!("({chain}) & !G F p8"), [4, 17])]
    {
        let mut store = Store::new();
        let formula = read(&mut store, &text);
        let automaton = translate(&mut store, formula, Level::High, &mut go_on).expect("small");
        let buchi = to_buchi(&automaton, Level::High, &mut go_on).expect("small");
        assert_eq!([&automaton, &buchi].map(Tgba::state_count), expected, "{text}");
        let mut rng = Rng::new(46);
        let propositions = store.propositions(formula);
        let words = words(&mut rng, &propositions, 64);
        judge(&store, formula, &automaton, &words, "marks on transitions");
        judge(&store, formula, &buchi, &words, "one mark on states");
    }
}

/// With preference for few states, more effort never gives a larger automaton.
#[test]
fn levels_are_in_order() {
    let mut rng = Rng::new(7);
    for round in 0..1_000 {
        let mut store = Store::new();
        let propositions: Vec<Proposition> =
            ["a", "b", "c"].iter().map(|name| store.proposition(name)).collect();
        let operators = Operators::future();
        let random = RandomFormula { size: 5 + round % 10, propositions, operators };
        let formula = random.draw(&mut store, &mut rng);
        let sizes = LEVELS.map(|level| {
            let goal = Goal { level, preference: Preference::Small };
            let automaton = translate(&mut store, formula, goal, &mut go_on).expect("small");
            (automaton.state_count(), automaton.edge_count())
        });
        let text = write(&store, formula, Dialect::Kermode.into()).expect("Kermode writes all");
        assert!(sizes[2].0 <= sizes[1].0 && sizes[3] <= sizes[2], "{text}: {sizes:?}");
    }
}

/// Obligations and recurrence formulas have deterministic automata. The other preferences give
/// automata of the same language.
#[test]
fn deterministic_automata() {
    for (text, is_deterministic) in [
        ("F a & F b", true),
        ("F(a & X X b)", true),
        ("(a U b) -> G(c | F d)", true),
        ("G(a -> F b)", true),
        ("G F (a & X X b)", true),
        ("G F a & G F (b & X c)", true),
        ("F G a", false),
        ("G F a -> G F b", false),
    ] {
        let mut store = Store::new();
        let formula = read(&mut store, text);
        let propositions: Vec<Proposition> =
            ["a", "b", "c", "d"].iter().map(|name| store.proposition(name)).collect();
        let words = words(&mut Rng::new(84), &propositions, 100);
        for preference in [Preference::Product, Preference::Small, Preference::Deterministic] {
            let goal = Goal { level: Level::High, preference };
            let automaton = translate(&mut store, formula, goal, &mut go_on).expect("small");
            judge(&store, formula, &automaton, &words, &format!("{preference:?}"));
            if preference == Preference::Deterministic {
                let deterministic = automaton.is_deterministic().expect("small");
                assert_eq!(deterministic, is_deterministic, "{text}");
            }
        }
    }
}

/// Each preference is best at what it prefers; in states only in sum, because later attempts start
/// from the best automaton so far.
#[test]
fn preferences() {
    let mut rng = Rng::new(11);
    let mut states = [0, 0];
    for round in 0..500 {
        let mut store = Store::new();
        let propositions: Vec<Proposition> =
            ["a", "b", "c"].iter().map(|name| store.proposition(name)).collect();
        let words = words(&mut rng, &propositions, 8);
        let operators = Operators::future();
        let random = RandomFormula { size: 5 + round % 10, propositions, operators };
        let formula = random.draw(&mut store, &mut rng);
        let preferences = [Preference::Product, Preference::Small, Preference::Deterministic];
        let [product, small, deterministic] = preferences.map(|preference| {
            let goal = Goal { level: Level::High, preference };
            let automaton = translate(&mut store, formula, goal, &mut go_on).expect("small");
            judge(&store, formula, &automaton, &words, &format!("{preference:?}"));
            automaton
        });
        let is_deterministic = |automaton: &Tgba| automaton.is_deterministic().expect("small");
        states[0] += small.state_count();
        states[1] += product.state_count();
        assert!(is_deterministic(&deterministic) || !is_deterministic(&product));
        assert!(is_deterministic(&deterministic) || !is_deterministic(&small));
    }
    assert!(states[0] < states[1], "{states:?}");
}
