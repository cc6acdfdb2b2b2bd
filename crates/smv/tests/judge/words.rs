//! Automata on small models, against the automata's formulas: the judge of formulas shares no code
//! with that of automata, except for the graph of the model.

use kermode_automata::translation::{Level, to_buchi, translate};
use kermode_automata::{Automaton, Untranslatable, from_ltl};
use kermode_bdd::{CannotStart, OutOfNodes};
use kermode_ltl::{Formula, Store, UnaryOp, WordKind};
use kermode_smv::interpreter::Fairness;
use kermode_smv::judge::cases::case;
use kermode_smv::judge::{
    Acceptance, Ending, Graph, Limits, Unjudged, fair_path, fair_words, finite_path, finite_words,
};
use kermode_smv::property::{FlatAtoms, ltl_formula};
use kermode_smv::syntax::PropertyKind;

use crate::support::{model, never};

const LIMITS: Limits = Limits { states: 60, steps: 30_000 };

#[derive(Debug)]
struct Untranslated;

impl From<Untranslatable> for Untranslated {
    fn from(_: Untranslatable) -> Self {
        Untranslated
    }
}

impl From<OutOfNodes> for Untranslated {
    fn from(_: OutOfNodes) -> Self {
        Untranslated
    }
}

impl From<CannotStart> for Untranslated {
    fn from(_: CannotStart) -> Self {
        Untranslated
    }
}

/// The automata of a formula over infinite words; none if it has past operators.
fn automata(store: &mut Store, formula: Formula) -> Result<Vec<Automaton>, Untranslated> {
    let interrupt = &mut || Ok::<(), Untranslated>(());
    let alternating = from_ltl(store, formula, WordKind::Infinite)?;
    let tgba = translate(store, formula, Level::Low, interrupt)?;
    let buchi = to_buchi(&tgba, Level::Low, interrupt)?;
    Ok(vec![alternating.into(), tgba.into(), buchi.into()])
}

#[test]
fn automata_of_formulas_are_judged_as_their_formulas() {
    let (mut judged, mut seen) = (0, [0; 3]);
    for seed in 0..200 {
        let case = case(PropertyKind::Ltl, seed);
        let model = model(&case.text);
        let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
        let formula = ltl_formula(&model, model.properties[0].operands[0], &mut store, &mut atoms);
        let negation = store.unary(UnaryOp::Not, formula);
        let observed: Vec<_> = atoms.iter().map(|(_, expression)| expression).collect();
        let Ok(graph) = Graph::new(&model, observed, LIMITS, &mut never) else { continue };
        let Ok(automata) = automata(&mut store, formula) else { continue };
        let fairness = Fairness::JusticeAndCompassion;
        let path = |wanted| fair_path(&graph, &store, wanted, &atoms, fairness, &mut never);
        let (Ok(accepts), Ok(rejects)) = (path(formula), path(negation)) else { continue };
        let expected =
            Acceptance { accepts_some: accepts.is_some(), rejects_some: rejects.is_some() };
        for automaton in automata {
            match fair_words(&graph, &automaton, &atoms, fairness, &mut never) {
                Ok(found) => assert_eq!(found, expected, "seed {seed}\n{}", case.text),
                Err(Unjudged::TooLarge { .. }) => continue,
                Err(other) => panic!("{other}"),
            }
            judged += 1;
            seen[usize::from(expected.accepts_some) + usize::from(expected.rejects_some)] += 1;
        }
    }
    assert!(judged > 120 && seen[1] > 60 && seen[2] > 15, "{judged}, {seen:?}");
}

#[test]
fn finite_automata_of_formulas_are_judged_as_their_formulas() {
    let mut seen = [0; 3];
    for seed in 0..200 {
        let case = case(PropertyKind::Ltl, seed);
        let model = model(&case.text);
        let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
        let formula = ltl_formula(&model, model.properties[0].operands[0], &mut store, &mut atoms);
        let negation = store.unary(UnaryOp::Not, formula);
        let observed: Vec<_> = atoms.iter().map(|(_, expression)| expression).collect();
        if observed.iter().any(|&atom| model.expressions.is_about_steps(atom)) {
            continue;
        }
        let graph = Graph::new(&model, observed, LIMITS, &mut never);
        let automaton = from_ltl(&mut store, formula, WordKind::Finite);
        let (Ok(graph), Ok(automaton)) = (graph, automaton) else { continue };
        for ending in [Ending::Anywhere, Ending::DeadEnd] {
            let path = |wanted| finite_path(&graph, &store, wanted, &atoms, ending, &mut never);
            let [accepts, rejects] = [formula, negation].map(|f| path(f).expect("small").is_some());
            let expected = Acceptance { accepts_some: accepts, rejects_some: rejects };
            let found = finite_words(&graph, &automaton, &atoms, ending, &mut never);
            assert_eq!(found.expect("small"), expected, "seed {seed}, {ending:?}\n{}", case.text);
            seen[usize::from(accepts) + usize::from(rejects)] += 1;
        }
    }
    assert!(seen[1] > 10 && seen[2] > 20, "{seen:?}");
}
