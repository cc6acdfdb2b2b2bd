//! Warnings about models that are legal and perhaps not meant.

use std::convert::Infallible;

use kermode_smv::{ReadOptions, SmvModel};

/// The warnings about a model, each with its label.
fn warnings(text: &str) -> Vec<String> {
    let (options, limits) = (ReadOptions::default(), Default::default());
    let model = SmvModel::read::<Infallible>(text, &options, &limits, &mut || Ok(()));
    let warnings = model.expect("the model is legal").warnings;
    assert!(warnings.iter().all(|warning| warning.help.is_some()), "{warnings:?}");
    warnings.iter().map(|warning| format!("{}: {}", warning.message, warning.label)).collect()
}

#[test]
fn arithmetic_that_may_wrap_around_is_named() {
    const MESSAGE: &str = "this arithmetic may leave the integers of 32 bits";
    let header =
        "MODULE main VAR x : 0..50000; b : boolean; w : word[31]; INIT x = 0 & b & w = w\n";
    for (condition, extreme) in [
        ("2147483647 + 1 < 0", Some("2147483648")),
        ("x * x > 0", Some("2500000000")),
        ("0 - x * x < 0", Some("2500000000")),
        ("(b ? x : 40000) * (b ? 50000 : 3) > 0", Some("2500000000")),
        ("toint(w) + toint(b) = 0", Some("2147483648")),
        ("-toint(w) - 2 = 0", Some("-2147483649")),
        ("x * (x mod 40000) > 0", None),
        ("x / 2 * x > 0", None),
        ("x * 40000 + x > 0", None),
        ("toint(w) + 0 = 0 & x - x = 0", None),
        ("toint(w[15:0]) * 32767 >= 0", None),
    ] {
        let found = warnings(&format!("{header}INVARSPEC {condition}"));
        let expected = extreme.map(|extreme| format!("{MESSAGE}: {extreme} wraps around"));
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{condition}");
    }
}

#[test]
fn bounded_past_that_is_false_early_on_is_named() {
    let header = "MODULE main VAR b : boolean; INIT b\n";
    let label = "`H` demands that all of its positions exist";
    let found = warnings(&format!("{header}LTLSPEC G H[1,2] b"));
    assert_eq!(found, [format!("this is false in the first 2 states of every path: {label}")]);
    let found = warnings(&format!("{header}LTLSPEC F H[0,1] b"));
    assert_eq!(found, [format!("this is false in the first state of every path: {label}")]);
    for formula in ["H[0,0] b", "H b", "O[1,2] b", "G[1,2] b"] {
        assert_eq!(warnings(&format!("{header}LTLSPEC {formula}")), [""; 0], "{formula}");
    }
}
