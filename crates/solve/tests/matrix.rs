//! The matrix of products, antichains and searches on the fly: each cell and engine on the models
//! with NuSMV's verdicts, on the families of models with their expected verdicts, and on the models
//! of LMCS 2006, and what the statistics of a cell say about the work that it has done.

mod checking;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use checking::{golden, read};
use kermode_smv::families::{MODEL_FAMILIES, ModelRequest, build};
use kermode_solve::check::{
    CheckOutcome, CheckSettings, CheckVerdict, CheckWorker, Checker, PropertyRequest,
};
use kermode_solve::{Budget, Silent, Stop};

const CELLS: [&str; 8] = [
    "product:syntactic/el",
    "product:syntactic/l2s",
    "product:log/el",
    "product:log/l2s",
    "product:log/weak",
    "product:pdp/el",
    "product:pdp/l2s",
    "product:pdp/weak",
];

/// The other engines that decide all properties.
const OTHERS: [&str; 6] = [
    "antichain:forward",
    "antichain:backward",
    "antichain:symbolic",
    "antichain:hybrid",
    "tgba:couvreur",
    "tgba:magic",
];

/// All cells and engines.
fn all_engines() -> Vec<&'static str> {
    CELLS.into_iter().chain(OTHERS).collect()
}

/// The outcomes of some requests by one engine.
fn outcomes(
    text: &str,
    requests: &[PropertyRequest],
    engine: &str,
    time: Duration,
) -> Vec<CheckOutcome> {
    let budget = Budget::within(time);
    let checker = Checker::new(read(text), requests, &[], None, &budget).expect("properties");
    let engines = vec![engine.parse().expect("an engine")];
    let settings = CheckSettings { engines, ..CheckSettings::default() };
    let worker = CheckWorker::new(&checker, &settings);
    let check = |property| {
        let budget = Budget::within(time);
        worker.check(property, &budget, &mut Silent::default())
    };
    checker.properties().iter().map(check).collect()
}

/// Whether a property holds, if the engine has decided it. Only `weak` need not, and says why.
fn verdict(outcome: &CheckOutcome, cell: &str, place: &str) -> Option<bool> {
    match outcome.result.as_ref().expect("no internal error") {
        CheckVerdict::Holds => Some(true),
        CheckVerdict::Violated(_) => Some(false),
        CheckVerdict::Unknown(Stop::Unsupported(why)) => {
            assert!(cell.contains("/weak") && why.contains("neither"), "{place}, {cell}: {why}");
            None
        }
        other => panic!("{place}, {cell}: {other:?}"),
    }
}

const LONG: Duration = Duration::from_secs(600);

#[test]
fn verdicts_of_all_engines_are_those_of_nusmv() {
    for answer in golden(&["LTL"]) {
        for cell in all_engines() {
            let requests = [PropertyRequest::Selected(answer.number.to_string())];
            let outcome = outcomes(&answer.text, &requests, cell, LONG).remove(0);
            if let Some(holds) = verdict(&outcome, cell, &answer.place()) {
                assert_eq!(holds, answer.verdict == "true", "{}, {cell}", answer.place());
            }
        }
    }
}

/// All properties of members of a family. Returns the number of properties that `weak` decides.
fn compare_family(name: &str, sizes: &str, cells: &[&str]) -> usize {
    let request = ModelRequest::find(MODEL_FAMILIES, name, &[sizes]).expect("a family");
    let mut weak = 0;
    for instance in request.expect("arguments").instances() {
        let model = build(&instance);
        for cell in cells {
            let found = outcomes(&model.text, &[PropertyRequest::Declared], cell, LONG);
            for (property, outcome) in model.properties.iter().zip(&found) {
                let place = format!("{instance}, {}", property.name);
                let holds = verdict(outcome, cell, &place);
                assert!(holds.is_none_or(|holds| holds == property.holds), "{place}, {cell}");
                weak += usize::from(holds.is_some() && cell.contains("/weak"));
            }
        }
    }
    weak
}

/// The cells with explicit automata. Those with symbolic ones take some seconds on larger members,
/// which are left to the campaign.
fn explicit_cells() -> Vec<&'static str> {
    CELLS.into_iter().filter(|cell| !cell.contains("syntactic")).collect()
}

#[test]
fn families_of_two() {
    let all = all_engines();
    assert!(compare_family("gas", "2..2", &all) > 0);
    assert!(compare_family("stack", "2..2", &all) > 0);
    assert!(compare_family("bakery", "2..2", &all) > 0);
    compare_family("lcr", "2..2", &all);
}

#[test]
fn families_of_three() {
    let explicit = explicit_cells();
    assert!(compare_family("gas", "3..3", &explicit) > 0);
    assert!(compare_family("stack", "3..3", &explicit) > 0);
    compare_family("lcr", "3..3", &explicit);
    for family in ["gas", "stack", "lcr"] {
        compare_family(family, "3..3", &["antichain:forward", "antichain:hybrid", "tgba:couvreur"]);
    }
}

/// Every cell and engine decides every property within a minute, except for the bakery with four
/// processes (`docs/results/matrix.md`).
#[test]
#[ignore = "a campaign of many minutes"]
fn families_of_two_to_four() {
    let minute = Duration::from_secs(60);
    for family in ["gas", "stack", "lcr", "bakery"] {
        let request = ModelRequest::find(MODEL_FAMILIES, family, &["2..4"]).expect("a family");
        for instance in request.expect("arguments").instances() {
            let model = build(&instance);
            for cell in all_engines() {
                let found = outcomes(&model.text, &[PropertyRequest::Declared], cell, minute);
                for (property, outcome) in model.properties.iter().zip(&found) {
                    let place = format!("{instance}, {}", property.name);
                    let seconds = outcome.cpu.as_secs_f64();
                    println!("{place}\t{cell}\t{seconds:.2}\t{:?}", outcome.result);
                    let is_hard = place.starts_with("bakery 4,");
                    if is_hard && matches!(outcome.result, Ok(CheckVerdict::Unknown(_))) {
                        continue;
                    }
                    let holds = verdict(outcome, cell, &place);
                    assert!(holds.is_none_or(|holds| holds == property.holds), "{place}, {cell}");
                }
            }
        }
    }
}

/// The models of LMCS 2006, a minute for each cell or engine and model.
#[test]
#[ignore = "a campaign of some hours"]
fn engines_agree_on_lmcs2006() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/lmcs2006");
    let Ok(table) = fs::read_to_string(folder.join("EXPECTED.tsv")) else {
        eprintln!("skipped: {} is absent", folder.display());
        return;
    };
    let mut decided: BTreeMap<&str, usize> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (file, expected) = (columns[0], columns[3]);
        let text = fs::read_to_string(folder.join(file)).expect("a model");
        for cell in all_engines() {
            let time = Duration::from_secs(60);
            let outcome = outcomes(&text, &[PropertyRequest::Declared], cell, time).remove(0);
            println!("{file}\t{cell}\t{:.2}\t{:?}", outcome.cpu.as_secs_f64(), outcome.result);
            let holds = match outcome.result.expect("no internal error") {
                CheckVerdict::Holds => true,
                CheckVerdict::Violated(_) => false,
                _ => continue,
            };
            // NuSMV says that the property without an expected verdict holds.
            assert_eq!(holds, expected != "FALSE", "{file}, {cell}");
            *decided.entry(cell).or_default() += 1;
        }
    }
    println!("{decided:?}");
    for cell in all_engines() {
        let least = if cell.contains("/weak") { 16 } else { 25 };
        assert!(decided.get(cell).is_some_and(|&count| count >= least), "{cell}: {decided:?}");
    }
}

/// A counter that may stop for ever in 3, with a dead end in 4.
const COUNTER: &str = "MODULE main VAR x : 0..4; ASSIGN init(x) := 0;
    TRANS x < 3 & next(x) = x + 1 | x = 3 & next(x) in {0, 3, 4}
    FAIRNESS x != 2
    LTLSPEC F x = 4 -> G x < 4
    LTLSPEC F x = 3
    LTLSPEC G F x = 0
    LTLSPEC F G x = 3";

/// Each cell runs its own algorithm on its own representation, and nothing else.
#[test]
fn statistics_say_what_was_run() {
    for cell in CELLS {
        let found = outcomes(COUNTER, &[PropertyRequest::Declared], cell, LONG);
        for (number, outcome) in found.iter().enumerate() {
            let place = format!("property {}", number + 1);
            let decided = verdict(outcome, cell, &place).is_some();
            let names: Vec<&str> = outcome.statistics.iter().map(|(name, _)| name).collect();
            let has = |name: &str| names.contains(&name);
            let runs: Vec<&str> =
                names.iter().copied().filter(|name| name.starts_with("runs_")).collect();
            let expected = match cell.rsplit_once('/').expect("an algorithm").1 {
                "el" => vec!["runs_emerson_lei"],
                "l2s" => vec!["runs_liveness_to_safety"],
                _ if !decided => vec![],
                _ if has("property_terminal") => vec!["runs_terminal"],
                _ => vec!["runs_weak"],
            };
            assert_eq!(runs, expected, "{place}, {cell}");
            let is_explicit = !cell.contains("syntactic");
            assert_eq!(has("property_states"), is_explicit, "{place}, {cell}");
            let is_symbolic = decided && !cell.contains("pdp");
            assert_eq!(has("property_variables"), is_symbolic, "{place}, {cell}");
        }
    }
}

/// Systems without an infinite path have no violation, whatever the property.
#[test]
fn systems_without_loops() {
    let text = "MODULE main VAR x : 0..6; b : boolean; ASSIGN init(x) := 0;
        TRANS next(x) = x + 1
        LTLSPEC FALSE
        LTLSPEC G b
        LTLSPEC G F b
        LTLSPEC F x = 3 & F G !b";
    for cell in CELLS {
        for outcome in outcomes(text, &[PropertyRequest::Declared], cell, LONG) {
            let holds = verdict(&outcome, cell, "a system without loops");
            assert!(holds.is_none_or(|holds| holds), "{cell}");
        }
    }
}
