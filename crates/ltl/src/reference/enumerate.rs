//! The oracle whose "yes" is certain: all words, shortest first, each evaluated by the naive
//! evaluator. It never says no.
//!
//! A word of `n` letters over `p` propositions is a row of `n * p` bits, and the next word is the
//! next binary number. Letters are not enumerated beforehand, so hundreds of propositions are only
//! slow.

use crate::semantics::naive;
use crate::store::{Formula, Proposition, Store};
use crate::word::{Letter, Word, WordKind};

/// The shortest word that satisfies the formula, among those with at most `max_letters` stored
/// letters. Prefix and loop of a lasso count together, and the loop may begin anywhere.
///
/// Calls `next_word` before each word and `interrupt` during its evaluation; their errors are
/// passed on.
pub fn enumerate<E>(
    store: &Store,
    formula: Formula,
    words: WordKind,
    max_letters: usize,
    next_word: &mut dyn FnMut() -> Result<(), E>,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Word>, E> {
    let propositions = store.propositions(formula);
    for length in 1..=max_letters {
        let mut bits = vec![false; length * propositions.len()];
        loop {
            for word in words_with(&letters(&bits, &propositions, length), words) {
                next_word()?;
                if naive::satisfies_unless(store, formula, &word, interrupt)? {
                    return Ok(Some(word));
                }
            }
            if !increment(&mut bits) {
                break;
            }
        }
    }
    Ok(None)
}

/// The words with these stored letters: a finite one, or a lasso for each start of its loop.
fn words_with(letters: &[Letter], words: WordKind) -> impl Iterator<Item = Word> {
    let ways = match words {
        WordKind::Infinite => letters.len(),
        WordKind::Finite => 1,
    };
    (0..ways).map(move |start| match words {
        WordKind::Infinite => Word::lasso(letters[..start].to_vec(), letters[start..].to_vec()),
        WordKind::Finite => Word::finite(letters.to_vec()),
    })
}

fn letters(bits: &[bool], propositions: &[Proposition], length: usize) -> Vec<Letter> {
    let width = propositions.len();
    let letter = |row: &[bool]| -> Letter {
        let held = propositions.iter().zip(row).filter(|&(_, &held)| held);
        held.map(|(&proposition, _)| proposition).collect()
    };
    (0..length).map(|i| letter(&bits[i * width..(i + 1) * width])).collect()
}

/// Adds one in binary; false when that overflows.
fn increment(bits: &mut [bool]) -> bool {
    for bit in bits {
        *bit = !*bit;
        if *bit {
            return true;
        }
    }
    false
}
