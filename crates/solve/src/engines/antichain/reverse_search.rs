//! The backward antichain algebra: downward-closed sets, represented by their maximal elements,
//! with `Pre` as the step.
//!
//! For each state found as a predecessor, and each mark, the search stores the step that leads on
//! from it. At the end of a greatest fixpoint these are the steps of its last round, and following
//! them from any of its states takes a step with each mark in turn, for ever. So a lasso needs no
//! further search. The path visits maximal elements; the real run is below them, with the same
//! letters and marks.

use kermode_automata::space::{Reversible, Step};
use kermode_ltl::{Letter, Word};
use rustc_hash::FxHashMap;

use super::counts::AntichainCounts;
use super::states::{Compared, StateOrder, StateTable, antichain_regions};
use crate::fixpoint::antichain::Antichain;
use crate::fixpoint::{Images, Regions};
use crate::frame::budget::{Budget, Stop, thread_time};
use crate::frame::observer::Observer;

/// The states of a space that a backward search discovered.
pub(super) struct ReverseSearch<'a, S: Reversible<Stop = Stop>> {
    space: S,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    states: StateTable<S>,
    /// The predecessors of states, with a mark or without.
    predecessors: FxHashMap<(u32, Option<usize>), Box<[u32]>>,
    /// For each mark, the next step of the states that can reach the mark.
    onwards: Vec<FxHashMap<u32, Onward>>,
    /// The mark that the current fixpoint searches for.
    current: usize,
    counts: &'a mut AntichainCounts,
}

/// A step that leads on.
#[derive(Clone, Copy, Debug)]
struct Onward {
    to: u32,
    /// Whether it has the current mark.
    marked: bool,
}

/// A path of stored steps.
struct StoredPath {
    /// The source of each step, and the mark that is searched for there.
    steps: Vec<(u32, Onward, usize)>,
    /// The step at which the loop begins, if there is one.
    loop_start: usize,
}

impl<'a, S: Reversible<Stop = Stop>> ReverseSearch<'a, S> {
    pub(super) fn new(
        space: S,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
        counts: &'a mut AntichainCounts,
    ) -> Self {
        let onwards = vec![FxHashMap::default(); space.mark_count().max(1)];
        ReverseSearch {
            space,
            budget,
            observer,
            states: StateTable::new(),
            predecessors: FxHashMap::default(),
            onwards,
            current: 0,
            counts,
        }
    }

    /// Reports the counters.
    pub(super) fn tell(&mut self) {
        self.counts.tell(self.observer);
    }

    /// All states.
    pub(super) fn everything(&mut self) -> Result<Antichain, Stop> {
        let all = self.space.greatest()?;
        self.region(all)
    }

    /// The final states.
    pub(super) fn finals(&mut self) -> Result<Antichain, Stop> {
        let finals = self.space.greatest_final()?;
        self.region(finals)
    }

    /// An element of a region with an initial state below it.
    pub(super) fn above_initial(&self, region: &Antichain) -> Option<u32> {
        region.iter().find(|&state| self.space.is_above_initial(self.states.get(state)))
    }

    fn region(&mut self, states: Vec<S::State>) -> Result<Antichain, Stop> {
        let numbers = states.into_iter().map(|state| self.number(state)).collect();
        self.greatest(numbers)
    }

    fn number(&mut self, state: S::State) -> u32 {
        let (number, is_new) = self.states.number(&self.space, state);
        self.counts.states += usize::from(is_new);
        number
    }

    fn compared(&self) -> Compared<'_, S> {
        self.states.compared(&self.space, StateOrder::Reversed)
    }

    /// The greatest of some states.
    fn greatest(&mut self, states: Vec<u32>) -> Result<Antichain, Stop> {
        let mut greatest = Antichain::default();
        for state in states {
            self.budget.check()?;
            self.keep(&mut greatest, state);
        }
        Ok(greatest)
    }

    /// Adds a state to a region unless it is already included.
    fn keep(&self, region: &mut Antichain, state: u32) -> bool {
        let elements = self.compared();
        let is_new = region.below(state, &elements).is_none();
        if is_new {
            region.insert(state, &elements);
        }
        is_new
    }

    /// The predecessors of one state, computed once.
    fn predecessors_of(&mut self, state: u32, mark: Option<usize>) -> Result<Box<[u32]>, Stop> {
        if let Some(known) = self.predecessors.get(&(state, mark)) {
            return Ok(known.clone());
        }
        self.budget.check()?;
        self.counts.pres.calls += 1;
        let (pres, met) = (self.counts.pres.calls, self.counts.states);
        self.observer.progress(&|| format!("{pres} states gone back from, {met} met"));
        let to = self.states.get(state).clone();
        let started = thread_time();
        let found = self.space.predecessors(&to, mark);
        self.counts.pres.time += thread_time().saturating_sub(started);
        let found: Box<[u32]> = found?.into_iter().map(|from| self.number(from)).collect();
        self.predecessors.insert((state, mark), found.clone());
        Ok(found)
    }

    /// The predecessors of a region. Stores the step that leads on from each.
    fn back(
        &mut self,
        region: &Antichain,
        mark: Option<usize>,
        marked: bool,
    ) -> Result<Antichain, Stop> {
        let mut all = Vec::new();
        for to in region.iter() {
            for &from in &self.predecessors_of(to, mark)? {
                self.onwards[self.current].entry(from).or_insert(Onward { to, marked });
                all.push(from);
            }
        }
        self.greatest(all)
    }

    /// The steps from a state to a final one, or back to a state with the same current mark.
    fn follow(&self, start: u32) -> Result<StoredPath, Stop> {
        let mut mark = self.onwards.len() - 1;
        let (mut state, mut steps) = (start, Vec::new());
        let mut met: FxHashMap<(u32, usize), usize> = FxHashMap::default();
        loop {
            self.budget.check()?;
            if let Some(&first) = met.get(&(state, mark)) {
                return Ok(StoredPath { steps, loop_start: first });
            }
            met.insert((state, mark), steps.len());
            if self.space.is_final(self.states.get(state)) {
                break;
            }
            let &onward = self.onwards[mark].get(&state).expect("a state that is kept leads on");
            steps.push((state, onward, mark));
            state = onward.to;
            if onward.marked {
                mark = mark.checked_sub(1).unwrap_or(self.onwards.len() - 1);
            }
        }
        let loop_start = steps.len();
        Ok(StoredPath { steps, loop_start })
    }

    /// The word from a state to a final one, or the lasso of a greatest fixpoint.
    pub(super) fn word(&mut self, start: u32) -> Result<Word, Stop> {
        let path = self.follow(start)?;
        let mut letters: Vec<Letter> = Vec::with_capacity(path.steps.len());
        for (from, onward, mark) in path.steps {
            self.budget.check()?;
            let mark = (onward.marked && mark < self.space.mark_count()).then_some(mark);
            let to = self.states.get(onward.to).clone();
            let step = Step { to, marks: mark.into_iter().collect() };
            letters.push(self.space.letter(self.states.get(from), &step, &())?);
        }
        let cycle = letters.split_off(path.loop_start);
        Ok(if cycle.is_empty() { Word::finite(letters) } else { Word::lasso(letters, cycle) })
    }
}

antichain_regions!(ReverseSearch, Reversible);

impl<S: Reversible<Stop = Stop>> Images for ReverseSearch<'_, S> {
    fn image(&mut self, region: &Antichain) -> Result<Antichain, Stop> {
        self.back(region, None, false)
    }

    /// Without acceptance conditions there is one mark, which every step has.
    fn mark_count(&self) -> usize {
        self.onwards.len()
    }

    fn marked_image(&mut self, region: &Antichain, mark: usize) -> Result<Antichain, Stop> {
        self.current = mark;
        self.onwards[mark].clear();
        let mark = (mark < self.space.mark_count()).then_some(mark);
        self.back(region, mark, true)
    }
}
