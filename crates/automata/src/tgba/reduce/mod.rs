//! Smaller automata with the same language.
//!
//! - unreachable states and states that accept nothing: [`trim`](fn@super::trim)
//! - marks that no cycle needs: `marks.rs`
//! - deterministic automata: `obligation.rs` with `powerset.rs`, `breakpoint.rs`
//! - states that simulate each other, transitions that others make redundant: `simulation.rs`,
//!   `quotient.rs`
//! - states that no word of the complement distinguishes: `language_merge.rs` with
//!   `complement_product.rs`
//!
//! Each reduction enables others, so they take turns until none changes anything.

mod breakpoint;
mod complement_product;
mod delayed;
mod language_merge;
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
use delayed::merged_with_delay;
use marks::necessary_marks;
use quotient::quotient;
use simulation::{Simulation, StepDirection};

pub(crate) use breakpoint::breakpoint_complement;
pub(crate) use language_merge::merged_by_language;
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
/// Larger automata are not reduced by delayed simulation, which looks at all pairs several times.
const MOST_STATES_WITH_DELAY: usize = 1 << 8;

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

/// As [`reduce_on_states`], with delayed simulation, for an automaton with at most one mark.
pub(super) fn reduce_with_delay<E: From<OutOfNodes>>(
    automaton: &Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    repeated(trim(automaton), interrupt, |automaton, interrupt| {
        let direct = reduce_on_states(automaton, interrupt)?;
        match direct.state_count() <= MOST_STATES_WITH_DELAY {
            true => reduce_on_states(&merged_with_delay(&direct, interrupt)?, interrupt),
            false => Ok(direct),
        }
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
        let (before, after) = (automaton.size(), next.size());
        // With equal sizes the labels are stronger.
        if after <= before {
            automaton = next;
        }
        if after >= before {
            break;
        }
    }
    Ok(automaton)
}

/// One state for each class of a simulation.
fn merged<E: From<OutOfNodes>>(
    automaton: &Tgba,
    time: StepDirection,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let classes = LetterClasses::for_comparison(automaton, interrupt)?;
    let simulation = Simulation::of(automaton, &classes, time, interrupt)?;
    quotient(automaton, &simulation, time, interrupt)
}

/// The automaton without obviously redundant parts.
fn tidy(automaton: &Tgba) -> Result<Tgba, OutOfNodes> {
    let mut tidy = necessary_marks(trim(automaton));
    tidy.merge_transitions()?;
    Ok(tidy)
}
