//! Merges states that no word of the complement distinguishes.
//!
//! When two states become one, with the steps of both, runs that come to one of them may go on from
//! the other. No run is lost, so the language stays the same exactly if the new automaton has no
//! word of the complement. An automaton of the complement is at hand: that of the negated formula.
//! Simulation compares the steps of two states; this compares what they mean for the whole
//! language, and so finds more.
//!
//! Most pairs are excluded by the product before anything is merged: a state of the complement that
//! is reachable together with one of the two must not have a word in common with the other. Each
//! remaining pair is merged, and the product computed again. Later states are merged into earlier
//! ones, the nearest first.

use kermode_bdd::{CannotStart, OutOfNodes};

use super::complement_product::{ComplementProduct, LetterGraph, MOST_MARKS, MOST_PROPOSITIONS};
use crate::tgba::graph::{State, Tgba};
use crate::tgba::letters::in_common;

/// The largest number of pairs of states.
const MOST_PAIRS: usize = 1 << 12;

/// The automaton with states merged, if some can be, given an automaton of its complement.
/// It may have more transitions.
pub(crate) fn merged_by_language<E: From<OutOfNodes> + From<CannotStart>>(
    automaton: &Tgba,
    complement: &Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Tgba>, E> {
    let (automaton, complement) = in_common::<E>(automaton, complement)?;
    if automaton.propositions().len() > MOST_PROPOSITIONS
        || automaton.mark_count() + complement.mark_count() > MOST_MARKS
        || automaton.state_count() * complement.state_count() > MOST_PAIRS
    {
        return Ok(None);
    }
    let graph = LetterGraph::of(&automaton, 0);
    let complement = LetterGraph::of(&complement, automaton.mark_count());
    let kept = kept_states(automaton.state_count(), graph, &complement, interrupt)?;
    let is_kept = |state: State| kept[state.index()] == state.index();
    match automaton.states().all(is_kept) {
        true => Ok(None),
        false => Ok(Some(with_merged(&automaton, &kept)?.restricted(is_kept))),
    }
}

/// For each state the one that takes its place.
fn kept_states<E>(
    states: usize,
    mut graph: LetterGraph,
    complement: &LetterGraph,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<usize>, E> {
    let mut product = ComplementProduct::of(&graph, complement, interrupt)?;
    let mut kept: Vec<usize> = (0..states).collect();
    for gone in 1..states {
        for other in (0..gone).rev() {
            if kept[other] != other || product.forbids(other, gone) || product.forbids(gone, other)
            {
                continue;
            }
            let merged = graph.merged(other, gone);
            let after = ComplementProduct::of(&merged, complement, interrupt)?;
            if after.is_empty() {
                (graph, product) = (merged, after);
                kept[gone] = other;
                break;
            }
        }
    }
    Ok(kept)
}

/// The automaton in which other states take the place of some.
fn with_merged(automaton: &Tgba, kept: &[usize]) -> Result<Tgba, OutOfNodes> {
    let kept = |state: State| State::from_index(kept[state.index()]);
    let mut merged = automaton.sibling_with_states(automaton.mark_count());
    for (source, t) in automaton.transitions() {
        merged.add_transition(kept(source), kept(t.target), t.label.clone(), t.marks.clone());
    }
    automaton.initial().iter().for_each(|&state| merged.add_initial(kept(state)));
    merged.merge_transitions()?;
    Ok(merged)
}
