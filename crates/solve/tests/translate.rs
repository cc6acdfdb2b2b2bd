//! Translations into texts: every target in every format that suits it, and what cannot be written.

use std::time::Duration;

use kermode_automata::alaska::LocationNames;
use kermode_automata::translation::Level;
use kermode_automata::{hoa, read_automata};
use kermode_ltl::dialect::parse;
use kermode_ltl::rewrite::Rewriting;
use kermode_ltl::{Dialect, Formula, Store, WordKind};
use kermode_solve::translate::{Format, SmvModel, Target};
use kermode_solve::{Budget, Stop, Translation, TranslationError};

const ALTERNATING: [Target; 2] =
    [Target::Alternating(WordKind::Infinite), Target::Alternating(WordKind::Finite)];
const GENERALISED: [Target; 2] = [Target::Generalised(Level::High), Target::Buchi(Level::Low)];
const ALASKA: Format = Format::Alaska(LocationNames::Labels);

fn formula(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).expect("a formula").formula
}

fn translated(text: &str, translation: &Translation) -> Result<String, TranslationError> {
    let mut store = Store::new();
    let formula = formula(&mut store, text);
    let budget = Budget::unlimited();
    translation.apply(&store, formula, Some(text), &budget).map(|translated| translated.text)
}

#[test]
fn usual_formats_are_read_back() {
    for target in ALTERNATING.into_iter().chain(GENERALISED) {
        let text = translated("G(a -> F b)", &Translation::to(target)).expect("a text");
        let mut store = Store::new();
        let read = read_automata(&mut store, &text, &mut || Ok::<(), Stop>(()));
        let read = read.expect("nothing interrupts");
        let [automaton] = &read[..] else { panic!("one automaton: {read:?}") };
        let words = automaton.automaton.as_ref().expect("no errors").words();
        assert_eq!(words, target.words());
        if words == WordKind::Infinite {
            assert_eq!(automaton.name.as_deref(), Some("G(a -> F b)"));
        }
    }
}

#[test]
fn formats_suit_some_targets_alone() {
    let smv = Target::Smv(SmvModel::default());
    for (target, format, suits) in [
        (ALTERNATING[0], Format::Dot, true),
        (ALTERNATING[1], ALASKA, true),
        (ALTERNATING[0], Format::Smv, false),
        (GENERALISED[0], Format::Dot, true),
        (GENERALISED[1], ALASKA, false),
        (smv, Format::Hoa, false),
        (smv, Format::Smv, true),
    ] {
        let translation = Translation { format, ..Translation::to(target) };
        match translated("a U b", &translation) {
            Ok(text) => assert!(suits && !text.is_empty(), "{translation:?}"),
            Err(error) => assert!(!suits && error == TranslationError::Format, "{error}"),
        }
    }
    let finite = Translation { format: Format::Hoa, ..Translation::to(ALTERNATING[1]) };
    let refused = translated("a", &finite).expect_err("finite words");
    assert_eq!(refused, TranslationError::Hoa(hoa::Unwritable::FiniteWords));
}

#[test]
fn models_have_an_order_and_know_the_past() {
    let mut store = Store::new();
    let formula = formula(&mut store, "G(a -> O b)");
    for model in [SmvModel::default(), SmvModel::Universal] {
        let translation = Translation { statistics: true, ..Translation::to(Target::Smv(model)) };
        let model = translation.apply(&store, formula, None, &Budget::unlimited());
        let model = model.expect("a model");
        assert!(model.text.starts_with("MODULE main"), "{}", model.text);
        assert!(model.order.is_some_and(|order| order.lines().any(|line| line == "a")));
    }
}

#[test]
fn what_is_counted_is_counted_on_demand() {
    let mut store = Store::new();
    let formula = formula(&mut store, "F F a");
    let count = |target, rewriting, key| {
        let translation = Translation { statistics: true, rewriting, ..Translation::to(target) };
        let translated = translation.apply(&store, formula, None, &Budget::unlimited());
        let statistics = translated.expect("a text").statistics;
        let (_, value) = statistics.into_iter().find(|(name, _)| *name == key).expect("a count");
        value.as_u64().expect("a number")
    };
    let locations = |rewriting| count(ALTERNATING[0], rewriting, "locations");
    assert!(locations(Rewriting::None) > locations(Rewriting::Standard));
    assert_eq!(count(Target::Generalised(Level::High), Rewriting::Standard, "states"), 2);
    assert!(count(Target::Smv(SmvModel::default()), Rewriting::Standard, "variables") > 0);
}

#[test]
fn refusals_and_stops_are_told_apart() {
    let past = translated("G(a -> O b)", &Translation::to(ALTERNATING[0]));
    assert!(matches!(past, Err(TranslationError::Untranslatable(_))), "{past:?}");
    let large = translated("F[0,4000000000] a", &Translation::to(GENERALISED[0]));
    assert!(matches!(large, Err(TranslationError::Expansion(_))), "{large:?}");
    let mut store = Store::new();
    let formula = formula(&mut store, "a U b");
    for target in [ALTERNATING[0], GENERALISED[0], Target::Smv(SmvModel::default())] {
        let over = Budget::within(Duration::ZERO);
        let stopped = Translation::to(target).apply(&store, formula, None, &over);
        assert_eq!(stopped.err(), Some(TranslationError::Stopped(Stop::Timeout)), "{target:?}");
    }
}
