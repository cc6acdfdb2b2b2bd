//! Transition-based generalised Büchi automata as explicit graphs with symbolic labels.
//!
//! An automaton is `<Q, I, 2^P, delta, M>`. A transition leads from a state to a state on every
//! letter that satisfies its *label*, a Boolean function of the propositions, and carries a subset
//! of the *marks* `M`. A run begins in any initial state. It accepts an infinite word if each mark
//! of `M` is on infinitely many of its transitions. Without marks every run accepts, as in
//! \[Cou99\], whose acceptance conditions are the marks.
//!
//! Invariants: the propositions are handles of a [`Store`](kermode_ltl::Store), which the automaton
//! does not own. Labels belong to the automaton's [`Manager`], where variable `i` is the
//! proposition `i` of its list. The manager may have more variables, for a construction that needs
//! them, but no label depends on these. No label is false: such transitions are not stored.
//! Transitions are stored with their source, in the order of insertion.

use std::collections::BTreeSet;

use kermode_base::BitSet;
use kermode_bdd::{Bdd, Manager};
use kermode_ltl::{Letter, Proposition};

/// A set of acceptance marks, by number.
pub type Marks = BitSet;

/// A state of some automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(u32);

impl State {
    /// The number of this state in its automaton, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The state with a number.
    ///
    /// # Panics
    /// When the number is 2^32 or more.
    pub fn from_index(index: usize) -> Self {
        State(u32::try_from(index).expect("there are at most 2^32 states"))
    }
}

/// A transition, without its source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transition {
    /// The target state.
    pub target: State,
    /// The letters.
    pub label: Bdd,
    /// The acceptance marks.
    pub marks: Marks,
}

/// The data of a state.
#[derive(Clone, Debug, Default)]
struct StateData {
    name: Option<String>,
    initial: bool,
    transitions: Vec<Transition>,
}

/// A transition-based generalised Büchi automaton.
#[derive(Clone, Debug)]
pub struct Tgba {
    manager: Manager,
    propositions: Vec<Proposition>,
    mark_count: usize,
    states: Vec<StateData>,
    initial: Vec<State>,
}

impl Tgba {
    /// An automaton without states, which accepts nothing. Its marks are `0..mark_count`.
    ///
    /// # Panics
    /// When the manager has fewer variables than there are propositions.
    pub fn new(manager: Manager, propositions: Vec<Proposition>, mark_count: usize) -> Self {
        let variables = manager.capacity().variables;
        assert!(propositions.len() <= variables, "every proposition has a variable");
        Tgba { manager, propositions, mark_count, states: Vec::new(), initial: Vec::new() }
    }

    /// An automaton without states over the same letters, with labels in the same manager.
    pub fn sibling(&self, mark_count: usize) -> Tgba {
        Tgba::new(self.manager.clone(), self.propositions.clone(), mark_count)
    }

    /// An automaton with the same states and names, without transitions and initial states.
    pub(super) fn sibling_with_states(&self, mark_count: usize) -> Tgba {
        let mut sibling = self.sibling(mark_count);
        let state = |data: &StateData| StateData { name: data.name.clone(), ..Default::default() };
        sibling.states = self.states.iter().map(state).collect();
        sibling
    }

    /// Adds a state without transitions.
    ///
    /// # Panics
    /// When there would be more than 2^32 states.
    pub fn add_state(&mut self) -> State {
        let state = State::from_index(self.states.len());
        self.states.push(StateData::default());
        state
    }

    /// Sets the name of a state. It is for display and need not be unique.
    pub fn set_name(&mut self, state: State, name: impl Into<String>) {
        self.states[state.index()].name = Some(name.into());
    }

    /// Removes the names of all states.
    pub(crate) fn forget_names(&mut self) {
        self.states.iter_mut().for_each(|state| state.name = None);
    }

    /// Makes a state initial.
    pub fn add_initial(&mut self, state: State) {
        if !std::mem::replace(&mut self.states[state.index()].initial, true) {
            self.initial.push(state);
        }
    }

    /// Adds a transition, unless its label is false.
    ///
    /// # Panics
    /// When there is no such mark. Debug builds also check that the states exist and that the label
    /// has propositions only.
    pub fn add_transition(&mut self, source: State, target: State, label: Bdd, marks: Marks) {
        debug_assert!(target.index() < self.states.len());
        debug_assert!(label.support().iter().all(|v| v.index() < self.propositions.len()));
        let last = marks.iter().last();
        assert!(last.is_none_or(|mark| mark < self.mark_count), "marks are below their count");
        if !label.is_bottom() {
            self.states[source.index()].transitions.push(Transition { target, label, marks });
        }
    }

    /// Removes and returns all transitions of a state.
    pub fn take_transitions(&mut self, state: State) -> Vec<Transition> {
        std::mem::take(&mut self.states[state.index()].transitions)
    }

    /// Adds marks to all transitions of a state.
    ///
    /// # Panics
    /// When there is no such mark.
    pub fn mark_all(&mut self, state: State, marks: &Marks) {
        for Transition { target, label, marks: mut all } in self.take_transitions(state) {
            all.union_with(marks);
            self.add_transition(state, target, label, all);
        }
    }

    /// Replaces the marks of all transitions, given their ends, in the order of states.
    pub(super) fn replace_marks(
        &mut self,
        mark_count: usize,
        mut marks: impl FnMut(State, State) -> Marks,
    ) {
        self.mark_count = mark_count;
        for (source, data) in self.states.iter_mut().enumerate() {
            for transition in &mut data.transitions {
                transition.marks = marks(State::from_index(source), transition.target);
                debug_assert!(transition.marks.iter().all(|mark| mark < mark_count));
            }
        }
    }

    /// Appends the states of another automaton with names, transitions and initial states.
    /// `label` maps the labels.
    pub(super) fn include<E>(
        &mut self,
        other: &Tgba,
        label: impl Fn(&Bdd) -> Result<Bdd, E>,
    ) -> Result<(), E> {
        let first = self.states.len();
        let moved = |state: State| State::from_index(first + state.index());
        for state in other.states() {
            let added = self.add_state();
            self.states[added.index()].name = other.states[state.index()].name.clone();
        }
        for (source, transition) in other.transitions() {
            let (label, marks) = (label(&transition.label)?, transition.marks.clone());
            self.add_transition(moved(source), moved(transition.target), label, marks);
        }
        other.initial.iter().for_each(|&state| self.add_initial(moved(state)));
        Ok(())
    }

    /// The manager of the labels.
    pub fn manager(&self) -> &Manager {
        &self.manager
    }

    /// The propositions of its letters: the one with index `i` is variable `i` of labels.
    pub fn propositions(&self) -> &[Proposition] {
        &self.propositions
    }

    /// The number of marks.
    pub fn mark_count(&self) -> usize {
        self.mark_count
    }

    /// All marks.
    pub fn all_marks(&self) -> Marks {
        (0..self.mark_count).collect()
    }

    /// All states.
    pub fn states(
        &self,
    ) -> impl DoubleEndedIterator<Item = State> + ExactSizeIterator + Clone + use<> {
        (0..self.states.len()).map(State::from_index)
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// The initial states, without repetitions.
    pub fn initial(&self) -> &[State] {
        &self.initial
    }

    /// The name of the state, if it has one.
    pub fn name(&self, state: State) -> Option<&str> {
        self.states[state.index()].name.as_deref()
    }

    /// The transitions that leave a state.
    pub fn successors(&self, state: State) -> &[Transition] {
        &self.states[state.index()].transitions
    }

    /// All transitions, each with its source.
    pub fn transitions(&self) -> impl Iterator<Item = (State, &Transition)> + Clone {
        self.states().flat_map(|source| self.successors(source).iter().map(move |t| (source, t)))
    }

    /// The number of edges: transitions that differ in more than their labels.
    pub fn edge_count(&self) -> usize {
        let edges = |state| {
            let edges = self.successors(state).iter().map(|t| (t.target, &t.marks));
            edges.collect::<BTreeSet<_>>().len()
        };
        self.states().map(edges).sum()
    }

    /// The number of states and of edges.
    pub fn size(&self) -> (usize, usize) {
        (self.state_count(), self.edge_count())
    }

    /// Whether a letter satisfies a label.
    pub fn reads(&self, label: &Bdd, letter: &Letter) -> bool {
        label.eval(|variable| letter.contains(self.propositions[variable.index()]))
    }
}
