//! Pictures: figure 1 of the paper as text for Graphviz, and the drawing of what has no small
//! normal form.

use kermode_automata::dot::to_dot;
use kermode_automata::{AlternatingAutomaton, alaska, from_ltl};
use kermode_ltl::dialect::parse;
use kermode_ltl::{Dialect, Store, WordKind};

mod snapshot;
use snapshot::matches_snapshot;

fn automaton_of(store: &mut Store, text: &str) -> AlternatingAutomaton {
    let formula = parse(store, text, Dialect::Kermode.into()).expect("a formula").formula;
    from_ltl(store, formula, WordKind::Infinite).expect("a translation")
}

#[test]
fn figure_1() {
    let mut store = Store::new();
    let file = include_str!("../../../examples/figure1.abw");
    let figure = alaska::read(&mut store, file).expect("an automaton");
    matches_snapshot("figure1.dot", &to_dot(&store, &figure));
}

/// The translation of the formula of figure 1 is figure 1, but for the names and the order of
/// locations.
#[test]
fn figure_1_from_its_formula() {
    let mut store = Store::new();
    let automaton = automaton_of(&mut store, "!(G F p -> G(!p -> F r))");
    matches_snapshot("figure1_of_formula.dot", &to_dot(&store, &automaton));
}

#[test]
fn large_transitions_are_drawn_as_expressions() {
    let mut store = Store::new();
    let parts: Vec<String> = (0..6).map(|i| format!("(F a{i} | b{i} & \"c \\\" d\")")).collect();
    let automaton = automaton_of(&mut store, &format!("G({})", parts.join(" & ")));
    matches_snapshot("large.dot", &to_dot(&store, &automaton));
}

/// Names that are not plain are quoted, as in the other formats, also on edges with marks.
#[test]
fn names_are_quoted() {
    let mut store = Store::new();
    let automaton = automaton_of(&mut store, "\"x y\" U b");
    let picture = to_dot(&store, &automaton);
    assert!(picture.contains(r#"\"x y\""#), "{picture}");
    assert!(!picture.contains("\" x y"), "{picture}");
}

/// Loops have the upper side of a state for themselves: other edges leave at the right and arrive
/// at the left, or pass below if they lead back.
#[test]
fn edges_have_sides() {
    let mut store = Store::new();
    let hoa = "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n--BODY--\n\
         State: 0\n[0] 0\n[!0] 1\nState: 1\n[0] 0 {0}\n[!0] 1\n--END--\n";
    let read = kermode_automata::hoa::read(&mut store, hoa).remove(0).expect("an automaton");
    let kermode_automata::Automaton::Tgba(automaton) = read.automaton else {
        panic!("it does not alternate");
    };
    let picture = kermode_automata::tgba::to_dot(&store, &automaton);
    let edge = |ends: &str| picture.lines().find(|line| line.contains(ends)).expect("an edge");
    assert!(edge("s0 -> s1").ends_with(", tailport=e, headport=w]"), "{picture}");
    assert!(edge("s1 -> s0").ends_with(", tailport=sw, headport=se]"), "{picture}");
    assert!(edge("s0 -> s0").ends_with("\"]"), "{picture}");
}

/// Neither normal forms nor drawings of expressions are quadratic.
#[test]
fn deep_automata_are_drawn() {
    let mut store = Store::new();
    let text = format!("{}a{}", "G(a | F(b & ".repeat(20_000), "))".repeat(20_000));
    let automaton = automaton_of(&mut store, &text);
    let lines = to_dot(&store, &automaton).lines().count();
    assert!(lines > 40_000 && lines < 1_000_000, "{lines}");
}
