//! The engines that ask a SAT solver on models: those with NuSMV's verdicts, families of models
//! with their expected verdicts, and the models of LMCS 2006. Verdicts on random models are
//! compared in `judged.rs`.

mod checking;

use std::fs;
use std::path::Path;
use std::time::Duration;

use checking::{golden, read};
use kermode_smv::families::{MODEL_FAMILIES, ModelRequest, build};
use kermode_solve::check::{CheckSettings, CheckVerdict, CheckWorker, Checker, PropertyRequest};
use kermode_solve::{Budget, Silent, Stop};

const ENGINES: [&str; 2] = ["sat:bmc:length=40", "sat:tableau"];

/// Whether some properties hold, as far as an engine decides them within so many steps.
fn verdicts(
    text: &str,
    requests: &[PropertyRequest],
    engine: &str,
    time: Duration,
) -> Vec<Option<bool>> {
    let unlimited = Budget::unlimited();
    let checker = Checker::new(read(text), requests, &[], None, &unlimited).expect("properties");
    let engines = vec![engine.parse().expect("an engine")];
    let settings = CheckSettings { engines, ..CheckSettings::default() };
    let worker = CheckWorker::new(&checker, &settings);
    let verdict = |property| {
        // Steps are the same on every machine.
        let budget = Budget::unlimited().in_steps().slice(time);
        let outcome = worker.check(property, &budget, &mut Silent::default());
        match outcome.result.expect("no internal error") {
            CheckVerdict::Holds => Some(true),
            CheckVerdict::Violated(_) => Some(false),
            CheckVerdict::Unknown(Stop::Timeout | Stop::Limit(_) | Stop::Unsupported(_)) => None,
            other => panic!("{engine}: {other:?}"),
        }
    };
    checker.properties().iter().map(verdict).collect()
}

#[test]
fn verdicts_are_those_of_nusmv() {
    let answers = golden(&["LTL", "INV"]);
    for (engine, least) in ENGINES.into_iter().zip([[150, 0], [150, 60]]) {
        let mut decided = [0, 0];
        for model in answers.chunk_by(|one, other| one.file == other.file) {
            let select = |number: usize| PropertyRequest::Selected(number.to_string());
            let requests: Vec<_> = model.iter().map(|answer| select(answer.number)).collect();
            let found = verdicts(&model[0].text, &requests, engine, Duration::from_millis(200));
            for (answer, found) in model.iter().zip(found) {
                let Some(holds) = found else { continue };
                assert_eq!(holds, answer.verdict == "true", "{}, {engine}", answer.place());
                decided[usize::from(holds)] += 1;
            }
        }
        assert!(decided[0] >= least[0] && decided[1] >= least[1], "{engine}: {decided:?}");
    }
}

/// The value of `go` in the first state is fixed, and its next value is mentioned nowhere. The
/// state `s = a` with `go` is not the first state again.
#[test]
fn states_of_finite_paths_differ_in_variables_without_next_value() {
    let model = "MODULE main VAR s : {a, b}; go : boolean;
        ASSIGN init(s) := a; init(go) := FALSE; next(s) := case s = a & go : b; TRUE : s; esac;
        INVARSPEC s != b";
    for engine in ENGINES {
        let time = Duration::from_millis(200);
        let found = verdicts(model, &[PropertyRequest::Declared], engine, time);
        assert_eq!(found, [Some(false)], "{engine}");
    }
}

/// Members of a family, and how many properties an engine decides.
fn compare_family(name: &str, sizes: &str, engine: &str) -> usize {
    let request = ModelRequest::find(MODEL_FAMILIES, name, &[sizes]).expect("a family");
    let mut decided = 0;
    for instance in request.expect("arguments").instances() {
        let model = build(&instance);
        let time = Duration::from_millis(500);
        let found = verdicts(&model.text, &[PropertyRequest::Declared], engine, time);
        for (property, found) in model.properties.iter().zip(found) {
            let agrees = found.is_none_or(|holds| holds == property.holds);
            assert!(agrees, "{instance}, {}, {engine}", property.name);
            decided += usize::from(found.is_some());
        }
    }
    decided
}

#[test]
fn families_of_two_and_three() {
    for engine in ENGINES {
        let families = ["gas", "stack", "bakery", "lcr"];
        let decided: usize = families.map(|name| compare_family(name, "2..3", engine)).iter().sum();
        assert!(decided > 10, "{engine}: {decided}");
    }
}

/// The models of LMCS 2006 beside this folder. Those that take long are left open here.
#[test]
fn verdicts_on_lmcs2006_are_the_expected_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/lmcs2006");
    let Ok(table) = fs::read_to_string(folder.join("EXPECTED.tsv")) else {
        eprintln!("skipped: {} is absent", folder.display());
        return;
    };
    let mut decided = 0;
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let (file, expected) = (cells[0], cells[3]);
        let text = fs::read_to_string(folder.join(file)).expect("a model");
        for engine in ENGINES {
            let time = Duration::from_millis(500);
            let found = verdicts(&text, &[PropertyRequest::Declared], engine, time);
            if let Some(holds) = found[0] {
                // NuSMV says that the property without an expected verdict holds.
                assert_eq!(holds, expected != "FALSE", "{file}, {engine}");
                decided += 1;
            }
        }
    }
    assert!(decided >= 12, "{decided} were decided");
}
