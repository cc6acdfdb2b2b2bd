//! Smaller automata with the same language.
//!
//! - unreachable states and states that accept nothing: [`trim`](fn@super::trim)
//! - marks that no cycle needs: `marks.rs`
//! - a deterministic automaton that is smaller: `obligation.rs`, `powerset.rs`
//! - states that simulate each other, transitions that others make redundant: `simulation.rs`,
//!   `quotient.rs`
//!
//! Each reduction enables others, so they take turns until none changes anything.

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
use marks::necessary_marks;
use quotient::quotient;
use simulation::{Simulation, StepDirection};

pub(super) use letter_classes::LetterClasses;
pub(crate) use obligation::ObligationCandidate;

/// The effort of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Direct simulation, once.
    Once,
    /// Direct and reverse simulation in turn, until nothing changes.
    Repeated,
}

/// Larger automata are not reduced by simulation: there are too many pairs.
const MOST_STATES: usize = 1 << 13;

/// An automaton with the same language, usually smaller, never with more states.
pub fn reduce<E: From<OutOfNodes>>(
    automaton: &Tgba,
    effort: Effort,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let reduced = tidy(automaton)?;
    let once = |automaton: &Tgba, interrupt: &mut dyn FnMut() -> Result<(), E>| {
        let merged = merged(automaton, StepDirection::Forward, interrupt)?;
        Ok(tidy(&merged)?)
    };
    match effort {
        Effort::Once if reduced.state_count() <= MOST_STATES => once(&reduced, interrupt),
        Effort::Once => Ok(reduced),
        Effort::Repeated => repeated(reduced, interrupt, |automaton, interrupt| {
            let forward = once(automaton, interrupt)?;
            Ok(tidy(&merged(&forward, StepDirection::Reverse, interrupt)?)?)
        }),
    }
}

/// The same for an automaton with marks on states, which stay there.
pub fn reduce_on_states<E: From<OutOfNodes>>(
    automaton: &Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    // States that simulate each other have the same marks. Reverse simulation ignores marks.
    repeated(trim(automaton), interrupt, |automaton, interrupt| {
        Ok(trim(&merged(automaton, StepDirection::Forward, interrupt)?))
    })
}

/// Repeats a reduction while it makes the automaton smaller.
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
    time: StepDirection,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let classes = LetterClasses::of(automaton, interrupt)?;
    let simulation = Simulation::of(automaton, &classes, time, interrupt)?;
    quotient(automaton, &simulation, time, interrupt)
}

/// The automaton without obviously redundant parts.
fn tidy(automaton: &Tgba) -> Result<Tgba, OutOfNodes> {
    let mut tidy = necessary_marks(&trim(automaton));
    tidy.merge_transitions()?;
    Ok(tidy)
}
