//! All short words, for tests that compare languages exhaustively.

use kermode_ltl::{Letter, Proposition, Word, WordKind};

/// All words of a kind with at most this many letters; of infinite words, prefix and loop together.
pub(crate) fn all_words(propositions: &[Proposition], words: WordKind, most: u32) -> Vec<Word> {
    let bits = propositions.len() as u32;
    let letter = |number: usize| -> Letter {
        let held = propositions.iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
        held.map(|(_, &proposition)| proposition).collect()
    };
    let mut all = Vec::new();
    for length in 0..=most {
        for number in 0..1usize << (bits * length) {
            let letters = (0..length).map(|place| letter(number >> (bits * place)));
            let letters: Vec<Letter> = letters.collect();
            match words {
                WordKind::Finite => all.push(Word::finite(letters)),
                WordKind::Infinite => all.extend(
                    (0..length as usize)
                        .map(|start| Word::from_letters(letters.clone(), Some(start))),
                ),
            }
        }
    }
    all
}
