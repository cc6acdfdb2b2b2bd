//! The verdicts of engines on random cases are those of the explicit judge (`kermode_smv::judge`),
//! and their traces are paths that refute the property by the definitions.
//!
//! A case has a model and a property; shares of them have verdicts that justice, compassion, a past
//! operator or a dead end decides, so that an engine that forgets one of these is found.

mod checking;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Range;
use std::time::Duration;

use checking::read;
use kermode_base::Rng;
use kermode_ltl::semantics::naive;
use kermode_ltl::{Store, UnaryOp};
use kermode_smv::flat::{FlatModel, Property};
use kermode_smv::interpreter::{Fairness, Replay, Trace};
use kermode_smv::judge::cases::{Case, Decider, case, flat_model};
use kermode_smv::judge::{Ending, Graph, Limits, Unjudged, finite_path, verdict};
use kermode_smv::property::{FlatAtoms, ltl_formula, word_of};
use kermode_smv::random::{ModelShape, random_model};
use kermode_smv::syntax::PropertyKind;
use kermode_solve::check::{CheckSettings, CheckVerdict, CheckWorker, Checker, PropertyRequest};
use kermode_solve::{Budget, PathEnd, Silent};
use kermode_system::Encoding;

fn never() -> Result<(), Infallible> {
    Ok(())
}

/// The engine for the LTL property with this number: encodings and directions take turns.
fn ltl_engine(number: u64) -> CheckSettings {
    let encoding = Encoding::all().nth((number % 30) as usize).expect("thirty encodings");
    let options = ["", ":direction=forward", ":reach=model", ":cluster=1:sifting=off"];
    let options = options[(number / 30 % 4) as usize];
    settings(&format!("product:syntactic/el:encoding={encoding}{options}"))
}

fn settings(engine: &str) -> CheckSettings {
    CheckSettings { engines: vec![engine.parse().expect("an engine")], ..CheckSettings::default() }
}

/// Whether each property of a text holds, with a trace of those that do not. Nothing for properties
/// that are not supported.
fn check(
    text: &str,
    settings: &CheckSettings,
    finite: Option<PathEnd>,
) -> Vec<Option<Result<(), Trace>>> {
    check_within(text, settings, finite, &Budget::unlimited())
}

/// The same within a budget for all properties together.
fn check_within(
    text: &str,
    settings: &CheckSettings,
    finite: Option<PathEnd>,
    budget: &Budget,
) -> Vec<Option<Result<(), Trace>>> {
    let unlimited = Budget::unlimited();
    let checker = Checker::new(read(text), &[PropertyRequest::Declared], &[], finite, &unlimited);
    let checker = checker.expect("a model");
    let worker = CheckWorker::new(&checker, settings);
    let properties = checker.properties().iter();
    let check = |property| worker.check(property, budget, &mut Silent::default());
    let result = |property| {
        let result = check(property).result;
        result.unwrap_or_else(|error| panic!("{error:?}\n{text}"))
    };
    let verdict = |property| match result(property) {
        CheckVerdict::Holds => Some(Ok(())),
        CheckVerdict::Violated(Ok(found)) => Some(Err(found.trace)),
        CheckVerdict::Violated(Err(reason)) => panic!("no trace: {reason:?}\n{text}"),
        CheckVerdict::Computed(_) | CheckVerdict::Unknown(_) => None,
    };
    properties.map(verdict).collect()
}

/// Checks a trace by the interpreter and by the definitions of the operators.
fn assert_refutes(model: &FlatModel, property: &Property, trace: &Trace, fairness: Fairness) {
    assert_eq!(Replay::new(model).check(trace, fairness), Ok(()));
    let expression = property.operands[0];
    let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
    if property.kind == PropertyKind::Invariant {
        let invariant = atoms.proposition(model, &mut store, expression);
        let word = word_of(model, trace, &[(invariant, expression)]);
        let after = usize::from(model.expressions.is_about_steps(expression));
        assert!(!word.letters()[word.len() - 1 - after].contains(invariant), "{word:?}");
    } else {
        let formula = ltl_formula(model, expression, &mut store, &mut atoms);
        let negation = store.unary(UnaryOp::Not, formula);
        let word = word_of(model, trace, &atoms.of(&store, formula));
        assert!(naive::satisfies(&store, negation, &word), "{word:?}");
    }
}

/// Checks that a verdict is that of the judge, and its trace if it has one.
fn assert_agrees(kind: PropertyKind, case: &Case, found: Result<(), Trace>, place: &str) {
    assert_eq!(found.is_ok(), case.holds, "{place}\n{}", case.text);
    if let Err(trace) = found {
        let model = flat_model(&case.text);
        let fairness = match kind {
            PropertyKind::Ltl => Fairness::JusticeAndCompassion,
            _ => Fairness::Ignored,
        };
        assert_refutes(&model, &model.properties[0], &trace, fairness);
    }
}

/// The verdict on a case, and what decides it.
type Sort = (bool, Option<Decider>);

/// Compares verdicts on cases of a kind. Returns the numbers of verdicts and deciders.
fn compare(
    kind: PropertyKind,
    seeds: Range<u64>,
    settings: impl Fn(u64) -> CheckSettings,
) -> BTreeMap<Sort, usize> {
    let mut counts = BTreeMap::new();
    for seed in seeds {
        let case = case(kind, seed);
        let settings = settings(seed);
        let found = check(&case.text, &settings, None).remove(0).expect("a verdict");
        assert_agrees(kind, &case, found, &format!("seed {seed}, {}", settings.engines[0]));
        *counts.entry((case.holds, case.decider)).or_default() += 1;
    }
    counts
}

/// At least 30 % of the cases hold, at least 30 % are violated, and each decider decides at least a
/// 20th.
fn assert_balanced(counts: &BTreeMap<Sort, usize>, deciders: &[Decider]) {
    let all: usize = counts.values().sum();
    let share = |is_counted: &dyn Fn(&Sort) -> bool| -> usize {
        counts.iter().filter(|(key, _)| is_counted(key)).map(|(_, count)| count).sum()
    };
    assert!(share(&|key| key.0) * 10 >= all * 3, "{counts:?}");
    assert!(share(&|key| !key.0) * 10 >= all * 3, "{counts:?}");
    for decider in deciders {
        assert!(share(&|key| key.1 == Some(*decider)) * 20 >= all, "{decider:?}: {counts:?}");
    }
}

fn compare_ltl(seeds: Range<u64>) {
    let counts = compare(PropertyKind::Ltl, seeds, ltl_engine);
    let deciders = [Decider::Justice, Decider::Compassion, Decider::Past, Decider::DeadEnds];
    assert_balanced(&counts, &deciders);
}

#[test]
fn ltl_verdicts_are_those_of_the_judge() {
    compare_ltl(0..200);
}

#[test]
#[ignore = "a campaign of some minutes"]
fn ltl_verdicts_of_two_thousand_cases_are_those_of_the_judge() {
    compare_ltl(0..2_000);
}

/// The cells of the matrix of products, some with options, and the searches on the fly.
const CELLS: [&str; 22] = [
    "product:syntactic/el:top=on",
    "product:syntactic/l2s",
    "product:syntactic/l2s:top=on:encoding=bnf/fussy/gba/naive",
    "product:log/el",
    "product:log/el:top=on:direction=forward:level=low",
    "product:syntactic/l2s:copies=few",
    "product:log/l2s",
    "product:log/l2s:copies=few:top=on",
    "product:log/weak",
    "product:log/weak:top=on:reach=model",
    "product:pdp/el",
    "product:pdp/el:direction=forward:schedule=formula:level=raw",
    "product:pdp/l2s",
    "product:pdp/l2s:copies=few",
    "product:pdp/weak",
    "product:pdp/weak:reach=product",
    "tgba:couvreur",
    "tgba:couvreur:nodes=plain:steps=primes:rules=none",
    "tgba:couvreur:automaton=reduced",
    "tgba:magic",
    "tgba:magic:nodes=merged:steps=cover",
    "tgba:magic:automaton=reduced:level=raw",
];

/// Compares the verdicts of all cells. `weak` need not decide all cases.
fn compare_cells(seeds: Range<u64>) {
    let (mut weak, mut all) = (0, 0);
    for seed in seeds {
        let case = case(PropertyKind::Ltl, seed);
        for cell in CELLS {
            let is_weak = cell.contains("/weak");
            all += usize::from(is_weak);
            let Some(found) = check(&case.text, &settings(cell), None).remove(0) else {
                assert!(is_weak, "seed {seed}, {cell} decides nothing\n{}", case.text);
                continue;
            };
            weak += usize::from(is_weak);
            assert_eq!(found.is_ok(), case.holds, "seed {seed}, {cell}\n{}", case.text);
            if let Err(trace) = found {
                let model = flat_model(&case.text);
                let fairness = Fairness::JusticeAndCompassion;
                assert_refutes(&model, &model.properties[0], &trace, fairness);
            }
        }
    }
    assert!(weak * 3 >= all, "{weak} of {all} questions are decided by `weak`");
}

#[test]
fn verdicts_of_all_products_are_those_of_the_judge() {
    compare_cells(0..60);
}

#[test]
#[ignore = "a campaign of some minutes"]
fn verdicts_of_all_products_on_two_thousand_cases_are_those_of_the_judge() {
    compare_cells(0..2_000);
}

/// The antichain engines on models, some with options.
const ANTICHAINS: [&str; 10] = [
    "antichain:forward",
    "antichain:forward:order=inclusion",
    "antichain:forward:order=very-weak+direct+delayed+incompatible",
    "antichain:backward",
    "antichain:backward:order=inclusion",
    "antichain:symbolic",
    "antichain:symbolic:acceptance=breakpoint",
    "antichain:symbolic:direction=forward",
    "antichain:hybrid",
    "antichain:hybrid:patience=1:nodes=200",
];

/// Compares the verdicts of the antichain engines on runs of models.
fn compare_antichains(seeds: Range<u64>) {
    for seed in seeds {
        let case = case(PropertyKind::Ltl, seed);
        for engine in ANTICHAINS {
            let found = check(&case.text, &settings(engine), None).remove(0);
            let found = found.unwrap_or_else(|| panic!("seed {seed}: {engine} decides nothing"));
            assert_eq!(found.is_ok(), case.holds, "seed {seed}, {engine}\n{}", case.text);
            if let Err(trace) = found {
                let model = flat_model(&case.text);
                let fairness = Fairness::JusticeAndCompassion;
                assert_refutes(&model, &model.properties[0], &trace, fairness);
            }
        }
    }
}

#[test]
fn verdicts_of_antichains_are_those_of_the_judge() {
    compare_antichains(0..100);
}

#[test]
#[ignore = "a campaign of some minutes"]
fn verdicts_of_antichains_on_two_thousand_cases_are_those_of_the_judge() {
    compare_antichains(0..2_000);
}

/// The engines that ask a SAT solver. `sat:bmc` finds violations only, and `sat:tableau` takes very
/// long for some cases.
const SAT: [&str; 4] =
    ["sat:bmc:length=20", "sat:bmc:length=20:rules=none", "sat:tableau", "sat:tableau:rules=none"];

/// The budget of these engines for a case. Steps are the same on every machine.
fn patience() -> Budget {
    Budget::unlimited().in_steps().slice(Duration::from_millis(300))
}

/// Compares the verdicts of the engines that ask a SAT solver on cases of a kind. `sat:bmc` finds
/// nearly all violations, and `sat:tableau` decides most cases.
fn compare_sat(kind: PropertyKind, seeds: Range<u64>) {
    for engine in SAT {
        let (mut counts, mut decided) = ([0, 0], [0, 0]);
        for seed in seeds.clone() {
            let case = case(kind, seed);
            counts[usize::from(case.holds)] += 1;
            let found = check_within(&case.text, &settings(engine), None, &patience()).remove(0);
            let Some(found) = found else { continue };
            decided[usize::from(case.holds)] += 1;
            assert_agrees(kind, &case, found, &format!("seed {seed}, {engine}"));
        }
        assert!(decided[0] * 10 >= counts[0] * 9, "{engine}: {decided:?} of {counts:?}");
        if engine.starts_with("sat:tableau") {
            assert!(decided[1] * 2 >= counts[1], "{engine}: {decided:?} of {counts:?}");
        }
    }
}

#[test]
fn verdicts_of_sat_engines_are_those_of_the_judge() {
    compare_sat(PropertyKind::Ltl, 0..100);
    compare_sat(PropertyKind::Invariant, 0..100);
}

#[test]
#[ignore = "a campaign of some minutes"]
fn verdicts_of_sat_engines_on_two_thousand_cases_are_those_of_the_judge() {
    compare_sat(PropertyKind::Ltl, 0..2_000);
    compare_sat(PropertyKind::Invariant, 0..2_000);
}

fn compare_invariants(seeds: Range<u64>) {
    let engines = ["invariant:forward", "invariant:backward", "invariant:both"];
    let engine = |seed: u64| settings(engines[(seed % 3) as usize]);
    let counts = compare(PropertyKind::Invariant, seeds, engine);
    assert_balanced(&counts, &[Decider::DeadEnds]);
}

#[test]
fn invariant_verdicts_are_those_of_the_judge() {
    compare_invariants(0..200);
}

#[test]
#[ignore = "a campaign of some minutes"]
fn invariant_verdicts_of_two_thousand_cases_are_those_of_the_judge() {
    compare_invariants(0..2_000);
}

/// The antichain engine for the finite reading with this number: engines and orders take turns.
fn finite_antichain(number: u64) -> CheckSettings {
    settings(ANTICHAINS[(number % ANTICHAINS.len() as u64) as usize])
}

/// Compares finite readings of the LTL properties of cases, as far as they are about states.
fn compare_finite(seeds: Range<u64>) {
    let (mut holds, mut violated, mut by_sat) = (0, 0, 0);
    for seed in seeds {
        let case = case(PropertyKind::Ltl, seed);
        let model = flat_model(&case.text);
        let property = &model.properties[0];
        let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
        let formula = ltl_formula(&model, property.operands[0], &mut store, &mut atoms);
        let negation = store.unary(UnaryOp::Not, formula);
        let observed: Vec<_> = atoms.of(&store, formula).into_iter().map(|(_, e)| e).collect();
        if observed.iter().any(|&atom| model.expressions.is_about_steps(atom)) {
            continue;
        }
        let graph = Graph::new(&model, observed, Limits::default(), &mut never).expect("small");
        let readings = [(PathEnd::Anywhere, Ending::Anywhere), (PathEnd::DeadEnd, Ending::DeadEnd)];
        for (reading, ending) in readings {
            let path = finite_path(&graph, &store, negation, &atoms, ending, &mut never);
            let path = path.expect("small");
            let sat = settings(SAT[(seed % SAT.len() as u64) as usize]);
            for (settings, is_sat) in
                [(ltl_engine(seed), false), (finite_antichain(seed), false), (sat, true)]
            {
                let budget = if is_sat { patience() } else { Budget::unlimited() };
                let found = check_within(&case.text, &settings, Some(reading), &budget).remove(0);
                if is_sat && found.is_none() {
                    continue;
                }
                by_sat += usize::from(is_sat);
                let found = found.expect("a verdict");
                let place = format!("seed {seed}, {reading:?}, {}", settings.engines[0]);
                assert_eq!(found.is_ok(), path.is_none(), "{place}\n{}", case.text);
                if let Err(trace) = found {
                    assert_refutes(&model, property, &trace, Fairness::Ignored);
                }
            }
            *if path.is_none() { &mut holds } else { &mut violated } += 1;
        }
    }
    assert!(holds * 10 >= violated && violated * 10 >= holds, "{holds}, {violated}");
    // Paths that end in dead ends are not supported.
    assert!(by_sat * 4 >= holds + violated, "{by_sat} of {}", holds + violated);
}

#[test]
fn finite_readings_are_those_of_the_judge() {
    compare_finite(0..100);
}

#[test]
#[ignore = "a campaign of some minutes"]
fn finite_readings_of_two_thousand_cases_are_those_of_the_judge() {
    compare_finite(0..2_000);
}

/// Compares all verdicts on models with every construct of the language.
fn compare_models(seeds: Range<u64>) {
    let shape = ModelShape { bits: 7, depth: 2, properties: 8, ..ModelShape::default() };
    let limits = Limits { states: 2_000, steps: 100_000 };
    let (mut holds, mut violated) = (0, 0);
    for seed in seeds {
        let text = random_model(&mut Rng::new(seed), &shape).text();
        let model = flat_model(&text);
        let mut settings = ltl_engine(seed);
        settings.engines.extend(CheckSettings::one_engine_each().engines);
        let found = check(&text, &settings, None);
        for (number, (property, found)) in model.properties.iter().zip(found).enumerate() {
            let Some(found) = found else { continue };
            let judged = match verdict(&model, property, limits, &mut never) {
                Ok(judged) => judged,
                Err(Unjudged::TooLarge { .. }) => continue,
                Err(other) => panic!("{other}"),
            };
            let place = format!("seed {seed}, property {}\n{text}", number + 1);
            assert_eq!(Some(found.is_ok()), judged.holds(), "{place}");
            *if found.is_ok() { &mut holds } else { &mut violated } += 1;
        }
    }
    assert!(holds * 5 >= violated && violated * 5 >= holds, "{holds}, {violated}");
}

#[test]
fn verdicts_on_models_with_all_constructs_are_those_of_the_judge() {
    compare_models(0..60);
}

#[test]
#[ignore = "a campaign of some minutes"]
fn verdicts_on_two_thousand_models_with_all_constructs_are_those_of_the_judge() {
    compare_models(0..2_000);
}

/// Conjuncts `G F p` of a negated property become justice constraints of the model: verdicts are
/// those without rewriting, where they do not.
#[test]
fn recurrence_is_justice() {
    let model = "\
MODULE main
IVAR
  input : boolean;
VAR
  x : boolean;
  y : boolean;
ASSIGN
  init(x) := FALSE;
  next(x) := input xor y;
  next(y) := case x : {TRUE, FALSE}; TRUE : input; esac;
JUSTICE
  x | y
";
    let parts = ["x", "!y", "input", "x & input", "FALSE", "x xor y"];
    let mut verdicts = BTreeMap::new();
    for p in parts {
        for q in parts {
            for rest in ["TRUE", "F G !x", "G(y -> X !input)", "x U y"] {
                let property =
                    format!("LTLSPEC !(G F ({p}) & G(F ({q}) & ({q} | F x)) & ({rest}))");
                let text = format!("{model}{property}\n");
                let found: Vec<bool> = ["", ":rules=none", ":encoding=bnf/fussy/gba/lexp"]
                    .map(|options| settings(&format!("product:syntactic/el{options}")))
                    .map(|settings| check(&text, &settings, None).remove(0))
                    .map(|verdict| verdict.expect("a verdict").is_ok())
                    .to_vec();
                assert!(found.iter().all(|holds| *holds == found[0]), "{found:?}\n{text}");
                *verdicts.entry(found[0]).or_insert(0) += 1;
            }
        }
    }
    assert!(verdicts.values().all(|&count| count > 20) && verdicts.len() == 2, "{verdicts:?}");
}
