//! The solutions of a [`Network`] by backtracking over the values of its variables.
//!
//! A variable with a set of candidates is chosen first, the smallest set before others; then one
//! that nothing determines, the one with most uses before others; last one that an equation will
//! determine when others have values.

use std::ops::ControlFlow;

use super::network::{Leaf, Network};
use super::operations::Slot;
use super::sets::SetId;
use crate::flat::Value;

/// Which variables a solution must have values for.
pub(super) struct Wanted<'a> {
    /// By leaf of the network.
    pub(super) leaves: &'a [bool],
    /// Instructions that must have values as well.
    pub(super) observed: &'a [u32],
}

/// A variable whose values are tried one after the other.
struct Decision {
    leaf: usize,
    candidates: Option<SetId>,
    /// The number of the next value.
    next: u64,
    mark: usize,
    /// Whether all wanted variables had values before.
    is_supplement: bool,
}

/// Calls `visit` for the solutions, until it breaks. Solutions that differ in unwanted variables
/// only may be visited once or several times. Afterwards the network is as before.
pub(super) fn solutions<E>(
    network: &mut Network<'_>,
    wanted: &Wanted<'_>,
    visit: &mut dyn FnMut(&Network<'_>) -> ControlFlow<()>,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<(), E> {
    let bottom = network.mark();
    let mut decisions: Vec<Decision> = Vec::new();
    let result = loop {
        match choose(network, wanted) {
            Some(decision) => decisions.push(decision),
            None if visit(network).is_break() => break Ok(()),
            // Other values of unwanted variables give the same solution again.
            None if wanted.observed.is_empty() => {
                while decisions.last().is_some_and(|decision| decision.is_supplement) {
                    decisions.pop();
                }
            }
            None => {}
        }
        match advance(network, &mut decisions, interrupt) {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(stop) => break Err(stop),
        }
    };
    network.undo(bottom);
    result
}

/// Takes the next value that is no conflict, of the last decision that has one.
fn advance<E>(
    network: &mut Network<'_>,
    decisions: &mut Vec<Decision>,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    while let Some(decision) = decisions.last_mut() {
        interrupt()?;
        network.undo(decision.mark);
        let leaf = &network.leaves()[decision.leaf];
        let value = match decision.candidates {
            Some(set) => network.sets().get(set).get(decision.next),
            None => leaf.domain.value(decision.next),
        };
        let Some(value) = value else {
            decisions.pop();
            continue;
        };
        decision.next += 1;
        let place = leaf.place;
        if assume(network, [(place, value)]) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Gives instructions values and computes the consequences. Returns whether there is no conflict.
pub(super) fn assume(
    network: &mut Network<'_>,
    values: impl IntoIterator<Item = (u32, Value)>,
) -> bool {
    for (place, value) in values {
        if network.force(place, Slot::Scalar(value)).is_err() {
            network.clear_agenda();
            return false;
        }
    }
    network.propagate().is_ok()
}

/// The variable to be decided next. `None` if there is a solution.
fn choose(network: &Network<'_>, wanted: &Wanted<'_>) -> Option<Decision> {
    let unknown = |place: u32| !network.value(place).is_known();
    let is_complete =
        network.is_satisfied() && !wanted.observed.iter().any(|&place| unknown(place));
    let (mut best, mut best_rank, mut wanted_left) = (None, None, false);
    for (index, leaf) in network.leaves().iter().enumerate() {
        let is_needed = wanted.leaves[index] || !is_complete && network.fan_out(leaf.place) > 0;
        if !unknown(leaf.place) || !is_needed {
            continue;
        }
        wanted_left |= wanted.leaves[index];
        let rank = rank(network, leaf);
        if best_rank.is_none_or(|best| rank < best) {
            (best, best_rank) = (Some(index), Some(rank));
        }
    }
    best.map(|leaf| Decision {
        leaf,
        candidates: network.leaves()[leaf].candidates,
        next: 0,
        mark: network.mark(),
        is_supplement: !wanted_left,
    })
}

/// Smaller ranks are decided first.
fn rank(network: &Network<'_>, leaf: &Leaf<'_>) -> (u8, u128, u128) {
    let size = leaf.candidates.map(|set| network.sets().get(set).len().into());
    let fan_out = u128::from(u32::MAX - network.fan_out(leaf.place));
    match (size, leaf.is_defined) {
        (Some(size), _) => (0, size, fan_out),
        (None, false) => (1, fan_out, leaf.domain.size()),
        (None, true) => (2, leaf.domain.size(), fan_out),
    }
}
