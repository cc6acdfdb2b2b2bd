//! Models from their texts, and paths that are checked in every way.

use std::convert::Infallible;

use kermode_ltl::semantics::naive;
use kermode_ltl::{Formula, Store};
use kermode_smv::FlatModel;
use kermode_smv::interpreter::{Fairness, Replay, Trace};
use kermode_smv::meaning::flatten;
use kermode_smv::property::{FlatAtoms, word_of};
use kermode_smv::syntax::{ReadOptions, parse};

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
