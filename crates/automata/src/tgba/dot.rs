//! Generalised Büchi automata as pictures for Graphviz. An arrow is labelled with its letters, as a
//! sum of products, and with its marks. If the only mark could be on states, these have a double
//! border instead.

use kermode_bdd::{Bdd, Cube, OutOfNodes};
use kermode_ltl::Store;

use super::graph::{Marks, State, Tgba};
use crate::dot::{BEGINNING, OPENING, beginning, escape, literal};

/// The largest number of products of a label that is drawn.
const MOST_PRODUCTS: usize = 24;

/// Writes an automaton whose propositions are of the store.
pub fn to_dot(store: &Store, automaton: &Tgba) -> String {
    let on_states = automaton.mark_count() == 1 && automaton.is_state_based();
    let mut lines: Vec<String> = OPENING.map(str::to_owned).into();
    for state in automaton.states() {
        let number = state.index().to_string();
        let label = escape(automaton.name(state).unwrap_or(&number));
        let accepting = automaton.state_marks(state).is_some_and(|marks| !marks.is_empty());
        let border = if on_states && accepting { ", peripheries=2" } else { "" };
        lines.push(format!("  {} [label=\"{label}\"{border}]", node(state)));
    }
    lines.push(beginning());
    for &state in automaton.initial() {
        lines.push(format!("  {BEGINNING} -> {}", node(state)));
    }
    for (source, transition) in automaton.transitions() {
        let label = escape(&products(store, automaton, &transition.label));
        let marks = if on_states { String::new() } else { marks(&transition.marks) };
        let (source, target) = (node(source), node(transition.target));
        lines.push(format!("  {source} -> {target} [label=\"{label}{marks}\"]"));
    }
    lines.push("}\n".to_owned());
    lines.join("\n")
}

fn node(state: State) -> String {
    format!("s{}", state.index())
}

fn marks(marks: &Marks) -> String {
    let numbers: Vec<String> = marks.iter().map(|mark| mark.to_string()).collect();
    match numbers.is_empty() {
        true => String::new(),
        false => format!("\\n{{{}}}", numbers.join(",")),
    }
}

/// The label as a sum of products, or the size of its diagram.
fn products(store: &Store, automaton: &Tgba, label: &Bdd) -> String {
    let Some(cover) = small_cover(label, MOST_PRODUCTS) else {
        return format!("a function with {} nodes", label.node_count());
    };
    let product = |cube: &Cube| {
        let literals = cube.literals().iter();
        let literals: Vec<String> = literals
            .map(|l| literal(store, automaton.propositions()[l.variable.index()], l.positive))
            .collect();
        if literals.is_empty() { "true".to_owned() } else { literals.join(" & ") }
    };
    cover.iter().map(product).collect::<Vec<_>>().join(" | ")
}

/// The products of an irredundant cover, if there are few and they are found soon.
pub(crate) fn small_cover(label: &Bdd, most: usize) -> Option<Vec<Cube>> {
    /// Each product takes some steps for each variable above it.
    const STEPS: usize = 200;
    let mut left = most.saturating_mul(STEPS);
    let mut patience = || {
        left = left.checked_sub(1).ok_or(OutOfNodes)?;
        Ok(())
    };
    let cover = label.irredundant_cover::<OutOfNodes>(&mut patience).ok()?;
    (cover.len() <= most).then_some(cover)
}
