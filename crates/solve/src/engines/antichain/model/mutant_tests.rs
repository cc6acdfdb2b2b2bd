//! Each planted mistake is found by a small case, or by comparison with the explicit judge on
//! random cases.

use kermode_ltl::Store;
use kermode_ltl::dialect::{Dialect, parse};
use kermode_system::Model;

use crate::alternating::kripke::mistakes::{Mistake, plant};
use crate::engines::product::mutant_tests::Case;
use crate::frame::answer::Answer;
use crate::frame::budget::Budget;
use crate::frame::engine::{Engine, EngineSpec};
use crate::frame::observer::Silent;
use crate::frame::problem::{Language, PathEnd, Problem};

/// The mistakes, each with an engine that it concerns. Mixing the kinds of pairs is no mistake
/// forward: a pair without obligations has a run wherever one with obligations has one, and marks
/// belong to steps.
const MISTAKES: [(Mistake, &str); 14] = [
    (Mistake::KindsAreMixed, "antichain:backward:order=inclusion"),
    (Mistake::AcceptingIsNotReachable, "antichain:forward"),
    (Mistake::StartsAtAccepting, "antichain:forward"),
    (Mistake::EmptyPartStays, "antichain:forward"),
    (Mistake::PairsOverlap, "antichain:forward"),
    (Mistake::PairsOverlap, "antichain:backward"),
    (Mistake::LetterOfNextState, "antichain:forward"),
    (Mistake::JusticeIsIgnored, "antichain:forward"),
    (Mistake::JusticeIsIgnored, "antichain:backward"),
    (Mistake::MarkIsDropped, "antichain:forward"),
    (Mistake::ClosureStopsEarly, "antichain:forward"),
    (Mistake::DeadEndsAreIgnored, "antichain:forward"),
    (Mistake::StalePreimage, "antichain:backward"),
    (Mistake::EveryStateIsInitial, "antichain:backward"),
];

fn engine(name: &str) -> Box<dyn Engine> {
    name.parse::<EngineSpec>().expect("an engine").build().expect("its options")
}

/// A model with one variable `v`, that is true in the first state and later false or, if it is
/// free, anything.
fn small(formula: &str, is_free: bool, holds: bool) -> Case {
    let (mut store, mut model) = (Store::new(), Model::new());
    let negated = parse(&mut store, formula, Dialect::Kermode.into()).expect("a formula").formula;
    let variable = model.auxiliary("v");
    let Model { graph, system, atoms, .. } = &mut model;
    let current = graph.current(variable);
    atoms.insert(store.proposition("v"), current);
    if !is_free {
        let next = graph.next(variable);
        let is_false = graph.not(next);
        system.add_initial(graph, current);
        system.add_transition(graph, is_false);
    }
    Case { store, model, negated, holds }
}

/// Whether a case shows a mistake of an engine.
fn shows(case: &Case, mistake: Mistake, name: &str) -> bool {
    let engine = engine(name);
    assert!(case.is_right(&*engine), "{name}");
    plant(Some(mistake));
    let is_right = case.is_right(&*engine);
    plant(None);
    !is_right
}

#[test]
fn each_mistake_is_found() {
    let mut missed: Vec<(Mistake, &str)> = MISTAKES.to_vec();
    let known = [small("G F v & G F !v", true, false), small("G F v", false, true)];
    let random = (0..300).map(Case::new);
    for case in known.into_iter().chain(random) {
        missed.retain(|&(mistake, name)| !shows(&case, mistake, name));
        if missed.is_empty() {
            return;
        }
    }
    panic!("not found: {missed:?}");
}

/// `v` is true in the first state only, so no path satisfies `F (v & X v)`.
#[test]
fn paths_end_without_obligations() {
    let (engine, case) = (engine("antichain:forward"), small("F (v & X v)", false, true));
    let is_nonempty = |mistake: Option<Mistake>| {
        let (model, property) = (&case.model, case.negated.into());
        let language = Language::FiniteRuns { model, property, end: PathEnd::Anywhere };
        let problem = Problem { language, ..Problem::runs(&case.store, model, case.negated) };
        plant(mistake);
        let answer = engine.solve(&problem, &Budget::unlimited(), &mut Silent::default());
        plant(None);
        matches!(answer.expect("an answer"), Answer::Nonempty(_))
    };
    assert!(!is_nonempty(None));
    assert!(is_nonempty(Some(Mistake::PathsEndEarly)));
}
