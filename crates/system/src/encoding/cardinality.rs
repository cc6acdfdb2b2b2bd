//! Maximum cardinality search \[TY84\]: the next vertex is the one with the most chosen neighbours.
//!
//! \[RV11\] begins at a vertex of greatest degree (MCS-MAX) or of least degree (MCS-MIN). If no
//! remaining vertex has a chosen neighbour, at the beginning of another component, the search
//! restarts by the same rule. The numbers of the vertices break ties.

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

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use kermode_base::Rng;

    use super::{VariableGraph, search};

    fn by_definition(graph: &VariableGraph, from_greatest: bool) -> Vec<usize> {
        let mut order: Vec<usize> = Vec::new();
        while order.len() < graph.len() {
            let waiting = (0..graph.len()).filter(|vertex| !order.contains(vertex));
            let key = |&vertex: &usize| {
                let neighbours = graph.neighbours(vertex);
                let degree = neighbours.len() as isize;
                let chosen = neighbours.iter().filter(|&other| order.contains(other)).count();
                let seed = if chosen > 0 {
                    0
                } else if from_greatest {
                    degree
                } else {
                    -degree
                };
                (chosen, seed, Reverse(vertex))
            };
            order.push(waiting.max_by_key(key).expect("a vertex"));
        }
        order
    }

    #[test]
    fn searches_are_their_definition() {
        let mut rng = Rng::new(6);
        for _ in 0..500 {
            let vertices = rng.between(1, 14);
            let graph = VariableGraph::random(&mut rng, vertices);
            for from_greatest in [true, false] {
                assert_eq!(search(&graph, from_greatest), by_definition(&graph, from_greatest));
            }
        }
    }
}
