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

use kermode_bdd::OutOfNodes;

use super::graph::Tgba;
use super::trim::trim;
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

/// An automaton with the same language, most often smaller, never larger.
pub fn reduce<E: From<OutOfNodes>>(
    automaton: &Tgba,
    effort: Effort,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let mut reduced = tidy(automaton)?;
    loop {
        let size = (reduced.state_count(), reduced.edge_count());
        reduced = simulated(&reduced, Time::Forward, interrupt)?;
        if effort == Effort::Once {
            return Ok(reduced);
        }
        reduced = simulated(&reduced, Time::Reverse, interrupt)?;
        if (reduced.state_count(), reduced.edge_count()) == size {
            return Ok(reduced);
        }
    }
}

/// The same for an automaton whose marks are on states, where they stay.
pub fn reduce_on_states<E: From<OutOfNodes>>(
    automaton: &Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let mut reduced = trim(automaton);
    loop {
        let size = (reduced.state_count(), reduced.edge_count());
        // States that simulate each other have the same marks. Reverse simulation does not look at them.
        let simulation = Simulation::of(&reduced, Time::Forward, interrupt)?;
        reduced = trim(&quotient(&reduced, &simulation, Time::Forward)?);
        if (reduced.state_count(), reduced.edge_count()) == size {
            return Ok(reduced);
        }
    }
}

fn simulated<E: From<OutOfNodes>>(
    automaton: &Tgba,
    time: Time,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let simulation = Simulation::of(automaton, time, interrupt)?;
    Ok(tidy(&quotient(automaton, &simulation, time)?)?)
}

/// Without what is seen to be superfluous at once.
fn tidy(automaton: &Tgba) -> Result<Tgba, OutOfNodes> {
    let mut tidy = necessary_marks(&trim(automaton));
    tidy.merge_transitions()?;
    Ok(tidy)
}
