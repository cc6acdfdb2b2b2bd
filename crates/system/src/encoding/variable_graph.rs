//! The variable graph of an encoding \[RV11\]: the parse tree of the formula without subformulas
//! that have no variable.
//!
//! A subformula is *labelled* if its primary operator has variables: a proposition, an elementary
//! variable, a promise. There is one vertex per label, however often the subformula occurs. A
//! vertex with two variables has them side by side in every order, which is our reading of the
//! paper. Arcs lead from each vertex to the closest labelled subformulas below, from left to right.
//! In state-based form `X g` and a fixpoint `g` have one variable, hence one vertex.
//!
//! Invariant: **vertices are numbered in preorder**, depth first and from left to right, from the
//! closest labelled subformulas of the whole formula. That is the naive order, and it breaks ties
//! in all others.

use rustc_hash::FxHashMap;

use super::closure::Closure;
use super::{VariableOrder, cardinality, lexicographic};
use crate::graph::Variable;

pub(super) struct VariableGraph {
    /// The variables of each vertex.
    variables: Vec<Vec<Variable>>,
    /// The targets of the arcs of each vertex, from left to right.
    below: Vec<Vec<usize>>,
    /// The same in both directions, in increasing order.
    neighbours: Vec<Vec<usize>>,
    /// The vertices below the whole formula, from left to right.
    roots: Vec<usize>,
}

impl VariableGraph {
    /// The graph of a closure, whose subformulas have these variables by position.
    pub(super) fn new<E>(
        closure: &Closure,
        labels: Vec<Vec<Variable>>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut numbering = Numbering::new(closure, labels);
        let whole = numbering.closest(vec![closure.root()], None);
        let mut todo: Vec<usize> = whole.iter().rev().copied().collect();
        while let Some(position) = todo.pop() {
            interrupt()?;
            todo.extend(numbering.visit(position).into_iter().rev());
        }
        let roots = numbering.vertices(&whole);
        let below: Vec<Vec<usize>> =
            numbering.arcs.iter().map(|arcs| numbering.vertices(arcs)).collect();
        let neighbours = symmetric(&below);
        Ok(VariableGraph { variables: numbering.variables, below, neighbours, roots })
    }

    /// How many vertices there are.
    pub(super) fn len(&self) -> usize {
        self.variables.len()
    }

    /// The neighbours of a vertex, in increasing order.
    pub(super) fn neighbours(&self, vertex: usize) -> &[usize] {
        &self.neighbours[vertex]
    }

    /// All variables in an order.
    pub(super) fn arrange<E>(
        &self,
        order: VariableOrder,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<Variable>, E> {
        let vertices = match order {
            VariableOrder::Naive => (0..self.len()).collect(),
            VariableOrder::Default => self.operands_first(),
            VariableOrder::Lexp => lexicographic::perfect(self),
            VariableOrder::Lexm => lexicographic::minimal(self, interrupt)?,
            VariableOrder::McsMax => cardinality::search(self, true),
            VariableOrder::McsMin => cardinality::search(self, false),
        };
        Ok(vertices.into_iter().flat_map(|vertex| self.variables[vertex].iter().copied()).collect())
    }

    /// Our default: depth first, the higher operand first \[MWBS88\], each vertex *after* those
    /// below it. A vertex stands just below its operands, and the highest operands are on top.
    fn operands_first(&self) -> Vec<usize> {
        let heights = self.heights();
        let by_height = |vertices: &[usize]| {
            let mut vertices = vertices.to_vec();
            // The last vertex is visited first. The sort is stable, so it keeps the order of ties.
            vertices.reverse();
            vertices.sort_by_key(|&vertex| heights[vertex]);
            vertices
        };
        let mut order = Vec::with_capacity(self.len());
        let mut entered = vec![false; self.len()];
        let mut path: Vec<(usize, bool)> =
            by_height(&self.roots).into_iter().map(|root| (root, false)).collect();
        while let Some((vertex, done)) = path.pop() {
            if done {
                order.push(vertex);
            } else if !std::mem::replace(&mut entered[vertex], true) {
                path.push((vertex, true));
                path.extend(by_height(&self.below[vertex]).into_iter().map(|next| (next, false)));
            }
        }
        order
    }

    /// The length of the longest path down from each vertex.
    fn heights(&self) -> Vec<usize> {
        const UNKNOWN: usize = usize::MAX;
        let mut heights = vec![UNKNOWN; self.len()];
        let mut todo: Vec<usize> = (0..self.len()).collect();
        while let Some(&vertex) = todo.last() {
            let below = &self.below[vertex];
            let unknown = below.iter().copied().filter(|&next| heights[next] == UNKNOWN);
            let before = todo.len();
            todo.extend(unknown);
            if todo.len() == before {
                heights[vertex] = below.iter().map(|&next| heights[next] + 1).max().unwrap_or(0);
                todo.pop();
            }
        }
        heights
    }
}

#[cfg(test)]
impl VariableGraph {
    /// A random graph, for tests of orders.
    pub(super) fn random(rng: &mut kermode_base::Rng, vertices: usize) -> Self {
        let mut below = vec![Vec::new(); vertices];
        for _ in 0..rng.below(4 * vertices) {
            let (a, b) = (rng.below(vertices), rng.below(vertices));
            if a < b {
                below[a].push(b);
            }
        }
        let neighbours = symmetric(&below);
        VariableGraph {
            variables: vec![Vec::new(); vertices],
            below,
            neighbours,
            roots: Vec::new(),
        }
    }
}

/// The arcs in both directions, without repetitions.
fn symmetric(below: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); below.len()];
    for (vertex, arcs) in below.iter().enumerate() {
        for &next in arcs {
            neighbours[vertex].push(next);
            neighbours[next].push(vertex);
        }
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    neighbours
}

/// Numbers vertices in order of discovery.
struct Numbering<'a> {
    closure: &'a Closure,
    labels: Vec<Vec<Variable>>,
    numbers: FxHashMap<Variable, usize>,
    variables: Vec<Vec<Variable>>,
    /// By vertex, the positions of the labelled subformulas below.
    arcs: Vec<Vec<usize>>,
    /// The last search that visited each position.
    seen: Vec<usize>,
    searches: usize,
}

impl<'a> Numbering<'a> {
    fn new(closure: &'a Closure, labels: Vec<Vec<Variable>>) -> Self {
        let seen = vec![0; closure.len()];
        let (variables, arcs) = (Vec::new(), Vec::new());
        let numbers = FxHashMap::default();
        Numbering { closure, labels, numbers, variables, arcs, seen, searches: 0 }
    }

    /// Creates the vertex of a labelled position, if there is none. Returns the positions to
    /// continue with.
    fn visit(&mut self, position: usize) -> Vec<usize> {
        let variable = self.labels[position][0];
        if self.numbers.contains_key(&variable) {
            return Vec::new();
        }
        self.numbers.insert(variable, self.variables.len());
        self.variables.push(self.labels[position].clone());
        let operands = self.operands(position);
        let arcs = self.closest(operands, Some(variable));
        self.arcs.push(arcs.clone());
        arcs
    }

    fn operands(&self, position: usize) -> Vec<usize> {
        let operands = self.closure.shape(position).operands();
        operands.map(|operand| self.closure.position(operand)).collect()
    }

    /// The closest labelled positions below some positions, from left to right. Positions with the
    /// variable `own` are skipped.
    fn closest(&mut self, mut todo: Vec<usize>, own: Option<Variable>) -> Vec<usize> {
        self.searches += 1;
        todo.reverse();
        let mut found = Vec::new();
        while let Some(position) = todo.pop() {
            if std::mem::replace(&mut self.seen[position], self.searches) == self.searches {
                continue;
            }
            match self.labels[position].first() {
                Some(&variable) if Some(variable) != own => found.push(position),
                _ => todo.extend(self.operands(position).into_iter().rev()),
            }
        }
        found
    }

    /// The vertices of labelled positions.
    fn vertices(&self, positions: &[usize]) -> Vec<usize> {
        positions.iter().map(|&position| self.numbers[&self.labels[position][0]]).collect()
    }
}
