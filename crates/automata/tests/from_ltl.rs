//! The translation from LTL against the semantics: the automaton of a formula accepts a word iff
//! the word satisfies the formula, for all small formulas and many random ones, on infinite and on
//! finite words.

use std::convert::Infallible;
use std::thread::Builder;

use kermode_automata::explicit::Explicit;
use kermode_automata::{AlternatingStatistics, Untranslatable, from_ltl};
use kermode_base::Rng;
use kermode_ltl::dialect::parse;
use kermode_ltl::random::{Operators, RandomFormula, all_formulas, random_word};
use kermode_ltl::reference::tableau;
use kermode_ltl::semantics::{holds, naive};
use kermode_ltl::{
    BinaryOp, Dialect, Formula, Letter, Proposition, Store, UnaryOp, Word, WordKind,
};

mod accepted;
use accepted::is_accepted;

const KINDS: [WordKind; 2] = [WordKind::Infinite, WordKind::Finite];

fn small_formulas(store: &mut Store, max_size: usize) -> (Vec<Proposition>, Vec<Formula>) {
    let propositions: Vec<Proposition> = ["a", "b"].map(|name| store.proposition(name)).into();
    let unary =
        [UnaryOp::Not, UnaryOp::Next, UnaryOp::WeakNext, UnaryOp::Finally, UnaryOp::Globally];
    let binary = [
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Until,
        BinaryOp::Release,
        BinaryOp::WeakUntil,
        BinaryOp::StrongRelease,
    ];
    let formulas = all_formulas(store, &propositions, &unary, &binary, max_size);
    (propositions, formulas.concat())
}

#[track_caller]
fn agrees(store: &mut Store, formula: Formula, words: WordKind, samples: &[Word]) {
    let automaton = from_ltl(store, formula, words).expect("a formula about the future");
    assert!(AlternatingStatistics::of(&automaton).very_weak);
    if words == WordKind::Finite {
        assert!(!is_accepted(&automaton, &Word::finite(Vec::new())));
    }
    for word in samples {
        let expected = holds(store, formula, word);
        assert_eq!(is_accepted(&automaton, word), expected, "{formula:?} {word:?} {automaton:?}");
    }
}

#[test]
fn small_formulas_mean_what_they_mean() {
    let mut store = Store::new();
    let (propositions, formulas) = small_formulas(&mut store, 5);
    let mut rng = Rng::new(1);
    for words in KINDS {
        let samples: Vec<Word> =
            (0..24).map(|_| random_word(&mut rng, &propositions, words, 3, 3)).collect();
        for &formula in &formulas {
            agrees(&mut store, formula, words, &samples);
        }
    }
}

#[test]
fn random_formulas_mean_what_they_mean() {
    let mut rng = Rng::new(2);
    for round in 0..4_000 {
        let mut store = Store::new();
        let propositions: Vec<Proposition> =
            ["a", "b", "c"].map(|name| store.proposition(name)).into();
        let operators = Operators::future().with_weak_next().with_constants();
        let shape = RandomFormula {
            size: rng.between(6, 30),
            propositions: propositions.clone(),
            operators,
        };
        let formula = shape.draw(&mut store, &mut rng);
        let words = KINDS[round % 2];
        let samples: Vec<Word> =
            (0..20).map(|_| random_word(&mut rng, &propositions, words, 4, 5)).collect();
        agrees(&mut store, formula, words, &samples);
    }
}

/// Brute force on the automaton and the tableau on the formula agree on satisfiability; the word of
/// the one satisfies the other.
#[test]
fn small_formulas_are_empty_when_they_are_unsatisfiable() {
    let mut store = Store::new();
    let (_, formulas) = small_formulas(&mut store, 4);
    for words in KINDS {
        for &formula in &formulas {
            let automaton = from_ltl(&mut store, formula, words).expect("a translation");
            let found = Explicit::new(&automaton).expect("few locations").word();
            let expected = tableau(&store, formula, words, &mut || Ok::<(), Infallible>(()));
            assert_eq!(found.is_some(), expected.expect("a small tableau").is_some());
            if let Some(word) = found {
                assert!(naive::satisfies(&store, formula, &word), "{formula:?} {word:?}");
                assert!(is_accepted(&automaton, &word));
            }
        }
    }
}

fn read(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).expect("a formula").formula
}

/// A strong next and an unfolding leave different obligations behind the last letter.
#[test]
fn the_end_of_a_finite_word() {
    for (text, letters, expected) in [
        ("G a", "a", true),
        ("X G a", "a", false),
        ("X G a", "aa", true),
        ("N G a", "a", true),
        ("N F a", "-", true),
        ("N F a", "--", false),
        ("N F a", "-a", true),
        ("X true", "a", false),
        ("N false", "a", true),
        ("N false", "aa", false),
        ("X G a & N F a", "a", false),
        ("X a | N a", "-", true),
    ] {
        let mut store = Store::new();
        let formula = read(&mut store, text);
        let a = store.proposition("a");
        let letter = |c| if c == 'a' { [a].into_iter().collect() } else { Letter::default() };
        let word = Word::finite(letters.chars().map(letter).collect());
        let automaton = from_ltl(&mut store, formula, WordKind::Finite).expect("a translation");
        assert_eq!(is_accepted(&automaton, &word), expected, "{text} on {letters}");
    }
}

/// How many locations formulas take: one an unfolded operator, one the operand of a next that is no
/// combination of such, one for what the initial condition cannot say.
#[test]
fn locations_are_few() {
    for (text, infinite, finite) in [
        ("a", 1, 1),
        ("G F p & F(!p & G !r)", 4, 4),
        ("(a & X !b) U (a & X b)", 3, 3),
        ("a & F b & G c", 3, 3),
        ("X X X a", 4, 4),
        ("X(F a | G b)", 3, 4),
        ("G(a -> X(F b & G c))", 3, 4),
        ("true", 0, 1),
        ("G a", 1, 2),
        ("N F a", 2, 3),
    ] {
        for (words, expected) in [(WordKind::Infinite, infinite), (WordKind::Finite, finite)] {
            let mut store = Store::new();
            let formula = read(&mut store, text);
            let automaton = from_ltl(&mut store, formula, words).expect("a translation");
            assert_eq!(automaton.location_count(), expected, "{text}, {words:?}");
        }
    }
}

#[test]
fn past_and_bounds_are_refused() {
    let mut store = Store::new();
    for (text, message) in [
        ("G(a -> O b)", "`O b` looks back, and automata do not"),
        ("a S b", "`a S b` looks back, and automata do not"),
        ("H[1,2] b", "`H[1,2] b` looks back, and automata do not"),
        ("F[0,2] a", "`F[0,2] a` is bounded: bounded operators are written out first"),
    ] {
        let formula = read(&mut store, text);
        let refusal = from_ltl(&mut store, formula, WordKind::Infinite).expect_err(text);
        assert_eq!(refusal.to_string(), message);
        assert!(matches!(refusal, Untranslatable::Past { .. } | Untranslatable::Bounded { .. }));
    }
}

/// A hundred thousand operators deep on a small stack, and nothing quadratic on the way.
#[test]
fn deep_formulas() {
    let deep = |unit: &str, core: &str, close: &str| {
        format!("{}{core}{}", unit.repeat(100_000), close.repeat(100_000))
    };
    let texts = [
        deep("X ", "a", ""),
        deep("(a U X(b & ", "a", "))"),
        deep("G(a | F(b & ", "a", "))"),
        deep("(b & X(G c & ", "a", "))"),
        deep("!(a R X ", "a", ")"),
    ];
    let run = move || {
        for text in &texts {
            for words in KINDS {
                let mut store = Store::new();
                let formula = read(&mut store, text);
                let automaton = from_ltl(&mut store, formula, words).expect("a translation");
                let letters: Vec<Letter> = vec![Letter::default(), Letter::default()];
                let word = match words {
                    WordKind::Infinite => Word::lasso(letters.clone(), letters),
                    WordKind::Finite => Word::finite(letters),
                };
                assert_eq!(is_accepted(&automaton, &word), holds(&store, formula, &word));
            }
        }
    };
    let thread = Builder::new().stack_size(2 << 20).spawn(run).expect("a thread");
    thread.join().expect("a test that passes");
}
