//! Each encoding of a formula, written as a model for NuSMV and read again: the CTL and the LTL
//! specification are violated exactly if the formula is satisfiable.

mod checking;

use checking::read;
use kermode_base::Rng;
use kermode_ltl::dialect::{parse, write_abbreviated};
use kermode_ltl::random::{Operators, RandomFormula};
use kermode_ltl::rewrite::Rewriting;
use kermode_ltl::{Dialect, Formula, Store, WordKind};
use kermode_solve::check::{CheckSettings, CheckVerdict, CheckWorker, Checker, PropertyRequest};
use kermode_solve::translate::{SmvModel, Target};
use kermode_solve::{Budget, EngineSpec, Problem, Silent, Translation, Verdict, decide};
use kermode_system::Encoding;

/// Formulas that no rewriting decides.
const FORMULAS: [&str; 8] = [
    "G(a -> F b) & G F a",
    "(a U b) & G !b",
    "G F a & G F !a & G(a -> X !a)",
    "F G a & G F !a",
    "(a W b) & F !a & G !b",
    "!(a U b) & a & X b",
    "G(a -> X X b) & a & X X !b",
    "(a M b) & (b R !a)",
];

/// Whether each specification of the model is violated.
fn violations(text: &str) -> Vec<bool> {
    let (budget, settings) = (Budget::unlimited(), CheckSettings::default());
    let requests = [PropertyRequest::Declared];
    let checker = Checker::new(read(text), &requests, &[], None, &budget).expect("a model");
    let worker = CheckWorker::new(&checker, &settings);
    let verdict = |property| {
        let outcome = worker.check(property, &budget, &mut Silent::default());
        match outcome.result.expect("no internal error") {
            CheckVerdict::Holds => false,
            CheckVerdict::Violated(_) => true,
            other => panic!("{other:?}\n{text}"),
        }
    };
    checker.properties().iter().map(verdict).collect()
}

fn is_satisfiable(store: &Store, formula: Formula) -> bool {
    let engine: EngineSpec = "tgba:couvreur".parse().expect("an engine");
    let problem = Problem::satisfiability(store, formula, WordKind::Infinite);
    match decide(&problem, &engine, &Budget::unlimited(), &mut Silent::default()) {
        Ok(Verdict::Nonempty(_)) => true,
        Ok(Verdict::Empty(_)) => false,
        other => panic!("{other:?}"),
    }
}

fn compare(store: &Store, formula: Formula, models: impl Iterator<Item = SmvModel>) -> bool {
    let expected = is_satisfiable(store, formula);
    let text = write_abbreviated(store, formula, 200);
    for model in models {
        let target = Target::Smv(model);
        let translation = Translation { rewriting: Rewriting::None, ..Translation::to(target) };
        let budget = Budget::unlimited();
        let written = translation.apply(store, formula, None, &budget).expect("a model").text;
        let found = violations(&written);
        assert!(!found.is_empty());
        assert!(found.iter().all(|&violated| violated == expected), "{text}, {model:?}: {found:?}");
    }
    expected
}

#[test]
fn all_encodings_of_some_formulas() {
    let mut satisfiable = 0;
    for text in FORMULAS {
        let mut store = Store::new();
        let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
        let models = Encoding::all().map(SmvModel::Encoded).chain([SmvModel::Universal]);
        satisfiable += usize::from(compare(&store, formula, models));
    }
    assert_eq!(satisfiable, 3);
}

#[test]
fn random_formulas_with_encodings_in_turn() {
    let mut rng = Rng::new(19);
    let mut counts = [0; 2];
    for round in 0..240 {
        let mut store = Store::new();
        let propositions = ["a", "b"].map(|name| store.proposition(name)).to_vec();
        let operators = Operators::future();
        let random = RandomFormula { size: 4 + round % 8, propositions, operators };
        let formula = random.draw(&mut store, &mut rng);
        let encodings = Encoding::all().skip(round % 30).take(1).map(SmvModel::Encoded);
        let satisfiable = compare(&store, formula, encodings.chain([SmvModel::Universal]));
        counts[usize::from(satisfiable)] += 1;
    }
    assert!(counts[0] > 4 && counts[1] > 100, "{counts:?}");
}
