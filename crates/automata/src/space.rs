//! State spaces that are made while they are walked through: the second layer of ALASKA
//! \[DDMR08b\], between automata and the solvers.
//!
//! A [`Space`] is a nondeterministic automaton of which only the states that somebody asks for
//! exist. Its steps come one by one: a state can have exponentially many, and a search that ends
//! early has not paid for those it did not look at. They come in the same order each time they are
//! asked for, so a search can follow its steps again without having kept them. Steps need not be
//! all: it is enough that they lead to the *least* states of an [`Ordered`] space, where a state
//! that subsumes another accepts whatever that one accepts. Letters are not enumerated either; who
//! wants a word asks for the letter of a step afterwards. A [`Reversible`] space can be walked
//! through against time as well.
//!
//! Steps carry marks. An infinite word is accepted if it has a run that takes steps with each of
//! the [`mark_count`](Space::mark_count) marks infinitely often; acceptance by states is a mark on
//! all steps that leave an accepting state.

use std::hash::Hash;
use std::vec::IntoIter;

use kermode_base::BitSet;
use kermode_ltl::Letter;

/// One step of a run, seen from the state where it begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step<S> {
    /// Where it leads.
    pub to: S,
    /// The acceptance conditions it serves.
    pub marks: BitSet,
}

/// A state space on demand.
pub trait Space {
    /// A state.
    type State: Clone + Eq + Hash;
    /// What a step knows of its letters.
    type Label: Clone;
    /// A place among the steps of a state.
    type Cursor;
    /// Why a question may get no answer.
    type Stop;

    /// Where the words begin.
    fn initial(&mut self) -> Result<Vec<Self::State>, Self::Stop>;

    /// How many acceptance marks there are on infinite words.
    fn mark_count(&self) -> usize;

    /// The place before the first step of a state.
    fn steps(&mut self, from: &Self::State) -> Result<Self::Cursor, Self::Stop>;

    /// The next step, which the cursor passes.
    fn next_step(&mut self, cursor: &mut Self::Cursor) -> NextStep<Self>;

    /// Whether a finite word is accepted that ends here.
    fn is_final(&self, _state: &Self::State) -> bool {
        false
    }

    /// A letter with which a state can take a step.
    fn letter(
        &mut self,
        from: &Self::State,
        step: &Step<Self::State>,
        label: &Self::Label,
    ) -> Result<Letter, Self::Stop>;

    /// The state for people.
    fn describe(&self, state: &Self::State) -> String;
}

/// A step with its label, nothing behind the last one.
pub type NextStep<S> =
    Result<Option<(Step<<S as Space>::State>, <S as Space>::Label)>, <S as Space>::Stop>;

/// The place among the steps of a space that makes those of a state all at once and has no labels.
pub type AllSteps<S> = IntoIter<Step<S>>;

/// A space whose states are ordered by what can be done from them.
pub trait Ordered: Space<Label = ()> {
    /// Whether `small` can follow `large` step by step: to each step of `large` it has one with the
    /// same letter and at least the same marks to a state that simulates the target, or that
    /// subsumes it. On finite words it is final if `large` is.
    fn simulates(&self, small: &Self::State, large: &Self::State) -> bool;

    /// Whether a search that goes on with `small` need not go on with `large`: `small` simulates
    /// it, or else each step from `small` has all marks, and `small` accepts whatever `large` does.
    /// A run that is exchanged for another infinitely often takes such a step each time.
    fn subsumes(&self, small: &Self::State, large: &Self::State) -> bool {
        self.simulates(small, large)
    }

    /// How large a state is: a state is not larger than one that it subsumes.
    fn size(&self, state: &Self::State) -> usize;

    /// Whether a state is smaller than one that it subsumes unless both subsume each other.
    fn sizes_are_strict(&self) -> bool {
        true
    }

    /// The size of the largest states.
    fn largest_size(&self) -> usize;

    /// Bits that a state shares with all that it subsumes; they reject most candidates at a glance.
    fn signature(&self, state: &Self::State) -> u64;
}

/// A space with steps against time. The sets of states that come up are closed downwards and
/// represented by their *greatest* elements; "below" is [`simulates`](Ordered::simulates), which
/// must be a partial order here.
pub trait Reversible: Ordered {
    /// The greatest of all states.
    fn greatest(&mut self) -> Result<Vec<Self::State>, Self::Stop>;

    /// The greatest of the final states.
    fn greatest_final(&mut self) -> Result<Vec<Self::State>, Self::Stop>;

    /// The greatest states from which a step, if a mark is given one that has it, leads to this
    /// state or below.
    fn predecessors(
        &mut self,
        state: &Self::State,
        mark: Option<usize>,
    ) -> Result<Vec<Self::State>, Self::Stop>;

    /// Whether an initial state is below this one.
    fn is_above_initial(&self, state: &Self::State) -> bool;
}
