//! The steps that a search has not yet taken, on one stack of bounded size.
//!
//! The steps of a frame follow those of the frame below. When the stack gets large compared with
//! the number of states, its older half is forgotten. An empty stack whose last frame has steps
//! left means that they were forgotten.
//!
//! Targets that the set of states has are stored by their numbers, others by their vectors: a state
//! gets its number when a step to it is taken.

use kermode_base::VectorSet;
use kermode_base::vector_set::{UNKNOWN, same};

use super::product::{ProductStep, Targets};
use crate::search::{MarkSet, Taken};

/// Among so many steps of a state, those that lead to the same state are found.
const COMPARED: usize = 16;
/// A factor of small hashes.
const FACTOR: u32 = 0x9E37_79B1;
/// At least so many steps are kept when older ones are forgotten, and one for so many states.
const KEPT: usize = 64;
const STATES_PER_STEP: usize = 16;

/// A stack of steps.
pub(super) struct PendingSteps {
    /// The targets by number, or [`UNKNOWN`], and the marks.
    steps: Vec<(u32, MarkSet)>,
    /// The vectors of targets without number, one after the other.
    vectors: Vec<u32>,
    width: usize,
    /// Whether steps of a state may be equal.
    may_repeat: bool,
    numbers: Vec<u32>,
    /// The indices of the targets that were pushed last.
    pushed: Vec<usize>,
}

impl PendingSteps {
    /// The empty stack of steps to vectors of this width.
    pub(super) fn new(width: usize, may_repeat: bool) -> Self {
        let (steps, vectors) = (Vec::new(), Vec::new());
        let (numbers, pushed) = (Vec::new(), Vec::new());
        PendingSteps { steps, vectors, width, may_repeat, numbers, pushed }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.steps.capacity() * size_of::<(u32, MarkSet)>()
            + self.vectors.capacity() * size_of::<u32>()
    }

    /// Adds steps, the first one on top, and returns how many there are without repetitions. The
    /// same targets give the same steps each time, so that only the last `most` of them can be
    /// added again.
    pub(super) fn push(&mut self, targets: &Targets, states: &VectorSet, most: u32) -> u32 {
        let kept = KEPT + states.len() / STATES_PER_STEP;
        if self.steps.len() > 2 * kept {
            self.forget(kept);
        }
        self.find_distinct(targets);
        self.pushed.truncate(most as usize);
        let first = self.pushed.last().copied().unwrap_or(0);
        states.numbers(&targets.vectors()[first * self.width..], &mut self.numbers);
        for &index in &self.pushed {
            let (vector, marks) = targets.at(index);
            let number = self.numbers[index - first];
            self.steps.push((number, marks));
            if number == UNKNOWN {
                self.vectors.extend_from_slice(vector);
            }
        }
        self.pushed.len() as u32
    }

    /// Finds the targets that are pushed, the last one first. A target is compared with those
    /// before it only if one of them has the same small hash.
    fn find_distinct(&mut self, targets: &Targets) {
        self.pushed.clear();
        let mut met = 0_u64;
        for (index, (vector, ProductStep { marks, .. })) in targets.iter().enumerate().rev() {
            let hash = vector.iter().fold(0, |hash: u32, word| (hash ^ word).wrapping_mul(FACTOR));
            let bit = 1 << (hash >> (u32::BITS - 6));
            let is_same = |&other: &usize| {
                let (vector_before, marks_before) = targets.at(other);
                marks_before == marks && same(vector_before, vector)
            };
            let last = &self.pushed[self.pushed.len().saturating_sub(COMPARED)..];
            if !self.may_repeat || met & bit == 0 || !last.iter().any(is_same) {
                self.pushed.push(index);
            }
            met |= bit;
        }
    }

    /// Removes the last step and numbers its target; whether that is a new state.
    pub(super) fn take(&mut self, states: &mut VectorSet) -> (Taken, bool) {
        let (number, marks) = self.steps.pop().expect("a step was pushed");
        if number != UNKNOWN {
            return (Taken { to: number, marks }, false);
        }
        let first = self.vectors.len() - self.width;
        let (to, is_new) = states.insert(&self.vectors[first..]);
        self.vectors.truncate(first);
        (Taken { to, marks }, is_new)
    }

    /// Forgets all steps but the last ones.
    fn forget(&mut self, kept: usize) {
        let forgotten = self.steps.drain(..self.steps.len() - kept);
        let vectors = forgotten.filter(|&(number, _)| number == UNKNOWN).count();
        self.vectors.drain(..vectors * self.width);
    }
}
