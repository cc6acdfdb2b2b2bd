//! Cubes, models, and their number.
//!
//! Cubes are the paths of the diagram to true. Models are paths as well, with both values of the
//! variables that a path does not mention. Both iterators work on a copy of the diagram and store
//! one path.

use oxidd::{BooleanFunction, Function};
use oxidd_core::util::EdgeDropGuard;
use oxidd_core::{HasLevel, Manager as _, Node};

use crate::function::Bdd;
use crate::graph::{BOTTOM, DiagramGraph, GraphNode, TOP};
use crate::package::{PackageFunction, operands};
use crate::variable::{Cube, Literal, Variable, VariableSet};
use kermode_base::{BitSet, Natural};

/// The initial capacity of a cube in literals.
const FEW_LITERALS: usize = 8;

impl Bdd {
    /// The number of assignments of this many variables that make it true.
    ///
    /// # Panics
    /// When it depends on more variables.
    pub fn model_count(&self, variables: usize) -> Natural {
        let graph = DiagramGraph::of(self);
        let levels: Vec<u32> = graph.decisions().into_iter().map(|(level, _)| level).collect();
        assert!(levels.len() <= variables, "the function depends on more variables");
        // Of a constant: below all levels.
        let rank = |level| levels.binary_search(&level).unwrap_or(levels.len());
        let mut counts = vec![Natural::ZERO, Natural::from(1u64)];
        for node in &graph.nodes[2..] {
            let [mut count, high] = [node.low, node.high].map(|operand| {
                let skipped = rank(graph.node(operand).level) - rank(node.level) - 1;
                counts[operand as usize].times_two_to(skipped)
            });
            count.add(&high);
            counts.push(count);
        }
        let above = rank(graph.node(graph.root).level);
        counts[graph.root as usize].times_two_to(above + variables - levels.len())
    }

    /// The values under many assignments at once: bit `i` of `values(v)` is the value of `v` in
    /// assignment `i`, and bit `i` of the result that of the function.
    pub fn eval_bits<const N: usize>(&self, values: impl Fn(Variable) -> [u64; N]) -> [u64; N] {
        let graph = DiagramGraph::of(self);
        let mut bits = Vec::with_capacity(graph.nodes.len());
        bits.extend([[0; N], [u64::MAX; N]]);
        for node in &graph.nodes[2..] {
            let value = values(node.variable);
            let [low, high] = [node.low, node.high].map(|operand| bits[operand as usize]);
            bits.push(std::array::from_fn(|i| value[i] & high[i] | !value[i] & low[i]));
        }
        bits[graph.root as usize]
    }

    /// A cube that makes it true, if there is one. Variables are false where possible.
    pub fn pick_cube(&self) -> Option<Cube> {
        self.function.with_manager_shared(|manager, root| {
            let bottom = EdgeDropGuard::new(manager, PackageFunction::f_edge(manager));
            let bottom = bottom.borrowed();
            let mut literals = Vec::with_capacity(FEW_LITERALS);
            let mut edge = root;
            while let Node::Inner(node) = manager.get_node(edge) {
                let [low, high] = operands(node);
                let positive = low == bottom;
                let variable = Variable(manager.level_to_var(node.level()));
                literals.push(Literal { variable, positive });
                edge = if positive { high } else { low };
            }
            (edge != bottom).then(|| literals.into_iter().collect())
        })
    }

    /// Disjoint cubes whose disjunction is the function.
    pub fn cubes(&self) -> impl Iterator<Item = Cube> + use<> {
        Paths::new(DiagramGraph::of(self), None).map(|path| path.into_iter().collect())
    }

    /// All sets of these variables that make it true when the rest of them is false, as variable
    /// numbers.
    ///
    /// # Panics
    /// When it depends on other variables.
    pub fn models(&self, variables: &VariableSet) -> impl Iterator<Item = BitSet> + use<> {
        let graph = DiagramGraph::of(self);
        let support = self.support();
        let covered = support.iter().all(|&variable| variables.contains(variable));
        assert!(covered, "models are asked for over all variables of the function");
        let free = variables.variables().iter().filter(|v| support.binary_search(v).is_err());
        let steps = graph.decisions().into_iter().map(|(level, v)| PathStep::Level(level, v));
        let steps = steps.chain(free.copied().map(PathStep::Free)).collect();
        Paths::new(graph, Some(steps)).map(|path| {
            path.into_iter().filter(|l| l.positive).map(|l| l.variable.index()).collect()
        })
    }
}

/// A variable that a model decides.
#[derive(Clone, Copy)]
enum PathStep {
    Level(u32, Variable),
    /// One on which the function does not depend.
    Free(Variable),
}

enum Task {
    /// Goes on at a node, after so many steps.
    Visit(u32, usize),
    Decide(Literal),
    Undo,
}

/// The paths to true, with all steps decided where steps are given.
struct Paths {
    graph: DiagramGraph,
    steps: Option<Vec<PathStep>>,
    tasks: Vec<Task>,
    path: Vec<Literal>,
}

impl Paths {
    fn new(graph: DiagramGraph, steps: Option<Vec<PathStep>>) -> Self {
        Paths { tasks: vec![Task::Visit(graph.root, 0)], graph, steps, path: Vec::new() }
    }

    /// The next variable on the way to true, and where its values lead.
    fn decision(&self, place: u32, step: usize) -> Option<GraphNode> {
        let node = self.graph.node(place);
        let Some(steps) = &self.steps else { return (place != TOP).then_some(node) };
        Some(match *steps.get(step)? {
            PathStep::Level(level, _) if level == node.level => node,
            PathStep::Level(_, variable) | PathStep::Free(variable) => {
                GraphNode { variable, low: place, high: place, ..node }
            }
        })
    }
}

impl Iterator for Paths {
    type Item = Vec<Literal>;

    fn next(&mut self) -> Option<Vec<Literal>> {
        loop {
            match self.tasks.pop()? {
                Task::Visit(BOTTOM, _) => {}
                Task::Visit(place, step) => {
                    let Some(node) = self.decision(place, step) else {
                        return Some(self.path.clone());
                    };
                    for (positive, operand) in [(true, node.high), (false, node.low)] {
                        let literal = Literal { variable: node.variable, positive };
                        self.tasks.push(Task::Undo);
                        self.tasks.push(Task::Visit(operand, step + 1));
                        self.tasks.push(Task::Decide(literal));
                    }
                }
                Task::Decide(literal) => self.path.push(literal),
                Task::Undo => {
                    self.path.pop();
                }
            }
        }
    }
}
