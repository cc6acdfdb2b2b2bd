//! The thirty encodings judged without decision diagrams: small systems are written out, their
//! verdicts compared with the tableau, their runs replayed, and the words read off them evaluated.

mod oracle;

use std::collections::BTreeSet;

use kermode_base::Rng;
use kermode_ltl::dialect::{parse, write_abbreviated};
use kermode_ltl::random::{Operators, RandomFormula, all_formulas};
use kermode_ltl::reference::tableau;
use kermode_ltl::semantics::naive;
use kermode_ltl::{BinaryOp, Dialect, Formula, Store, UnaryOp, Untranslatable, WordKind};
use kermode_system::{Encoding, Form, Model, VariableOrder, replay};
use oracle::{Explicit, MOST_VARIABLES};

fn read(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).expect("a formula").formula
}

/// The model whose runs are the words that satisfy a formula.
fn model(store: &mut Store, formula: Formula, encoding: Encoding) -> Model {
    let mut model = Model::new();
    let constrained = model.constrain::<Untranslatable>(store, formula, encoding, &mut || Ok(()));
    constrained.expect("a formula without past and bounds");
    model
}

/// Compares one encoding with the tableau. `false` if the system is too large to be written out.
#[track_caller]
fn judge(store: &mut Store, formula: Formula, form: Form, satisfiable: bool) -> bool {
    let model = model(store, formula, Encoding { form, order: VariableOrder::Naive });
    if model.system.variables().len() > MOST_VARIABLES {
        return false;
    }
    let what = || format!("{} by {}", write_abbreviated(store, formula, 100), form.name());
    let run = Explicit::new(&model.graph, &model.system).fair_run();
    assert_eq!(run.is_some(), satisfiable, "{}", what());
    if let Some(trace) = run {
        let replayed = replay::<()>(&model.graph, &model.system, &trace, &mut || Ok(()));
        assert_eq!(replayed, Ok(Ok(())), "{}", what());
        let word = model.word(&trace);
        assert!(naive::satisfies(store, formula, &word), "{} on {word:?}", what());
    }
    true
}

fn is_satisfiable(store: &Store, formula: Formula) -> bool {
    let word = tableau::<()>(store, formula, WordKind::Infinite, &mut || Ok(()));
    word.expect("a small formula").is_some()
}

fn judge_all(unary: &[UnaryOp], binary: &[BinaryOp], size: usize) {
    let mut store = Store::new();
    let propositions = ["a", "b"].map(|name| store.proposition(name));
    let formulas = all_formulas(&mut store, &propositions, unary, binary, size);
    for formula in formulas.into_iter().flatten() {
        let satisfiable = is_satisfiable(&store, formula);
        for form in Form::ALL {
            assert!(judge(&mut store, formula, form, satisfiable), "small formulas are small");
        }
    }
}

#[test]
fn all_small_formulas() {
    use {BinaryOp::*, UnaryOp::*};
    judge_all(&[Not, Next, Finally, Globally], &[And, Or, Until, Release], 5);
}

#[test]
fn all_operators() {
    let operators = Operators::future().with_weak_next();
    judge_all(&operators.unary, &operators.binary, 4);
}

#[test]
fn random_formulas() {
    let mut rng = Rng::new(8);
    let (mut judged, mut large) = (0, 0);
    for _ in 0..150 {
        let mut store = Store::new();
        let propositions = ["a", "b"].map(|name| store.proposition(name)).to_vec();
        let operators = Operators::future().with_constants();
        let size = rng.between(5, 8);
        let formula = RandomFormula { size, propositions, operators }.draw(&mut store, &mut rng);
        let satisfiable = is_satisfiable(&store, formula);
        for form in Form::ALL {
            match judge(&mut store, formula, form, satisfiable) {
                true => judged += 1,
                false => large += 1,
            }
        }
    }
    assert!(judged > 5 * large, "{judged} were judged, {large} were too large");
}

#[test]
fn constants_need_no_variables() {
    for form in Form::ALL {
        let mut store = Store::new();
        for (text, satisfiable) in
            [("true", true), ("false", false), ("X false", false), ("G true", true)]
        {
            let formula = read(&mut store, text);
            assert!(judge(&mut store, formula, form, satisfiable));
        }
    }
}

/// Orders change nothing but the order.
#[test]
fn orders_are_permutations() {
    let mut rng = Rng::new(30);
    for size in 1..60 {
        let mut store = Store::new();
        let propositions = ["a", "b", "c"].map(|name| store.proposition(name)).to_vec();
        let operators = Operators::future();
        let formula = RandomFormula { size, propositions, operators }.draw(&mut store, &mut rng);
        for encoding in Encoding::all() {
            let model = model(&mut store, formula, encoding);
            let declared: BTreeSet<_> = model.system.variables().iter().copied().collect();
            let ordered: BTreeSet<_> = model.order.iter().copied().collect();
            assert_eq!(declared, ordered, "{encoding}");
            assert_eq!(model.order.len(), ordered.len(), "{encoding}");
        }
    }
}
