//! The antichain algebra over an ordered space, and two graphs that give the answer early.
//!
//! All discovered states are numbered, and their successors are stored. Two graphs over these
//! numbers often make the greatest fixpoint unnecessary:
//!
//! - The **certain** graph has an edge from a state to each of its successors, and a free edge from
//!   a state to each state that was dropped in its favour and that it simulates: the smaller state
//!   can do what the larger one can, with the same marks. A cycle with all marks is a lasso of the
//!   automaton; its word has the letters of the edges of the first kind. So an accepting loop is
//!   certain as soon as the search discovers a state that simulates one of its ancestors, with all
//!   marks in between.
//! - The **possible** graph, after the reachability fixpoint, has an edge from each expanded state
//!   to each expanded state that subsumes one of its successors. It has a path for every accepting
//!   run of the automaton: a search that dropped a state expanded one that simulates it and takes
//!   steps with the same marks, or one that accepts no less and whose next step has all marks. If
//!   the latter happens infinitely often, all marks are visited infinitely often; if not, the path
//!   simulates one run from some point on. So without a cycle with all marks there is no word. The
//!   converse is wrong, since the smaller state was reached by another word.
//!
//! If the certain graph has no such cycle and the possible graph has one, the fixpoint `F'`
//! decides. From then on states are dropped only in favour of states that simulate them. The states
//! reached before are still a valid start: if a word is accepted, the path that follows it in the
//! possible graph has, for each mark, a step with that mark from a kept state to one that accepts
//! the rest, and the fixpoint keeps states that simulate all that a run does from there. If the
//! fixpoint is not empty, the certain graph has a cycle with all marks: the marked steps with which
//! a round of the greatest fixpoint starts leave states of the round before, which were reached
//! from such steps of that round, and there are only finitely many states.

use indexmap::IndexSet;
use kermode_automata::space::{Ordered, Step};
use kermode_base::BitSet;
use kermode_ltl::{Letter, Word};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::counts::{AntichainCounts, SearchProgress};
use super::states::{Compared, StateOrder, StateTable, antichain_regions};
use crate::fixpoint::antichain::Antichain;
use crate::fixpoint::fixpoints::reachable;
use crate::fixpoint::{Images, Regions};
use crate::frame::budget::{Budget, Stop, thread_time};
use crate::frame::observer::Observer;
use crate::search::edge_list::{Edge, EdgeList};

/// The discovered states of a space.
pub(crate) struct AntichainSearch<'a, S: Ordered<Stop = Stop>> {
    space: S,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    states: StateTable<S>,
    /// The sets of marks that steps have.
    marks: IndexSet<BitSet, FxBuildHasher>,
    /// The steps of expanded states.
    successors: FxHashMap<u32, Box<[Edge]>>,
    /// The states that a depth-first search has begun to expand.
    begun: FxHashMap<u32, Begun<S>>,
    /// Whether the states are searched depth first, and steps are computed one at a time.
    is_lazy: bool,
    /// The step by which each state was discovered.
    parent: Vec<Option<Edge>>,
    /// Whether states are dropped only in favour of states that simulate them.
    only_simulated: bool,
    /// For a dropped or rejected state, a state below it.
    below: FxHashMap<u32, u32>,
    /// Pairs of a state and a dropped state that it simulates.
    above: FxHashSet<(u32, u32)>,
    /// How many steps a depth-first search has found.
    steps_found: usize,
    /// The number of expanded states, or of steps of a depth-first search, at which the certain
    /// graph is checked again.
    next_look: usize,
    /// The first discovered final state.
    final_met: Option<u32>,
    counts: &'a mut AntichainCounts,
}

/// The steps of a state so far, and the cursor to those that are left.
struct Begun<S: Ordered> {
    cursor: S::Cursor,
    steps: Vec<Edge>,
}

/// A path, and the index of its loop.
pub(crate) struct LassoPath {
    prefix: Vec<Edge>,
    cycle: Vec<Edge>,
}

impl<'a, S: Ordered<Stop = Stop>> AntichainSearch<'a, S> {
    /// Nothing is discovered yet. A lazy search is depth first and finds steps one at a time.
    pub(crate) fn new(
        space: S,
        is_lazy: bool,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
        counts: &'a mut AntichainCounts,
    ) -> Self {
        AntichainSearch {
            space,
            budget,
            observer,
            states: StateTable::new(),
            marks: IndexSet::default(),
            successors: FxHashMap::default(),
            begun: FxHashMap::default(),
            is_lazy,
            parent: Vec::new(),
            only_simulated: false,
            below: FxHashMap::default(),
            above: FxHashSet::default(),
            steps_found: 0,
            next_look: 1,
            final_met: None,
            counts,
        }
    }

    fn number(&mut self, state: S::State) -> (u32, bool) {
        let (number, is_new) = self.states.number(&self.space, state);
        if is_new {
            self.parent.push(None);
            self.counts.states += 1;
            if self.final_met.is_none() && self.space.is_final(self.states.get(number)) {
                self.final_met = Some(number);
            }
        }
        (number, is_new)
    }

    fn edge(&mut self, from: u32, step: Step<S::State>) -> Edge {
        let (to, is_new) = self.number(step.to);
        let marks = self.marks.insert_full(step.marks).0 as u32;
        let edge = Edge { from, to, marks };
        if is_new {
            self.parent[to as usize] = Some(edge);
        }
        edge
    }

    /// The space, for another search.
    pub(super) fn into_space(self) -> S {
        self.space
    }

    /// The progress of the search.
    pub(super) fn progress(&self) -> SearchProgress {
        let (posts, met) = (self.successors.len() + self.begun.len(), self.states.len());
        SearchProgress { posts, met, dropped: self.below.len() }
    }

    /// Reports the counters.
    pub(crate) fn tell(&mut self) {
        self.counts.dropped += self.below.len();
        self.counts.tell(self.observer);
    }

    /// The first discovered final state.
    pub(crate) fn final_met(&self) -> Option<u32> {
        self.final_met
    }

    /// From now on drops states only in favour of states that simulate them.
    pub(crate) fn drop_only_simulated(&mut self) {
        self.only_simulated = true;
    }

    /// The successors of one state, computed once.
    fn post_of(&mut self, state: u32) -> Result<(), Stop> {
        if self.successors.contains_key(&state) {
            return Ok(());
        }
        if self.begun.contains_key(&state) {
            while self.next_edge(state)?.is_some() {}
            return Ok(());
        }
        self.count_post()?;
        let from = self.states.get(state).clone();
        let started = thread_time();
        let found = self.steps_of(&from);
        self.counts.posts.time += thread_time().saturating_sub(started);
        let found: Vec<Edge> = found?.into_iter().map(|step| self.edge(state, step)).collect();
        self.successors.insert(state, found.into());
        Ok(())
    }

    /// Counts a state that is expanded.
    fn count_post(&mut self) -> Result<(), Stop> {
        self.budget.check()?;
        self.counts.posts.calls += 1;
        let (posts, met) = (self.counts.posts.calls, self.counts.states);
        self.observer.progress(&|| format!("{posts} states expanded, {met} discovered"));
        Ok(())
    }

    /// The next step of a state that is not expanded; nothing after the last one.
    fn next_edge(&mut self, state: u32) -> Result<Option<Edge>, Stop> {
        if self.successors.contains_key(&state) {
            return Ok(None);
        }
        let started = thread_time();
        let mut begun = match self.begun.remove(&state) {
            Some(begun) => begun,
            None => {
                self.count_post()?;
                let cursor = self.space.steps(self.states.get(state))?;
                Begun { cursor, steps: Vec::new() }
            }
        };
        let found = self.space.next_step(&mut begun.cursor)?;
        self.counts.posts.time += thread_time().saturating_sub(started);
        let Some((step, ())) = found else {
            self.successors.insert(state, begun.steps.into());
            return Ok(None);
        };
        let edge = self.edge(state, step);
        begun.steps.push(edge);
        self.steps_found += 1;
        self.begun.insert(state, begun);
        Ok(Some(edge))
    }

    /// The states that are reachable from a region, or nothing if `enough` ends the search.
    pub(super) fn reach(
        &mut self,
        seed: &Antichain,
        enough: &mut dyn FnMut(&mut Self) -> Result<bool, Stop>,
    ) -> Result<Option<Antichain>, Stop> {
        match self.is_lazy {
            true => self.reach_depth_first(seed, enough),
            false => reachable(self, seed, &mut |search, _| enough(search)),
        }
    }

    /// The same depth first. A state that is dropped in favour of another is not expanded any
    /// further.
    fn reach_depth_first(
        &mut self,
        seed: &Antichain,
        enough: &mut dyn FnMut(&mut Self) -> Result<bool, Stop>,
    ) -> Result<Option<Antichain>, Stop> {
        let (mut all, mut path): (_, Vec<u32>) = (seed.clone(), seed.iter().collect());
        while let Some(&state) = path.last() {
            self.budget.check()?;
            if enough(self)? {
                return Ok(None);
            }
            let is_dropped = self.below.contains_key(&state);
            let edge = if is_dropped { None } else { self.next_edge(state)? };
            match edge {
                Some(edge) if self.keep(&mut all, edge.to) => path.push(edge.to),
                Some(_) => {}
                None => drop(path.pop()),
            }
            self.counts.largest = self.counts.largest.max(all.len());
        }
        Ok(Some(all))
    }

    fn steps_of(&mut self, state: &S::State) -> Result<Vec<Step<S::State>>, Stop> {
        let (mut cursor, mut steps) = (self.space.steps(state)?, Vec::new());
        while let Some((step, ())) = self.space.next_step(&mut cursor)? {
            steps.push(step);
        }
        Ok(steps)
    }

    /// A cycle of the certain graph with all marks, if a check is due.
    pub(crate) fn certain_lasso_if_due(&mut self) -> Result<Option<LassoPath>, Stop> {
        let work = match self.is_lazy {
            true => self.steps_found,
            false => self.successors.len(),
        };
        if work < self.next_look {
            return Ok(None);
        }
        self.next_look = work * 5 / 4 + 1;
        self.certain_lasso()
    }

    /// A cycle of the certain graph with all marks, and a path to it.
    pub(crate) fn certain_lasso(&mut self) -> Result<Option<LassoPath>, Stop> {
        let free = |&(from, to): &(u32, u32)| Edge { from, to, marks: Edge::FREE };
        let steps = self.successors.values().flat_map(|steps| steps.iter().copied());
        let begun = self.begun.values().flat_map(|begun| begun.steps.iter().copied());
        let edges = self.above.iter().map(free).chain(steps).chain(begun).collect();
        let marks = |marks: u32| &self.marks[marks as usize];
        let (nodes, mark_count) = (self.states.len(), self.space.mark_count());
        let mut graph = EdgeList::new(nodes, edges, &marks, mark_count, self.budget);
        let Some(fair) = graph.fair_component()? else { return Ok(None) };
        let cycle = graph.fair_cycle(&fair)?;
        let prefix = self.path_to(cycle[0].from);
        let cycle = cycle.into_iter().filter(|edge| edge.is_step()).collect();
        Ok(Some(LassoPath { prefix, cycle }))
    }

    /// Whether the possible graph has a cycle with all marks.
    pub(crate) fn a_lasso_is_possible(&mut self) -> Result<bool, Stop> {
        let steps = self.successors.values().flat_map(|steps| steps.iter());
        let edges = steps.map(|&edge| Edge { to: self.representative(edge.to), ..edge }).collect();
        let marks = |marks: u32| &self.marks[marks as usize];
        let (nodes, mark_count) = (self.states.len(), self.space.mark_count());
        let graph = EdgeList::new(nodes, edges, &marks, mark_count, self.budget);
        Ok(graph.fair_component()?.is_some())
    }

    /// The expanded state that represents `state`.
    fn representative(&self, mut state: u32) -> u32 {
        while !self.successors.contains_key(&state) {
            match self.below.get(&state) {
                Some(&below) => state = below,
                None => break,
            }
        }
        state
    }

    /// The steps by which a state was discovered.
    pub(super) fn path_to(&self, state: u32) -> Vec<Edge> {
        let before = |to: u32| self.parent[to as usize];
        let steps = std::iter::successors(before(state), |edge| before(edge.from));
        let mut steps: Vec<Edge> = steps.collect();
        steps.reverse();
        steps
    }

    fn letters(&mut self, steps: &[Edge]) -> Result<Vec<Letter>, Stop> {
        let mut letters = Vec::with_capacity(steps.len());
        for edge in steps {
            self.budget.check()?;
            let [from, to] = [edge.from, edge.to].map(|state| self.states.get(state));
            let step = Step { to: to.clone(), marks: self.marks[edge.marks as usize].clone() };
            letters.push(self.space.letter(from, &step, &())?);
        }
        Ok(letters)
    }

    /// The word of a lasso.
    pub(crate) fn lasso_word(&mut self, lasso: &LassoPath) -> Result<Word, Stop> {
        let (prefix, cycle) = (self.letters(&lasso.prefix)?, self.letters(&lasso.cycle)?);
        Ok(Word::lasso(prefix, cycle))
    }

    /// The word of a path.
    pub(super) fn finite_word(&mut self, steps: &[Edge]) -> Result<Word, Stop> {
        Ok(Word::finite(self.letters(steps)?))
    }

    fn compared(&self) -> Compared<'_, S> {
        let order = if self.only_simulated { StateOrder::Simulated } else { StateOrder::Subsumed };
        self.states.compared(&self.space, order)
    }
}

antichain_regions!(AntichainSearch, Ordered);

impl<S: Ordered<Stop = Stop>> Images for AntichainSearch<'_, S> {
    fn image(&mut self, region: &Antichain) -> Result<Antichain, Stop> {
        let found = self.targets(region, |_| true)?;
        self.least(found)
    }

    fn mark_count(&self) -> usize {
        self.space.mark_count().max(1)
    }

    fn marked_image(&mut self, region: &Antichain, mark: usize) -> Result<Antichain, Stop> {
        let any = self.space.mark_count() == 0;
        let found = self.targets(region, |marks| any || marks.contains(mark))?;
        self.least(found)
    }
}

impl<S: Ordered<Stop = Stop>> AntichainSearch<'_, S> {
    /// The initial states.
    pub(crate) fn initial(&mut self) -> Result<Antichain, Stop> {
        let initial = self.space.initial()?;
        let initial = initial.into_iter().map(|state| self.number(state).0).collect();
        self.least(initial)
    }

    /// The targets of steps with some marks from the states of a region.
    fn targets(
        &mut self,
        region: &Antichain,
        wanted: impl Fn(&BitSet) -> bool,
    ) -> Result<Vec<u32>, Stop> {
        let mut targets = Vec::new();
        for state in region.iter() {
            self.post_of(state)?;
            let wanted = |edge: &&Edge| wanted(&self.marks[edge.marks as usize]);
            targets.extend(self.successors[&state].iter().filter(wanted).map(|edge| edge.to));
        }
        Ok(targets)
    }

    /// The minimal ones of some states.
    fn least(&mut self, states: Vec<u32>) -> Result<Antichain, Stop> {
        let mut least = Antichain::default();
        for state in states {
            self.budget.check()?;
            self.keep(&mut least, state);
        }
        Ok(least)
    }

    /// Adds a state to an antichain unless it has one below it, and records which state replaced
    /// which.
    fn keep(&mut self, region: &mut Antichain, state: u32) -> bool {
        if let Some(below) = region.below(state, &self.compared()) {
            if below != state {
                self.below.insert(state, below);
            }
            return false;
        }
        let dropped = region.insert(state, &self.compared());
        for above in dropped {
            self.below.insert(above, state);
            if self.simulates(state, above) {
                self.above.insert((state, above));
            }
        }
        true
    }

    fn simulates(&self, small: u32, large: u32) -> bool {
        let [small, large] = [small, large].map(|state| self.states.get(state));
        self.only_simulated || self.space.simulates(small, large)
    }
}
