//! Random automata against brute force: membership, emptiness, union, intersection, trimming.

use kermode_automata::explicit::{Explicit, TooLarge};
use kermode_automata::random::RandomAutomaton;
use kermode_automata::{
    AlternatingAutomaton, AlternatingStatistics, accepts, alaska, from_ltl, intersection, trim,
    union,
};
use kermode_base::Rng;
use kermode_ltl::dialect::parse;
use kermode_ltl::random::{Operators, RandomFormula, random_word};
use kermode_ltl::{Dialect, Letter, Proposition, Store, Word, WordKind};

mod accepted;
use accepted::is_accepted;

const KINDS: [WordKind; 2] = [WordKind::Infinite, WordKind::Finite];

fn propositions(store: &mut Store) -> Vec<Proposition> {
    ["a", "b"].map(|name| store.proposition(name)).into()
}

/// Automata of all kinds: infinite and finite words, very weak, weak and neither.
fn draw(
    rng: &mut Rng,
    round: usize,
    locations: usize,
    letters: &[Proposition],
) -> AlternatingAutomaton {
    let shape = RandomAutomaton {
        words: KINDS[round % 2],
        locations,
        propositions: letters.to_vec(),
        leaves: 6,
        group: [None, Some(1), Some(2), None][round / 2 % 4],
    };
    shape.draw(rng)
}

fn samples(rng: &mut Rng, letters: &[Proposition], words: WordKind, count: usize) -> Vec<Word> {
    let mut samples: Vec<Word> =
        (0..count).map(|_| random_word(rng, letters, words, 3, 4)).collect();
    if words == WordKind::Finite {
        samples.push(Word::finite(Vec::new()));
    }
    samples
}

#[test]
fn membership_and_brute_force_agree() {
    let mut store = Store::new();
    let letters = propositions(&mut store);
    let mut rng = Rng::new(11);
    let (mut accepted, mut rejected, mut empty) = (0, 0, 0);
    for round in 0..1_200 {
        let locations = rng.between(1, 4);
        let automaton = draw(&mut rng, round, locations, &letters);
        let explicit = Explicit::new(&automaton).expect("few locations");
        for word in samples(&mut rng, &letters, automaton.words(), 12) {
            let expected = explicit.accepts(&word);
            assert_eq!(is_accepted(&automaton, &word), expected, "{word:?} {automaton:?}");
            *(if expected { &mut accepted } else { &mut rejected }) += 1;
        }
        match explicit.word() {
            Some(word) => assert!(is_accepted(&automaton, &word), "{word:?} {automaton:?}"),
            None => empty += 1,
        }
    }
    // The automata are neither all empty nor all universal.
    assert!(accepted > 2_000 && rejected > 2_000 && empty > 100, "{accepted} {rejected} {empty}");
}

#[test]
fn groups_make_automata_weak() {
    let mut store = Store::new();
    let letters = propositions(&mut store);
    let mut rng = Rng::new(12);
    let mut strong = 0;
    for round in 0..400 {
        let automaton = draw(&mut rng, round, 6, &letters);
        let statistics = AlternatingStatistics::of(&automaton);
        match round / 2 % 4 {
            1 => assert!(statistics.very_weak && statistics.weak),
            2 => assert!(statistics.weak),
            _ => strong += usize::from(!statistics.weak),
        }
        assert!(!statistics.very_weak || statistics.weak);
    }
    assert!(strong > 50, "{strong}");
}

#[test]
fn union_and_intersection() {
    let mut store = Store::new();
    let letters = propositions(&mut store);
    let mut rng = Rng::new(13);
    for round in 0..600 {
        let a = draw(&mut rng, round, 3, &letters);
        let b = draw(&mut rng, round, 4, &letters[1..]);
        let (both, either) = (intersection(&a, &b), union(&a, &b));
        assert_eq!(both.location_count(), 7);
        for word in samples(&mut rng, &letters, a.words(), 10) {
            let (in_a, in_b) = (is_accepted(&a, &word), is_accepted(&b, &word));
            assert_eq!(is_accepted(&both, &word), in_a && in_b);
            assert_eq!(is_accepted(&either, &word), in_a || in_b);
        }
    }
}

#[test]
fn trimming_keeps_the_language() {
    let mut store = Store::new();
    let letters = propositions(&mut store);
    let mut rng = Rng::new(14);
    let mut saved = 0;
    for round in 0..2_000 {
        let locations = rng.between(1, 7);
        let automaton = draw(&mut rng, round, locations, &letters);
        let trimmed = trim(&automaton);
        assert!(trimmed.location_count() <= locations);
        saved += locations - trimmed.location_count();
        for word in samples(&mut rng, &letters, automaton.words(), 16) {
            let expected = is_accepted(&automaton, &word);
            assert_eq!(is_accepted(&trimmed, &word), expected, "{word:?} {automaton:?}");
        }
        let again = trim(&trimmed);
        assert!(again.location_count() <= trimmed.location_count());
    }
    assert!(saved > 1_000, "{saved}");
}

#[test]
fn trimming_keeps_the_language_of_formulas() {
    let mut rng = Rng::new(15);
    for round in 0..2_000 {
        let mut store = Store::new();
        let letters = propositions(&mut store);
        let operators = Operators::future().with_weak_next().with_constants();
        let shape =
            RandomFormula { size: rng.between(3, 16), propositions: letters.clone(), operators };
        let formula = shape.draw(&mut store, &mut rng);
        let words = KINDS[round % 2];
        let automaton = from_ltl(&mut store, formula, words).expect("a translation");
        let trimmed = trim(&automaton);
        for word in samples(&mut rng, &letters, words, 12) {
            assert_eq!(is_accepted(&trimmed, &word), is_accepted(&automaton, &word));
        }
        assert!(AlternatingStatistics::of(&trimmed).very_weak);
    }
}

/// What is left of files and formulas after trimming.
#[test]
fn trimming_finds_what_it_should() {
    let finite_and_infinite = [
        // Universal and empty locations, unreachable ones.
        ("0 & 1", "0: a & 1; 1: 1 | b; 2: b", "1", 1, 1),
        // Two locations with the same transition.
        ("0", "0: (a & 1) | (b & 2); 1: a; 2: a", "", 2, 2),
        // Two that differ in themselves only.
        ("0 | 1", "0: a & 0; 1: a & 1", "0,1", 1, 1),
        // One that is the other's first step.
        ("0", "0: a & 1; 1: a & 1", "0,1", 1, 1),
        // Two towers of equal ones.
        ("0", "0: a & 1; 1: a & 2; 2: a & 3; 3: a & 3", "0,1,2,3", 1, 1),
        ("0 & 2", "0: a & 1; 1: b; 2: a & 3; 3: b", "", 2, 2),
        // Acceptance matters where runs return and, on finite words, everywhere.
        ("0 | 1", "0: b & (a | 0); 1: b & (a | 1)", "1", 2, 2),
        ("0 | 1", "0: a; 1: a", "1", 1, 2),
        // Nothing can be won, nothing can be lost.
        ("0", "0: a & 1; 1: 0 & b", "", 0, 0),
        ("0", "0: a | 1; 1: 0 | b", "0,1", 0, 0),
    ];
    for (initial, transitions, accepting, infinite, finite) in finite_and_infinite {
        for (automaton_type, expected) in [("sABW", infinite), ("sAFW", finite)] {
            let count = transitions.split(';').count();
            let locations: Vec<String> = (0..count).map(|l| l.to_string()).collect();
            let transitions: String = transitions
                .split(';')
                .map(|part| part.split_once(':').expect("a transition"))
                .map(|(location, condition)| format!("{location}: \"{condition}\","))
                .collect();
            let text = format!(
                "(automaton_type=\"{automaton_type}\", locations=[{}], propositions=[\"a\",\"b\"],
                initial_constraint=\"{initial}\", accepting_locations=[{accepting}],
                transition_function={{{transitions}}})",
                locations.join(","),
            );
            let automaton = alaska::read(&mut Store::new(), &text).expect("an automaton");
            assert_eq!(trim(&automaton).location_count(), expected, "{text}");
        }
    }
}

#[test]
fn deep_automata_are_trimmed_in_one_pass() {
    let text = format!("{}G a{}", "(b & X(a & X ".repeat(30_000), "))".repeat(30_000));
    let mut store = Store::new();
    let formula = parse(&mut store, &text, Dialect::Kermode.into()).expect("a formula").formula;
    for words in KINDS {
        let automaton = from_ltl(&mut store, formula, words).expect("a translation");
        let both = intersection(&automaton, &automaton);
        assert_eq!(trim(&both).location_count(), trim(&automaton).location_count());
    }
}

#[test]
fn words_of_the_other_kind_are_not_accepted() {
    let mut store = Store::new();
    let formula = store.constant(true);
    for words in KINDS {
        let automaton = from_ltl(&mut store, formula, words).expect("a translation");
        let letter = vec![Letter::default()];
        let finite = is_accepted(&automaton, &Word::finite(letter.clone()));
        let infinite = is_accepted(&automaton, &Word::lasso(Vec::new(), letter));
        assert_eq!((infinite, finite), (words == WordKind::Infinite, words == WordKind::Finite));
    }
}

#[test]
fn the_empty_word_is_judged_by_the_initial_condition() {
    for (accepting, expected) in [("0,1", true), ("0", false)] {
        let text = format!(
            "(automaton_type=\"sAFW\", locations=[0,1], propositions=[], initial_constraint=\"0 & 1\",
            accepting_locations=[{accepting}], transition_function={{0:\"false\",1:\"false\"}})"
        );
        let automaton = alaska::read(&mut Store::new(), &text).expect("an automaton");
        let empty = Word::finite(Vec::new());
        assert_eq!(is_accepted(&automaton, &empty), expected);
        let explicit = Explicit::new(&automaton).expect("few locations");
        assert_eq!(explicit.accepts(&empty), expected);
        assert_eq!(explicit.word(), expected.then_some(empty));
    }
}

#[test]
fn membership_can_be_interrupted() {
    let mut store = Store::new();
    let formula = parse(&mut store, "G F a", Dialect::Kermode.into()).expect("a formula").formula;
    let automaton = from_ltl(&mut store, formula, WordKind::Infinite).expect("a translation");
    let word = Word::lasso(vec![Letter::default()], vec![Letter::default(); 1_000]);
    let mut calls = 0;
    let mut interrupt = || {
        calls += 1;
        if calls < 5 { Ok(()) } else { Err("enough") }
    };
    assert_eq!(accepts(&automaton, &word, &mut interrupt), Err("enough"));
}

#[test]
fn brute_force_knows_its_limits() {
    let mut rng = Rng::new(16);
    let mut store = Store::new();
    let letters = propositions(&mut store);
    let automaton = draw(&mut rng, 0, 40, &letters);
    let refusal = Explicit::new(&automaton).expect_err("too many locations");
    assert_eq!(refusal, TooLarge { locations: 40, propositions: 2 });
}
