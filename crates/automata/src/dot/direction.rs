//! Which edges of a picture lead back. Graphviz reverses the edges that close a cycle in a search
//! depth first, in the order of the file, and draws all edges from left to right. The same search
//! tells before the drawing which edges will lead back.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    New,
    Open,
    Done,
}

/// For each edge, given its ends, whether it leads to a node from which the search came.
pub(super) fn returning<'n>(edges: impl Iterator<Item = (&'n str, &'n str)>) -> Vec<bool> {
    let mut numbers: IndexMap<&str, Vec<usize>, FxBuildHasher> = IndexMap::default();
    let mut targets: Vec<usize> = Vec::new();
    for (edge, (source, target)) in edges.enumerate() {
        numbers.entry(source).or_default().push(edge);
        let entry = numbers.entry(target);
        targets.push(entry.index());
        entry.or_default();
    }
    let mut returning = vec![false; targets.len()];
    let mut progress = vec![Progress::New; numbers.len()];
    for root in 0..numbers.len() {
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let Some(&edge) =
                numbers[*node].get(*next).filter(|_| progress[*node] != Progress::Done)
            else {
                progress[*node] = Progress::Done;
                path.pop();
                continue;
            };
            progress[*node] = Progress::Open;
            *next += 1;
            match progress[targets[edge]] {
                Progress::New => path.push((targets[edge], 0)),
                Progress::Open => returning[edge] = true,
                Progress::Done => {}
            }
        }
    }
    returning
}

#[cfg(test)]
mod tests {
    use super::returning;

    #[test]
    fn edges_that_close_cycles_lead_back() {
        let edges = [("a", "b"), ("a", "a"), ("b", "c"), ("c", "a"), ("a", "c"), ("d", "b")];
        assert_eq!(returning(edges.into_iter()), [false, true, false, true, false, false]);
    }
}
