//! Does an automaton accept a word? The product with the lasso is a finite graph, and the word is
//! accepted if one of its components has all marks. This module replays the words of engines and
//! shares no code with them.

use indexmap::IndexSet;
use kermode_base::components;
use kermode_ltl::{Word, WordKind};
use rustc_hash::FxBuildHasher;

use super::graph::{Marks, State, Tgba};

/// Whether the automaton accepts the word. It rejects finite words.
pub fn accepts<E>(
    automaton: &Tgba,
    word: &Word,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    if word.kind() == WordKind::Finite {
        return Ok(false);
    }
    let product = LassoProduct::new(automaton, word, interrupt)?;
    let component = components(&product.start, |edge| product.edges[edge].0, interrupt)?;
    // None if the component has no inner edge: no run stays there.
    let mut marks: Vec<Option<Marks>> = vec![None; component.len()];
    for (node, range) in product.start.windows(2).enumerate() {
        for &(target, seen) in &product.edges[range[0]..range[1]] {
            if component[target] == component[node] {
                marks[component[node]].get_or_insert_default().union_with(seen);
            }
        }
    }
    Ok(marks.iter().flatten().any(|marks| marks.len() == automaton.mark_count()))
}

/// The reachable part of the product with a lasso. The edges of node `n` are
/// `start[n]..start[n + 1]`.
pub(crate) struct LassoProduct<'a> {
    pub(crate) start: Vec<usize>,
    pub(crate) edges: Vec<(usize, &'a Marks)>,
}

impl<'a> LassoProduct<'a> {
    pub(crate) fn new<E>(
        automaton: &'a Tgba,
        word: &Word,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut product = LassoProduct { start: vec![0], edges: Vec::new() };
        let mut nodes: IndexSet<(State, usize), FxBuildHasher> =
            automaton.initial().iter().map(|&state| (state, 0)).collect();
        let mut next = 0;
        while let Some(&(state, position)) = nodes.get_index(next) {
            interrupt()?;
            let letter = &word.letters()[position];
            let after = word.successor(position).expect("a lasso goes on");
            for transition in automaton.successors(state) {
                if automaton.reads(&transition.label, letter) {
                    let target = nodes.insert_full((transition.target, after)).0;
                    product.edges.push((target, &transition.marks));
                }
            }
            product.start.push(product.edges.len());
            next += 1;
        }
        Ok(product)
    }
}
