//! Small Büchi automata with the mark on states.
//!
//! The order in which a run waits for marks and the set of accepting states can be chosen in many
//! ways, and no choice is always the best. Orders are compared by the number of copies in each
//! region, on its own, since regions do not share levels. Then the automaton is reduced with its
//! accepting states as they are and with as few as possible, and the smaller result is kept.

use kermode_bdd::OutOfNodes;

use super::degeneralise::{Buchi, MarkOrder, in_orders};
use super::graph::Tgba;
use super::reduce::reduce_with_delay;
use super::regions::Regions;

/// With more marks only some orders are tried.
const MOST_MARKS_IN_ALL_ORDERS: usize = 4;

/// A small automaton with the same language and at most one mark, on states.
pub fn small_buchi<E: From<OutOfNodes>>(
    automaton: &Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let on_states = in_best_orders(automaton, interrupt)?;
    let as_it_is = reduce_with_delay(&on_states, interrupt)?;
    if as_it_is.state_count() < 2 {
        return Ok(as_it_is);
    }
    let fewest = on_states.with_fewest_accepting(interrupt)?;
    let fewest = reduce_with_delay(&fewest, interrupt)?;
    Ok(if fewest.size() < as_it_is.size() { fewest } else { as_it_is })
}

/// The automaton with copies of states for levels, where each region has the order of marks that
/// needs the fewest copies.
fn in_best_orders<E>(
    automaton: &Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let regions = Regions::of(automaton, interrupt)?;
    let mut copies_in =
        |orders: &[MarkOrder]| in_orders(automaton, &regions, orders, Buchi::OnStates, interrupt);
    let mut best: Vec<MarkOrder> = vec![(0..automaton.mark_count()).collect(); regions.len()];
    let (copies, mut fewest) = copies_in(&best)?;
    if automaton.mark_count() < 2 || copies.state_count() == automaton.state_count() {
        return Ok(copies);
    }
    for order in some_orders(automaton.mark_count()) {
        let (_, counts) = copies_in(&vec![order.clone(); regions.len()])?;
        for region in 0..regions.len() {
            if counts[region] < fewest[region] {
                fewest[region] = counts[region];
                best[region].clone_from(&order);
            }
        }
    }
    Ok(copies_in(&best)?.0)
}

/// All orders of a few marks; of many the rotations and the reverse.
fn some_orders(marks: usize) -> Vec<MarkOrder> {
    if marks > MOST_MARKS_IN_ALL_ORDERS {
        let rotated = |by: usize| (0..marks).map(|mark| (mark + by) % marks).collect();
        return (1..marks).map(rotated).chain([(0..marks).rev().collect()]).collect();
    }
    let mut orders = vec![Vec::new()];
    for _ in 0..marks {
        let longer = |order: &MarkOrder| -> Vec<MarkOrder> {
            let rest = (0..marks).filter(|mark| !order.contains(mark));
            rest.map(|mark| order.iter().copied().chain([mark]).collect()).collect()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders
}
