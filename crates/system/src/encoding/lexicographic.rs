//! Lexicographic breadth-first search in its two variants \[RTL76\]: LEX P for perfect elimination
//! orders, and LEX M for minimal ones.
//!
//! Vertices are chosen one by one. The label of a remaining vertex is the list of its chosen
//! neighbours, earlier ones counting more, and the vertex with the greatest label is next. In LEX M
//! a chosen vertex also counts as a neighbour if a path over remaining vertices with smaller labels
//! leads to it. \[RV11\] uses the order of choice as the variable order. The numbers of the
//! vertices break ties, the first choice included; the paper does not say how.

use std::collections::BTreeSet;

use super::variable_graph::VariableGraph;

/// LEX P by partition refinement: the remaining vertices are kept in classes of equal labels, the
/// greatest first, and a chosen vertex splits its neighbours off from their classes.
pub(super) fn perfect(graph: &VariableGraph) -> Vec<usize> {
    let mut classes = LabelClasses::new(graph.len());
    let mut order = Vec::with_capacity(graph.len());
    while let Some(chosen) = classes.take_first() {
        order.push(chosen);
        classes.split(graph.neighbours(chosen));
    }
    order
}

/// A list of sets of vertices.
struct LabelClasses {
    members: Vec<BTreeSet<usize>>,
    /// The class with the next smaller label, and the one with the next greater.
    after: Vec<Option<usize>>,
    before: Vec<Option<usize>>,
    first: Option<usize>,
    /// The class of each vertex that is not chosen.
    class: Vec<Option<usize>>,
}

impl LabelClasses {
    /// All labels are empty.
    fn new(vertices: usize) -> Self {
        LabelClasses {
            members: vec![(0..vertices).collect()],
            after: vec![None],
            before: vec![None],
            first: Some(0),
            class: vec![Some(0); vertices],
        }
    }

    fn take_first(&mut self) -> Option<usize> {
        let class = self.first?;
        let vertex = self.members[class].pop_first()?;
        self.class[vertex] = None;
        self.unlink_if_empty(class);
        Some(vertex)
    }

    /// Makes the labels of these vertices greater, each by the same new entry.
    fn split(&mut self, vertices: &[usize]) {
        let olds = self.members.len();
        // For each class, the part that is split off.
        let mut parts = rustc_hash::FxHashMap::default();
        for &vertex in vertices {
            let Some(old) = self.class[vertex] else { continue };
            debug_assert!(old < olds, "a vertex is a neighbour once");
            let part = *parts.entry(old).or_insert_with(|| self.insert_before(old));
            self.members[old].remove(&vertex);
            self.members[part].insert(vertex);
            self.class[vertex] = Some(part);
            self.unlink_if_empty(old);
        }
    }

    fn insert_before(&mut self, class: usize) -> usize {
        let new = self.members.len();
        self.members.push(BTreeSet::new());
        let greater = self.before[class];
        self.after.push(Some(class));
        self.before.push(greater);
        self.before[class] = Some(new);
        self.link(greater, Some(new));
        new
    }

    fn unlink_if_empty(&mut self, class: usize) {
        if self.members[class].is_empty() {
            let (before, after) = (self.before[class], self.after[class]);
            self.link(before, after);
            if let Some(after) = after {
                self.before[after] = before;
            }
        }
    }

    /// Links a class, or the head of the list, to its successor.
    fn link(&mut self, class: Option<usize>, after: Option<usize>) {
        match class {
            Some(class) => self.after[class] = after,
            None => self.first = after,
        }
    }
}

/// LEX M as in \[RTL76\]: labels are numbers, made dense again after each choice, and the vertices
/// reachable over smaller labels are found label by label. It takes time in the product of vertices
/// and edges.
pub(super) fn minimal<E>(
    graph: &VariableGraph,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<usize>, E> {
    let mut labels = vec![0; graph.len()];
    let mut waiting: Vec<usize> = (0..graph.len()).collect();
    let mut order = Vec::with_capacity(graph.len());
    while !waiting.is_empty() {
        interrupt()?;
        let chosen = take_greatest(&mut waiting, &labels);
        order.push(chosen);
        for vertex in knowing(graph, chosen, &waiting, &labels) {
            labels[vertex] += 1;
        }
        make_dense(&waiting, &mut labels);
    }
    Ok(order)
}

/// Removes the vertex with the greatest label, and of several the one with the smallest number.
fn take_greatest(waiting: &mut Vec<usize>, labels: &[usize]) -> usize {
    let greatest = |&i: &usize| (labels[waiting[i]], std::cmp::Reverse(i));
    let place = (0..waiting.len()).max_by_key(greatest).expect("a vertex is waiting");
    waiting.remove(place)
}

/// The vertices whose labels get the chosen vertex. Labels are even.
fn knowing(
    graph: &VariableGraph,
    chosen: usize,
    waiting: &[usize],
    labels: &[usize],
) -> Vec<usize> {
    let count = waiting.iter().map(|&vertex| labels[vertex] / 2 + 1).max().unwrap_or(0);
    // Vertices on the border of the reached ones, by the greatest label on the path to them, their
    // own included.
    let mut reached: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut fresh = vec![false; graph.len()];
    waiting.iter().for_each(|&vertex| fresh[vertex] = true);
    let mut knowing = Vec::new();
    for &vertex in graph.neighbours(chosen) {
        if std::mem::replace(&mut fresh[vertex], false) {
            reached[labels[vertex] / 2].push(vertex);
            knowing.push(vertex);
        }
    }
    for label in 0..count {
        while let Some(vertex) = reached[label].pop() {
            for &next in graph.neighbours(vertex) {
                if std::mem::replace(&mut fresh[next], false) {
                    let own = labels[next] / 2;
                    reached[own.max(label)].push(next);
                    if own > label {
                        knowing.push(next);
                    }
                }
            }
        }
    }
    knowing
}

/// The same order of labels by the smallest even numbers.
fn make_dense(waiting: &[usize], labels: &mut [usize]) {
    let mut distinct: Vec<usize> = waiting.iter().map(|&vertex| labels[vertex]).collect();
    distinct.sort_unstable();
    distinct.dedup();
    for &vertex in waiting {
        labels[vertex] = 2 * distinct.partition_point(|&label| label < labels[vertex]);
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use kermode_base::Rng;

    use super::{VariableGraph, minimal, perfect};

    /// The definition: labels are lists of numbers, from the number of vertices downwards.
    fn by_definition(
        graph: &VariableGraph,
        knows: impl Fn(&[Option<Vec<usize>>], usize, usize) -> bool,
    ) -> Vec<usize> {
        let mut labels: Vec<Option<Vec<usize>>> = vec![Some(Vec::new()); graph.len()];
        let mut order = Vec::new();
        for number in (0..graph.len()).rev() {
            let waiting = (0..graph.len()).filter(|&vertex| labels[vertex].is_some());
            let chosen =
                waiting.max_by_key(|&v| (labels[v].clone(), Reverse(v))).expect("a vertex");
            order.push(chosen);
            labels[chosen] = None;
            let before = labels.clone();
            for (vertex, label) in labels.iter_mut().enumerate() {
                if let Some(label) = label.as_mut().filter(|_| knows(&before, chosen, vertex)) {
                    label.push(number);
                }
            }
        }
        order
    }

    /// Whether a path leads from the chosen vertex to another, through remaining vertices with
    /// smaller labels.
    fn reaches(
        graph: &VariableGraph,
        labels: &[Option<Vec<usize>>],
        chosen: usize,
        goal: usize,
    ) -> bool {
        let mut seen = vec![false; graph.len()];
        let mut todo = vec![chosen];
        while let Some(vertex) = todo.pop() {
            for &next in graph.neighbours(vertex) {
                if next == goal {
                    return true;
                }
                let smaller = labels[next].is_some() && labels[next] < labels[goal];
                if smaller && !std::mem::replace(&mut seen[next], true) {
                    todo.push(next);
                }
            }
        }
        false
    }

    #[test]
    fn both_variants_are_their_definitions() {
        let mut rng = Rng::new(5);
        let mut differ = 0;
        for _ in 0..500 {
            let vertices = rng.between(1, 14);
            let graph = VariableGraph::random(&mut rng, vertices);
            let adjacent = |_: &[Option<Vec<usize>>], a, b| graph.neighbours(a).contains(&b);
            assert_eq!(perfect(&graph), by_definition(&graph, adjacent));
            let found = minimal::<()>(&graph, &mut || Ok(())).expect("no interrupt");
            let joined = |labels: &[Option<Vec<usize>>], a, b| reaches(&graph, labels, a, b);
            assert_eq!(found, by_definition(&graph, joined));
            differ += usize::from(found != perfect(&graph));
        }
        assert!(differ > 30, "the variants differ {differ} times");
    }
}
