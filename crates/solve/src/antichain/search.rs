//! The antichain algebra over an ordered space, and what its steps teach by the way.
//!
//! All states that were ever met are numbered, and their successors are remembered. Two graphs over these numbers tell the
//! answer early, often without the greatest fixpoint:
//!
//! - The **certain** graph has an edge from a state to each of its successors, and one from a state to each that
//!   was dropped for it: what the larger one can do, the smaller one can, too. A cycle through an accepting state is a lasso of
//!   the automaton; its word has the letters of the edges of the first kind. So an accepting loop is certain as soon as a
//!   state is met that subsumes one of its ancestors, with something accepting in between.
//! - The **possible** graph, when all is reached, has an edge from each state that was gone on with to each such
//!   state that is below one of its successors. Every accepting run of the automaton is followed by a path there: a search that
//!   dropped a state went on with one that can do as much, and is accepting exactly if that one is. No accepting cycle,
//!   no word. The converse is wrong, since the smaller state was reached by another word.
//!
//! Where the first has no accepting cycle and the second has, only the fixpoint `F'` knows. If it is not empty, the
//! certain graph has an accepting cycle by then: the accepting states from which a round of the greatest fixpoint starts are
//! successors of states of the round before, which were reached from accepting states of that round by successors; there
//! are only finitely many states.

use std::time::Duration;

use indexmap::IndexSet;
use kermode_automata::space::Ordered;
use kermode_ltl::components::components;
use kermode_ltl::{Letter, Word};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::edges::EdgeList;
use crate::budget::{Budget, Stop, thread_time};
use crate::observer::Observer;
use crate::region::Regions;
use crate::region::antichain::{Antichain, Elements};

/// The states of a space that were met.
pub(crate) struct Search<'a, S: Ordered<Stop = Stop>> {
    space: S,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    states: States<S>,
    /// The successors of states that were gone on with.
    successors: FxHashMap<u32, Box<[u32]>>,
    /// From where each state was met first.
    parent: Vec<Option<u32>>,
    /// States below a state that was dropped or never kept.
    below: FxHashMap<u32, u32>,
    /// States that were dropped for a state.
    above: Vec<(u32, u32)>,
    /// When the certain graph is looked at again: when so many states were gone on with.
    next_look: usize,
    /// The first accepting state that was met.
    accepting_met: Option<u32>,
    counts: &'a mut Counts,
}

/// What was counted, over all searches for one answer.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) locations: usize,
    posts: u64,
    /// The CPU time that went into successors.
    post_time: Duration,
    states: usize,
    largest: usize,
}

impl Counts {
    /// Tells an observer.
    fn tell(&self, observer: &mut dyn Observer) {
        observer.statistic("locations", self.locations as u64);
        observer.statistic("post_calls", self.posts);
        observer.statistic("post_microseconds", self.post_time.as_micros() as u64);
        observer.statistic("states_met", self.states as u64);
        observer.statistic("largest_antichain", self.largest as u64);
    }
}

/// States with what antichains ask about them.
struct States<S: Ordered> {
    all: IndexSet<S::State, FxBuildHasher>,
    sizes: Vec<u32>,
    signatures: Vec<u64>,
}

/// How two states are compared: by the space.
struct Compared<'s, S: Ordered> {
    space: &'s S,
    states: &'s States<S>,
}

impl<S: Ordered> Elements for Compared<'_, S> {
    fn size(&self, element: u32) -> usize {
        self.states.sizes[element as usize] as usize
    }

    fn signature(&self, element: u32) -> u64 {
        self.states.signatures[element as usize]
    }

    fn is_below(&self, small: u32, large: u32) -> bool {
        let states = &self.states.all;
        self.space.subsumes(&states[small as usize], &states[large as usize])
    }
}

/// A path, and where its loop begins.
pub(crate) struct Lasso {
    prefix: Vec<(u32, u32)>,
    cycle: Vec<(u32, u32)>,
}

impl<'a, S: Ordered<Stop = Stop>> Search<'a, S> {
    pub(crate) fn new(
        space: S,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
        counts: &'a mut Counts,
    ) -> Self {
        let (all, sizes, signatures) = (IndexSet::default(), Vec::new(), Vec::new());
        Search {
            space,
            budget,
            observer,
            states: States { all, sizes, signatures },
            successors: FxHashMap::default(),
            parent: Vec::new(),
            below: FxHashMap::default(),
            above: Vec::new(),
            next_look: 1,
            accepting_met: None,
            counts,
        }
    }

    fn number(&mut self, state: S::State, parent: Option<u32>) -> u32 {
        let size = self.space.size(&state) as u32;
        let signature = self.space.signature(&state);
        let (index, is_new) = self.states.all.insert_full(state);
        if is_new {
            self.states.sizes.push(size);
            self.states.signatures.push(signature);
            self.parent.push(parent);
            self.counts.states += 1;
            if self.accepting_met.is_none() && self.is_accepting(index as u32) {
                self.accepting_met = Some(index as u32);
            }
        }
        index as u32
    }

    /// Tells what was counted.
    pub(crate) fn tell(&mut self) {
        self.counts.tell(self.observer);
    }

    /// The first accepting state that was met.
    pub(crate) fn accepting_met(&self) -> Option<u32> {
        self.accepting_met
    }

    pub(crate) fn is_accepting(&self, state: u32) -> bool {
        self.space.is_accepting(&self.states.all[state as usize])
    }

    /// The successors of one state, computed once.
    fn post_of(&mut self, state: u32) -> Result<(), Stop> {
        if self.successors.contains_key(&state) {
            return Ok(());
        }
        self.budget.check()?;
        self.counts.posts += 1;
        let (posts, met) = (self.counts.posts, self.counts.states);
        self.observer.progress(&|| format!("{posts} states gone on with, {met} met"));
        let from = self.states.all[state as usize].clone();
        let started = thread_time();
        let found = self.space.successors(&from);
        self.counts.post_time += thread_time().saturating_sub(started);
        let found = found?;
        let found: Vec<u32> = found.into_iter().map(|to| self.number(to, Some(state))).collect();
        self.successors.insert(state, found.into());
        Ok(())
    }

    /// An accepting cycle of the certain graph, if it is time to look again.
    pub(crate) fn certain_lasso_if_due(&mut self) -> Result<Option<Lasso>, Stop> {
        if self.successors.len() < self.next_look {
            return Ok(None);
        }
        self.next_look = self.successors.len() * 2;
        self.certain_lasso()
    }

    /// An accepting cycle of the certain graph, and a path to it.
    pub(crate) fn certain_lasso(&mut self) -> Result<Option<Lasso>, Stop> {
        let mut edges: Vec<(u32, u32)> = self.above.clone();
        for (&from, successors) in &self.successors {
            edges.extend(successors.iter().map(|&to| (from, to)));
        }
        let graph = EdgeList::new(self.states.all.len(), edges);
        let Some((start, component)) = self.accepting_cycle(&graph)? else { return Ok(None) };
        let cycle = graph.cycle(start, &component);
        let real = |&(from, to): &(u32, u32)| {
            self.successors.get(&from).is_some_and(|successors| successors.contains(&to))
        };
        let cycle = cycle.into_iter().filter(real).collect();
        Ok(Some(Lasso { prefix: self.path_to(start), cycle }))
    }

    /// Whether the possible graph has an accepting cycle.
    pub(crate) fn a_lasso_is_possible(&mut self) -> Result<bool, Stop> {
        let mut edges = Vec::new();
        for (&from, successors) in &self.successors {
            edges.extend(successors.iter().map(|&to| (from, self.representative(to))));
        }
        let graph = EdgeList::new(self.states.all.len(), edges);
        Ok(self.accepting_cycle(&graph)?.is_some())
    }

    /// The state that was gone on with in the place of another.
    fn representative(&self, mut state: u32) -> u32 {
        while !self.successors.contains_key(&state) {
            match self.below.get(&state) {
                Some(&below) => state = below,
                None => break,
            }
        }
        state
    }

    /// An accepting state on a cycle, and the components of the graph.
    fn accepting_cycle(&self, graph: &EdgeList) -> Result<Option<(u32, Vec<usize>)>, Stop> {
        let target = |edge: usize| graph.targets[edge] as usize;
        let component = components(&graph.start, target, &mut || self.budget.check())?;
        let loops = |&state: &u32| {
            let inside = |&to: &u32| component[to as usize] == component[state as usize];
            graph.leaving(state).iter().any(inside) && self.is_accepting(state)
        };
        let state = (0..self.states.all.len() as u32).find(loops);
        Ok(state.map(|state| (state, component)))
    }

    /// The steps by which a state was met first.
    pub(crate) fn path_to(&self, state: u32) -> Vec<(u32, u32)> {
        let step = |to: u32| self.parent[to as usize].map(|from| (from, to));
        let steps = std::iter::successors(step(state), |&(from, _)| step(from));
        let mut steps: Vec<(u32, u32)> = steps.collect();
        steps.reverse();
        steps
    }

    fn letters(&mut self, steps: &[(u32, u32)]) -> Result<Vec<Letter>, Stop> {
        let mut letters = Vec::with_capacity(steps.len());
        for &(from, to) in steps {
            self.budget.check()?;
            let states = &self.states.all;
            letters.push(self.space.letter(&states[from as usize], &states[to as usize])?);
        }
        Ok(letters)
    }

    /// The word of a lasso.
    pub(crate) fn lasso_word(&mut self, lasso: &Lasso) -> Result<Word, Stop> {
        let (prefix, cycle) = (self.letters(&lasso.prefix)?, self.letters(&lasso.cycle)?);
        Ok(Word::lasso(prefix, cycle))
    }

    /// The word of a path.
    pub(crate) fn finite_word(&mut self, steps: &[(u32, u32)]) -> Result<Word, Stop> {
        Ok(Word::finite(self.letters(steps)?))
    }
}

impl<S: Ordered<Stop = Stop>> Regions for Search<'_, S> {
    type Region = Antichain;

    fn none(&self) -> Antichain {
        Antichain::default()
    }

    fn is_empty(&self, region: &Antichain) -> bool {
        region.len() == 0
    }

    fn accepting(&mut self, region: &Antichain) -> Result<Antichain, Stop> {
        let accepting = region.iter().filter(|&state| self.is_accepting(state)).collect();
        self.least(accepting)
    }

    fn add(&mut self, region: &mut Antichain, more: &Antichain) -> Result<Antichain, Stop> {
        let mut new = Antichain::default();
        for state in more.iter() {
            self.budget.check()?;
            if self.keep(region, state) {
                let elements = Compared { space: &self.space, states: &self.states };
                new.insert(state, &elements);
            }
        }
        self.counts.largest = self.counts.largest.max(region.len());
        Ok(new)
    }

    fn includes(&mut self, larger: &Antichain, smaller: &Antichain) -> Result<bool, Stop> {
        let elements = Compared { space: &self.space, states: &self.states };
        for state in smaller.iter() {
            self.budget.check()?;
            if larger.below(state, &elements).is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn pick(&mut self, region: &mut Antichain) -> Antichain {
        let mut part = Antichain::default();
        if let Some(state) = region.pop_smallest() {
            part.insert(state, &Compared { space: &self.space, states: &self.states });
        }
        part
    }

    fn step(&mut self, region: &Antichain) -> Result<Antichain, Stop> {
        let mut found = Vec::new();
        for state in region.iter() {
            self.post_of(state)?;
            found.extend_from_slice(&self.successors[&state]);
        }
        self.least(found)
    }
}

impl<S: Ordered<Stop = Stop>> Search<'_, S> {
    /// Where the words begin.
    pub(crate) fn initial(&mut self) -> Result<Antichain, Stop> {
        let initial = self.space.initial()?;
        let initial: Vec<u32> = initial.into_iter().map(|state| self.number(state, None)).collect();
        self.least(initial)
    }

    /// The least of some states.
    fn least(&mut self, states: Vec<u32>) -> Result<Antichain, Stop> {
        let mut least = Antichain::default();
        for state in states {
            self.budget.check()?;
            self.keep(&mut least, state);
        }
        Ok(least)
    }

    /// Adds a state to an antichain unless one below it is there, and remembers who took whose place.
    fn keep(&mut self, region: &mut Antichain, state: u32) -> bool {
        let elements = Compared { space: &self.space, states: &self.states };
        if let Some(below) = region.below(state, &elements) {
            if below != state {
                self.below.insert(state, below);
            }
            return false;
        }
        for above in region.insert(state, &elements) {
            if self.below.insert(above, state) != Some(state) {
                self.above.push((state, above));
            }
        }
        true
    }
}
