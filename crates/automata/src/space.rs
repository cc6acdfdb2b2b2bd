//! State spaces that are built on the fly: the second layer of ALASKA \[DDMR08b\], between automata
//! and solvers.
//!
//! A [`Space`] is a nondeterministic automaton whose states are built on demand. Its steps come one
//! by one: a state can have exponentially many, and a search that ends early need not build them
//! all. They come in the same order each time, so a search can repeat its steps without storing
//! them. A space may leave out steps: those to the *minimal* states of an [`Ordered`] space are
//! enough, where a state that subsumes another accepts every word that the other accepts. Letters
//! are not enumerated either; a caller that needs a word asks for the letter of a step afterwards.
//! A [`Reversible`] space also has steps backwards in time.
//!
//! Steps carry marks. An infinite word is accepted if it has a run that takes steps with each of
//! the [`mark_count`](Space::mark_count) marks infinitely often. Acceptance by states is a mark on
//! all steps that leave an accepting state.

use std::hash::Hash;
use std::vec::IntoIter;

use kermode_base::BitSet;
use kermode_ltl::Letter;

/// One step of a run from a given state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step<S> {
    /// The target state.
    pub to: S,
    /// The acceptance marks.
    pub marks: BitSet,
}

/// A state space on demand.
pub trait Space {
    /// A state.
    type State: Clone + Eq + Hash;
    /// What a step stores about its letters.
    type Label: Clone;
    /// A cursor among the steps of a state.
    type Cursor;
    /// The error that ends a query early.
    type Stop;

    /// The initial states.
    fn initial(&mut self) -> Result<Vec<Self::State>, Self::Stop>;

    /// The number of acceptance marks on infinite words.
    fn mark_count(&self) -> usize;

    /// The cursor before the first step of a state.
    fn steps(&mut self, from: &Self::State) -> Result<Self::Cursor, Self::Stop>;

    /// The next step; advances the cursor.
    fn next_step(&mut self, cursor: &mut Self::Cursor) -> NextStep<Self>;

    /// Whether a finite word that ends here is accepted.
    fn is_final(&self, _state: &Self::State) -> bool {
        false
    }

    /// A letter on which the state has the step.
    fn letter(
        &mut self,
        from: &Self::State,
        step: &Step<Self::State>,
        label: &Self::Label,
    ) -> Result<Letter, Self::Stop>;

    /// The state for display.
    fn describe(&self, state: &Self::State) -> String;
}

/// A step with its label; nothing after the last one.
pub type NextStep<S> =
    Result<Option<(Step<<S as Space>::State>, <S as Space>::Label)>, <S as Space>::Stop>;

/// The cursor of a space without labels that builds all steps of a state at once.
pub type AllSteps<S> = IntoIter<Step<S>>;

/// A space with a subsumption order on its states.
pub trait Ordered: Space<Label = ()> {
    /// Whether `small` simulates `large`: for each step of `large` it has one with the same letter
    /// and at least the same marks to a state that simulates the target, or that subsumes it. On
    /// finite words it is final if `large` is.
    fn simulates(&self, small: &Self::State, large: &Self::State) -> bool;

    /// Whether a search that expands `small` need not expand `large`: `small` simulates it, or each
    /// step from `small` has all marks and `small` accepts every word that `large` accepts. A run
    /// that switches to a subsuming state infinitely often takes such a step each time.
    fn subsumes(&self, small: &Self::State, large: &Self::State) -> bool {
        self.simulates(small, large)
    }

    /// The size of a state: at most that of any state that it subsumes.
    fn size(&self, state: &Self::State) -> usize;

    /// Whether a state is smaller than every state that it subsumes, unless both subsume each
    /// other.
    fn sizes_are_strict(&self) -> bool {
        true
    }

    /// The size of the largest states.
    fn largest_size(&self) -> usize;

    /// A filter: the signature of a state is a subset of the signature of every state that it
    /// subsumes, which rejects most candidates quickly.
    fn signature(&self, state: &Self::State) -> u64;
}

/// A space with steps backwards in time. Its sets of states are closed downwards and represented by
/// their *maximal* elements. "Below" is [`simulates`](Ordered::simulates), which must be a partial
/// order here.
pub trait Reversible: Ordered {
    /// The maximal states.
    fn greatest(&mut self) -> Result<Vec<Self::State>, Self::Stop>;

    /// The maximal final states.
    fn greatest_final(&mut self) -> Result<Vec<Self::State>, Self::Stop>;

    /// The maximal states with a step to this state or below. If a mark is given, the step has it.
    fn predecessors(
        &mut self,
        state: &Self::State,
        mark: Option<usize>,
    ) -> Result<Vec<Self::State>, Self::Stop>;

    /// Whether an initial state is below this one.
    fn is_above_initial(&self, state: &Self::State) -> bool;
}
