//! From many marks to one: copies of the states, a *level* each, in which a run waits for one mark
//! after the other \[GO01\].
//!
//! At level `l` the marks below `l` were seen in this round and mark `l` is waited for. A
//! transition that has mark `l` raises the level, and by as many levels as it has marks in a row;
//! where the last one is passed the round is complete, the run is marked, and the next round
//! begins. A run is marked again and again exactly if it sees every mark again and again: a
//! transition counts for two rounds at most.
//!
//! Acceptance is on transitions, the one that completes a round, or on states, those of an
//! additional level for complete rounds; then all transitions that leave such a state carry the
//! mark.
//!
//! What keeps the levels few \[BBDKS13\]:
//! - levels matter only inside of a component that accepts. Elsewhere there is one copy of each
//!   state;
//! - a run that enters a component may begin at any level, since what it saw before is finite. It
//!   takes a copy of the state that is there already, else the lowest level, or that of complete
//!   rounds if there is one;
//! - if all transitions that stay in the component have mark `l`, the state is as good at level
//!   `l + 1`.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::components::Components;
use super::graph::{Marks, State, Tgba, Transition};

/// Where the mark of a Büchi automaton is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buchi {
    /// On some transitions.
    OnTransitions,
    /// On states: the transitions that leave a state all have it, or none has it.
    OnStates,
}

/// An automaton with the same language and one mark. States that are not reached are left out.
pub fn degeneralise<E>(
    automaton: &Tgba,
    form: Buchi,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let components = Components::try_of(automaton, interrupt)?;
    let common = common_marks(automaton, &components);
    let copies = Copies {
        degeneral: automaton.sibling(1),
        automaton,
        components,
        common,
        form,
        states: IndexMap::default(),
        first_level: vec![None; automaton.state_count()],
    };
    copies.run(interrupt)
}

/// The marks that all transitions of a state have that stay in its component.
fn common_marks(automaton: &Tgba, components: &Components) -> Vec<Marks> {
    let common = |state| {
        let mut common = automaton.all_marks();
        let stays = |t: &&Transition| components.are_together(state, t.target);
        let inner = automaton.successors(state).iter().filter(stays);
        inner.for_each(|t| common.intersect_with(&t.marks));
        common
    };
    automaton.states().map(common).collect()
}

/// The level behind a transition with these marks; at the last one a round is complete and the next
/// begins.
pub(crate) fn raised(level: usize, marks: &Marks, last: usize) -> usize {
    let begin = if level == last { 0 } else { level };
    (begin..last).find(|&l| !marks.contains(l)).unwrap_or(last)
}

struct Copies<'a> {
    automaton: &'a Tgba,
    components: Components,
    common: Vec<Marks>,
    form: Buchi,
    degeneral: Tgba,
    /// The copies, and which state of the new automaton each is.
    states: IndexMap<(State, usize), State, FxBuildHasher>,
    /// The level of the first copy of each state.
    first_level: Vec<Option<usize>>,
}

impl Copies<'_> {
    fn run<E>(mut self, interrupt: &mut dyn FnMut() -> Result<(), E>) -> Result<Tgba, E> {
        for &state in self.automaton.initial() {
            let level = self.entry(state);
            let copy = self.copy(state, level);
            self.degeneral.add_initial(copy);
        }
        let mut next = 0;
        while let Some((&(state, level), &source)) = self.states.get_index(next) {
            interrupt()?;
            for transition in self.automaton.successors(state) {
                self.transition(state, level, source, transition);
            }
            next += 1;
        }
        Ok(self.degeneral)
    }

    fn transition(&mut self, state: State, level: usize, source: State, transition: &Transition) {
        let target = transition.target;
        let accepts = self.accepts(state);
        let (reached, complete) = match self.components.are_together(state, target) {
            true if accepts => self.advance(level, transition),
            true => (0, false),
            false => (self.entry(target), false),
        };
        let marked = match self.form {
            Buchi::OnTransitions => complete,
            Buchi::OnStates => accepts && level == self.automaton.mark_count(),
        };
        let copy = self.copy(target, reached);
        let marks: Marks = marked.then_some(0).into_iter().collect();
        self.degeneral.add_transition(source, copy, transition.label.clone(), marks);
    }

    /// Whether the state is in a component that accepts.
    fn accepts(&self, state: State) -> bool {
        self.components.is_accepting(self.components.component(state))
    }

    /// The level at which a run enters the component of a state there.
    fn entry(&self, state: State) -> usize {
        match (self.first_level[state.index()], self.form) {
            (Some(level), _) => level,
            (None, _) if !self.accepts(state) => 0,
            (None, Buchi::OnStates) => self.automaton.mark_count(),
            (None, Buchi::OnTransitions) => self.settled(0, state),
        }
    }

    /// The level behind a transition inside of a component, and whether a round is complete there.
    fn advance(&self, level: usize, transition: &Transition) -> (usize, bool) {
        let last = self.automaton.mark_count();
        let reached = raised(level, &transition.marks, last);
        if reached < last {
            return (self.settled(reached, transition.target), false);
        }
        if self.form == Buchi::OnStates {
            return (last, true);
        }
        // What completes a round counts for the next one as well, but does not complete that, too.
        let again = raised(last, &transition.marks, last);
        (self.settled(if again == last { 0 } else { again }, transition.target), true)
    }

    /// A level from which the state accepts the same, without completing a round.
    fn settled(&self, level: usize, state: State) -> usize {
        let last = self.automaton.mark_count().saturating_sub(1);
        let common = &self.common[state.index()];
        (level..last).find(|&l| !common.contains(l)).unwrap_or(last.max(level))
    }

    /// The copy of a state at a level.
    fn copy(&mut self, state: State, level: usize) -> State {
        if let Some(&copy) = self.states.get(&(state, level)) {
            return copy;
        }
        let copy = self.degeneral.add_state();
        if let Some(name) = self.automaton.name(state) {
            self.degeneral.set_name(copy, name);
        }
        self.states.insert((state, level), copy);
        self.first_level[state.index()].get_or_insert(level);
        copy
    }
}
