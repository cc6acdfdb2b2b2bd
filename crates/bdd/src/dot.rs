//! Pictures of diagrams for Graphviz.

use std::fmt::Write;

use crate::function::Bdd;
use crate::graph::Graph;
use crate::variable::Variable;

impl Bdd {
    /// Its diagram in the language of Graphviz: variables by name, an arrow where one is true, a dashed
    /// one where it is false.
    pub fn to_dot(&self, name: impl Fn(Variable) -> String) -> String {
        let graph = Graph::of(self);
        let mut dot = String::from("digraph bdd {\n");
        let constants = ["0", "1"].map(String::from).into_iter();
        let names = constants.chain(graph.nodes[2..].iter().map(|node| name(node.variable)));
        for (place, (name, node)) in names.zip(&graph.nodes).enumerate() {
            // Writing to a string does not fail.
            let _ = match node.level {
                u32::MAX if place != graph.root as usize && graph.len() == 0 => Ok(()),
                u32::MAX => writeln!(dot, "  n{place} [shape=box, label={name:?}];"),
                _ => writeln!(
                    dot,
                    "  n{place} [label={name:?}];\n  n{place} -> n{};\n  n{place} -> n{} [style=dashed];",
                    node.high, node.low
                ),
            };
        }
        dot + "}\n"
    }
}
