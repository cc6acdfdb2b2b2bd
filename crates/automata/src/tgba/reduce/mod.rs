//! Smaller automata with the same language.
//!
//! | what is found | where |
//! |---|---|
//! | states that are not reached or accept nothing | [`trim`](fn@super::trim) |
//! | marks that no cycle needs | `marks.rs` |
//! | a deterministic automaton that is smaller | `obligation.rs`, `powerset.rs` |
//! | states that simulate each other, steps that others exceed | `simulation.rs`, `quotient.rs` |
//!
//! Each makes work for the others, so they take turns until none finds anything.

mod letter_classes;
mod marks;
mod obligation;
mod powerset;
mod quotient;
mod simulation;
#[cfg(test)]
mod tests;

use kermode_bdd::OutOfNodes;

use super::graph::Tgba;
use super::trim::trim;
use letter_classes::LetterClasses;
use marks::necessary_marks;
use quotient::quotient;
use simulation::{Simulation, Time};

pub(crate) use obligation::Offer;

/// How much is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Direct simulation, once.
    Once,
    /// Direct and reverse simulation in turn, until nothing changes.
    Repeated,
}

/// Larger automata are not searched for states that simulate each other: there are too many pairs.
const MOST_STATES: usize = 1 << 13;

/// An automaton with the same language, most often smaller, never with more states.
pub fn reduce<E: From<OutOfNodes>>(
    automaton: &Tgba,
    effort: Effort,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let reduced = tidy(automaton)?;
    let once = |automaton: &Tgba, interrupt: &mut dyn FnMut() -> Result<(), E>| {
        let merged = merged(automaton, Time::Forward, interrupt)?;
        Ok(tidy(&merged)?)
    };
    match effort {
        Effort::Once if reduced.state_count() <= MOST_STATES => once(&reduced, interrupt),
        Effort::Once => Ok(reduced),
        Effort::Repeated => repeated(reduced, interrupt, |automaton, interrupt| {
            let forward = once(automaton, interrupt)?;
            Ok(tidy(&merged(&forward, Time::Reverse, interrupt)?)?)
        }),
    }
}

/// The same for an automaton whose marks are on states, where they stay.
pub fn reduce_on_states<E: From<OutOfNodes>>(
    automaton: &Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    // States that simulate each other have the same marks. Reverse simulation does not look at
    // them.
    repeated(trim(automaton), interrupt, |automaton, interrupt| {
        Ok(trim(&merged(automaton, Time::Forward, interrupt)?))
    })
}

/// Does something to an automaton as long as that makes it smaller.
fn repeated<E>(
    mut automaton: Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
    smaller: impl Fn(&Tgba, &mut dyn FnMut() -> Result<(), E>) -> Result<Tgba, E>,
) -> Result<Tgba, E> {
    while automaton.state_count() <= MOST_STATES {
        let next = smaller(&automaton, interrupt)?;
        if next.size() >= automaton.size() {
            break;
        }
        automaton = next;
    }
    Ok(automaton)
}

/// One state for each class of a simulation.
fn merged<E: From<OutOfNodes>>(
    automaton: &Tgba,
    time: Time,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let classes = LetterClasses::of(automaton, interrupt)?;
    let simulation = Simulation::of(automaton, &classes, time, interrupt)?;
    quotient(automaton, &simulation, time, interrupt)
}

/// Without what is seen to be superfluous at once.
fn tidy(automaton: &Tgba) -> Result<Tgba, OutOfNodes> {
    let mut tidy = necessary_marks(&trim(automaton));
    tidy.merge_transitions()?;
    Ok(tidy)
}
