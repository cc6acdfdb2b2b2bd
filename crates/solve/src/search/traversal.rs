//! A traversal of a space: the discovered states, and how many steps of each were taken.
//!
//! Steps are not stored. They come in the same order each time, so a second pass over the first
//! steps of each state sees what the search has seen ([`lasso`](super::lasso)).

use std::vec::IntoIter;

use indexmap::IndexSet;
use kermode_automata::space::Space;
use rustc_hash::FxBuildHasher;

use super::graph::{MarkSets, SearchGraph, Taken};
use super::levels::Levels;
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
    /// The number of states of the longest path.
    pub depth: u64,
    /// The memory of the search beside the states, in bytes.
    pub bytes: u64,
}

impl SearchCounts {
    /// Notes the length of a path.
    pub(super) fn deepest(&mut self, length: usize) {
        self.depth = self.depth.max(length as u64);
    }

    /// Reports the counters to an observer.
    pub fn tell(&self, observer: &mut dyn Observer) {
        observer.statistic("states_met", self.states);
        observer.statistic("transitions_touched", self.transitions);
        observer.statistic("components_left", self.components);
        observer.statistic("search_steps", self.rows);
        observer.statistic("search_depth", self.depth);
    }
}

/// A traversal of a space, and the path of a search in it.
pub struct Traversal<'a, S: Space> {
    pub(super) space: S,
    pub(super) budget: &'a Budget,
    observer: &'a mut dyn Observer,
    counts: &'a mut SearchCounts,
    pub(super) states: IndexSet<S::State, FxBuildHasher>,
    /// How many steps of each state were taken.
    pub(super) touched: Vec<usize>,
    marks: MarkSets,
    path: Vec<Frame<S::Cursor>>,
    /// The remaining initial states.
    starts: Option<IntoIter<S::State>>,
    is_accepting: fn(&S, &S::State) -> bool,
}

/// A state on the path, by its number, and its remaining steps.
struct Frame<C> {
    state: u32,
    cursor: C,
    taken: usize,
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
        Traversal {
            marks: MarkSets::new(space.mark_count()),
            space,
            budget,
            observer,
            counts,
            states: IndexSet::default(),
            touched: Vec::new(),
            path: Vec::new(),
            starts: None,
            is_accepting: |_, _| false,
        }
    }

    /// The state with a number.
    pub fn state(&self, number: u32) -> &S::State {
        &self.states[number as usize]
    }

    /// Reports the counters.
    pub fn tell(&mut self) {
        self.counts.tell(self.observer);
    }

    /// The initial states that were met.
    pub(super) fn initial(&mut self) -> Result<Vec<u32>, Stop> {
        let initial = self.space.initial()?;
        let number = |state: &S::State| self.states.get_index_of(state).map(|place| place as u32);
        Ok(initial.iter().filter_map(number).collect())
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
}

impl<'a, S: Space> Traversal<'a, Levels<S>>
where
    Stop: From<S::Stop>,
{
    /// A traversal of levels, whose last ones are accepting.
    pub fn of_levels(
        levels: Levels<S>,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
        counts: &'a mut SearchCounts,
    ) -> Self {
        let is_accepting = Levels::is_accepting;
        Traversal { is_accepting, ..Traversal::new(levels, budget, observer, counts) }
    }
}

impl<S: Space> SearchGraph for Traversal<'_, S>
where
    Stop: From<S::Stop>,
{
    fn next_initial(&mut self) -> Result<Option<u32>, Stop> {
        let starts = match &mut self.starts {
            Some(starts) => starts,
            None => {
                let initial = self.space.initial()?;
                self.starts.insert(initial.into_iter())
            }
        };
        let start = starts.next();
        Ok(start.map(|state| self.number(state)))
    }

    fn enter(&mut self, state: u32) -> Result<(), Stop> {
        let cursor = self.space.steps(&self.states[state as usize])?;
        self.path.push(Frame { state, cursor, taken: 0 });
        Ok(())
    }

    fn depth(&self) -> usize {
        self.path.len()
    }

    fn last(&self) -> u32 {
        self.path.last().expect("the path has a state").state
    }

    fn advance(&mut self) -> Result<Option<Taken>, Stop> {
        self.budget.check()?;
        let frame = self.path.last_mut().expect("the path has a state");
        let Some((step, _)) = self.space.next_step(&mut frame.cursor)? else { return Ok(None) };
        frame.taken += 1;
        self.counts.transitions += 1;
        let touched = &mut self.touched[frame.state as usize];
        *touched = frame.taken.max(*touched);
        let marks = self.marks.number(step.marks);
        Ok(Some(Taken { to: self.number(step.to), marks }))
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn is_accepting(&self, state: u32) -> bool {
        (self.is_accepting)(&self.space, self.state(state))
    }

    fn marks(&mut self) -> &mut MarkSets {
        &mut self.marks
    }

    fn counts(&mut self) -> &mut SearchCounts {
        self.counts
    }
}
