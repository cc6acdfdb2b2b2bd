//! Couvreur's emptiness check (Fig. 3 of \[Cou99\]): a depth-first search that maintains the
//! components of the traversed graph and their marks, so that it ends with the step that completes
//! an accepting component.
//!
//! Graphs number their states in the order in which a search meets them, which is the *order* of
//! the paper. `roots` has the first state of each component with the marks inside of the component
//! and the marks of the edge by which it was entered. A step to a state of the current graph merges
//! its component with all later ones. When the search leaves a root, its component is complete and
//! not accepting: it is *removed*. One bit per state says whether it was removed.
//!
//! Invariants (properties 1 to 3 of the paper): no removed component accepts; the components of the
//! current graph are its states from one root to the next, in the order of their numbers.
//!
//! Departs from the print:
//! - line 19 asks for the order of `w`, and line 22 compares with it. Orders are not used again, as
//!   line 33 does, so no table of them is needed;
//! - nothing is recursive. The states of a component to remove are the last ones of the current
//!   graph, by the third property; the paper follows the steps again;
//! - there may be several initial states;
//! - property 4 is not used for counterexamples: the edge into a root need not come from the state
//!   just before it.

use std::ops::Range;

use kermode_base::BitSet;

use super::graph::{MarkSet, MarkSets, SearchGraph, push_slowly};
use crate::frame::budget::Stop;

/// The states of an accepting component of the traversed graph, or nothing if the graph has none.
pub fn couvreur<G: SearchGraph>(graph: &mut G) -> Result<Option<Vec<u32>>, Stop> {
    let mut current = Current::default();
    let found = components(graph, &mut current);
    graph.counts().bytes = current.bytes() as u64;
    found
}

fn components<G: SearchGraph>(
    graph: &mut G,
    current: &mut Current,
) -> Result<Option<Vec<u32>>, Stop> {
    while let Some(start) = graph.next_initial()? {
        if current.is_new(start) {
            graph.counts().rows += 1;
            let found = explore(graph, current, start)?;
            if found.is_some() {
                return Ok(found);
            }
        }
    }
    Ok(None)
}

fn explore<G: SearchGraph>(
    graph: &mut G,
    current: &mut Current,
    start: u32,
) -> Result<Option<Vec<u32>>, Stop> {
    current.enter(start, MarkSet::EMPTY);
    graph.enter(start)?;
    while graph.depth() > 0 {
        graph.counts().rows += 1;
        let Some(step) = graph.advance()? else {
            let is_root = current.leave(graph.last());
            graph.counts().components += u64::from(is_root);
            graph.leave();
            continue;
        };
        if current.is_new(step.to) {
            current.enter(step.to, step.marks);
            graph.enter(step.to)?;
            let depth = graph.depth();
            graph.counts().deepest(depth);
        } else if !current.removed.contains(step.to as usize) {
            let marks = current.close(step.to, step.marks, graph.marks());
            if graph.marks().is_complete(marks) {
                return Ok(Some(current.last_component()));
            }
        }
    }
    Ok(None)
}

/// A component of the current graph.
struct Root {
    /// Its first state.
    state: u32,
    /// The marks of the steps inside of it.
    marks: MarkSet,
    /// The marks of the edge by which it was entered.
    arc: MarkSet,
}

/// The current graph: the states that were entered and not removed.
#[derive(Default)]
struct Current {
    /// The number of states that were entered. They have the numbers below.
    entered: u32,
    removed: BitSet,
    /// The numbers of the states of the current graph, as intervals.
    intervals: Vec<Range<u32>>,
    roots: Vec<Root>,
}

impl Current {
    fn is_new(&self, state: u32) -> bool {
        debug_assert!(state <= self.entered, "states are numbered as they are met");
        state == self.entered
    }

    /// Adds a new state as a component of its own.
    fn enter(&mut self, state: u32, arc: MarkSet) {
        self.entered = state + 1;
        match self.intervals.last_mut() {
            Some(last) if last.end == state => last.end = state + 1,
            _ => self.intervals.push(state..state + 1),
        }
        push_slowly(&mut self.roots, Root { state, marks: MarkSet::EMPTY, arc });
    }

    /// A step back to a state: merges all components from there on. Returns the marks of the
    /// result.
    fn close(&mut self, state: u32, mut marks: MarkSet, sets: &mut MarkSets) -> MarkSet {
        while self.roots.last().is_some_and(|root| root.state > state)
            && let Some(root) = self.roots.pop()
        {
            marks = sets.union(marks, root.marks);
            marks = sets.union(marks, root.arc);
        }
        let root = self.roots.last_mut().expect("the first state is a root");
        root.marks = sets.union(root.marks, marks);
        root.marks
    }

    /// The memory of the search, at its largest.
    fn bytes(&self) -> usize {
        size_of_val(self.removed.words())
            + self.intervals.capacity() * size_of::<Range<u32>>()
            + self.roots.capacity() * size_of::<Root>()
    }

    fn last_component(&self) -> Vec<u32> {
        let first = self.roots.last().map_or(0, |root| root.state);
        let intervals = self.intervals.iter().rev().take_while(|interval| interval.end > first);
        intervals.flat_map(|interval| interval.start.max(first)..interval.end).collect()
    }

    /// Leaves a state without further steps. If it is a root, its component is removed.
    fn leave(&mut self, state: u32) -> bool {
        if self.roots.pop_if(|root| root.state == state).is_none() {
            return false;
        }
        while let Some(last) = self.intervals.pop_if(|last| last.end > state) {
            let first = last.start.max(state);
            self.removed.extend((first..last.end).map(|state| state as usize));
            if last.start < first {
                self.intervals.push(last.start..first);
            }
        }
        true
    }
}
