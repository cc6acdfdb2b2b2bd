//! Couvreur's emptiness check (Fig. 3 of \[Cou99\]): a depth-first search that maintains the
//! components of the traversed graph and their marks, so that it ends with the step that completes
//! an accepting component.
//!
//! States of the *current graph* are numbered by their *order* of discovery. `roots` has the first
//! state of each component with the marks inside of the component and the marks of the edge by
//! which it was entered. A step to a state of the current graph merges its component with all later
//! ones. When the search leaves a root, its component is complete and not accepting: it is
//! *removed*.
//!
//! Invariants (properties 1 to 3 of the paper): no removed component accepts; the components of the
//! current graph are the intervals of orders between two roots.
//!
//! Departs from the print:
//! - line 19 asks for the order of `w`, line 22 compares with it, and line 33 returns to the order
//!   of `v`;
//! - nothing is recursive. The states of a component to remove are at the end of the list of the
//!   current graph, by the third property; the paper follows the steps again;
//! - there may be several initial states;
//! - property 4 is not used for counterexamples: the edge into a root need not come from the state
//!   just before it.

use super::graph::{MarkSet, MarkSets, SearchGraph};
use crate::frame::budget::Stop;

/// The order of an undiscovered state.
const NEW: u32 = u32::MAX;
/// The order of a removed state.
const REMOVED: u32 = 0;

/// The states of an accepting component of the traversed graph, or nothing if the graph has none.
pub fn couvreur<G: SearchGraph>(graph: &mut G) -> Result<Option<Vec<u32>>, Stop> {
    let (mut current, mut path) = (Current::default(), Vec::new());
    let found = components(graph, &mut current, &mut path);
    let bytes = current.bytes() + path.capacity() * size_of::<G::Frame>();
    graph.counts().bytes = bytes as u64;
    found
}

fn components<G: SearchGraph>(
    graph: &mut G,
    current: &mut Current,
    path: &mut Vec<G::Frame>,
) -> Result<Option<Vec<u32>>, Stop> {
    while let Some(start) = graph.next_initial()? {
        if current.order_of(start) == NEW {
            graph.counts().rows += 1;
            let found = explore(graph, current, path, start)?;
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
    path: &mut Vec<G::Frame>,
    start: u32,
) -> Result<Option<Vec<u32>>, Stop> {
    current.enter(start, MarkSet::EMPTY);
    path.push(graph.frame(start)?);
    while let Some(frame) = path.last_mut() {
        graph.counts().rows += 1;
        let Some(step) = graph.advance(frame)? else {
            let is_root = current.leave(graph.state_of(frame));
            graph.counts().components += u64::from(is_root);
            path.pop();
            continue;
        };
        match current.order_of(step.to) {
            NEW => {
                current.enter(step.to, step.marks);
                path.push(graph.frame(step.to)?);
                graph.counts().deepest(path.len());
            }
            REMOVED => {}
            order => {
                let marks = current.close(order, step.marks, graph.marks());
                if graph.marks().is_complete(marks) {
                    return Ok(Some(current.last_component().to_vec()));
                }
            }
        }
    }
    Ok(None)
}

/// A component of the current graph.
struct Root {
    /// The order of its first state.
    order: u32,
    /// The marks of the steps inside of it.
    marks: MarkSet,
    /// The marks of the edge by which it was entered.
    arc: MarkSet,
}

/// The current graph.
#[derive(Default)]
struct Current {
    /// The order of each state, by its number.
    order: Vec<u32>,
    /// The states by their orders, from 1.
    states: Vec<u32>,
    roots: Vec<Root>,
}

impl Current {
    fn order_of(&self, state: u32) -> u32 {
        self.order.get(state as usize).copied().unwrap_or(NEW)
    }

    fn set_order(&mut self, state: u32, order: u32) {
        let place = state as usize;
        if place >= self.order.len() {
            self.order.resize(place + 1, NEW);
        }
        self.order[place] = order;
    }

    /// Adds a new state as a component of its own.
    fn enter(&mut self, state: u32, arc: MarkSet) {
        self.states.push(state);
        let order = self.states.len() as u32;
        self.set_order(state, order);
        self.roots.push(Root { order, marks: MarkSet::EMPTY, arc });
    }

    /// A step back to the state with an order: merges all components from there on. Returns the
    /// marks of the result.
    fn close(&mut self, order: u32, mut marks: MarkSet, sets: &mut MarkSets) -> MarkSet {
        while self.roots.last().is_some_and(|root| root.order > order)
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
        (self.order.len() + self.states.capacity()) * size_of::<u32>()
            + self.roots.capacity() * size_of::<Root>()
    }

    fn last_component(&self) -> &[u32] {
        let first = self.roots.last().map_or(0, |root| root.order as usize - 1);
        &self.states[first..]
    }

    /// Leaves a state without further steps. If it is a root, its component is removed.
    fn leave(&mut self, state: u32) -> bool {
        let order = self.order_of(state);
        if self.roots.pop_if(|root| root.order == order).is_none() {
            return false;
        }
        let first = order as usize - 1;
        for place in first..self.states.len() {
            self.set_order(self.states[place], REMOVED);
        }
        self.states.truncate(first);
        true
    }
}
