//! Deterministic automata over finite words.
//!
//! An automaton is `<Q, q0, 2^P, delta, A>`: it begins in the initial state, each letter leads to
//! exactly one next state, and a word is accepted if the state after its last letter is accepting.
//! Transitions are stored as one decision diagram per state, so their number does not matter.
//!
//! Invariants: the automaton is complete, and the initial state has number 0. The propositions are
//! handles of a [`Store`](kermode_ltl::Store), which the automaton does not own; the proposition
//! with index `i` of the list is number `i` in diagrams.

use kermode_ltl::{Letter, Proposition, Word, WordKind};

use super::diagram::{Diagram, Diagrams};

/// A deterministic automaton over finite words.
#[derive(Clone, Debug)]
pub struct Dfa {
    propositions: Vec<Proposition>,
    diagrams: Diagrams,
    states: Vec<DfaState>,
}

/// The data of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DfaState {
    /// Whether a word that ends here is accepted.
    pub accepting: bool,
    /// The next state for each letter.
    pub successors: Diagram,
}

impl Dfa {
    /// An automaton of these states, of which the first is initial.
    ///
    /// # Panics
    /// When there are no states.
    pub(super) fn new(
        propositions: Vec<Proposition>,
        diagrams: Diagrams,
        states: Vec<DfaState>,
    ) -> Dfa {
        assert!(!states.is_empty(), "there is an initial state");
        Dfa { propositions, diagrams, states }
    }

    /// The propositions of its letters.
    pub fn propositions(&self) -> &[Proposition] {
        &self.propositions
    }

    /// The owner of the successor diagrams.
    pub fn diagrams(&self) -> &Diagrams {
        &self.diagrams
    }

    /// The number of states.
    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// All states, by number. The first is initial.
    pub fn states(&self) -> &[DfaState] {
        &self.states
    }

    /// Whether a word that ends in the state is accepted.
    pub fn is_accepting(&self, state: u32) -> bool {
        self.states[state as usize].accepting
    }

    /// The next states of a state.
    pub fn successors(&self, state: u32) -> Diagram {
        self.states[state as usize].successors
    }

    /// The next state on a letter.
    pub fn next(&self, state: u32, letter: &Letter) -> u32 {
        let holds = |variable: u32| letter.contains(self.propositions[variable as usize]);
        self.diagrams.value(self.successors(state), holds)
    }

    /// The targets of a state, each once.
    pub fn targets(&self, state: u32) -> Vec<u32> {
        self.diagrams.leaves(self.successors(state))
    }

    /// Whether every letter leads back to the state.
    pub fn is_absorbing(&self, state: u32) -> bool {
        let node = self.diagrams.node(self.successors(state));
        node == super::diagram::DiagramNode::Leaf(state)
    }

    /// The state from which nothing is accepted, if the automaton is minimal and has one.
    pub fn sink(&self) -> Option<u32> {
        let mut states = 0..self.states.len() as u32;
        states.find(|&state| !self.is_accepting(state) && self.is_absorbing(state))
    }

    /// Whether it accepts a word. It rejects infinite words.
    pub fn accepts(&self, word: &Word) -> bool {
        let last = word.letters().iter().fold(0, |state, letter| self.next(state, letter));
        word.kind() == WordKind::Finite && self.is_accepting(last)
    }

    /// The automaton that accepts the other words.
    pub fn complement(mut self) -> Dfa {
        self.states.iter_mut().for_each(|state| state.accepting = !state.accepting);
        self
    }

    /// The automaton that accepts the same words except for the empty one. It has a new initial
    /// state if the present one is accepting.
    pub fn without_empty_word(self) -> Dfa {
        if !self.is_accepting(0) {
            return self;
        }
        // The states move up by one; the new initial state has the successors of the old one.
        let mut diagrams = Diagrams::default();
        let mut copies = rustc_hash::FxHashMap::default();
        let mut moved = |state: &DfaState| DfaState {
            successors: self.diagrams.copy(state.successors, &mut diagrams, &mut copies, |q| q + 1),
            ..*state
        };
        let old: Vec<DfaState> = self.states.iter().map(&mut moved).collect();
        let initial = DfaState { accepting: false, ..old[0] };
        let states = [initial].into_iter().chain(old).collect();
        Dfa::new(self.propositions, diagrams, states)
    }
}
