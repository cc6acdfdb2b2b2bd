//! Automata of formulas with all operators, against the plain semantics, and their texts read back.

use std::convert::Infallible;

use kermode_automata::of_formula::{alternating, buchi, generalised};
use kermode_automata::translation::Level;
use kermode_automata::{Automaton, Untranslatable, hoa, read_automata};
use kermode_base::Rng;
use kermode_bdd::{CannotStart, OutOfNodes};
use kermode_ltl::dialect::parse;
use kermode_ltl::normal::ExpansionTooLarge;
use kermode_ltl::random::random_word;
use kermode_ltl::rewrite::{Rewriting, RuleSet};
use kermode_ltl::{Dialect, Formula, Store, WordKind, semantics};

/// Why there is no automaton.
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
    #[error("interrupted")]
    Interrupted,
}

const LEVELS: [Level; 4] = [Level::Raw, Level::Low, Level::Medium, Level::High];

fn rewritings() -> [Rewriting; 3] {
    [Rewriting::Standard, Rewriting::Rules(RuleSet::none()), Rewriting::None]
}

fn formula(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).expect("a formula").formula
}

#[track_caller]
fn has_the_words_of(automaton: &Automaton, store: &Store, formula: Formula, words: WordKind) {
    let propositions = store.propositions(formula);
    let mut rng = Rng::new(5);
    for _ in 0..40 {
        let word = random_word(&mut rng, &propositions, words, 4, 3);
        let Ok(accepted) = automaton.accepts(&word, &mut || Ok::<(), Infallible>(()));
        assert_eq!(accepted, semantics::holds(store, formula, &word), "{word:?}");
    }
}

#[test]
fn past_and_bounded_operators_are_projected_and_written_out() {
    for text in ["G(b -> O a)", "F[1,2] a & G(a -> Y b)", "a S b", "G F (a & Y !a)", "a U b"] {
        for level in LEVELS {
            for rewriting in rewritings() {
                let mut store = Store::new();
                let formula = formula(&mut store, text);
                let go_on = &mut || Ok::<(), Failure>(());
                let tgba = generalised(&mut store, formula, level, &rewriting, go_on);
                let tgba = tgba.expect("an automaton").into();
                has_the_words_of(&tgba, &store, formula, WordKind::Infinite);
                let buchi = buchi(&mut store, formula, level, &rewriting, go_on);
                let buchi = buchi.expect("an automaton");
                assert!(buchi.is_state_based());
                has_the_words_of(&buchi.into(), &store, formula, WordKind::Infinite);
            }
        }
    }
}

#[test]
fn alternating_automata_are_of_either_kind_of_words_and_refuse_the_past() {
    for words in [WordKind::Infinite, WordKind::Finite] {
        for rewriting in rewritings() {
            let mut store = Store::new();
            let bounded = formula(&mut store, "G(a -> F[1,2] b)");
            let go_on = &mut || Ok::<(), Failure>(());
            let automaton = alternating(&mut store, bounded, words, &rewriting, go_on);
            let automaton = automaton.expect("an automaton").into();
            has_the_words_of(&automaton, &store, bounded, words);
            let past = formula(&mut store, "F O a & X(Y b)");
            let refused = alternating(&mut store, past, words, &Rewriting::None, go_on);
            assert!(matches!(refused, Err(Failure::Untranslatable(_))), "{refused:?}");
        }
    }
}

#[test]
fn an_interrupt_ends_every_translation() {
    let mut store = Store::new();
    let formula = formula(&mut store, "G(a -> F b)");
    let (stop, standard) = (&mut || Err(Failure::Interrupted), &Rewriting::Standard);
    let ended = alternating(&mut store, formula, WordKind::Infinite, standard, stop);
    assert!(matches!(ended, Err(Failure::Interrupted)));
    let ended = buchi(&mut store, formula, Level::High, standard, stop);
    assert!(matches!(ended, Err(Failure::Interrupted)));
}

#[test]
fn texts_are_known_by_how_they_begin() {
    let mut store = Store::new();
    let formula = formula(&mut store, "G F a");
    let go_on = &mut || Ok::<(), Failure>(());
    let automaton = buchi(&mut store, formula, Level::High, &Rewriting::Standard, go_on);
    let automaton = automaton.expect("an automaton").into();
    let text = hoa::write(&store, &automaton, Some("often")).expect("a text");
    let stream = format!("{text}HOA: v2\n--BODY--\n--END--\n{text}");
    let read = read_automata(&mut store, &stream, go_on).expect("nothing interrupts");
    let [first, wrong, last] = &read[..] else { panic!("three automata: {read:?}") };
    assert_eq!((first.name.as_deref(), &first.span), (Some("often"), &(0..text.trim_end().len())));
    let again = last.automaton.as_ref().expect("an automaton");
    has_the_words_of(again, &store, formula, WordKind::Infinite);
    let errors = wrong.automaton.as_ref().expect_err("a version that there is not");
    assert_eq!(errors[0].span, wrong.span);
    let alaska = include_str!("../../../examples/often.abw");
    let read = read_automata(&mut store, alaska, go_on).expect("nothing interrupts");
    assert!(matches!(&read[..], [one] if one.automaton.is_ok()), "{read:?}");
    let read = read_automata(&mut store, "neither", go_on).expect("nothing interrupts");
    assert!(matches!(&read[..], [one] if one.automaton.is_err()), "{read:?}");
}
