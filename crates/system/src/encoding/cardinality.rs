//! Maximum cardinality search \[TY84\]: the next vertex is the one with most neighbours among those that are chosen already.
//!
//! \[RV11\] begins at a vertex of greatest degree (MCS-MAX) or of least (MCS-MIN). Where no vertex that is left has a chosen neighbour, at
//! the beginning of another component, the search begins anew by the same rule. Ties are broken by the numbers of
//! the vertices.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::variable_graph::VariableGraph;

/// The vertices in the order in which they are chosen.
pub(super) fn search(graph: &VariableGraph, from_greatest: bool) -> Vec<usize> {
    let mut seeds = seeds(graph, from_greatest).into_iter();
    let mut chosen = vec![false; graph.len()];
    let mut counts = vec![0; graph.len()];
    let mut waiting: BTreeSet<(Reverse<usize>, usize)> = BTreeSet::new();
    let mut order = Vec::with_capacity(graph.len());
    loop {
        let next = match waiting.pop_first() {
            Some((_, vertex)) => Some(vertex),
            None => seeds.find(|&vertex| !chosen[vertex]),
        };
        let Some(vertex) = next else { return order };
        chosen[vertex] = true;
        order.push(vertex);
        for &neighbour in graph.neighbours(vertex).iter().filter(|&&neighbour| !chosen[neighbour]) {
            waiting.remove(&(Reverse(counts[neighbour]), neighbour));
            counts[neighbour] += 1;
            waiting.insert((Reverse(counts[neighbour]), neighbour));
        }
    }
}

/// All vertices by degree.
fn seeds(graph: &VariableGraph, from_greatest: bool) -> Vec<usize> {
    let mut seeds: Vec<usize> = (0..graph.len()).collect();
    let degree = |vertex: &usize| graph.neighbours(*vertex).len();
    match from_greatest {
        true => seeds.sort_by_key(|vertex| Reverse(degree(vertex))),
        false => seeds.sort_by_key(degree),
    }
    seeds
}
