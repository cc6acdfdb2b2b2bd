//! The families whose states have very many successors have the words that their headers describe.

use std::convert::Infallible;

use kermode_ltl::conjuncts::conjuncts;
use kermode_ltl::families::arbiter::arbiter;
use kermode_ltl::families::diners::diners;
use kermode_ltl::semantics::satisfies;
use kermode_ltl::{Formula, Letter, Store, Word};

fn letter(store: &mut Store, names: &[String]) -> Letter {
    names.iter().map(|name| store.proposition(name)).collect()
}

fn accepts(store: &Store, formula: Formula, word: &Word) -> bool {
    match satisfies(store, formula, word, &mut || Ok::<(), Infallible>(())) {
        Ok(holds) => holds,
    }
}

/// The masters take the bus in turns: a request at one position, grant and start at the next.
fn rounds(store: &mut Store, masters: usize) -> Vec<Letter> {
    let mut letters = vec![letter(store, &["ready", "grant0", "own0"].map(String::from))];
    for turn in 0..2 * masters {
        let (master, before) = (turn % masters, turn.saturating_sub(1) % masters);
        let both = ["ready".to_owned(), format!("req{master}"), format!("own{before}")];
        let asked: Vec<String> = both.iter().cloned().chain([format!("grant{before}")]).collect();
        let given = both.into_iter().chain(["start".to_owned(), format!("grant{master}")]);
        letters.push(letter(store, &asked));
        letters.push(letter(store, &given.collect::<Vec<_>>()));
    }
    letters
}

#[test]
fn arbiters_serve_their_masters_in_turn() {
    for masters in [2, 3, 5, 9] {
        let mut store = Store::new();
        let formula = arbiter(&mut store, masters);
        let letters = rounds(&mut store, masters);
        let start = 1 + 2 * masters;
        let word = Word::from_letters(letters.clone(), Some(start));
        assert!(accepts(&store, formula, &word), "{masters}");
        // Two grants at a time are wrong, and so is a grant without a request.
        let mut wrong = letters.clone();
        let last = wrong.len() - 1;
        let other = store.proposition("grant0");
        wrong[last] = wrong[last].iter().chain([other]).collect();
        assert!(!accepts(&store, formula, &Word::from_letters(wrong, Some(start))), "{masters}");
        // A master that no longer requests violates its recurrence.
        let lazy = Word::from_letters(letters[..=2].to_vec(), Some(2));
        assert!(!accepts(&store, formula, &lazy), "{masters}");
    }
}

#[test]
fn diners_eat_in_turns() {
    for (seats, greedy) in [(4, false), (4, true), (6, true), (10, false)] {
        let mut store = Store::new();
        let formula = diners(&mut store, seats, greedy);
        let phase = |store: &mut Store, states: [&str; 2]| {
            let names: Vec<String> = (0..seats).map(|i| format!("{}{i}", states[i % 2])).collect();
            letter(store, &names)
        };
        let seated = |i: usize| if i < 2 { format!("t{i}") } else { format!("h{i}") };
        let first: Vec<String> = (0..seats).map(seated).collect();
        let letters = vec![
            letter(&mut store, &first),
            phase(&mut store, ["h", "h"]),
            phase(&mut store, ["e", "h"]),
            phase(&mut store, ["t", "e"]),
            phase(&mut store, ["h", "t"]),
        ];
        let word = Word::from_letters(letters.clone(), Some(2));
        assert!(accepts(&store, formula, &word), "{seats}");
        let starving = Word::from_letters(letters[..=2].to_vec(), Some(2));
        assert!(!accepts(&store, formula, &starving), "{seats}");
    }
}

/// They are conjunctions of hundreds of conjuncts.
#[test]
fn there_are_many_conjuncts() {
    let mut store = Store::new();
    let formula = arbiter(&mut store, 16);
    assert!(conjuncts(&mut store, formula).len() > 380);
    let formula = diners(&mut store, 50, true);
    assert!(conjuncts(&mut store, formula).len() > 500);
}
