//! The same language without useless states: unreachable states, and states that accept nothing.
//! Linear in the automaton.

use super::components::Components;
use super::graph::{State, Tgba};

/// For each state, whether it is reachable.
pub fn reachable(automaton: &Tgba) -> Vec<bool> {
    let mut reached = vec![false; automaton.state_count()];
    let mut todo: Vec<State> = automaton.initial().to_vec();
    while let Some(state) = todo.pop() {
        if !std::mem::replace(&mut reached[state.index()], true) {
            todo.extend(automaton.successors(state).iter().map(|t| t.target));
        }
    }
    reached
}

/// For each state, whether it accepts some word.
fn productive(automaton: &Tgba, components: &Components) -> Vec<bool> {
    let mut productive: Vec<bool> =
        (0..components.len()).map(|component| components.is_accepting(component)).collect();
    // Successors have smaller numbers, so one pass over states in that order is enough.
    for states in components.members() {
        for state in states {
            let here = components.component(state);
            let targets = automaton.successors(state).iter().map(|t| t.target);
            let leads_on = targets.into_iter().any(|t| productive[components.component(t)]);
            productive[here] |= leads_on;
        }
    }
    automaton.states().map(|state| productive[components.component(state)]).collect()
}

/// An automaton with the same language in which every state is reachable and accepts some word.
pub fn trim(automaton: &Tgba) -> Tgba {
    let reached = reachable(automaton);
    let productive = productive(automaton, &Components::of(automaton));
    automaton.restricted(|state| reached[state.index()] && productive[state.index()])
}

impl Tgba {
    /// The automaton with these states only, in the same order, and the transitions between them.
    pub fn restricted(&self, keep: impl Fn(State) -> bool) -> Tgba {
        if self.states().all(&keep) {
            return self.clone();
        }
        let mut kept = self.sibling(self.mark_count());
        let mut moved: Vec<Option<State>> = Vec::with_capacity(self.state_count());
        for state in self.states() {
            moved.push(keep(state).then(|| kept.add_state()));
            if let (Some(new), Some(name)) = (moved[state.index()], self.name(state)) {
                kept.set_name(new, name);
            }
        }
        for (source, transition) in self.transitions() {
            let ends = moved[source.index()].zip(moved[transition.target.index()]);
            if let Some((source, target)) = ends {
                let (label, marks) = (transition.label.clone(), transition.marks.clone());
                kept.add_transition(source, target, label, marks);
            }
        }
        let initial = self.initial().iter().filter_map(|state| moved[state.index()]);
        initial.for_each(|state| kept.add_initial(state));
        kept
    }
}
