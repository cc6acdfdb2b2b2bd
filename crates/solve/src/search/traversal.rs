//! A traversal of a space: the discovered states, and how many steps of each were taken.
//!
//! Steps are not stored. They come in the same order each time, so a second pass over the first
//! steps of each state sees what the search has seen ([`lasso`](super::lasso)).

use indexmap::IndexSet;
use kermode_automata::space::Space;
use kermode_base::BitSet;
use rustc_hash::FxBuildHasher;

use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;

/// Counters of searches, over all parts of a problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCounts {
    /// Discovered states.
    pub states: u64,
    /// Steps of the spaces, counted each time they are taken.
    pub transitions: u64,
    /// Components that were removed because they do not accept.
    pub components: u64,
    /// Rows of the paper's tables: the first state, each step taken and each state left.
    pub rows: u64,
}

impl SearchCounts {
    /// Reports the counters to an observer.
    pub fn tell(&self, observer: &mut dyn Observer) {
        observer.statistic("states_met", self.states);
        observer.statistic("transitions_touched", self.transitions);
        observer.statistic("components_left", self.components);
        observer.statistic("search_steps", self.rows);
    }
}

/// A traversal of a space.
pub struct Traversal<'a, S: Space> {
    pub(super) space: S,
    pub(super) budget: &'a Budget,
    observer: &'a mut dyn Observer,
    pub(super) counts: &'a mut SearchCounts,
    pub(super) states: IndexSet<S::State, FxBuildHasher>,
    /// How many steps of each state were taken.
    pub(super) touched: Vec<usize>,
}

/// A state on a path, by its number, and its remaining steps.
pub(super) struct Frame<C> {
    pub(super) state: u32,
    cursor: C,
    taken: usize,
}

/// A step that was taken.
pub(super) struct Taken {
    pub(super) to: u32,
    pub(super) marks: BitSet,
}

impl<'a, S: Space> Traversal<'a, S>
where
    Stop: From<S::Stop>,
{
    /// A traversal that has not begun.
    pub fn new(
        space: S,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
        counts: &'a mut SearchCounts,
    ) -> Self {
        let (states, touched) = (IndexSet::default(), Vec::new());
        Traversal { space, budget, observer, counts, states, touched }
    }

    /// The state with a number.
    pub fn state(&self, number: u32) -> &S::State {
        &self.states[number as usize]
    }

    /// Reports the counters.
    pub fn tell(&mut self) {
        self.counts.tell(self.observer);
    }

    pub(super) fn initial(&mut self) -> Result<Vec<u32>, Stop> {
        let initial = self.space.initial()?;
        Ok(initial.into_iter().map(|state| self.number(state)).collect())
    }

    fn number(&mut self, state: S::State) -> u32 {
        let (number, is_new) = self.states.insert_full(state);
        if is_new {
            self.touched.push(0);
            self.counts.states += 1;
            let (states, transitions) = (self.counts.states, self.counts.transitions);
            self.observer.progress(&|| format!("{states} states, {transitions} transitions"));
        }
        number as u32
    }

    /// A frame before the first step of a state.
    pub(super) fn frame(&mut self, state: u32) -> Result<Frame<S::Cursor>, Stop> {
        let cursor = self.space.steps(&self.states[state as usize])?;
        Ok(Frame { state, cursor, taken: 0 })
    }

    /// Takes the next step.
    pub(super) fn advance(&mut self, frame: &mut Frame<S::Cursor>) -> Result<Option<Taken>, Stop> {
        self.budget.check()?;
        let Some((step, _)) = self.space.next_step(&mut frame.cursor)? else { return Ok(None) };
        frame.taken += 1;
        self.counts.transitions += 1;
        let touched = &mut self.touched[frame.state as usize];
        *touched = frame.taken.max(*touched);
        Ok(Some(Taken { to: self.number(step.to), marks: step.marks }))
    }
}
