//! `COMPUTE MIN` and `COMPUTE MAX`: NuSMV's answers, answers derived by hand, and random models
//! compared with the explicit judge.

mod checking;

use std::convert::Infallible;

use checking::{golden, read};
use kermode_base::Rng;
use kermode_smv::SmvModel;
use kermode_smv::flat::Property;
use kermode_smv::judge::{self, Limits};
use kermode_smv::property::ctl_formula;
use kermode_smv::random::{ModelShape, random_model};
use kermode_smv::syntax::PropertyKind;
use kermode_solve::{Budget, ComputeKind, Silent, Stop, compute};
use kermode_system::Ctl;

fn answer(model: &mut SmvModel, property: &Property) -> String {
    let kind = match property.kind {
        PropertyKind::ComputeMin => ComputeKind::Min,
        PropertyKind::ComputeMax => ComputeKind::Max,
        other => panic!("{other:?} is no COMPUTE"),
    };
    let [from, to]: [Ctl; 2] = [0, 1].map(|operand| {
        ctl_formula(&model.flat, &mut model.encoded, property.operands[operand]).formula
    });
    let (budget, observer) = (Budget::unlimited(), &mut Silent::default());
    let steps = compute(&model.encoded.model, kind, &from, &to, None, &budget, observer);
    steps.expect("no limit").to_string()
}

#[test]
fn numbers_of_the_table_are_those_of_nusmv() {
    let mut differences = Vec::new();
    let answers = golden(&["COMPUTE"]);
    assert!(answers.len() > 15, "{}", answers.len());
    for expected in answers {
        let mut model = read(&expected.text);
        let property = model.flat.properties[expected.number - 1].clone();
        let found = answer(&mut model, &property);
        if found != expected.verdict {
            differences.push(format!("{}: {found}, not {}", expected.place(), expected.verdict));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// The answers to some COMPUTE about a model, in their order.
fn answers(text: &str) -> Vec<String> {
    let mut model = read(text);
    let properties = model.flat.properties.clone();
    properties.iter().map(|property| answer(&mut model, property)).collect()
}

/// Fair paths stay in 0, 1 and 7: those through 2 or 8 end.
const BRANCHES: &str = "\
MODULE main
VAR x : 0..9;
INIT x = 0
TRANS x < 5 & next(x) = x + 1 | x = 1 & next(x) = 7 | x = 7 & next(x) in {7, 8}
  | x = 8 & next(x) = 9
";

#[test]
fn answers_derived_by_hand() {
    let found = answers(&format!(
        "{BRANCHES}
COMPUTE MIN [x = 0, x = 7]
COMPUTE MAX [x = 0, x = 7]
COMPUTE MIN [x = 0, x = 0]
COMPUTE MIN [x = 7, x = 1]
COMPUTE MAX [x = 7, x = 1]
COMPUTE MIN [x = 0, x = 5]
COMPUTE MAX [x = 0, x = 5]
COMPUTE MAX [x = 2, x = 7]
COMPUTE MAX [x = 0, x in {{2, 7}}]
COMPUTE MAX [EX x = 7, AX x = 7]
COMPUTE MIN [TRUE, !EX x = 1]
"
    ));
    let expected = [
        // 0, 1, 7, and every other path leaves the fair states.
        "2",
        "2",
        "0", // 7 is never left.
        "infinite",
        "infinite", // No fair path leads to 5, or starts in 2.
        "infinite",
        "undefined",
        "undefined",
        // The step to 2 is invisible.
        "2", // From 1, all fair successors are 7.
        "0",
        "0",
    ];
    assert_eq!(found, expected);
    // A loop that is not fair counts: from 0 a path may stay there for ever.
    let unfair = "MODULE main\nVAR x : 0..2;\nINIT x = 0\nFAIRNESS x = 1\n\
        TRANS x = 0 & next(x) in {0, 1} | x = 1 & next(x) = 0\n\
        COMPUTE MAX [x = 0, x = 1]\nCOMPUTE MIN [x = 0, x = 1]\nCOMPUTE MAX [x = 1, x = 0]";
    assert_eq!(answers(unfair), ["infinite", "1", "1"]);
    // Without fair paths, NuSMV answers 0 where both sets have a reachable state.
    let dead = "MODULE main\nVAR x : 0..5;\nINIT x = 0\nTRANS next(x) = x + 1 & x < 2\n\
        COMPUTE MIN [x = 0, x = 1]\nCOMPUTE MAX [x = 0, x = 1]\nCOMPUTE MAX [x = 0, x = 5]\n\
        COMPUTE MAX [EX x = 1, x = 1]\nCOMPUTE MAX [A [FALSE BU 0..0 x = 1], x = 1]\n\
        COMPUTE MAX [A [TRUE BU 0..1 x = 5], x = 1]";
    let expected = ["infinite", "0", "undefined", "undefined", "undefined", "0"];
    assert_eq!(answers(dead), expected);
}

#[test]
fn a_budget_that_ends_stops_the_computation() {
    let mut model = read(&format!("{BRANCHES}COMPUTE MIN [x = 0, x = 7]"));
    let property = model.flat.properties[0].clone();
    let [from, to]: [Ctl; 2] = [0, 1].map(|operand| {
        ctl_formula(&model.flat, &mut model.encoded, property.operands[operand]).formula
    });
    let limits = kermode_solve::Limits { wall: Some(Default::default()), ..Default::default() };
    let budget = Budget::new(limits, kermode_solve::Cancellation::new());
    let (model, kind) = (&model.encoded.model, ComputeKind::Min);
    let found = compute(model, kind, &from, &to, None, &budget, &mut Silent::default());
    assert_eq!(found, Err(Stop::Timeout));
}

fn random_models(seeds: std::ops::Range<u64>) -> [usize; 3] {
    let [mut steps, mut infinite, mut undefined] = [0; 3];
    for seed in seeds {
        let shape = ModelShape { bits: 7, properties: 12, ..ModelShape::default() };
        let mut model = read(&random_model(&mut Rng::new(seed), &shape).text());
        let flat = model.flat.clone();
        let is_compute = |kind| matches!(kind, PropertyKind::ComputeMin | PropertyKind::ComputeMax);
        for property in flat.properties.iter().filter(|property| is_compute(property.kind)) {
            let limits = Limits { states: 2_000, steps: 40_000 };
            let never = &mut || Ok::<(), Infallible>(());
            let Ok(judge::Verdict::Length(expected)) =
                judge::verdict(&flat, property, limits, never)
            else {
                continue;
            };
            let found = answer(&mut model, property);
            assert_eq!(found, expected.to_string(), "seed {seed}\n{}", model.text());
            match found.as_str() {
                "infinite" => infinite += 1,
                "undefined" => undefined += 1,
                _ => steps += 1,
            }
        }
    }
    [steps, infinite, undefined]
}

#[test]
fn random_models_agree_with_the_judge() {
    let counts = random_models(0..250);
    assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
}

#[test]
#[ignore = "a campaign of some minutes"]
fn two_thousand_random_models_agree_with_the_judge() {
    let counts = random_models(250..2_250);
    println!("{counts:?}");
}
