//! Pictures of diagrams for Graphviz.

use std::fmt::Write;

use crate::function::Bdd;
use crate::graph::{DiagramGraph, TOP};
use crate::variable::Variable;

impl Bdd {
    /// The diagram in the language of Graphviz: nodes with the names of variables, a solid arrow
    /// for true, a dashed arrow for false, and an arrow to the root.
    pub fn to_dot(&self, name: impl Fn(Variable) -> String) -> String {
        let graph = DiagramGraph::of(self);
        let mut dot = String::from("digraph bdd {\n");
        for (place, node) in graph.nodes.iter().enumerate() {
            let (low, high) = (node.low, node.high);
            // Writing to a string does not fail.
            let _ = if place <= TOP as usize {
                writeln!(dot, "  n{place} [shape=box, label={place}];")
            } else {
                let label = name(node.variable);
                writeln!(dot, "  n{place} [label={label:?}];\n  n{place} -> n{high};")
                    .and_then(|()| writeln!(dot, "  n{place} -> n{low} [style=dashed];"))
            };
        }
        let _ = writeln!(dot, "  f [shape=none, label=\"\"];\n  f -> n{};", graph.root);
        dot + "}\n"
    }
}
