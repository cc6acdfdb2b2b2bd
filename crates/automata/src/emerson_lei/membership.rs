//! Does an automaton with an Emerson-Lei condition accept a word? The product with the lasso is a
//! finite graph. The word is accepted if all transitions of some component together satisfy the
//! condition, perhaps after the transitions of some sets have been removed because a disjunct
//! requires their `Fin`. Where no `Fin` is required, one is chosen: the set is removed, or its
//! `Fin` is false. This module replays the words of engines and shares no code with the conversion
//! to generalised Büchi automata.

use kermode_base::components_of_edges;
use kermode_ltl::{Word, WordKind};
use rustc_hash::FxHashMap;

use super::condition::{Atom, Condition};
use crate::tgba::{LassoProduct, Marks, Tgba};

/// Nodes of the product, the sets that runs avoid there, and the condition that they satisfy.
struct Search {
    nodes: Vec<usize>,
    avoided: Marks,
    condition: Condition,
}

/// Whether the graph, whose marks are the sets of the condition, accepts the word.
pub(super) fn accepts<E>(
    graph: &Tgba,
    condition: &Condition,
    word: &Word,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    if word.kind() == WordKind::Finite {
        return Ok(false);
    }
    let product = LassoProduct::new(graph, word, interrupt)?;
    let nodes = (0..product.start.len() - 1).collect();
    let mut todo = vec![Search { nodes, avoided: Marks::new(), condition: condition.clone() }];
    while let Some(search) = todo.pop() {
        for (nodes, visited) in parts(&product, &search, interrupt)? {
            if search.condition.holds(&visited) {
                return Ok(true);
            }
            let possible = search.condition.assigned(|atom| match atom {
                Atom::Inf(set) => (!visited.contains(set)).then_some(false),
                Atom::Fin(set) => (!visited.contains(set)).then_some(true),
            });
            let disjuncts = possible.disjuncts().into_iter();
            for condition in disjuncts.filter(|condition| !condition.fin_sets().is_empty()) {
                todo.extend(choices(&nodes, &search.avoided, condition));
            }
        }
    }
    Ok(false)
}

/// What to search in a component that does not satisfy the condition as a whole.
fn choices(nodes: &[usize], avoided: &Marks, condition: Condition) -> Vec<Search> {
    let search = |more: &Marks, condition| {
        let mut avoided = avoided.clone();
        avoided.union_with(more);
        Search { nodes: nodes.to_vec(), avoided, condition }
    };
    let required = condition.required_fin_sets();
    if !required.is_empty() {
        return vec![search(&required, condition)];
    }
    let chosen: Marks = condition.fin_sets().iter().take(1).collect();
    let visited = condition.assigned(|atom| match atom {
        Atom::Fin(set) if chosen.contains(set) => Some(false),
        _ => None,
    });
    vec![search(&chosen, condition), search(&Marks::new(), visited)]
}

/// The components of some nodes in which a run can stay while it avoids some sets, each with the
/// sets that it visits.
fn parts<E>(
    product: &LassoProduct,
    search: &Search,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<(Vec<usize>, Marks)>, E> {
    interrupt()?;
    let places: FxHashMap<usize, usize> =
        search.nodes.iter().enumerate().map(|(place, &node)| (node, place)).collect();
    let mut edges: Vec<(usize, usize, &Marks)> = Vec::new();
    for (place, &node) in search.nodes.iter().enumerate() {
        let leaving = &product.edges[product.start[node]..product.start[node + 1]];
        let kept = leaving.iter().filter(|(_, marks)| marks.is_disjoint(&search.avoided));
        edges.extend(kept.filter_map(|(to, marks)| Some((place, *places.get(to)?, *marks))));
    }
    let ends = edges.iter().map(|&(source, target, _)| (source, target));
    let component = components_of_edges(search.nodes.len(), ends, interrupt)?;
    let mut parts: Vec<(Vec<usize>, Option<Marks>)> = vec![(Vec::new(), None); component.len()];
    for (place, &node) in search.nodes.iter().enumerate() {
        parts[component[place]].0.push(node);
    }
    for (source, target, marks) in edges {
        if component[source] == component[target] {
            parts[component[source]].1.get_or_insert_default().union_with(marks);
        }
    }
    // A component without an inner edge has no marks, not even an empty set: no run stays there.
    Ok(parts.into_iter().filter_map(|(nodes, visited)| Some((nodes, visited?))).collect())
}
