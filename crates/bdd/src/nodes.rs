//! The diagrams of several functions as one list of nodes.

use rustc_hash::FxHashMap;

use crate::function::Bdd;
use crate::graph::DiagramGraph;
use crate::variable::Variable;

/// A node: `high` where its variable is true, else `low`. 0 is the false function, 1 the true one,
/// and 2 the first node of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DiagramNode {
    /// The variable.
    pub variable: Variable,
    /// The function where the variable is false.
    pub low: u32,
    /// The function where the variable is true.
    pub high: u32,
}

/// Functions that share their nodes, and the nodes, operands first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiagramNodes {
    /// The nodes.
    pub nodes: Vec<DiagramNode>,
    /// The functions.
    pub functions: Vec<u32>,
}

impl DiagramNodes {
    /// The diagrams of some functions of one manager. `interrupt` is called for each function.
    pub fn of<'f, E>(
        functions: impl IntoIterator<Item = &'f Bdd>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut all = DiagramNodes::default();
        let mut places: FxHashMap<DiagramNode, u32> = FxHashMap::default();
        for function in functions {
            interrupt()?;
            let graph = DiagramGraph::of(function);
            let mut here: Vec<u32> = vec![0, 1];
            for node in &graph.nodes[2..] {
                let [low, high] = [node.low, node.high].map(|operand| here[operand as usize]);
                let node = DiagramNode { variable: node.variable, low, high };
                here.push(*places.entry(node).or_insert_with(|| {
                    all.nodes.push(node);
                    all.nodes.len() as u32 + 1
                }));
            }
            all.functions.push(here[graph.root as usize]);
        }
        Ok(all)
    }
}
