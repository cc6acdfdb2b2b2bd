//! The check layer: verdicts of NuSMV on the models of `crates/smv/tests/models`, typed properties,
//! finite paths, assumptions.

mod checking;

use std::fs;
use std::path::Path;
use std::time::Duration;

use checking::{golden, read};
use kermode_ltl::Dialect;
use kermode_smv::syntax::ExpressionKind;
use kermode_solve::check::{
    CheckError, CheckSettings, CheckVerdict, CheckWorker, Checker, PropertyRequest,
};
use kermode_solve::{Budget, PathEnd, Silent};

/// The verdicts of requested properties, as words.
fn verdicts(text: &str, requests: &[PropertyRequest], finite: Option<PathEnd>) -> Vec<String> {
    assumed_verdicts(text, requests, &[], finite)
}

fn assumed_verdicts(
    text: &str,
    requests: &[PropertyRequest],
    assumptions: &[&str],
    finite: Option<PathEnd>,
) -> Vec<String> {
    let budget = Budget::unlimited();
    let assumptions: Vec<(String, Option<Dialect>)> =
        assumptions.iter().map(|text| ((*text).to_owned(), None)).collect();
    let checker = Checker::new(read(text), requests, &assumptions, finite, &budget);
    let checker = checker.expect("right properties");
    let settings = CheckSettings::default();
    let worker = CheckWorker::new(&checker, &settings);
    let verdict = |property| {
        let outcome = worker.check(property, &budget, &mut Silent::default());
        match outcome.result.unwrap_or_else(|error| panic!("{error}\n{text}")) {
            CheckVerdict::Violated(Err(reason)) => panic!("no trace: {reason}"),
            CheckVerdict::Unknown(stop) => format!("unknown ({stop})"),
            CheckVerdict::Computed(length) => length.to_string(),
            verdict => verdict.word().to_owned(),
        }
    };
    checker.properties().iter().map(verdict).collect()
}

/// All specifications of a model at once, with shared diagrams.
#[test]
fn verdicts_are_those_of_nusmv() {
    let answers = golden(&["LTL", "INV", "CTL", "COMPUTE"]);
    let mut counts = [0; 2];
    for model in answers.chunk_by(|one, other| one.file == other.file) {
        let found = verdicts(&model[0].text, &[PropertyRequest::Declared], None);
        for answer in model {
            let expected = match answer.verdict.as_str() {
                "true" => "holds",
                "false" => "violated",
                length => length,
            };
            let found = &found[answer.number - 1];
            assert_eq!(found, expected, "{}", answer.place());
            if answer.kind != "COMPUTE" {
                counts[usize::from(expected == "holds")] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 150), "{counts:?}");
}

/// The models of LMCS 2006 beside this folder, with the verdicts of several tools. Those that take
/// long are left open here.
#[test]
fn verdicts_on_lmcs2006_are_the_expected_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/lmcs2006");
    let Ok(table) = fs::read_to_string(folder.join("EXPECTED.tsv")) else {
        eprintln!("skipped: {} is absent", folder.display());
        return;
    };
    let settings = CheckSettings::default();
    let mut decided = 0;
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let (file, expected) = (cells[0], cells[3]);
        let text = fs::read_to_string(folder.join(file)).expect("a model");
        let budget = Budget::within(Duration::from_secs(1));
        let requests = [PropertyRequest::Declared];
        let Ok(checker) = Checker::new(read(&text), &requests, &[], None, &budget) else {
            continue;
        };
        let worker = CheckWorker::new(&checker, &settings);
        let outcome = worker.check(&checker.properties()[0], &budget, &mut Silent::default());
        let holds = match outcome.result.expect("no internal error") {
            CheckVerdict::Holds => true,
            CheckVerdict::Violated(_) => false,
            _ => continue,
        };
        decided += 1;
        // NuSMV says that the property without an expected verdict holds.
        assert_eq!(holds, expected != "FALSE", "{file}");
    }
    assert!(decided >= 10, "{decided} of 27 were decided");
}

const COUNTER: &str = "MODULE main VAR x : 0..5; ASSIGN init(x) := 0; next(x) := (x + 1) mod 6;
    DEFINE low := x < 3;";

fn ltl(text: &str, dialect: Option<Dialect>) -> PropertyRequest {
    PropertyRequest::Ltl { name: None, text: text.to_owned(), dialect }
}

#[test]
fn formulas_of_all_dialects_have_expressions_of_the_model_as_propositions() {
    let requests = [
        ltl("G (x = 5 -> X low)", None),
        ltl("G (x = 5 -> X low)", Some(Dialect::Nusmv)),
        ltl("[] (! low -> <> low)", Some(Dialect::Spin)),
        ltl("G (\"x = 5\" -> Xlow)", Some(Dialect::Spot)),
        ltl("G (\"x = 5\" -> X low)", Some(Dialect::Kermode)),
        ltl("G (\"next(x) = 0\" <-> \"x = 5\")", Some(Dialect::Kermode)),
        ltl("G low", Some(Dialect::Kermode)),
    ];
    let expected = ["holds", "holds", "holds", "holds", "holds", "holds", "violated"];
    assert_eq!(verdicts(COUNTER, &requests, None), expected);
}

#[test]
fn assumptions_restrict_paths() {
    let model = "MODULE main IVAR go : boolean; VAR x : 0..3;
        ASSIGN init(x) := 0; next(x) := go & x < 3 ? x + 1 : x;";
    let requests = [ltl("F x = 3", None)];
    assert_eq!(verdicts(model, &requests, None), ["violated"]);
    assert_eq!(assumed_verdicts(model, &requests, &["G F go"], None), ["holds"]);
    assert_eq!(assumed_verdicts(model, &requests, &["go", "X go"], None), ["violated"]);
    let invariant = [PropertyRequest::Invariant("x < 4".to_owned())];
    let found = assumed_verdicts(model, &invariant, &["G F go"], None);
    assert!(found[0].starts_with("unknown (unsupported"), "{found:?}");
}

/// All errors of typed texts are reported together.
#[test]
fn wrong_requests_are_reported_with_their_places() {
    let requests = [
        ltl("G y = 1", None),
        ltl("[] (low -> z)", Some(Dialect::Spin)),
        PropertyRequest::Selected("nothing".to_owned()),
        PropertyRequest::Invariant("F low".to_owned()),
        PropertyRequest::Invariant("1 / x = 1".to_owned()),
    ];
    let budget = Budget::unlimited();
    let errors = Checker::new(read(COUNTER), &requests, &[], None, &budget).expect_err("errors");
    let places: Vec<_> = errors
        .iter()
        .filter_map(|error| match error {
            CheckError::Wrong { text, diagnostics, .. } => Some(&text[diagnostics[0].span.clone()]),
            _ => None,
        })
        .collect();
    assert_eq!(places, ["y", "z", "F low", "1 / x = 1"]);
}

/// The tail of a set-valued `case` and an equal scalar expression are different expressions.
#[test]
fn equal_texts_as_sets_and_as_scalars() {
    let model = "MODULE main VAR b : boolean; x : 0..3;
        ASSIGN next(b) := !b; next(x) := case !b : {1, 2}; b : x; TRUE : 1; esac;
        INVARSPEC (b ? x : 1) = 1
        INVARSPEC (b ? x : 1) < 4";
    assert_eq!(verdicts(model, &[PropertyRequest::Declared], None), ["violated", "holds"]);
}

/// Handles of expressions stay valid when further ones are typed.
#[test]
fn typed_expressions_of_several_calls_are_different() {
    let mut model = read(COUNTER);
    let mut typed = |text: &str| {
        let go_on = &mut || Ok::<(), ()>(());
        let expression = model.expression(text, ExpressionKind::Simple, go_on).expect(text);
        (expression, model.encoded.boolean(&model.flat, expression))
    };
    let [one, two, again] = ["x = 1", "x = 2", "x = 1"].map(&mut typed);
    assert_ne!(one, two);
    assert_eq!(one, again);
}
