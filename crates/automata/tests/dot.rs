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

/// Neither normal forms nor drawings of expressions are quadratic.
#[test]
fn deep_automata_are_drawn() {
    let mut store = Store::new();
    let text = format!("{}a{}", "G(a | F(b & ".repeat(20_000), "))".repeat(20_000));
    let automaton = automaton_of(&mut store, &text);
    let lines = to_dot(&store, &automaton).lines().count();
    assert!(lines > 40_000 && lines < 1_000_000, "{lines}");
}
