//! What can be counted of an automaton, and what its shape says.
//!
//! *Weak* and related words are those of the HOA format. In a weak automaton all transitions
//! inside of a component have the same marks; of one that is *inherently weak*, no component has
//! both a cycle with all marks and one without. It is *very weak* if it is weak and components are
//! single states, and *terminal* if it is inherently weak and any word will do once a component
//! that accepts is reached.

use std::convert::Infallible;

use indexmap::IndexMap;
use kermode_base::{Natural, components_of_edges};
use kermode_bdd::{Bdd, OutOfNodes};
use rustc_hash::FxBuildHasher;

use super::class::AcceptanceClass;
use super::components::Components;
use super::graph::{Marks, State, Tgba, Transition};

/// Sizes and properties of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TgbaStatistics {
    /// States, reachable or not.
    pub states: usize,
    /// Transitions that differ in more than their labels.
    pub edges: usize,
    /// Edges times the letters that each reads.
    pub transitions: Natural,
    /// The number of marks.
    pub marks: usize,
    /// The number of propositions.
    pub propositions: usize,
    /// The number of strongly connected components.
    pub components: usize,
    /// The number of components that have all marks on a cycle.
    pub accepting_components: usize,
    /// The number of states that some letter leaves along two transitions.
    pub nondeterministic_states: usize,
    /// Whether each word has at most one run.
    pub deterministic: bool,
    /// Whether there is a run for each word.
    pub complete: bool,
    /// Whether the marks inside of each component are the same everywhere.
    pub weak: bool,
    /// Whether the cycles of each component all accept, or none does.
    pub inherently_weak: bool,
    /// Whether it is weak and no two states can reach each other.
    pub very_weak: bool,
    /// Whether every word is accepted from each accepting component on.
    pub terminal: bool,
}

impl TgbaStatistics {
    /// Computes the statistics.
    pub fn of(automaton: &Tgba) -> Result<Self, OutOfNodes> {
        let components = Components::of(automaton);
        let weak = is_weak(automaton, &components);
        let inherently_weak = weak || is_inherently_weak(automaton, &components);
        let alone = components.len() == automaton.state_count();
        let nondeterministic_states = automaton.nondeterministic_states()?;
        Ok(TgbaStatistics {
            states: automaton.state_count(),
            edges: automaton.edge_count(),
            transitions: transition_count(automaton)?,
            marks: automaton.mark_count(),
            propositions: automaton.propositions().len(),
            components: components.len(),
            accepting_components: (0..components.len())
                .filter(|&component| components.is_accepting(component))
                .count(),
            nondeterministic_states,
            deterministic: nondeterministic_states == 0 && automaton.initial().len() <= 1,
            complete: !automaton.initial().is_empty() && automaton.is_complete(|_| true)?,
            weak,
            inherently_weak,
            very_weak: weak && alone,
            terminal: inherently_weak && is_terminal(automaton, &components)?,
        })
    }

    /// The smallest class of the automaton.
    pub fn class(&self) -> AcceptanceClass {
        match (self.terminal, self.inherently_weak) {
            (true, _) => AcceptanceClass::Terminal,
            (false, true) => AcceptanceClass::Weak,
            (false, false) => AcceptanceClass::Neither,
        }
    }
}

impl Tgba {
    /// The marks of a state, if all transitions that leave it have the same ones; none if there are
    /// no transitions.
    pub fn state_marks(&self, state: State) -> Option<Marks> {
        let Some((first, rest)) = self.successors(state).split_first() else {
            return Some(Marks::new());
        };
        rest.iter().all(|t| t.marks == first.marks).then(|| first.marks.clone())
    }

    /// Whether each word has at most one run.
    pub fn is_deterministic(&self) -> Result<bool, OutOfNodes> {
        Ok(self.initial().len() <= 1 && self.nondeterministic_states()? == 0)
    }

    /// Whether these states have a transition on every letter.
    pub(super) fn is_complete(&self, wanted: impl Fn(State) -> bool) -> Result<bool, OutOfNodes> {
        for state in self.states().filter(|&state| wanted(state)) {
            if !self.letters(state)?.is_top() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The letters on which a state has a transition.
    pub(super) fn letters(&self, state: State) -> Result<Bdd, OutOfNodes> {
        let none = self.manager().bottom();
        self.successors(state).iter().try_fold(none, |letters, t| letters.or(&t.label))
    }

    /// How many states have two transitions on some letter.
    pub fn nondeterministic_states(&self) -> Result<usize, OutOfNodes> {
        let mut count = 0;
        for state in self.states() {
            count += usize::from(overlap(self, self.successors(state))?);
        }
        Ok(count)
    }

    /// Whether the marks could be on states.
    pub fn is_state_based(&self) -> bool {
        self.states().all(|state| self.state_marks(state).is_some())
    }
}

/// The number of letters of all edges, with the labels of one edge joined.
fn transition_count(automaton: &Tgba) -> Result<Natural, OutOfNodes> {
    let mut count = Natural::ZERO;
    for state in automaton.states() {
        let mut edges: IndexMap<(State, &Marks), Bdd, FxBuildHasher> = IndexMap::default();
        for t in automaton.successors(state) {
            let joined = match edges.get(&(t.target, &t.marks)) {
                Some(label) => label.or(&t.label)?,
                None => t.label.clone(),
            };
            edges.insert((t.target, &t.marks), joined);
        }
        for label in edges.values() {
            count.add(&label.model_count(automaton.propositions().len()));
        }
    }
    Ok(count)
}

/// Whether two of these transitions share a letter.
fn overlap(automaton: &Tgba, transitions: &[Transition]) -> Result<bool, OutOfNodes> {
    let mut before = automaton.manager().bottom();
    for transition in transitions {
        if !before.and(&transition.label)?.is_bottom() {
            return Ok(true);
        }
        before = before.or(&transition.label)?;
    }
    Ok(false)
}

fn is_weak(automaton: &Tgba, components: &Components) -> bool {
    let mut inner = automaton.transitions().filter(|(s, t)| components.are_together(*s, t.target));
    inner.all(|(source, t)| t.marks == *components.marks(components.component(source)))
}

/// In an accepting component no cycle may lack a mark.
pub(super) fn is_inherently_weak(automaton: &Tgba, components: &Components) -> bool {
    (0..automaton.mark_count()).all(|mark| {
        let avoids = |source: State, target: State, marks: &Marks| {
            let here = components.component(source);
            components.is_accepting(here)
                && components.component(target) == here
                && !marks.contains(mark)
        };
        !has_cycle(automaton, avoids)
    })
}

/// Whether there is a cycle of transitions of a kind.
fn has_cycle(automaton: &Tgba, kind: impl Fn(State, State, &Marks) -> bool) -> bool {
    let chosen = automaton.transitions().filter(|(source, t)| kind(*source, t.target, &t.marks));
    let edges: Vec<_> = chosen.map(|(source, t)| (source.index(), t.target.index())).collect();
    let never = &mut || Ok::<(), Infallible>(());
    let Ok(component) = components_of_edges(automaton.state_count(), edges.iter().copied(), never);
    edges.iter().any(|&(source, target)| component[source] == component[target])
}

/// Whether the successors of an accepting component are complete and have no rejecting component.
pub(super) fn is_terminal(automaton: &Tgba, components: &Components) -> Result<bool, OutOfNodes> {
    let mut behind: Vec<bool> = (0..components.len()).map(|c| components.is_accepting(c)).collect();
    // Successors have smaller numbers.
    for states in components.members().iter().rev() {
        for &state in states {
            if behind[components.component(state)] {
                let targets = automaton.successors(state).iter().map(|t| t.target);
                targets.for_each(|target| behind[components.component(target)] = true);
            }
        }
    }
    let rejects = |c: usize| components.is_recurrent(c) && !components.is_accepting(c);
    if (0..components.len()).any(|c| behind[c] && rejects(c)) {
        return Ok(false);
    }
    automaton.is_complete(|state| behind[components.component(state)])
}
