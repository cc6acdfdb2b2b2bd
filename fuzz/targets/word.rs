//! Words: the reader does not panic, and what was read can be written in all three forms and read
//! again as the same word.

#![no_main]

use kermode_ltl::word::{read_word, to_alaska, to_spot, word_from_json, word_to_json};
use kermode_base::Source;
use kermode_ltl::{Letter, Proposition, Store};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut store = Store::new();
    let word = match read_word(&mut store, text) {
        Ok(word) => word,
        Err(error) => {
            assert!(error.span.start <= error.span.end && error.span.end <= text.len());
            Source { name: "fuzz", text }.render(&error);
            return;
        }
    };
    let mut held: Vec<Proposition> = word.letters().iter().flat_map(Letter::iter).collect();
    held.sort_unstable();
    held.dedup();

    let json = word_to_json(&store, &word);
    assert_eq!(word_from_json(&mut store, &json).as_ref(), Ok(&word));
    let json = serde_json::to_string(&json).expect("a word has a JSON text");
    assert_eq!(read_word(&mut store, &json).as_ref(), Ok(&word), "{json}");
    for propositions in [&held[..], &[]] {
        let alaska = to_alaska(&store, &word, propositions);
        assert_eq!(read_word(&mut store, &alaska).as_ref(), Ok(&word), "{alaska}");
        // Spot has no empty word.
        if !word.is_empty() {
            let spot = to_spot(&store, &word, propositions);
            assert_eq!(read_word(&mut store, &spot).as_ref(), Ok(&word), "{spot}");
        }
    }
});
