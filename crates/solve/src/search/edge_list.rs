//! Graphs over numbered states as lists of edges with marks, and their fair components.

use kermode_base::{BitSet, components};
use rustc_hash::FxHashMap;

use super::fair_cycle::{self, Leaving, MarkedGraph};
use crate::frame::budget::{Budget, Stop};

/// An edge with the index of its marks, or [`FREE`](Edge::FREE).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) marks: u32,
}

impl Edge {
    /// The marks of an edge that is not a step: no letter is read.
    pub(crate) const FREE: u32 = u32::MAX;

    pub(crate) fn is_step(self) -> bool {
        self.marks != Edge::FREE
    }
}

/// A graph as a list of edges, sorted by source.
pub(crate) struct EdgeList<'m> {
    start: Vec<usize>,
    edges: Vec<Edge>,
    /// The sets of marks that edges refer to.
    marks: &'m dyn Fn(u32) -> &'m BitSet,
    mark_count: usize,
    budget: &'m Budget,
}

/// A component with a cycle that has all marks.
pub(crate) struct FairComponent {
    component: Vec<usize>,
    number: usize,
    /// One of its nodes.
    node: u32,
}

impl<'m> EdgeList<'m> {
    pub(crate) fn new(
        nodes: usize,
        mut edges: Vec<Edge>,
        marks: &'m dyn Fn(u32) -> &'m BitSet,
        mark_count: usize,
        budget: &'m Budget,
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
        EdgeList { start, edges, marks, mark_count, budget }
    }

    /// A component with a step and all marks.
    pub(crate) fn fair_component(&self) -> Result<Option<FairComponent>, Stop> {
        let target = |edge: usize| self.edges[edge].to as usize;
        let component = components(&self.start, target, &mut || self.budget.check())?;
        let mut seen: FxHashMap<usize, BitSet> = FxHashMap::default();
        for edge in self.edges.iter().filter(|edge| edge.is_step()) {
            let inside = component[edge.from as usize];
            if component[edge.to as usize] == inside {
                let seen = seen.entry(inside).or_default();
                seen.union_with((self.marks)(edge.marks));
                if seen.len() == self.mark_count {
                    let (number, node) = (inside, edge.from);
                    return Ok(Some(FairComponent { component, number, node }));
                }
            }
        }
        Ok(None)
    }

    /// A cycle in a component that has all marks.
    pub(crate) fn fair_cycle(&mut self, fair: &FairComponent) -> Result<Vec<Edge>, Stop> {
        let is_inside = |node: u32| fair.component[node as usize] == fair.number;
        let cycle = fair_cycle::fair_cycle(self, fair.node, &is_inside)?;
        Ok(cycle.into_iter().map(|leaving| leaving.edge).collect())
    }
}

impl MarkedGraph for EdgeList<'_> {
    type Edge = Edge;

    fn mark_count(&self) -> usize {
        self.mark_count
    }

    fn leaving(&mut self, node: u32) -> Result<Vec<Leaving<Edge>>, Stop> {
        let edges = &self.edges[self.start[node as usize]..self.start[node as usize + 1]];
        let leaving = |&edge: &Edge| {
            let marks = edge.is_step().then(|| (self.marks)(edge.marks).clone());
            Leaving { from: node, to: edge.to, marks, edge }
        };
        Ok(edges.iter().map(leaving).collect())
    }
}
