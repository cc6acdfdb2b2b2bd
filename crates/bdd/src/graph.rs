//! A copy of one function's diagram as a plain graph.
//!
//! Algorithms that only read a diagram (support, models, minimal models, pictures) work on such a
//! copy: without locks, without recursion, and independent of how the package stores nodes.
//! Invariant: operands come before the nodes that have them, and the root is last. So a pass in
//! order is a bottom-up pass.

use oxidd::{BooleanFunction, Function};
use oxidd_core::util::EdgeDropGuard;
use oxidd_core::{HasLevel, Manager as _, Node};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::function::Bdd;
use crate::package::{PackageFunction, operands};
use crate::variable::Variable;

/// The index of the false function.
pub(crate) const BOTTOM: u32 = 0;
/// The index of the true function.
pub(crate) const TOP: u32 = 1;

/// The initial capacity in nodes. Labels of automata are small.
const FEW: usize = 14;

/// A node: `high` where its variable is true, else `low`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct GraphNode {
    /// The level of its variable in the order. Constants are below all variables.
    pub(crate) level: u32,
    pub(crate) variable: Variable,
    pub(crate) low: u32,
    pub(crate) high: u32,
}

/// The diagram of a function; the first two nodes are the constants.
#[derive(Clone, Debug)]
pub(crate) struct DiagramGraph {
    pub(crate) nodes: Vec<GraphNode>,
    pub(crate) root: u32,
}

impl DiagramGraph {
    pub(crate) fn of(bdd: &Bdd) -> DiagramGraph {
        bdd.function.with_manager_shared(|manager, root| {
            let constants = [PackageFunction::f_edge(manager), PackageFunction::t_edge(manager)];
            let constants = constants.map(|edge| EdgeDropGuard::new(manager, edge));
            let mut nodes = Vec::with_capacity(FEW);
            let mut places = FxHashMap::with_capacity_and_hasher(FEW, FxBuildHasher);
            for (place, edge) in (0..).zip(&constants) {
                let constant = Variable(u32::MAX);
                nodes.push(GraphNode {
                    level: u32::MAX,
                    variable: constant,
                    low: place,
                    high: place,
                });
                places.insert(edge.borrowed().raw(), place);
            }
            let mut stack = vec![root];
            while let Some(&edge) = stack.last() {
                let Node::Inner(node) = manager.get_node(edge) else {
                    stack.pop();
                    continue;
                };
                let [low, high] = operands(node);
                match (places.get(&low.raw()), places.get(&high.raw())) {
                    (Some(&low), Some(&high)) => {
                        stack.pop();
                        let level = node.level();
                        let variable = Variable(manager.level_to_var(level));
                        places.entry(edge.raw()).or_insert_with(|| {
                            nodes.push(GraphNode { level, variable, low, high });
                            nodes.len() as u32 - 1
                        });
                    }
                    (low_place, high_place) => {
                        stack.extend(low_place.is_none().then_some(low));
                        stack.extend(high_place.is_none().then_some(high));
                    }
                }
            }
            DiagramGraph { root: places[&root.raw()], nodes }
        })
    }

    pub(crate) fn node(&self, place: u32) -> GraphNode {
        self.nodes[place as usize]
    }

    /// The number of nodes without constants.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() - 2
    }

    /// The levels of the nodes with their variables, from the top.
    pub(crate) fn decisions(&self) -> Vec<(u32, Variable)> {
        let mut decisions: Vec<_> =
            self.nodes[2..].iter().map(|node| (node.level, node.variable)).collect();
        decisions.sort_unstable();
        decisions.dedup();
        decisions
    }
}

/// Visits the nodes of a diagram without constants, each once, until `visit` returns false. It gets
/// the variable.
pub(crate) fn visit_nodes(bdd: &Bdd, mut visit: impl FnMut(Variable) -> bool) {
    bdd.function.with_manager_shared(|manager, root| {
        let mut seen = FxHashSet::with_capacity_and_hasher(FEW, FxBuildHasher);
        let mut stack = vec![root];
        while let Some(edge) = stack.pop() {
            let Node::Inner(node) = manager.get_node(edge) else { continue };
            if !seen.insert(edge.raw()) {
                continue;
            }
            if !visit(Variable(manager.level_to_var(node.level()))) {
                return;
            }
            stack.extend(operands(node));
        }
    });
}
