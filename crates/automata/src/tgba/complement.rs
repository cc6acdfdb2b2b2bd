//! The complement of a generalised Büchi automaton as one of the same kind.
//!
//! - The complement of a deterministic automaton is the same graph, made complete, with the
//!   opposite condition: some mark is seen finitely often (`emerson_lei`). It has at most one more
//!   state, and one more copy of each accepting component per mark.
//! - In an inherently weak automaton acceptance is decided by the component in which a run stays,
//!   and the dual alternating automaton is weak; the breakpoint construction makes it
//!   nondeterministic.
//! - The others are complemented by slices (`slices.rs`).
//!
//! If the result is an obligation with a smaller deterministic automaton, that one is returned. The
//! automaton itself is the complement that this test needs.

use kermode_bdd::{CannotStart, OutOfNodes};

use super::graph::Tgba;
use super::reduce::{Effort, ObligationCandidate, reduce};
use super::slices::SliceComplement;
use super::statistics::TgbaStatistics;
use super::to_alternating::to_alternating;
use crate::complement::{self, ComplementTooLarge};
use crate::dealternate::{NotDealternated, dealternate};
use crate::emerson_lei::{Atom, Condition, TooManyRegions, to_generalised};

/// Why a complement was not built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Uncomplemented {
    /// It would be too large.
    #[error(transparent)]
    TooLarge(#[from] ComplementTooLarge),
    /// The opposite condition of a deterministic automaton needs too many copies.
    #[error(transparent)]
    TooManyRegions(#[from] TooManyRegions),
    /// The dual of a weak automaton has too many states.
    #[error(transparent)]
    NotDealternated(#[from] NotDealternated),
    /// There is no room for labels.
    #[error(transparent)]
    OutOfNodes(#[from] OutOfNodes),
    /// There is no memory for labels.
    #[error(transparent)]
    CannotStart(#[from] CannotStart),
}

/// Errors that a complement passes on.
pub trait ComplementStop:
    From<ComplementTooLarge>
    + From<TooManyRegions>
    + From<NotDealternated>
    + From<OutOfNodes>
    + From<CannotStart>
{
}

impl<E> ComplementStop for E where
    E: From<ComplementTooLarge>
        + From<TooManyRegions>
        + From<NotDealternated>
        + From<OutOfNodes>
        + From<CannotStart>
{
}

/// An automaton that accepts exactly the infinite words that this one rejects.
pub fn complement<E: ComplementStop>(
    automaton: &Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let automaton = reduce(automaton, Effort::Repeated, interrupt)?;
    let shape = TgbaStatistics::of(&automaton)?;
    if shape.deterministic {
        let condition = Condition::all((0..automaton.mark_count()).map(|m| Atom::Inf(m).into()));
        let complement = deterministic_complement(&automaton, &condition, interrupt)?;
        return reduce(&complement, Effort::Repeated, interrupt);
    }
    let complement = match SliceComplement::of(&automaton, interrupt)? {
        Some(slices) if !shape.inherently_weak => slices.written_out(interrupt)?,
        _ => {
            let dual = complement::complement(&to_alternating(&automaton, interrupt)?, interrupt)?;
            dealternate(&dual, interrupt)?
        }
    };
    let complement = reduce(&complement, Effort::Repeated, interrupt)?;
    smaller_if_obligation(&automaton, complement, interrupt)
}

/// The complement of a deterministic graph whose marks are the sets of a condition.
pub fn deterministic_complement<E: From<TooManyRegions> + From<OutOfNodes>>(
    graph: &Tgba,
    condition: &Condition,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    // The complement accepts words without a run in a sink, which has a mark of its own.
    let outside = graph.mark_count();
    let mut complete = graph.with_mark_count(outside + 1);
    complete.add_sink([outside].into_iter().collect())?;
    let opposite = Condition::any([condition.negated(), Atom::Inf(outside).into()]);
    to_generalised(&complete, &opposite, interrupt)
}

/// The complement, or a deterministic weak automaton of the same language if it is smaller.
fn smaller_if_obligation<E: From<OutOfNodes> + From<CannotStart>>(
    automaton: &Tgba,
    complement: Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let Some(candidate) = ObligationCandidate::of(&complement, interrupt)? else {
        return Ok(complement);
    };
    let smaller = reduce(&candidate.automaton, Effort::Repeated, interrupt)?;
    let is_smaller = smaller.size() < complement.size();
    match is_smaller && candidate.is_right(&complement, automaton, interrupt)? {
        true => Ok(smaller),
        false => Ok(complement),
    }
}
