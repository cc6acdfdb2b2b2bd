//! The thirty encodings judged without decision diagrams: small systems are written out, their verdicts compared with
//! the tableau, their runs replayed, and the words read off them evaluated.

mod oracle;

use std::collections::BTreeSet;

use kermode_base::Rng;
use kermode_ltl::dialect::{parse, write_abbreviated};
use kermode_ltl::random::{Operators, RandomFormula, all_formulas};
use kermode_ltl::reference::tableau;
use kermode_ltl::semantics::naive;
use kermode_ltl::{
    BinaryOp, Dialect, Formula, Letter, Proposition, Store, UnaryOp, Untranslatable, Word, WordKind,
};
use kermode_system::{Encoded, Encoding, Form, Graph, Order, Trace, encode, replay};
use oracle::{Explicit, MOST_VARIABLES};

fn read(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).expect("a formula").formula
}

fn encoded(store: &mut Store, formula: Formula, encoding: Encoding) -> (Graph, Encoded) {
    let mut graph = Graph::new();
    let encoded = encode::<Untranslatable>(&mut graph, store, formula, encoding, &mut || Ok(()));
    (graph, encoded.expect("a formula without past and bounds"))
}

fn word(encoded: &Encoded, trace: &Trace) -> Word {
    let variables = encoded.system.variables();
    let position = |variable| variables.iter().position(|&v| v == variable).expect("a variable");
    let letter = |step: usize| -> Letter {
        let holds = |&&(_, variable): &&(Proposition, _)| trace.value(step, position(variable));
        encoded.propositions.iter().filter(holds).map(|&(proposition, _)| proposition).collect()
    };
    Word::from_letters((0..trace.len()).map(letter).collect(), Some(trace.loop_start()))
}

/// Compares one encoding with the tableau. `false` if the system is too large to be written out.
#[track_caller]
fn judge(store: &mut Store, formula: Formula, form: Form, satisfiable: bool) -> bool {
    let (graph, encoded) = encoded(store, formula, Encoding { form, order: Order::Naive });
    if encoded.system.variables().len() > MOST_VARIABLES {
        return false;
    }
    let what = || format!("{} by {}", write_abbreviated(store, formula, 100), form.name());
    let run = Explicit::new(&graph, &encoded.system).fair_run();
    assert_eq!(run.is_some(), satisfiable, "{}", what());
    if let Some(trace) = run {
        let replayed = replay::<()>(&graph, &encoded.system, &trace, &mut || Ok(()));
        assert_eq!(replayed, Ok(Ok(())), "{}", what());
        let word = word(&encoded, &trace);
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
            let (_, encoded) = encoded(&mut store, formula, encoding);
            let declared: BTreeSet<_> = encoded.system.variables().iter().copied().collect();
            let ordered: BTreeSet<_> = encoded.order.iter().copied().collect();
            assert_eq!(declared, ordered, "{encoding}");
            assert_eq!(encoded.order.len(), ordered.len(), "{encoding}");
        }
    }
}
