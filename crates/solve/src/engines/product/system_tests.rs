//! The search on random systems with invariants, dead ends and justice on steps, which formulas do
//! not have: compared with the brute force of `crates/system`, and traces replayed.

use std::convert::Infallible;

use kermode_base::Rng;
use kermode_ltl::{Letter, Proposition, Word};
use kermode_system::{Trace, replay};

use super::search::WitnessOf;
use super::symbolic::SymbolicProduct;
use super::*;
use crate::alternating::oracle::{Explicit, random};
use crate::compiled::traces;
use crate::frame::observer::Silent;

/// All cells; that of symbolic automata and fixpoints in both directions, restricted to reachable
/// states or not, with clusters or single parts.
fn searches() -> Vec<ProductEngine> {
    let engine = |representation, algorithm| ProductEngine {
        rules: "none".parse().expect("a set of rules"),
        ..ProductEngine::new(&Options::default(), representation, algorithm).expect("options")
    };
    let search = |direction, reach, cluster| ProductEngine {
        schedule: Schedule::Formula,
        direction,
        reach,
        cluster,
        ..engine(Representation::Syntactic, Algorithm::EmersonLei)
    };
    let forward = ProductEngine {
        direction: Direction::Forward,
        schedule: Schedule::Formula,
        ..engine(Representation::Partitioned, Algorithm::EmersonLei)
    };
    let bounded = ProductEngine {
        reach: Reach::Product,
        ..engine(Representation::Partitioned, Algorithm::EmersonLei)
    };
    let few_copies = |representation| ProductEngine {
        copies: Copied::Few,
        ..engine(representation, Algorithm::ToSafety)
    };
    vec![
        search(Direction::Backward, Reach::Off, 500),
        search(Direction::Backward, Reach::Auto, 500),
        search(Direction::Backward, Reach::Model, 1),
        search(Direction::Backward, Reach::Product, 1),
        search(Direction::Forward, Reach::Off, 500),
        search(Direction::Forward, Reach::Off, 1),
        engine(Representation::Syntactic, Algorithm::ToSafety),
        engine(Representation::Logarithmic, Algorithm::Weak),
        engine(Representation::Partitioned, Algorithm::EmersonLei),
        engine(Representation::Partitioned, Algorithm::ToSafety),
        engine(Representation::Partitioned, Algorithm::Weak),
        few_copies(Representation::Syntactic),
        few_copies(Representation::Logarithmic),
        few_copies(Representation::Partitioned),
        forward,
        bounded,
    ]
}

fn answer(engine: &ProductEngine, model: &Model) -> Answer {
    let (budget, observer) = (&Budget::unlimited(), &mut Silent::default());
    let mut store = Store::new();
    let formula = store.constant(true);
    let problem_store = store.clone();
    let problem = &Problem::runs(&problem_store, model, formula);
    let counts = &mut ProductCounts::default();
    let mut search = Search { engine, problem, budget, observer, counts };
    let of_states: &WitnessOf = &|states, _, lasso, _| Ok(Some(Witness::Word(states.word(&lasso))));
    let of_trace: &WitnessOf = &|_, order, lasso, _| {
        let start = Some(lasso.prefix.len());
        let moments = [lasso.prefix, lasso.cycle].concat();
        let run = traces::trace(order, model.system.variables(), &moments, start);
        Ok(Some(Witness::Word(model.word(&run))))
    };
    let answer = match (engine.representation, engine.algorithm) {
        (Representation::Syntactic, Algorithm::EmersonLei) => {
            let (model, factor, witness_of) = (model.clone(), model.clone(), of_states);
            let (is_free, top, weak) = (false, 0, None);
            search.fixpoints(SymbolicProduct { model, factor, is_free, top, weak, witness_of })
        }
        _ => {
            let (store, model, witness_of) = (&mut store, model.clone(), of_trace);
            search.question(Question {
                store,
                property: formula.into(),
                model,
                is_free: false,
                witness_of,
            })
        }
    };
    answer.expect("an answer")
}

/// The trace of a word that has all variables.
fn trace(word: &Word, propositions: &[Proposition]) -> Trace {
    let steps = word.prefix().iter().chain(word.cycle());
    let row = |letter: &Letter| {
        let letter = letter.clone();
        propositions.iter().map(move |&p| letter.contains(p)).collect::<Vec<_>>()
    };
    Trace::new(propositions.len(), steps.map(row), Some(word.prefix().len()))
}

/// Each variable is an atom, and two more atoms are about steps.
fn check(model: &mut Model, rng: &mut Rng) -> bool {
    let mut store = Store::new();
    let names = (0..model.order.len()).map(|number| format!("v{number}"));
    let propositions: Vec<Proposition> = names.map(|name| store.proposition(&name)).collect();
    let variables = model.system.variables().to_vec();
    for (&proposition, &variable) in propositions.iter().zip(&variables) {
        let atom = model.graph.current(variable);
        model.atoms.insert(proposition, atom);
    }
    for name in ["p", "q"] {
        let atom = random::expression(&mut model.graph, rng, &variables, true, 2);
        model.atoms.insert(store.proposition(name), atom);
    }
    let Model { graph, system, .. } = &*model;
    let expected = Explicit::new(graph, system).fair_run().is_some();
    for engine in searches() {
        match answer(&engine, model) {
            Answer::Nonempty(Ok(Witness::Word(word))) => {
                let trace = trace(&word, &propositions);
                let Ok(judged) = replay::<Infallible>(graph, system, &trace, &mut || Ok(()));
                assert_eq!(judged, Ok(()), "{system:?}");
                assert_eq!(model.word(&trace), word, "{system:?}");
                assert!(expected, "{system:?}");
            }
            other => assert_eq!((other, expected), (Answer::Empty(None), false), "{system:?}"),
        }
    }
    expected
}

#[test]
fn random_systems() {
    let mut rng = Rng::new(1986);
    let (mut fair, mut just, mut bound) = (0, 0, 0);
    for round in 0..3_000 {
        let mut model = Model::new();
        for name in &["a", "b", "c", "d"][..1 + round % 4] {
            model.auxiliary(name);
        }
        model.system = random::system(&mut model.graph, &mut rng, &model.order);
        let is_fair = check(&mut model, &mut rng);
        let Model { graph, system, .. } = &model;
        fair += usize::from(is_fair);
        let mut justice = system.justice().iter();
        just += usize::from(is_fair && justice.any(|&constraint| graph.looks_ahead(constraint)));
        bound += usize::from(is_fair && !system.invariants().is_empty());
    }
    assert!(fair > 500 && fair < 2_900 && just > 100 && bound > 100, "{fair}, {just}, {bound}");
}
