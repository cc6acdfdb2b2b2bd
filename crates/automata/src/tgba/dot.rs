//! Generalised Büchi automata as pictures for Graphviz. All transitions between two states are one
//! arrow, with one label per set of marks. If the only mark could be on states, these have a double
//! border instead; if several could, the marks are drawn in the states.

use indexmap::IndexMap;
use kermode_bdd::Bdd;
use kermode_ltl::Store;
use rustc_hash::FxBuildHasher;

use super::graph::{Marks, State, Tgba, Transition};
use crate::dot::{EdgeLine, LabelLines, Picture, StateStyle, shown_names};

/// Writes an automaton whose propositions are of the store.
pub fn to_dot(store: &Store, automaton: &Tgba) -> String {
    let on_states = automaton.mark_count() > 0 && automaton.is_state_based();
    let names: Vec<Option<&str>> = automaton.states().map(|s| automaton.name(s)).collect();
    let shown = shown_names(&names);
    let mut picture = Picture::new(&shown);
    for (state, shown) in automaton.states().zip(&shown) {
        let marks = automaton.state_marks(state).filter(|_| on_states).unwrap_or_default();
        let is_buchi = automaton.mark_count() == 1;
        let style = StateStyle {
            name: automaton.name(state),
            accepting: is_buchi && !marks.is_empty(),
            marks: (!is_buchi).then_some(&marks),
        };
        picture.state(&node(state), shown, style);
    }
    automaton.initial().iter().for_each(|&state| picture.initial(&node(state)));
    let labels = LabelLines { store, propositions: automaton.propositions() };
    for source in automaton.states() {
        for (target, transitions) in by_target(automaton.successors(source)) {
            let lines = edge_lines(&labels, transitions, on_states);
            picture.edge(&node(source), &node(target), &lines);
        }
    }
    picture.finished()
}

fn node(state: State) -> String {
    format!("s{}", state.index())
}

fn by_target(transitions: &[Transition]) -> IndexMap<State, Vec<&Transition>, FxBuildHasher> {
    let mut groups: IndexMap<State, Vec<&Transition>, FxBuildHasher> = IndexMap::default();
    for transition in transitions {
        groups.entry(transition.target).or_default().push(transition);
    }
    groups
}

/// The label of an arrow: the letters of each set of marks, with the marks behind.
fn edge_lines(
    labels: &LabelLines,
    transitions: Vec<&Transition>,
    on_states: bool,
) -> Vec<EdgeLine> {
    let mut by_marks: IndexMap<&Marks, Vec<Bdd>, FxBuildHasher> = IndexMap::default();
    for transition in transitions {
        by_marks.entry(&transition.marks).or_default().push(transition.label.clone());
    }
    let mut lines: Vec<EdgeLine> = Vec::new();
    for (marks, mut parts) in by_marks {
        // If the table is full, the labels are written one below the other.
        if let Ok(joined) = parts[1..].iter().try_fold(parts[0].clone(), |all, part| all.or(part)) {
            parts = vec![joined];
        }
        let texts = parts.iter().flat_map(|part| labels.of(part));
        lines.extend(texts.map(|text| EdgeLine { text, marks: Marks::new() }));
        if let Some(last) = lines.last_mut().filter(|_| !on_states) {
            last.marks = marks.clone();
        }
    }
    lines
}
