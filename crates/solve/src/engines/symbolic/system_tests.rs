//! The search on random systems, with invariants, dead ends and justice on steps, which formulas do not have: judged by the brute force of
//! `crates/system`, and its traces by replay.

#[path = "../../../../system/tests/oracle/mod.rs"]
mod oracle;

use std::convert::Infallible;

use kermode_base::Rng;
use kermode_ltl::{Letter, Proposition, Word};
use kermode_system::{System, Trace, replay};

use super::*;
use crate::frame::answer::Witness;
use crate::frame::observer::Silent;
use oracle::{Explicit, random};

/// Both directions, within what can be reached or not, in clusters or in parts.
fn searches() -> [Symbolic; 4] {
    let search = |direction, reach, cluster| Symbolic {
        encoding: Encoding::all().next().expect("an encoding"),
        direction,
        reach,
        sifting: true,
        cluster,
        rules: "none".parse().expect("a set of rules"),
    };
    [
        search(Direction::Backward, false, 500),
        search(Direction::Backward, true, 1),
        search(Direction::Forward, false, 500),
        search(Direction::Forward, false, 1),
    ]
}

fn answer(engine: &Symbolic, source: Source) -> Answer {
    let (budget, observer) = (&Budget::unlimited(), &mut Silent::default());
    let mut run = Run { engine, budget, observer, counts: &mut Counts::default() };
    run.system(source, WitnessPolicy::default()).expect("an answer")
}

/// The trace of a word that tells all variables.
fn trace(word: &Word, propositions: &[Proposition]) -> Trace {
    let steps = word.prefix().iter().chain(word.cycle());
    let row = |letter: &Letter| {
        let letter = letter.clone();
        propositions.iter().map(move |&p| letter.contains(p)).collect::<Vec<_>>()
    };
    Trace::new(propositions.len(), steps.map(row), word.prefix().len())
}

fn check(graph: &mut Graph, system: &System) -> bool {
    let mut store = Store::new();
    let names = (0..system.variables().len()).map(|number| format!("v{number}"));
    let propositions: Vec<Proposition> = names.map(|name| store.proposition(&name)).collect();
    let told: Vec<_> = propositions.iter().copied().zip(system.variables().to_vec()).collect();
    let transition = taken_apart(graph, system.transition());
    let graph = &*graph;
    let order = system.variables();
    let source = Source { graph, system, transition: &transition, order, propositions: &told };
    let expected = Explicit::new(graph, system).fair_run().is_some();
    for engine in searches() {
        match answer(&engine, source) {
            Answer::Nonempty(Ok(Witness::Word(word))) => {
                let trace = trace(&word, &propositions);
                let Ok(judged) = replay::<Infallible>(graph, system, &trace, &mut || Ok(()));
                assert_eq!(judged, Ok(()), "{system:?}");
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
        let mut graph = Graph::new();
        let names = &["a", "b", "c", "d"][..1 + round % 4];
        let variables: Vec<_> = names.iter().map(|name| graph.variable(name)).collect();
        let system = random::system(&mut graph, &mut rng, &variables);
        let is_fair = check(&mut graph, &system);
        fair += usize::from(is_fair);
        let mut justice = system.justice().iter();
        just += usize::from(is_fair && justice.any(|&constraint| graph.looks_ahead(constraint)));
        bound += usize::from(is_fair && !system.invariants().is_empty());
    }
    assert!(fair > 500 && fair < 2_900 && just > 100 && bound > 100, "{fair}, {just}, {bound}");
}
