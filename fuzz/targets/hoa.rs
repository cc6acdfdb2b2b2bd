//! Automata in the HOA format: the reader does not panic, findings point into the text, and what
//! was read can be written, and drawn; written and read again, it accepts the same words.

#![no_main]

use std::convert::Infallible;

use kermode_automata::emerson_lei::TooManyRegions;
use kermode_automata::hoa::read;
use kermode_automata::{Automaton, dot, tgba};
use kermode_base::Rng;
use kermode_ltl::random::random_word;
use kermode_base::{Diagnostic, Source};
use kermode_ltl::{Store, Word, WordKind};
use libfuzzer_sys::fuzz_target;

fn is_accepted(automaton: &Automaton, word: &Word) -> bool {
    let Ok(accepted) = automaton.accepts(word, &mut || Ok::<(), Infallible>(()));
    accepted
}

fn draw(store: &Store, automaton: &Automaton) -> String {
    match automaton {
        Automaton::Tgba(automaton) => tgba::to_dot(store, automaton),
        Automaton::EmersonLei(automaton) => {
            match automaton.generalised(&mut || Ok::<(), TooManyRegions>(())) {
                Ok(automaton) => tgba::to_dot(store, automaton),
                Err(TooManyRegions) => String::new(),
            }
        }
        Automaton::Alternating(automaton) => dot::to_dot(store, automaton),
    }
}

fn inspect(text: &str, findings: &[Diagnostic]) {
    for finding in findings {
        assert!(text.get(finding.span.clone()).is_some() && !finding.message.is_empty());
    }
    Source { name: "fuzz", text }.render_all(findings);
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut store = Store::new();
    for hoa in read(&mut store, text) {
        let hoa = match hoa {
            Ok(hoa) => hoa,
            Err(errors) => {
                assert!(!errors.is_empty());
                inspect(text, &errors);
                continue;
            }
        };
        inspect(text, &hoa.warnings);
        draw(&store, &hoa.automaton);
        let Ok(written) = hoa.write(&store) else { continue };
        let again = match &read(&mut store, &written)[..] {
            [Ok(again)] => again.clone(),
            other => panic!("{other:?}"),
        };
        let mut rng = Rng::new(data.len() as u64);
        for _ in 0..4 {
            let letters = hoa.automaton.propositions();
            let word = random_word(&mut rng, letters, WordKind::Infinite, 2, 3);
            let [one, other] = [&hoa, &again].map(|hoa| is_accepted(&hoa.automaton, &word));
            assert_eq!(one, other, "{word:?}");
        }
    }
});
