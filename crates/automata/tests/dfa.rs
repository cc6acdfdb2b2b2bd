//! Deterministic automata over finite words against the plain semantics: they accept the words that
//! satisfy their formula, and have as many states as the language has Myhill-Nerode classes. The
//! classes are counted by brute force: prefixes are told apart by the values of the formula on their
//! continuations.

use indexmap::IndexSet;
use kermode_automata::Untranslatable;
use kermode_automata::dfa::{Dfa, deterministic};
use kermode_base::Rng;
use kermode_bdd::{CannotStart, OutOfNodes};
use kermode_ltl::dialect::parse;
use kermode_ltl::normal::ExpansionTooLarge;
use kermode_ltl::random::{Operators, RandomFormula, all_formulas};
use kermode_ltl::rewrite::Rewriting;
use kermode_ltl::semantics::naive::satisfies;
use kermode_ltl::{BinaryOp, Dialect, Formula, Letter, Proposition, Store, UnaryOp, Word};

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
}

fn automaton(store: &mut Store, formula: Formula, rewriting: &Rewriting) -> Dfa {
    deterministic::<Failure>(store, formula, rewriting, &mut || Ok(())).expect("an automaton")
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
            let prefix = [&prefixes[next][..], &[letter.clone()]].concat();
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
