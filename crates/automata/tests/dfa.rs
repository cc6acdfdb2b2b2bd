//! Deterministic automata over finite words against the plain semantics: they accept the words that
//! satisfy their formula, and have as many states as the language has Myhill-Nerode classes. The
//! classes are counted by brute force: prefixes are told apart by the values of the formula on
//! their continuations.

use indexmap::IndexSet;
use kermode_automata::dfa::{Dfa, DfaStatistics, Extent, deterministic};
use kermode_automata::{Untranslatable, accepts};
use kermode_base::{Natural, Rng};
use kermode_bdd::{CannotStart, OutOfNodes};
use kermode_ltl::dialect::parse;
use kermode_ltl::normal::ExpansionTooLarge;
use kermode_ltl::random::{Operators, RandomFormula, all_formulas};
use kermode_ltl::rewrite::Rewriting;
use kermode_ltl::semantics::naive::satisfies;
use kermode_ltl::{BinaryOp, Dialect, Formula, Letter, Proposition, Store, UnaryOp, Word};

mod snapshot;
use snapshot::matches_snapshot;

#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Untranslatable(#[from] Untranslatable),
    #[error(transparent)]
    Expansion(#[from] ExpansionTooLarge),
    #[error(transparent)]
    Nodes(#[from] OutOfNodes),
    #[error(transparent)]
    Start(#[from] CannotStart),
    #[error("the budget ended")]
    Stopped,
}

fn automaton(store: &mut Store, formula: Formula, rewriting: &Rewriting) -> Dfa {
    deterministic(store, formula, rewriting, &mut go_on).expect("an automaton")
}

/// Never interrupts.
fn go_on() -> Result<(), Failure> {
    Ok(())
}

fn of_text(store: &mut Store, text: &str) -> Dfa {
    let formula = parse(store, text, Dialect::Kermode.into()).expect("a formula").formula;
    automaton(store, formula, &Rewriting::Standard)
}

fn letters(propositions: &[Proposition]) -> Vec<Letter> {
    let letter = |set: usize| {
        let held = propositions.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
        held.map(|(_, &p)| p).collect()
    };
    (0..1 << propositions.len()).map(letter).collect()
}

/// All words with at most so many letters, shortest first.
fn words(letters: &[Letter], length: usize) -> Vec<Vec<Letter>> {
    let mut words = vec![Vec::new()];
    let mut start = 0;
    for _ in 0..length {
        let end = words.len();
        for shorter in start..end {
            for letter in letters {
                let mut word: Vec<Letter> = words[shorter].clone();
                word.push(letter.clone());
                words.push(word);
            }
        }
        start = end;
    }
    words
}

/// The language of a formula; formulas say nothing about the empty word, which is not in it.
fn is_in_language(store: &Store, formula: Formula, word: &[Letter]) -> bool {
    !word.is_empty() && satisfies(store, formula, &Word::finite(word.to_vec()))
}

/// How many prefixes differ on continuations of at most so many letters. Each prefix is one letter
/// longer than an earlier one. All of them are in different Myhill-Nerode classes.
fn classes(store: &Store, formula: Formula, alphabet: &[Letter], length: usize) -> usize {
    let continuations = words(alphabet, length);
    let signature = |prefix: &[Letter]| -> Vec<bool> {
        let member = |rest: &Vec<Letter>| is_in_language(store, formula, &[prefix, rest].concat());
        continuations.iter().map(member).collect()
    };
    let mut found: IndexSet<Vec<bool>> = IndexSet::new();
    let mut prefixes: Vec<Vec<Letter>> = vec![Vec::new()];
    found.insert(signature(&[]));
    let mut next = 0;
    while next < prefixes.len() {
        for letter in alphabet {
            let prefix = [&prefixes[next][..], std::slice::from_ref(letter)].concat();
            if found.insert(signature(&prefix)) {
                prefixes.push(prefix);
            }
        }
        next += 1;
    }
    found.len()
}

/// A right automaton has at least as many states as there are classes, so counting as many classes
/// as states shows that it is minimal.
#[track_caller]
fn is_minimal(store: &Store, formula: Formula, automaton: &Dfa) {
    let alphabet = letters(automaton.propositions());
    let longest = if alphabet.len() <= 2 { 9 } else { 5 };
    let counted = (1..=longest).map(|length| classes(store, formula, &alphabet, length));
    let most = counted
        .take_while(|&count| count <= automaton.state_count())
        .find(|&count| count == automaton.state_count());
    assert_eq!(most, Some(automaton.state_count()), "{formula:?} {automaton:?}");
}

#[track_caller]
fn agrees(store: &Store, formula: Formula, automaton: &Dfa, length: usize) {
    let alphabet = letters(automaton.propositions());
    for word in words(&alphabet, length) {
        let expected = is_in_language(store, formula, &word);
        let word = Word::finite(word);
        assert_eq!(automaton.accepts(&word), expected, "{formula:?} {word:?} {automaton:?}");
    }
}

fn propositions(store: &mut Store) -> Vec<Proposition> {
    ["a", "b"].map(|name| store.proposition(name)).into()
}

#[test]
fn small_formulas() {
    let mut store = Store::new();
    let propositions = propositions(&mut store);
    let unary = [
        UnaryOp::Not,
        UnaryOp::Next,
        UnaryOp::WeakNext,
        UnaryOp::Globally,
        UnaryOp::Yesterday,
        UnaryOp::Once,
        UnaryOp::Historically,
    ];
    let binary = [BinaryOp::And, BinaryOp::Until, BinaryOp::Xor, BinaryOp::Since];
    let formulas = all_formulas(&mut store, &propositions, &unary, &binary, 4).concat();
    for formula in formulas {
        let automaton = automaton(&mut store, formula, &Rewriting::None);
        agrees(&store, formula, &automaton, 4);
        is_minimal(&store, formula, &automaton);
    }
}

fn random_formulas(count: usize, seed: u64, length: usize) {
    let mut store = Store::new();
    let propositions = propositions(&mut store);
    let mut rng = Rng::new(seed);
    let operators = Operators::future().with_weak_next().with_past().with_bounds(2);
    for number in 0..count {
        let size = rng.between(3, 9);
        let formula = RandomFormula {
            size,
            propositions: propositions[..rng.between(1, 2)].to_vec(),
            operators: operators.clone(),
        };
        let formula = formula.draw(&mut store, &mut rng);
        let rewriting = if number % 2 == 0 { Rewriting::Standard } else { Rewriting::None };
        let automaton = automaton(&mut store, formula, &rewriting);
        agrees(&store, formula, &automaton, length);
        is_minimal(&store, formula, &automaton);
    }
}

#[test]
fn a_thousand_random_formulas() {
    random_formulas(1000, 2, 6);
}

/// The number of states.
fn counts(text: &str) -> usize {
    of_text(&mut Store::new(), text).state_count()
}

#[test]
fn sizes() {
    // The empty word has a class of its own: no formula is true of it.
    assert_eq!(counts("true"), 2);
    assert_eq!(counts("false"), 1);
    assert_eq!(counts("F a"), 2);
    assert_eq!(counts("G a"), 3);
    assert_eq!(counts("a U b"), 3);
    assert_eq!(counts("X[40] a"), 43);
    assert_eq!(counts("G(a -> F b)"), 3);
    // A past operator needs one bit.
    assert_eq!(counts("G(a -> O b)"), 4);
    assert_eq!(counts("F(a & Y b)"), 3);
}

/// Later demands that an earlier one implies do not count, and neither do those before.
#[test]
fn deadlines_take_one_state_per_step() {
    for n in [1, 2, 5, 20, 40] {
        assert_eq!(counts(&format!("G(a -> F[0,{n}] b)")), n + 3);
        assert_eq!(counts(&format!("G(a -> G[0,{n}] b)")), n + 3);
        assert_eq!(counts(&format!("G(a -> O[0,{n}] b)")), n + 3);
    }
}

/// Minimisation splits one state off in each round here.
#[test]
fn long_chains() {
    assert_eq!(counts("X[600] a"), 603);
}

/// The product of many small automata.
#[test]
fn conjunctions_of_requirements() {
    let responses: Vec<String> = (0..8).map(|i| format!("G(a{i} -> F b{i})")).collect();
    assert_eq!(counts(&responses.join(" & ")), (1 << 8) + 1);
    let ordered: Vec<String> = (0..30).map(|i| format!("(!a{} U a{i})", i + 1)).collect();
    assert_eq!(counts(&ordered.join(" & ")), 32);
}

#[test]
fn equal_languages_have_identical_automata() {
    let mut store = Store::new();
    for [a, b] in [
        ["!(a U b)", "!a R !b"],
        ["G(a -> O b)", "!a W b"],
        ["F(b & H a)", "a U (a & b)"],
        ["F(a & !X true)", "G F a"],
        ["(F a & F b) <-> c", "c <-> F(a & F b | b & F a)"],
    ] {
        let [a, b] = [a, b].map(|text| {
            // The same propositions in the same order.
            let text = format!("({text}) & (a | !a) & (b | !b) & (c | !c)");
            let formula = parse(&mut store, &text, Dialect::Kermode.into()).unwrap().formula;
            let mut automaton = automaton(&mut store, formula, &Rewriting::None);
            automaton = automaton.projected(|_| false, &mut go_on).unwrap();
            automaton.minimised(&mut go_on).unwrap()
        });
        let text = |automaton: &Dfa| automaton.to_mona(&store, Extent::Complete).unwrap();
        let order = |automaton: &Dfa| automaton.propositions().to_vec();
        if order(&a) == order(&b) {
            assert_eq!(text(&a), text(&b));
        } else {
            assert_eq!(a.state_count(), b.state_count());
        }
    }
}

/// Projection guesses the values of the removed propositions.
#[test]
fn projection() {
    let mut store = Store::new();
    let whole = of_text(&mut store, "a & F b & G(b -> a)");
    let b = store.find_proposition("b").unwrap();
    let projected = whole.projected(|p| p == b, &mut go_on).unwrap();
    let expected = of_text(&mut store, "a");
    let text = |automaton: Dfa| {
        automaton.minimised(&mut go_on).unwrap().to_mona(&store, Extent::Complete).unwrap()
    };
    assert_eq!(text(projected), text(expected));
}

/// The alternating automata that are written have the same language, with and without the sink.
#[test]
fn as_alternating_automata() {
    let mut store = Store::new();
    for text in ["G(a -> F b)", "a U b", "G a", "true", "false", "F(a & Y b)", "(a ^ b) & X a"] {
        let automaton = of_text(&mut store, text);
        let alphabet = letters(automaton.propositions());
        for extent in [Extent::Complete, Extent::Trimmed] {
            let alternating = automaton.to_alternating(extent, &mut go_on).unwrap();
            let statistics = DfaStatistics::of(&automaton, extent, &mut go_on).unwrap();
            assert_eq!(alternating.location_count(), statistics.states);
            for word in words(&alphabet, 4) {
                let word = Word::finite(word);
                let accepted = accepts(&alternating, &word, &mut go_on).unwrap();
                assert_eq!(accepted, automaton.accepts(&word), "{text} {word:?}");
            }
        }
    }
}

#[test]
fn statistics() {
    let mut store = Store::new();
    let automaton = of_text(&mut store, "a U b");
    let counted = |extent| DfaStatistics::of(&automaton, extent, &mut go_on).unwrap();
    let complete = counted(Extent::Complete);
    let expected = DfaStatistics {
        states: 3,
        accepting: 1,
        edges: 5,
        transitions: Natural::from(12u64),
        propositions: 2,
        nodes: 6,
        complete: true,
    };
    assert_eq!(complete, expected);
    let trimmed = counted(Extent::Trimmed);
    assert_eq!((trimmed.states, trimmed.edges, trimmed.complete), (2, 3, false));
    assert_eq!(trimmed.transitions, Natural::from(7u64));
}

#[test]
fn texts() {
    let mut store = Store::new();
    let automata = ["G(a -> F b)", "a U b", "false", "\"p q\" & X (a ^ b)"]
        .map(|text| of_text(&mut store, text));
    let texts = automata.iter().flat_map(|automaton| {
        [Extent::Complete, Extent::Trimmed].map(|extent| automaton.to_mona(&store, extent).unwrap())
    });
    matches_snapshot("dfa.txt", &texts.collect::<String>());
    let pictures =
        automata.iter().map(|dfa| dfa.to_dot(&store, Extent::Complete, &mut go_on).unwrap());
    matches_snapshot("dfa.dot", &pictures.collect::<String>());
}

/// A label with many paths is refused as a list of them.
#[test]
fn too_many_paths() {
    let mut store = Store::new();
    let odd: Vec<String> = (0..40).map(|i| format!("a{i}")).collect();
    let automaton = of_text(&mut store, &odd.join(" ^ "));
    assert_eq!(automaton.state_count(), 3);
    assert!(automaton.to_mona(&store, Extent::Complete).is_err());
    let alternating = automaton.to_alternating(Extent::Complete, &mut go_on).unwrap();
    assert_eq!(alternating.location_count(), 3);
}

/// Every loop can be interrupted.
#[test]
fn construction_is_interrupted() {
    let mut store = Store::new();
    let parts: Vec<String> = (0..14).map(|i| format!("G(a{i} -> F b{i})")).collect();
    let text = parts.join(" & ");
    let formula = parse(&mut store, &text, Dialect::Kermode.into()).unwrap().formula;
    for most in [0, 1, 10, 100, 400] {
        let mut left = most;
        let mut interrupt = || {
            left -= 1;
            if left < 0 { Err(Failure::Stopped) } else { Ok(()) }
        };
        let stopped = deterministic(&mut store, formula, &Rewriting::Standard, &mut interrupt);
        assert!(matches!(stopped, Err(Failure::Stopped)), "{most}");
    }
}
