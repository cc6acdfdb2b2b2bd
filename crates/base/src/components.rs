//! Tarjan's strongly connected components \[Tar72\], with an explicit stack instead of recursion.

/// The component number of each node. The edges that leave node `n` are `start[n]..start[n + 1]`,
/// and `target` maps an edge to the node where it leads.
///
/// Components are numbered from 0 in topological order: an edge leads to a node of the same
/// component or of a component with a smaller number.
pub fn components<E>(
    start: &[usize],
    target: impl Fn(usize) -> usize,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<usize>, E> {
    const NONE: usize = usize::MAX;
    let nodes = start.len() - 1;
    let mut index = vec![NONE; nodes];
    let mut low = vec![NONE; nodes];
    let mut component = vec![NONE; nodes];
    let (mut count, mut complete) = (0, 0);
    // The nodes of incomplete components; the path, with the next edge of each node.
    let (mut open, mut path) = (Vec::new(), Vec::new());
    for root in 0..nodes {
        if index[root] == NONE {
            path.push((root, start[root]));
        }
        while let Some((node, edge)) = path.pop() {
            if index[node] == NONE {
                interrupt()?;
                (index[node], low[node]) = (count, count);
                count += 1;
                open.push(node);
            }
            if edge < start[node + 1] {
                path.push((node, edge + 1));
                let next = target(edge);
                if index[next] == NONE {
                    path.push((next, start[next]));
                } else if component[next] == NONE {
                    low[node] = low[node].min(index[next]);
                }
                continue;
            }
            if let Some(&(before, _)) = path.last() {
                low[before] = low[before].min(low[node]);
            }
            if low[node] == index[node] {
                while component[node] == NONE {
                    let member = open.pop().expect("the node itself is open");
                    component[member] = complete;
                }
                complete += 1;
            }
        }
    }
    Ok(component)
}

/// As [`components()`], for nodes below `nodes` and a list of edges, each a source and a target, in
/// any order.
pub fn components_of_edges<E>(
    nodes: usize,
    edges: impl Iterator<Item = (usize, usize)> + Clone,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<usize>, E> {
    let mut start = vec![0; nodes + 1];
    edges.clone().for_each(|(source, _)| start[source + 1] += 1);
    (0..nodes).for_each(|node| start[node + 1] += start[node]);
    let (mut free, mut targets) = (start.clone(), vec![0; start[nodes]]);
    for (source, target) in edges {
        targets[free[source]] = target;
        free[source] += 1;
    }
    components(&start, |edge| targets[edge], interrupt)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::Rng;

    /// Two nodes are in one component if and only if each is reachable from the other.
    #[test]
    fn components_are_classes_of_mutual_reachability() {
        let mut rng = Rng::new(1);
        for _ in 0..2_000 {
            let nodes = rng.between(1, 7);
            let edges: Vec<(usize, usize)> =
                (0..rng.below(15)).map(|_| (rng.below(nodes), rng.below(nodes))).collect();
            let never = &mut || Ok::<(), Infallible>(());
            let Ok(component) = components_of_edges(nodes, edges.iter().copied(), never);
            let mut reaches = vec![vec![false; nodes]; nodes];
            (0..nodes).for_each(|node| reaches[node][node] = true);
            for _ in 0..nodes {
                for &(from, to) in &edges {
                    (0..nodes).for_each(|node| reaches[from][node] |= reaches[to][node]);
                }
            }
            for a in 0..nodes {
                for b in 0..nodes {
                    let mutual = reaches[a][b] && reaches[b][a];
                    assert_eq!(component[a] == component[b], mutual, "{edges:?}");
                    assert!(!reaches[a][b] || component[a] >= component[b], "{edges:?}");
                }
            }
        }
    }

    #[test]
    fn an_interrupt_ends_the_search() {
        let stopped = components(&[0, 1, 2], |edge| 1 - edge, &mut || Err("stop"));
        assert_eq!(stopped, Err("stop"));
    }
}
