//! Inclusion of automata: those of formulas against the tableau, any others against themselves and
//! random words. Every answer "satisfiable" comes with a word, which `decide` has replayed on each
//! of the automata.

use std::convert::Infallible;

use kermode_automata::random::RandomAutomaton;
use kermode_automata::{AlternatingAutomaton, Difference, from_ltl};
use kermode_base::Rng;
use kermode_ltl::random::{Operators, RandomFormula, random_word};
use kermode_ltl::reference::tableau;
use kermode_ltl::{BinaryOp, Node, Store, UnaryOp, WordKind};
use kermode_solve::{Budget, EngineSpec, Problem, Silent, Verdict, Witness, decide};

const KINDS: [WordKind; 2] = [WordKind::Infinite, WordKind::Finite];

fn is_nonempty(store: &Store, difference: &Difference) -> bool {
    let engine: EngineSpec = "antichain:forward".parse().expect("an engine");
    let budget = Budget::unlimited();
    let problem = Problem::emptiness(store, difference);
    match decide(&problem, &engine, &budget, &mut Silent::default()) {
        Ok(Verdict::Nonempty(Ok(Witness::Word(_)))) => true,
        Ok(Verdict::Empty(_)) => false,
        other => panic!("{other:?}"),
    }
}

#[test]
fn inclusion_of_formulas_is_implication() {
    let mut rng = Rng::new(31);
    let mut included = 0;
    for round in 0..400 {
        let mut store = Store::new();
        let propositions = ["a", "b"].map(|name| store.proposition(name)).to_vec();
        let operators = Operators::future().with_weak_next();
        let shape = RandomFormula { size: rng.between(2, 7), propositions, operators };
        let words = KINDS[round % 2];
        let [f, g] = [0; 2].map(|_| shape.draw(&mut store, &mut rng));
        let not_g = store.intern(Node::Unary(UnaryOp::Not, g));
        let apart = store.intern(Node::Binary(BinaryOp::And, f, not_g));
        let word = tableau(&store, apart, words, &mut || Ok::<(), Infallible>(()));
        let Ok(word) = word else { continue };
        let [a, b] = [f, g].map(|formula| from_ltl(&mut store, formula, words).expect("no past"));
        let difference = Difference::of(a).not(b);
        assert_eq!(is_nonempty(&store, &difference), word.is_some(), "round {round}");
        included += usize::from(word.is_none());
    }
    assert!(included > 40 && included < 360, "{included}");
}

#[test]
fn inclusion_of_random_automata() {
    let mut rng = Rng::new(32);
    let mut included = 0;
    for round in 0..400 {
        let mut store = Store::new();
        let propositions = ["a", "b"].map(|name| store.proposition(name)).to_vec();
        let (words, locations) = (KINDS[round % 2], rng.between(1, 3));
        let shape = RandomAutomaton { words, propositions, locations, leaves: 5, group: None };
        let [a, b]: [AlternatingAutomaton; 2] = [0; 2].map(|_| shape.draw(&mut rng));
        let itself = Difference::of(a.clone()).not(a.clone());
        assert!(!is_nonempty(&store, &itself), "round {round}");
        let difference = Difference::of(a).not(b);
        if is_nonempty(&store, &difference) {
            continue;
        }
        included += 1;
        for _ in 0..50 {
            let word = random_word(&mut rng, &shape.propositions, words, 3, 3);
            let inside = difference.contains(&word, &mut || Ok::<(), ()>(()));
            assert_eq!(inside, Ok(false), "round {round}: {word:?}");
        }
    }
    assert!(included > 40 && included < 360, "{included}");
}
