//! Models from their texts, and paths that are checked in every way.

use std::convert::Infallible;

use kermode_ltl::semantics::naive;
use kermode_ltl::{Formula, Store, UnaryOp};
use kermode_smv::FlatModel;
use kermode_smv::flat::Property;
use kermode_smv::interpreter::{Fairness, Replay, Trace};
use kermode_smv::judge::{Limits, Verdict, verdict};
use kermode_smv::meaning::flatten;
use kermode_smv::property::{FlatAtoms, ltl_formula, word_of};
use kermode_smv::syntax::{PropertyKind, ReadOptions, parse};

/// Nothing interrupts.
pub(crate) fn never() -> Result<(), Infallible> {
    Ok(())
}

/// The flat model of a text.
pub(crate) fn model(text: &str) -> FlatModel {
    let parsed = parse(text, &ReadOptions::default());
    assert!(!parsed.has_errors(), "{:?}\n{text}", parsed.diagnostics);
    match flatten::<Infallible>(text, &parsed.file, &mut never) {
        Ok((model, _)) => model,
        Err(errors) => panic!("{errors:?}\n{text}"),
    }
}

/// Checks that a trace is a path of the model, fair as demanded.
pub(crate) fn assert_path(model: &FlatModel, trace: &Trace, fairness: Fairness) {
    let replayed = Replay::new(model).check(trace, fairness);
    assert!(replayed.is_ok(), "{replayed:?}: {trace:?}");
}

/// Checks that the word of a trace satisfies a formula, by the definitions.
pub(crate) fn assert_satisfies(
    model: &FlatModel,
    trace: &Trace,
    store: &Store,
    formula: Formula,
    atoms: &FlatAtoms,
) {
    let word = word_of(model, trace, &atoms.of(store, formula));
    assert!(naive::satisfies(store, formula, &word), "{word:?}");
}

/// Judges each of some specifications of a model, and compares with what is expected: `true`,
/// `false`, a number of steps, `infinite` or `undefined`. Paths that show violations are checked.
pub(crate) fn assert_verdicts(model_text: &str, expected: &[(&str, &str)]) {
    for &(specification, expected) in expected {
        let text = format!("{model_text} {specification}");
        let model = model(&text);
        let property = &model.properties[0];
        let found = verdict(&model, property, Limits::default(), &mut never).expect("small");
        check_path(&model, property, &found);
        assert_eq!(written(&found), expected, "{text}");
    }
}

/// A verdict as the table of golden verdicts writes it.
pub(crate) fn written(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Length(length) => length.to_string(),
        other => other.holds().expect("no COMPUTE").to_string(),
    }
}

/// Checks the path that shows a violation, by replay and by the definitions.
pub(crate) fn check_path(model: &FlatModel, property: &Property, verdict: &Verdict) {
    let Verdict::Violated(Some(trace)) = verdict else { return };
    match property.kind {
        PropertyKind::Ltl => {
            assert_path(model, trace, Fairness::JusticeAndCompassion);
            let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
            let formula = ltl_formula(model, property.operands[0], &mut store, &mut atoms);
            let negation = store.unary(UnaryOp::Not, formula);
            assert_satisfies(model, trace, &store, negation, &atoms);
        }
        _ => {
            assert_path(model, trace, Fairness::Ignored);
            // The last letter, or the one before if the invariant is about steps, violates it.
            let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
            let invariant = atoms.proposition(model, &mut store, property.operands[0]);
            let word = word_of(model, trace, &[(invariant, property.operands[0])]);
            let about_steps = model.expressions.is_about_steps(property.operands[0]);
            let last = word.len() - 1 - usize::from(about_steps);
            assert!(!word.letters()[last].contains(invariant), "{word:?}");
        }
    }
}
