//! Graphs over numbered states, made of lists of edges with marks, and the cycles in them that have all marks.

use std::collections::VecDeque;

use kermode_base::BitSet;
use kermode_base::components;
use rustc_hash::FxHashMap;

use crate::frame::budget::{Budget, Stop};

/// An edge, its marks by their number, or [`FREE`](Edge::FREE).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) marks: u32,
}

impl Edge {
    /// The marks of an edge that is no step: no letter is read there.
    pub(crate) const FREE: u32 = u32::MAX;

    pub(crate) fn is_step(self) -> bool {
        self.marks != Edge::FREE
    }
}

/// A graph by its edges, sorted by where they come from.
pub(crate) struct EdgeList<'m> {
    start: Vec<usize>,
    edges: Vec<Edge>,
    /// The sets of marks that edges refer to.
    marks: &'m dyn Fn(u32) -> &'m BitSet,
    mark_count: usize,
}

/// A component in which a cycle has all marks.
pub(crate) struct Fair {
    component: Vec<usize>,
    number: usize,
}

impl<'m> EdgeList<'m> {
    pub(crate) fn new(
        nodes: usize,
        mut edges: Vec<Edge>,
        marks: &'m dyn Fn(u32) -> &'m BitSet,
        mark_count: usize,
    ) -> Self {
        edges.sort_unstable();
        edges.dedup();
        let mut start = vec![0; nodes + 1];
        for edge in &edges {
            start[edge.from as usize + 1] += 1;
        }
        for node in 0..nodes {
            start[node + 1] += start[node];
        }
        EdgeList { start, edges, marks, mark_count }
    }

    fn leaving(&self, node: u32) -> &[Edge] {
        &self.edges[self.start[node as usize]..self.start[node as usize + 1]]
    }

    /// A component with a step and all marks.
    pub(crate) fn fair_component(&self, budget: &Budget) -> Result<Option<Fair>, Stop> {
        let target = |edge: usize| self.edges[edge].to as usize;
        let component = components(&self.start, target, &mut || budget.check())?;
        let mut seen: FxHashMap<usize, BitSet> = FxHashMap::default();
        for edge in self.edges.iter().filter(|edge| edge.is_step()) {
            let inside = component[edge.from as usize];
            if component[edge.to as usize] == inside {
                let seen = seen.entry(inside).or_default();
                seen.union_with((self.marks)(edge.marks));
                if seen.len() == self.mark_count {
                    return Ok(Some(Fair { component, number: inside }));
                }
            }
        }
        Ok(None)
    }

    /// A cycle through a component that has all marks, the nearest missing one next; and back.
    pub(crate) fn fair_cycle(&self, fair: &Fair) -> Vec<Edge> {
        let mut missing: BitSet = (0..self.mark_count).collect();
        let useful = |edge: Edge, missing: &BitSet| {
            let serves = || !(self.marks)(edge.marks).is_disjoint(missing);
            edge.is_step() && (self.mark_count == 0 || serves())
        };
        let is_inside = |edge: &&Edge| self.is_inside(**edge, fair);
        let mut steps = self.edges.iter().filter(is_inside).filter(|&&edge| useful(edge, &missing));
        let first = *steps.next().expect("a fair component has a step with a mark");
        missing.subtract((self.marks)(first.marks));
        let mut cycle = vec![first];
        while !missing.is_empty() {
            let from = cycle[cycle.len() - 1].to;
            let path = self.path(from, fair, &|edge| useful(edge, &missing));
            path.iter()
                .filter(|edge| edge.is_step())
                .for_each(|edge| missing.subtract((self.marks)(edge.marks)));
            cycle.extend(path);
        }
        let last = cycle[cycle.len() - 1].to;
        if last != first.from {
            cycle.extend(self.path(last, fair, &|edge| edge.to == first.from));
        }
        cycle
    }

    fn is_inside(&self, edge: Edge, fair: &Fair) -> bool {
        fair.component[edge.from as usize] == fair.number
            && fair.component[edge.to as usize] == fair.number
    }

    /// A shortest path inside a component whose last edge is wanted.
    fn path(&self, from: u32, fair: &Fair, wanted: &dyn Fn(Edge) -> bool) -> Vec<Edge> {
        let mut before: FxHashMap<u32, Edge> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for &edge in self.leaving(node).iter().filter(|&&edge| self.is_inside(edge, fair)) {
                if wanted(edge) {
                    let mut path = vec![edge];
                    while path[path.len() - 1].from != from {
                        path.push(before[&path[path.len() - 1].from]);
                    }
                    path.reverse();
                    return path;
                }
                if edge.to != from && !before.contains_key(&edge.to) {
                    before.insert(edge.to, edge);
                    queue.push_back(edge.to);
                }
            }
        }
        unreachable!("a component is strongly connected")
    }
}
