//! The strongly connected components of an automaton, and their marks.
//!
//! A component is accepting if its inner transitions carry all marks together: a run that takes
//! each of them infinitely often is accepted. A single state without a loop is a component without
//! inner transitions and not accepting, even without any marks.

use std::convert::Infallible;

use kermode_base::components_of_edges;

use super::graph::{Marks, State, Tgba};

/// The components of an automaton. A transition leads to its own component or to one with a smaller
/// number.
#[derive(Clone, Debug)]
pub struct Components {
    component: Vec<usize>,
    marks: Vec<Marks>,
    recurrent: Vec<bool>,
    mark_count: usize,
}

impl Components {
    /// The components of all states, reachable or not.
    pub fn of(automaton: &Tgba) -> Self {
        let Ok(components) = Components::try_of(automaton, &mut || Ok::<(), Infallible>(()));
        components
    }

    /// As [`Components::of`], with calls of `interrupt`.
    pub fn try_of<E>(
        automaton: &Tgba,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let edges = automaton.transitions().map(|(s, t)| (s.index(), t.target.index()));
        let component = components_of_edges(automaton.state_count(), edges, interrupt)?;
        let count = component.iter().max().map_or(0, |last| last + 1);
        let mut marks = vec![Marks::new(); count];
        let mut recurrent = vec![false; count];
        for (source, transition) in automaton.transitions() {
            let here = component[source.index()];
            if component[transition.target.index()] == here {
                marks[here].union_with(&transition.marks);
                recurrent[here] = true;
            }
        }
        Ok(Components { component, marks, recurrent, mark_count: automaton.mark_count() })
    }

    /// The number of components.
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// The component of a state.
    pub fn component(&self, state: State) -> usize {
        self.component[state.index()]
    }

    /// Whether both states are in one component.
    pub fn are_together(&self, one: State, other: State) -> bool {
        self.component(one) == self.component(other)
    }

    /// The marks on the inner transitions of a component.
    pub fn marks(&self, component: usize) -> &Marks {
        &self.marks[component]
    }

    /// Whether a run can stay in the component for ever.
    pub fn is_recurrent(&self, component: usize) -> bool {
        self.recurrent[component]
    }

    /// Whether a run that stays in the component for ever can be accepted.
    pub fn is_accepting(&self, component: usize) -> bool {
        self.recurrent[component] && self.marks[component].len() == self.mark_count
    }

    /// The states of each component, by their numbers.
    pub fn members(&self) -> Vec<Vec<State>> {
        let mut members = vec![Vec::new(); self.len()];
        for (index, &component) in self.component.iter().enumerate() {
            members[component].push(State::from_index(index));
        }
        members
    }
}
