//! Is there a finite path of a model that satisfies a formula?
//!
//! A path of n states is a word of n letters. The last state has no step, so atoms that read inputs
//! or `next` have no meaning there; callers refuse them. Fairness is ignored.

use std::collections::VecDeque;

use kermode_ltl::{Formula, Store, WordKind};

use super::product::Product;
use super::{Graph, Unjudged};
use crate::interpreter::Trace;
use crate::property::FlatAtoms;

/// Where a finite path may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// In any state.
    Anywhere,
    /// In a state without successors.
    DeadEnd,
}

/// A shortest non-empty finite path from an initial state that satisfies the formula, in its
/// meaning on finite words; nothing if there is none.
///
/// # Errors
/// If the product is too large, or if `interrupt` returns an error.
///
/// # Panics
/// When a proposition of the formula is no atom of the model, or is not observed by the graph.
pub fn finite_path<E>(
    graph: &Graph<'_>,
    store: &Store,
    formula: Formula,
    atoms: &FlatAtoms,
    ending: Ending,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Trace>, Unjudged<E>> {
    let mut product = Product::new(graph, store, formula, atoms, WordKind::Finite)?;
    // The edge by which each node was found, with its source. Nodes are found in breadth-first
    // order.
    let mut found_by: Vec<Option<(usize, usize)>> = vec![None; product.nodes.len()];
    let mut number = 0;
    while let Some((state, before)) = product.expand(interrupt)? {
        for edge in product.first_edge[number]..product.edges.len() {
            if product.edges[edge].target as usize == found_by.len() {
                found_by.push(Some((edge, number)));
            }
        }
        let may_end = ending == Ending::Anywhere || graph.leaving(state as usize).is_empty();
        let letter = graph.state_letters[state as usize];
        if may_end && product.atoms(before, letter, interrupt)?.iter().any(|atom| atom.last) {
            let mut path = VecDeque::new();
            let mut first = number;
            while let Some((edge, source)) = found_by[first] {
                path.push_front(edge);
                first = source;
            }
            let state = product.nodes[first].0;
            return Ok(Some(product.trace(state, path.make_contiguous(), None)));
        }
        number += 1;
    }
    Ok(None)
}
