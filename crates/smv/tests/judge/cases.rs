//! Random cases have the verdicts that they promise, for the reasons that they promise.

use std::collections::BTreeMap;
use std::convert::Infallible;

use kermode_smv::flat::Features;
use kermode_smv::judge::cases::{Case, Decider, case, flat_model};
use kermode_smv::judge::{Graph, Limits, dead_end, verdict};
use kermode_smv::random::LeftOut;
use kermode_smv::syntax::PropertyKind;
use kermode_smv::{ReadOptions, SmvModel};

use crate::support::{check_path, never};

/// Judges a text; the path of a violation is checked.
fn holds(text: &str) -> bool {
    let model = flat_model(text);
    let property = &model.properties[0];
    let found = verdict(&model, property, Limits::default(), &mut never).expect("small");
    check_path(&model, property, &found);
    found.holds().expect("no COMPUTE")
}

/// Whether the verdict depends on the part for which the case was chosen.
fn is_decided(case: &Case) -> bool {
    let without = |part| holds(&case.random.text_with(part, &case.random.property));
    let property = &case.random.property;
    match case.decider {
        None => true,
        Some(Decider::Justice) => without(LeftOut::Justice) != case.holds,
        Some(Decider::Compassion) => without(LeftOut::Compassion) != case.holds,
        Some(Decider::DeadEnds) => without(LeftOut::DeadEnds) != case.holds,
        Some(Decider::Past) => {
            let constants = property.past().flat_map(|place| [(place, false), (place, true)]);
            let mut texts = constants.map(|(place, value)| {
                case.random.text_with(LeftOut::Nothing, &property.replaced(place, value))
            });
            texts.any(|text| holds(&text) != case.holds)
        }
    }
}

/// Counts of cases by what they have.
type Counts = BTreeMap<&'static str, usize>;

fn count(case: &Case, counts: &mut Counts) {
    let model = flat_model(&case.text);
    let features = model.expressions.features(model.properties[0].operands[0]);
    let graph = Graph::new(&model, [], Limits::default(), &mut never).expect("small");
    assert!(graph.states.len() <= 2_000);
    let formula = case.random.property.formula();
    let found = [
        ("holds", case.holds),
        ("violated", !case.holds),
        ("justice", case.random.has(LeftOut::Justice)),
        ("compassion", !model.compassion.is_empty()),
        ("dead end", dead_end(&graph).is_some()),
        ("past", case.random.property.past().next().is_some()),
        ("bounded", formula.contains(" [") || formula.contains("..")),
        ("input", features.has(Features::INPUT)),
        ("next", features.has(Features::NEXT)),
        ("50 states", graph.states.len() >= 50),
    ];
    for (what, is_there) in found {
        *counts.entry(what).or_default() += usize::from(is_there);
    }
}

/// Checks cases of a kind, and that each sort is well represented among them.
fn check(kind: PropertyKind, least: &[(&str, usize)]) {
    let mut counts = Counts::new();
    for seed in 0..100 {
        let case = case(kind, seed);
        assert_eq!(holds(&case.text), case.holds, "seed {seed}\n{}", case.text);
        assert!(is_decided(&case), "seed {seed}\n{}", case.text);
        let read = SmvModel::read::<Infallible>(
            &case.text,
            &ReadOptions::default(),
            &Default::default(),
            &mut never,
        );
        assert!(read.is_ok(), "seed {seed}: {:?}\n{}", read.err(), case.text);
        count(&case, &mut counts);
    }
    for (what, least) in least {
        assert!(counts[what] >= *least, "{what}: {counts:?}");
    }
}

#[test]
fn cases_of_ltl() {
    let least = [
        ("holds", 30),
        ("violated", 30),
        ("justice", 50),
        ("compassion", 50),
        ("dead end", 30),
        ("past", 30),
        ("bounded", 15),
        ("input", 10),
        ("next", 10),
        ("50 states", 10),
    ];
    check(PropertyKind::Ltl, &least);
}

#[test]
fn cases_of_ctl() {
    let least =
        [("holds", 30), ("violated", 30), ("justice", 50), ("dead end", 30), ("bounded", 15)];
    check(PropertyKind::Ctl, &least);
}

#[test]
fn cases_of_invariants() {
    let least = [("holds", 30), ("violated", 30), ("dead end", 30), ("input", 10), ("next", 10)];
    check(PropertyKind::Invariant, &least);
}

/// Reports contain seeds, so the cases of a seed must not change.
#[test]
fn a_seed_gives_a_fixed_text() {
    assert_eq!(case(PropertyKind::Ltl, 12).text, SNAPSHOT);
}

const SNAPSHOT: &str = "\
MODULE main
VAR
  x0 : boolean;
  x1 : 0..2;
  x2 : boolean;
IVAR
  i0 : boolean;
  i1 : boolean;
ASSIGN
  next(x0) := i1;
  init(x1) := {1, 0};
  next(x1) := case i1 : {x1, 0}; x2 | x0 : {x1, (x1 + 1) mod 3}; TRUE : (x1 + 2) mod 3; esac;
  init(x2) := {TRUE, FALSE};
  next(x2) := (!i1);
TRANS !(x0 & !x0);
TRANS !(x2 = x0 & !x0);
JUSTICE x0;
COMPASSION (x0, x0);
COMPASSION (!x2 & x0 = x2, x0 = x2);

LTLSPEC (F ((x0) & (Z (x2))));
";
