//! Automata with Emerson-Lei acceptance \[EL87\]: any positive combination of `Inf` and `Fin` of
//! sets of transitions. Co-Büchi, Rabin, Streett and parity conditions are among them.
//!
//! - the condition: [`Condition`], made of [`Atom`]s
//! - the automaton: [`EmersonLei`], a graph whose marks are the sets of its condition
//! - a generalised Büchi automaton: [`to_generalised`](to_generalised())
//!
//! Engines get the generalised Büchi automaton. Words are replayed on the graph with the condition
//! itself.

mod clauses;
mod condition;
mod membership;
mod regions;
mod to_generalised;

pub use condition::{Atom, Condition, Step};
pub use to_generalised::{TooManyRegions, to_generalised};

pub(crate) use clauses::Clause;

use std::sync::OnceLock;

use kermode_bdd::OutOfNodes;
use kermode_ltl::Word;

use crate::tgba::{Effort, Tgba, deterministic_complement, reduce};

/// The largest number of states of a generalised Büchi automaton that is reduced by simulation.
const FEW_STATES: usize = 1 << 10;

/// An automaton with an Emerson-Lei condition.
#[derive(Clone, Debug)]
pub struct EmersonLei {
    graph: Tgba,
    condition: Condition,
    /// The generalised Büchi automaton, once it was asked for.
    generalised: OnceLock<Tgba>,
}

impl EmersonLei {
    /// The automaton of a graph whose marks are the sets of the condition.
    pub fn new(graph: Tgba, condition: Condition) -> Self {
        EmersonLei { graph, condition, generalised: OnceLock::new() }
    }

    /// The graph. Its marks are the sets of the condition.
    pub fn graph(&self) -> &Tgba {
        &self.graph
    }

    /// The condition.
    pub fn condition(&self) -> &Condition {
        &self.condition
    }

    /// A generalised Büchi automaton with the same language. It is built when it is first asked
    /// for: membership and the complement of a deterministic graph do not need it.
    pub fn generalised<E: From<TooManyRegions>>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<&Tgba, E> {
        if let Some(known) = self.generalised.get() {
            return Ok(known);
        }
        let generalised = to_generalised(&self.graph, &self.condition, interrupt)?;
        let generalised = match generalised.state_count() <= FEW_STATES {
            true => smaller(generalised, interrupt)?,
            false => generalised,
        };
        Ok(self.generalised.get_or_init(|| generalised))
    }

    /// The complement, if the graph is deterministic: the same graph with the opposite condition.
    pub fn deterministic_complement<E: From<TooManyRegions> + From<OutOfNodes>>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Tgba>, E> {
        match self.graph.is_deterministic()? {
            true => deterministic_complement(&self.graph, &self.condition, interrupt).map(Some),
            false => Ok(None),
        }
    }

    /// Whether it accepts a word, according to its condition.
    pub fn accepts<E>(
        &self,
        word: &Word,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        membership::accepts(&self.graph, &self.condition, word, interrupt)
    }
}

/// A smaller automaton; the same one if there is no room for its labels.
fn smaller<E>(automaton: Tgba, interrupt: &mut dyn FnMut() -> Result<(), E>) -> Result<Tgba, E> {
    enum End<E> {
        NoRoom,
        Stopped(E),
    }
    impl<E> From<OutOfNodes> for End<E> {
        fn from(_: OutOfNodes) -> Self {
            End::NoRoom
        }
    }
    match reduce(&automaton, Effort::Once, &mut || interrupt().map_err(End::Stopped)) {
        Ok(reduced) => Ok(reduced),
        Err(End::NoRoom) => Ok(automaton),
        Err(End::Stopped(stop)) => Err(stop),
    }
}
