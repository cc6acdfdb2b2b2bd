//! State spaces that are made while they are walked through: the second layer of ALASKA \[DDMR08b\], between
//! automata and the solvers.
//!
//! A [`Space`] is a nondeterministic automaton of which only the states that somebody asks for exist. Its
//! successors need not be all: it is enough that they are the *least* ones of an [`Ordered`] space, where a state
//! that subsumes another accepts whatever that one accepts. Letters are not enumerated either; who wants a word
//! asks for a letter between two states afterwards.

use std::hash::Hash;

use kermode_ltl::Letter;

/// A state space on demand.
pub trait Space {
    /// A state.
    type State: Clone + Eq + Hash;
    /// Why a question may get no answer.
    type Stop;

    /// Where the words begin.
    fn initial(&mut self) -> Result<Vec<Self::State>, Self::Stop>;

    /// Where the next letter leads.
    fn successors(&mut self, state: &Self::State) -> Result<Vec<Self::State>, Self::Stop>;

    /// Whether the state is accepting: an infinite word is accepted if it visits such states infinitely often, a
    /// finite one if it ends there.
    fn is_accepting(&self, state: &Self::State) -> bool;

    /// A letter that leads from a state to one of its successors.
    fn letter(&mut self, from: &Self::State, to: &Self::State) -> Result<Letter, Self::Stop>;

    /// The state for people.
    fn describe(&self, state: &Self::State) -> String;
}

/// A space whose states are ordered by a forward simulation.
pub trait Ordered: Space {
    /// Whether `small` can do whatever `large` can: to each letter of `large` it has a successor that subsumes
    /// that of `large`, and it is accepting exactly if `large` is. A space may leave out successors in favour of accepting
    /// ones from which no less is accepted; then the successor of `small` may be such a one.
    fn subsumes(&self, small: &Self::State, large: &Self::State) -> bool;

    /// How large a state is: a state is not larger than one that it subsumes.
    fn size(&self, state: &Self::State) -> usize;

    /// Bits that a state shares with all that it subsumes; they reject most candidates at a glance.
    fn signature(&self, state: &Self::State) -> u64;
}
