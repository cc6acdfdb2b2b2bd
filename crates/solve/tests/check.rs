//! The check layer: verdicts of NuSMV on the models of `crates/smv/tests/models`, typed properties,
//! finite paths, assumptions.

mod checking;

use checking::{golden, read};
use kermode_ltl::Dialect;
use kermode_solve::check::{
    CheckError, CheckSettings, CheckVerdict, CheckWorker, Checker, FiniteReading, PropertyRequest,
    TypedPlace,
};
use kermode_solve::{Budget, Silent, Stop};

/// The verdicts of requested properties, as words.
fn verdicts(
    text: &str,
    requests: &[PropertyRequest],
    finite: Option<FiniteReading>,
) -> Vec<String> {
    assumed_verdicts(text, requests, &[], finite)
}

fn assumed_verdicts(
    text: &str,
    requests: &[PropertyRequest],
    assumptions: &[&str],
    finite: Option<FiniteReading>,
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
            verdict => verdict.word().to_owned(),
        }
    };
    checker.properties().iter().map(verdict).collect()
}

/// All specifications of a model at once, with shared diagrams.
#[test]
fn verdicts_are_those_of_nusmv() {
    let answers = golden(&["LTL", "INV"]);
    let mut counts = [0; 2];
    for model in answers.chunk_by(|one, other| one.file == other.file) {
        let found = verdicts(&model[0].text, &[PropertyRequest::Declared], None);
        for answer in model {
            let expected = match answer.verdict.as_str() {
                "true" => "holds",
                "false" => "violated",
                _ => continue,
            };
            let found = &found[answer.number - 1];
            assert_eq!(found, expected, "{}", answer.place());
            counts[usize::from(expected == "holds")] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 150), "{counts:?}");
}
