//! Is there a fair path of a model that satisfies a formula?
//!
//! The product of the graph with the reference tableau has all paths that may satisfy the formula.
//! A path does if it is fair to the fixpoints of the tableau; that is one justice condition each,
//! beside those of the model. [`fair`](super::fair) then looks for a component.

use kermode_base::BitSet;
use kermode_ltl::reference::Row;
use kermode_ltl::{Formula, Store, WordKind};

use super::fair::FairGraph;
use super::graph::justice;
use super::product::Product;
use super::{Graph, Unjudged};
use crate::interpreter::{Fairness, Trace};
use crate::property::FlatAtoms;

/// A path from an initial state that satisfies the formula and is fair; nothing if there is none. A
/// property is violated if and only if there is one for its negation.
///
/// # Errors
/// If the product is too large, or if `interrupt` returns an error.
///
/// # Panics
/// When a proposition of the formula is no atom of the model, or is not observed by the graph.
pub fn fair_path<E>(
    graph: &Graph<'_>,
    store: &Store,
    formula: Formula,
    atoms: &FlatAtoms,
    fairness: Fairness,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Trace>, Unjudged<E>> {
    let mut product = Product::new(graph, store, formula, atoms, WordKind::Infinite)?;
    while product.expand(interrupt)?.is_some() {}
    let conditions = conditions(graph, &product, fairness);
    let lasso = conditions.lasso(graph.initial, interrupt).map_err(Unjudged::Interrupted)?;
    Ok(lasso.map(|(path, loop_start)| {
        let first = conditions.sources()[path[0]];
        product.trace(product.nodes[first].0, &path, Some(loop_start))
    }))
}

/// The product as a graph with all conditions on its paths.
fn conditions(graph: &Graph<'_>, product: &Product<'_>, fairness: Fairness) -> FairGraph {
    let edges = || 0..product.edges.len();
    let of_model = |expression| -> BitSet {
        let held = graph.edges_with(expression);
        edges().filter(|&edge| held.contains(product.edges[edge].edge)).collect()
    };
    let fixpoints = (0..Row::BITS).filter(|bit| product.all_fair() >> bit & 1 == 1);
    let fixpoint = |bit: u32| -> BitSet {
        edges().filter(|&edge| product.edges[edge].fair >> bit & 1 == 1).collect()
    };
    let mut conditions = FairGraph {
        first_edge: product.first_edge.clone(),
        targets: product.edges.iter().map(|edge| edge.target).collect(),
        justice: fixpoints.map(fixpoint).collect(),
        compassion: Vec::new(),
    };
    if fairness != Fairness::Ignored {
        conditions.justice.extend(justice(graph.model).map(of_model));
    }
    if fairness == Fairness::JusticeAndCompassion {
        let pairs = graph.model.compassion.iter();
        conditions.compassion.extend(pairs.map(|&(p, q, _)| [of_model(p), of_model(q)]));
    }
    conditions
}
