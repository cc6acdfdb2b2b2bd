//! Where fair runs of a product can end: components of the graph of the states of the property.
//!
//! The nodes of the graph are the states of the property that a region has. There is an edge from
//! `r` to `r'` if `r` has a step, on a letter of one of its pairs, to a state that `r'` covers. Let
//! `p0 p1 ..` be the states of the property along a fair run through the region, and `r0` a node
//! that covers `p0`. It has a step with at least the same marks to a state that covers `p1`; take
//! for `r1` a node that covers that one, and so on. So each fair run is followed by a path of the
//! graph with at least the same marks, and that path ends in an *accepting* component: one whose
//! edges have all marks together. From then on, all pairs of the run are covered by pairs of the
//! component.
//!
//! So no accepting component means no fair run, and otherwise each accepting component can be
//! searched alone. Automata of LTL are very weak: their components are small, often one state.

use std::convert::Infallible;

use kermode_base::{BitSet, components};

use super::property::OrderInUse;
use super::region::{Covers, Region};
use super::states::KripkeStates;
use crate::alternating::by_letter::ByLetter;
use crate::frame::budget::Stop;

/// An edge of the graph: the number of the node that it leads to, and its marks.
struct Edge {
    to: usize,
    marks: BitSet,
}

/// The pairs of each accepting component of a region. Steps must be forward.
pub(crate) fn accepting_components<S: ByLetter>(
    states: &mut KripkeStates<S>,
    region: &Region,
) -> Result<Vec<Region>, Stop> {
    let (mut start, mut edges) = (vec![0], Vec::new());
    for (state, _) in region.iter() {
        edges.extend(edges_of(states, region, state)?);
        start.push(edges.len());
    }
    let Ok(component) = components::<Infallible>(&start, |edge| edges[edge].to, &mut || Ok(()));
    let mut marks: Vec<Option<BitSet>> = vec![None; region.len()];
    for from in 0..region.len() {
        for edge in &edges[start[from]..start[from + 1]] {
            if component[edge.to] == component[from] {
                marks[component[from]].get_or_insert_default().union_with(&edge.marks);
            }
        }
    }
    let all = states.property.mark_count();
    let is_accepting = |marks: &Option<BitSet>| marks.as_ref().is_some_and(|it| it.len() == all);
    let accepting = (0..region.len()).filter(|&number| is_accepting(&marks[number]));
    Ok(accepting.map(|number| region.selected(|node| component[node] == number)).collect())
}

fn edges_of<S: ByLetter>(
    states: &mut KripkeStates<S>,
    region: &Region,
    state: u32,
) -> Result<Vec<Edge>, Stop> {
    let KripkeStates { system, property, .. } = states;
    let steps = property.marked_steps(state, system)?;
    let part = region.part(state).expect("a state of the region");
    let order = property.order(OrderInUse::Simulated);
    let mut edges = Vec::new();
    for ((other, marks), condition) in steps.iter() {
        if part.and(condition)?.is_bottom() {
            continue;
        }
        let other = order.representative(*other);
        for node in order.covering(other).iter().chain([&other]) {
            if let Some(to) = region.position(*node) {
                edges.push(Edge { to, marks: marks.clone() });
            }
        }
    }
    Ok(edges)
}
