//! Deterministic automata as pictures for Graphviz. Accepting states have a double border. The sink
//! is grey.

use kermode_bdd::{CannotStart, OutOfNodes};
use kermode_ltl::Store;

use super::edges::{DfaRow, Edges, Extent};
use super::graph::Dfa;
use crate::dot::{EdgeLine, LabelLines, Picture, StateStyle};

impl Dfa {
    /// Writes an automaton whose propositions are of the store.
    pub fn to_dot<E>(
        &self,
        store: &Store,
        extent: Extent,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<String, E>
    where
        E: From<OutOfNodes> + From<CannotStart>,
    {
        let edges = Edges::of(self, extent, interrupt)?;
        let shown: Vec<String> = (0..edges.rows().len()).map(|number| number.to_string()).collect();
        let mut picture = Picture::new(&shown);
        for (number, row) in edges.rows().iter().enumerate() {
            let style = StateStyle { accepting: row.accepting, ..StateStyle::default() };
            picture.state(&node(number), &shown[number], style);
            if is_sink(number, row) {
                picture.line(&format!("  {} [color=gray, fontcolor=gray]", node(number)));
            }
        }
        picture.initial(&node(0));
        let labels = LabelLines { store, propositions: self.propositions() };
        for (source, row) in edges.rows().iter().enumerate() {
            for (target, label) in &row.edges {
                interrupt()?;
                let lines = labels.of(label).into_iter();
                let lines = lines.map(|text| EdgeLine { text, ..EdgeLine::default() });
                picture.edge(&node(source), &node(*target), &lines.collect::<Vec<_>>());
            }
        }
        Ok(picture.finished())
    }
}

fn is_sink(number: usize, row: &DfaRow) -> bool {
    !row.accepting && matches!(&row.edges[..], [(target, _)] if *target == number)
}

fn node(number: usize) -> String {
    format!("s{number}")
}
