//! Cycles with all marks, in any graph with marks on its edges.
//!
//! From a node of a strongly connected component, the cycle goes to the nearest edge with a missing
//! mark until no mark is missing, and then back. Each part is a shortest path, found breadth first.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use kermode_base::BitSet;
use rustc_hash::FxHashMap;

use crate::frame::budget::Stop;

/// A graph over numbered nodes.
pub(crate) trait MarkedGraph {
    /// Additional data of an edge.
    type Edge;

    /// The number of marks of a fair cycle.
    fn mark_count(&self) -> usize;

    /// The edges that leave a node.
    fn leaving(&mut self, node: u32) -> Result<Vec<Leaving<Self::Edge>>, Stop>;
}

/// An edge.
pub(crate) struct Leaving<E> {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Its marks, or nothing if it is not a step: no letter is read.
    pub(crate) marks: Option<BitSet>,
    pub(crate) edge: E,
}

/// A cycle through a node that has a step and all marks and stays inside. It must exist.
pub(crate) fn fair_cycle<G: MarkedGraph>(
    graph: &mut G,
    node: u32,
    is_inside: &dyn Fn(u32) -> bool,
) -> Result<Vec<Leaving<G::Edge>>, Stop> {
    let mut missing: BitSet = (0..graph.mark_count()).collect();
    let (mut cycle, mut here, mut has_step) = (Vec::new(), node, false);
    while !missing.is_empty() || !has_step {
        let serves = |marks: &BitSet| missing.is_empty() || !marks.is_disjoint(&missing);
        let is_wanted = |edge: &Leaving<G::Edge>| edge.marks.as_ref().is_some_and(serves);
        let path = shortest_path(graph, &[here], is_inside, &is_wanted)?;
        path.iter().filter_map(|edge| edge.marks.as_ref()).for_each(|m| missing.subtract(m));
        has_step = true;
        here = path.last().map_or(here, |last| last.to);
        cycle.extend(path);
    }
    if here != node {
        cycle.extend(shortest_path(graph, &[here], is_inside, &|edge| edge.to == node)?);
    }
    Ok(cycle)
}

/// A shortest path from one of some nodes through allowed nodes whose last edge is wanted. It must
/// exist.
pub(crate) fn shortest_path<G: MarkedGraph>(
    graph: &mut G,
    from: &[u32],
    is_allowed: &dyn Fn(u32) -> bool,
    is_wanted: &dyn Fn(&Leaving<G::Edge>) -> bool,
) -> Result<Vec<Leaving<G::Edge>>, Stop> {
    let mut before: Before<G::Edge> = from.iter().map(|&node| (node, None)).collect();
    let mut queue: VecDeque<u32> = from.iter().copied().collect();
    while let Some(node) = queue.pop_front() {
        for edge in graph.leaving(node)? {
            if !is_allowed(edge.to) {
                continue;
            }
            if is_wanted(&edge) {
                return Ok(traced(edge, before));
            }
            if let Entry::Vacant(unmet) = before.entry(edge.to) {
                queue.push_back(edge.to);
                unmet.insert(Some(edge));
            }
        }
    }
    unreachable!("a path leads there")
}

/// The edge by which each node was discovered; nothing for start nodes.
type Before<E> = FxHashMap<u32, Option<Leaving<E>>>;

/// The path that ends with an edge.
fn traced<E>(last: Leaving<E>, mut before: Before<E>) -> Vec<Leaving<E>> {
    let mut path = vec![last];
    while let Some(Some(edge)) = before.remove(&path[path.len() - 1].from) {
        path.push(edge);
    }
    path.reverse();
    path
}
