//! Automata in ALASKA's syntax: the reader does not panic, errors point into the text, and what was
//! read can be written, drawn and trimmed; written and read again, it accepts the same words.

#![no_main]

use std::convert::Infallible;

use kermode_automata::alaska::{LocationNames, read, write};
use kermode_automata::dot::to_dot;
use kermode_automata::{AlternatingAutomaton, accepts, trim};
use kermode_base::Rng;
use kermode_ltl::random::random_word;
use kermode_base::Source;
use kermode_ltl::{Store, Word};
use libfuzzer_sys::fuzz_target;

fn is_accepted(automaton: &AlternatingAutomaton, word: &Word) -> bool {
    let Ok(accepted) = accepts(automaton, word, &mut || Ok::<(), Infallible>(()));
    accepted
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut store = Store::new();
    let automaton = match read(&mut store, text) {
        Ok(automaton) => automaton,
        Err(errors) => {
            for error in &errors {
                assert!(error.span.start <= error.span.end && error.span.end <= text.len());
                assert!(text.get(error.span.clone()).is_some() && !error.message.is_empty());
            }
            Source { name: "fuzz", text }.render_all(&errors);
            assert!(!errors.is_empty());
            return;
        }
    };
    to_dot(&store, &automaton);
    let mut versions = vec![trim(&automaton)];
    for names in [LocationNames::Numbers, LocationNames::Labels] {
        let Ok(text) = write(&store, &automaton, names) else { continue };
        versions.push(read(&mut store, &text).expect("what is written is read"));
    }
    let mut rng = Rng::new(data.len() as u64);
    let propositions = automaton.propositions();
    let words = automaton.words();
    let mut samples: Vec<Word> =
        (0..4).map(|_| random_word(&mut rng, propositions, words, 2, 3)).collect();
    samples.push(Word::finite(Vec::new()));
    for word in samples {
        let expected = is_accepted(&automaton, &word);
        for version in &versions {
            assert_eq!(is_accepted(version, &word), expected, "{word:?}");
        }
    }
});
