//! Fair paths in a finite graph, by strongly connected components.
//!
//! All conditions are about edges: a condition on states is one on the edges that leave them. An
//! infinite path is fair if it takes edges of each justice condition infinitely often and if, for
//! each pair (p, q), it takes edges with p only finitely often or edges with q infinitely often.
//!
//! From some time on, a fair path stays in a strongly connected component \[LP85\]. If a component
//! has edges with p but none with q, a fair path avoids its edges with p; so they are removed, and
//! the rest is decomposed again. A component without an edge of some justice condition has no fair
//! path. A component with edges that meets all conditions has one: it takes each edge again and
//! again.

use std::collections::VecDeque;

use kermode_base::{BitSet, components};

/// A graph with conditions on its infinite paths.
#[derive(Clone, Debug, Default)]
pub(super) struct FairGraph {
    /// The edges that leave node `n` are `first_edge[n]..first_edge[n + 1]`.
    pub(super) first_edge: Vec<usize>,
    /// The nodes where the edges lead.
    pub(super) targets: Vec<u32>,
    /// The edges of each justice condition.
    pub(super) justice: Vec<BitSet>,
    /// The edges with p and the edges with q, for each compassion condition.
    pub(super) compassion: Vec<[BitSet; 2]>,
}

/// The edges of a path, and the number of them before its loop.
pub(super) type Lasso = (Vec<usize>, usize);

/// The conditions that the edges of a component meet.
#[derive(Clone, Default)]
struct Met {
    justice: BitSet,
    /// The pairs of which p occurs, and those of which q occurs.
    p: BitSet,
    q: BitSet,
}

impl FairGraph {
    /// The edges that leave a node.
    pub(super) fn leaving(&self, node: usize) -> std::ops::Range<usize> {
        self.first_edge[node]..self.first_edge[node + 1]
    }

    /// The source of each edge.
    pub(super) fn sources(&self) -> Vec<usize> {
        let nodes = 0..self.first_edge.len() - 1;
        nodes.flat_map(|node| self.leaving(node).map(move |_| node)).collect()
    }

    /// Whether each edge lies in a component where a fair path can stay that uses allowed edges
    /// only.
    pub(super) fn fair_edges<E>(
        &self,
        is_allowed: impl Fn(usize) -> bool,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<bool>, E> {
        let mut alive: Vec<bool> = (0..self.targets.len()).map(is_allowed).collect();
        let sources = self.sources();
        loop {
            // An edge that was removed becomes a loop at its source, which joins no components.
            let target = |edge: usize| match alive[edge] {
                true => self.targets[edge] as usize,
                false => sources[edge],
            };
            let component = components(&self.first_edge, target, interrupt)?;
            let inside =
                |edge: usize| component[sources[edge]] == component[self.targets[edge] as usize];
            let mut met = vec![Met::default(); component.len()];
            for edge in 0..alive.len() {
                alive[edge] &= inside(edge);
                if alive[edge] {
                    interrupt()?;
                    self.note(edge, &mut met[component[sources[edge]]]);
                }
            }
            let before = alive.iter().filter(|alive| **alive).count();
            for edge in 0..alive.len() {
                alive[edge] &= self.may_stay(edge, &met[component[sources[edge]]]);
            }
            if alive.iter().filter(|alive| **alive).count() == before {
                return Ok(alive);
            }
        }
    }

    /// Notes which conditions an edge of a component meets.
    fn note(&self, edge: usize, met: &mut Met) {
        for (condition, edges) in self.justice.iter().enumerate() {
            if edges.contains(edge) {
                met.justice.insert(condition);
            }
        }
        for (pair, [p, q]) in self.compassion.iter().enumerate() {
            if p.contains(edge) {
                met.p.insert(pair);
            }
            if q.contains(edge) {
                met.q.insert(pair);
            }
        }
    }

    /// Whether a fair path in the component may use an edge again and again.
    fn may_stay(&self, edge: usize, met: &Met) -> bool {
        let is_just = met.justice.len() == self.justice.len();
        let mut pairs = self.compassion.iter().enumerate();
        is_just && pairs.all(|(pair, [p, _])| met.q.contains(pair) || !p.contains(edge))
    }

    /// A fair path from one of the first nodes, with a shortest prefix.
    pub(super) fn lasso<E>(
        &self,
        initial: usize,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Lasso>, E> {
        let fair = self.fair_edges(|_| true, interrupt)?;
        let may_loop = |node: usize| self.leaving(node).any(|edge| fair[edge]);
        let (mut path, home) = match (0..initial).find(|&node| may_loop(node)) {
            Some(node) => (Vec::new(), node),
            None => {
                let good = |edge: usize| may_loop(self.targets[edge] as usize);
                let Some(path) = self.path(0..initial, |_| true, good, interrupt)? else {
                    return Ok(None);
                };
                let home = self.targets[path[path.len() - 1]] as usize;
                (path, home)
            }
        };
        let loop_start = path.len();
        let mut node = home;
        for goal in self.goals(home, &fair) {
            interrupt()?;
            if path[loop_start..].iter().any(|&edge| goal.contains(edge)) {
                continue;
            }
            let leg =
                self.path([node], |edge| fair[edge], |edge| goal.contains(edge), interrupt)?;
            path.extend(leg.expect("a component is strongly connected"));
            node = self.targets[path[path.len() - 1]] as usize;
        }
        if node != home || path.len() == loop_start {
            let is_back = |edge: usize| self.targets[edge] as usize == home;
            let leg = self.path([node], |edge| fair[edge], is_back, interrupt)?;
            path.extend(leg.expect("a component is strongly connected"));
        }
        Ok(Some((path, loop_start)))
    }

    /// Sets of edges that a loop in the fair component of a node takes one of, each.
    fn goals(&self, node: usize, fair: &[bool]) -> Vec<&BitSet> {
        let mut is_reached = BitSet::new();
        let mut todo = vec![node];
        is_reached.insert(node);
        let mut has_p = vec![false; self.compassion.len()];
        while let Some(node) = todo.pop() {
            for edge in self.leaving(node).filter(|&edge| fair[edge]) {
                for (has_p, [p, _]) in has_p.iter_mut().zip(&self.compassion) {
                    *has_p |= p.contains(edge);
                }
                if is_reached.insert(self.targets[edge] as usize) {
                    todo.push(self.targets[edge] as usize);
                }
            }
        }
        let pairs = self.compassion.iter().zip(has_p).filter(|&(_, has_p)| has_p);
        self.justice.iter().chain(pairs.map(|([_, q], _)| q)).collect()
    }

    /// A shortest path from one of some nodes, along allowed edges, whose last edge is a goal.
    pub(super) fn path<E>(
        &self,
        from: impl IntoIterator<Item = usize>,
        is_allowed: impl Fn(usize) -> bool,
        is_goal: impl Fn(usize) -> bool,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Vec<usize>>, E> {
        // The edge by which each node was found, with its source.
        let mut found_by: Vec<Option<(usize, usize)>> = vec![None; self.first_edge.len() - 1];
        let mut seen = BitSet::new();
        let mut todo: VecDeque<usize> = from.into_iter().filter(|&n| seen.insert(n)).collect();
        while let Some(node) = todo.pop_front() {
            interrupt()?;
            for edge in self.leaving(node).filter(|&edge| is_allowed(edge)) {
                if is_goal(edge) {
                    let back = |&(_, source): &(usize, usize)| found_by[source];
                    let path = std::iter::successors(Some((edge, node)), back);
                    let mut path: Vec<usize> = path.map(|(edge, _)| edge).collect();
                    path.reverse();
                    return Ok(Some(path));
                }
                let target = self.targets[edge] as usize;
                if seen.insert(target) {
                    found_by[target] = Some((edge, node));
                    todo.push_back(target);
                }
            }
        }
        Ok(None)
    }

    /// The nodes from which a path of allowed edges leads into a set, which is included.
    pub(super) fn backward<E>(
        &self,
        goal: &BitSet,
        is_allowed: impl Fn(usize) -> bool,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<BitSet, E> {
        let sources = self.sources();
        let mut entering: Vec<Vec<usize>> = vec![Vec::new(); self.first_edge.len() - 1];
        for edge in (0..sources.len()).filter(|&edge| is_allowed(edge)) {
            entering[self.targets[edge] as usize].push(sources[edge]);
        }
        let mut found = goal.clone();
        let mut todo: Vec<usize> = goal.iter().collect();
        while let Some(node) = todo.pop() {
            interrupt()?;
            todo.extend(entering[node].iter().filter(|&&source| found.insert(source)));
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use kermode_base::Rng;

    use super::*;

    fn random_set(rng: &mut Rng, edges: usize) -> BitSet {
        (0..edges).filter(|_| rng.below(3) == 0).collect()
    }

    fn random_graph(rng: &mut Rng) -> FairGraph {
        let nodes = rng.between(1, 4);
        let mut graph = FairGraph { first_edge: vec![0], ..FairGraph::default() };
        for _ in 0..nodes {
            let edges = rng.below(if graph.targets.len() > 5 { 2 } else { 4 });
            graph.targets.extend((0..edges).map(|_| rng.below(nodes) as u32));
            graph.first_edge.push(graph.targets.len());
        }
        let edges = graph.targets.len();
        graph.justice = (0..rng.below(3)).map(|_| random_set(rng, edges)).collect();
        let mut pair = |_| [random_set(rng, edges), random_set(rng, edges)];
        graph.compassion = (0..2).map(&mut pair).collect();
        graph
    }

    /// Whether a path can take exactly these edges infinitely often: each leads back to its source
    /// through others.
    fn is_closed(graph: &FairGraph, edges: &BitSet) -> bool {
        let sources = graph.sources();
        let reaches = |from: usize| {
            let mut found = BitSet::from_iter([from]);
            for _ in 0..graph.first_edge.len() {
                let inside = edges.iter().filter(|&edge| found.contains(sources[edge]));
                let next: Vec<usize> = inside.map(|edge| graph.targets[edge] as usize).collect();
                found.extend(next);
            }
            found
        };
        let connects = |a: usize, b: usize| reaches(graph.targets[a] as usize).contains(sources[b]);
        !edges.is_empty() && edges.iter().all(|a| edges.iter().all(|b| connects(a, b)))
    }

    /// The definition of fairness, about the edges that a path takes infinitely often.
    fn is_fair(graph: &FairGraph, edges: &BitSet) -> bool {
        let occurs = |set: &BitSet| !set.is_disjoint(edges);
        graph.justice.iter().all(occurs)
            && graph.compassion.iter().all(|[p, q]| !occurs(p) || occurs(q))
    }

    /// Compares with all sets of edges that a fair path can take infinitely often.
    #[test]
    fn fair_edges_are_those_of_fair_paths() {
        let mut rng = Rng::new(85);
        let (mut fair_graphs, mut refined) = (0, 0);
        for round in 0..2_000 {
            let graph = random_graph(&mut rng);
            let count = graph.targets.len();
            let subsets = (0..1_usize << count)
                .map(|bits| (0..count).filter(|edge| bits >> edge & 1 == 1).collect::<BitSet>());
            let mut expected = BitSet::new();
            for set in subsets.filter(|set| is_fair(&graph, set) && is_closed(&graph, set)) {
                expected.union_with(&set);
            }
            let never = &mut || Ok::<(), Infallible>(());
            let Ok(found) = graph.fair_edges(|_| true, never);
            let found: BitSet = (0..count).filter(|&edge| found[edge]).collect();
            assert_eq!(found, expected, "round {round}: {graph:?}");
            let Ok(lasso) = graph.lasso(graph.first_edge.len() - 1, never);
            assert_eq!(lasso.is_some(), !expected.is_empty(), "round {round}: {graph:?}");
            if let Some((path, loop_start)) = lasso {
                let taken: BitSet = path[loop_start..].iter().copied().collect();
                assert!(is_fair(&graph, &taken), "round {round}: {graph:?}");
                let sources = graph.sources();
                let home = sources[path[loop_start]];
                let ends = path.iter().skip(1).map(|&edge| sources[edge]).chain([home]);
                assert!(path.iter().zip(ends).all(|(&e, end)| graph.targets[e] as usize == end));
                fair_graphs += 1;
            }
            let plain = FairGraph { compassion: Vec::new(), ..graph.clone() };
            let Ok(without) = plain.fair_edges(|_| true, never);
            refined += usize::from(without.iter().filter(|edge| **edge).count() > found.len());
        }
        assert!(fair_graphs > 500 && refined > 200, "{fair_graphs}, {refined}");
    }
}
