//! The edges of a deterministic automaton with their labels, for texts and pictures.
//!
//! The sink, from which nothing is accepted, is a state like any other ([`Extent::Complete`]) or is
//! left out with the edges to it ([`Extent::Trimmed`]). The initial state is never left out.

use kermode_bdd::{Bdd, CannotStart, Capacity, Manager, OutOfNodes, Variable};
use rustc_hash::FxHashMap;

use super::diagram::{Diagram, DiagramNode};
use super::graph::Dfa;

/// How much of an automaton is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// All states: every letter leads to a state.
    #[default]
    Complete,
    /// The states from which some word is accepted.
    Trimmed,
}

impl Dfa {
    /// The state that is left out.
    pub(super) fn hidden(&self, extent: Extent) -> Option<u32> {
        self.sink().filter(|&sink| extent == Extent::Trimmed && sink > 0)
    }
}

/// The edges of an automaton: at most one from a state to another.
pub struct Edges {
    rows: Vec<DfaRow>,
}

/// A state with its edges.
pub struct DfaRow {
    /// Whether a word that ends here is accepted.
    pub accepting: bool,
    /// The targets, each once, with the letters that lead there. Variable `i` of a label is the
    /// proposition with index `i`. The numbers of the targets are those of rows.
    pub edges: Vec<(usize, Bdd)>,
}

impl Edges {
    /// The edges of a minimal automaton.
    pub fn of<E>(
        automaton: &Dfa,
        extent: Extent,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Edges, E>
    where
        E: From<OutOfNodes> + From<CannotStart>,
    {
        let hidden = automaton.hidden(extent);
        let number = |state: u32| state as usize - usize::from(hidden.is_some_and(|h| state > h));
        let manager = label_manager(automaton)?;
        let mut rows = Vec::new();
        for (state, data) in automaton.states().iter().enumerate() {
            interrupt()?;
            if Some(state as u32) == hidden {
                continue;
            }
            let mut edges = Vec::new();
            for (target, label) in labels(automaton, data.successors, &manager)? {
                if Some(target) != hidden {
                    edges.push((number(target), label));
                }
            }
            rows.push(DfaRow { accepting: data.accepting, edges });
        }
        Ok(Edges { rows })
    }

    /// The states by number. The first is initial.
    pub fn rows(&self) -> &[DfaRow] {
        &self.rows
    }
}

/// The letters of each leaf of a diagram.
fn labels(
    automaton: &Dfa,
    diagram: Diagram,
    manager: &Manager,
) -> Result<Vec<(u32, Bdd)>, OutOfNodes> {
    let targets = automaton.diagrams().leaves(diagram).into_iter();
    targets.map(|target| Ok((target, letters_to(automaton, diagram, target, manager)?))).collect()
}

/// The letters for which a diagram has a value.
pub(super) fn letters_to(
    automaton: &Dfa,
    diagram: Diagram,
    target: u32,
    manager: &Manager,
) -> Result<Bdd, OutOfNodes> {
    let mut functions: FxHashMap<Diagram, Bdd> = FxHashMap::default();
    for part in automaton.diagrams().below(diagram) {
        let function = match automaton.diagrams().node(part) {
            DiagramNode::Leaf(state) if state == target => manager.top(),
            DiagramNode::Leaf(_) => manager.bottom(),
            DiagramNode::Decision(variable, [low, high]) => {
                let variable = manager.variable(Variable(variable))?;
                variable.ite(&functions[&high], &functions[&low])?
            }
        };
        functions.insert(part, function);
    }
    Ok(functions[&diagram].clone())
}

/// A manager for the labels of an automaton.
pub(super) fn label_manager(automaton: &Dfa) -> Result<Manager, CannotStart> {
    let variables = automaton.propositions().len();
    Manager::new(Capacity { nodes: 1 << 20, ..Capacity::small(variables) })
}
