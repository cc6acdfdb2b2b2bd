//! Graphs over numbered states, made of lists of edges, and the cycles in them.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

/// A graph by its edges, sorted by where they come from.
pub(super) struct EdgeList {
    pub(super) start: Vec<usize>,
    pub(super) targets: Vec<u32>,
}

impl EdgeList {
    pub(super) fn new(nodes: usize, mut edges: Vec<(u32, u32)>) -> Self {
        edges.sort_unstable();
        edges.dedup();
        let mut start = vec![0; nodes + 1];
        for &(from, _) in &edges {
            start[from as usize + 1] += 1;
        }
        for node in 0..nodes {
            start[node + 1] += start[node];
        }
        EdgeList { start, targets: edges.into_iter().map(|(_, to)| to).collect() }
    }

    pub(super) fn leaving(&self, node: u32) -> &[u32] {
        &self.targets[self.start[node as usize]..self.start[node as usize + 1]]
    }

    /// A shortest cycle from a node back to itself within its component, as edges.
    pub(super) fn cycle(&self, node: u32, component: &[usize]) -> Vec<(u32, u32)> {
        let mut before: FxHashMap<u32, u32> = FxHashMap::default();
        let mut queue = VecDeque::from([node]);
        'search: while let Some(from) = queue.pop_front() {
            for &to in self.leaving(from) {
                if component[to as usize] != component[node as usize] || before.contains_key(&to) {
                    continue;
                }
                before.insert(to, from);
                if to == node {
                    break 'search;
                }
                queue.push_back(to);
            }
        }
        let mut cycle = vec![(before[&node], node)];
        while cycle[cycle.len() - 1].0 != node {
            let to = cycle[cycle.len() - 1].0;
            cycle.push((before[&to], to));
        }
        cycle.reverse();
        cycle
    }
}
