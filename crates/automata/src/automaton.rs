//! An automaton of either kind, as read from files. Engines that support one kind only get the
//! other one converted. Words are replayed on the automaton itself.

use std::borrow::Cow;
use std::sync::Arc;

use kermode_ltl::{Proposition, Word, WordKind};

use crate::alternating::AlternatingAutomaton;
use crate::membership;
use crate::tgba::{self, Tgba, to_alternating};

/// An automaton of either kind. Copies share it.
#[derive(Clone, Debug)]
pub enum Automaton {
    /// A generalised Büchi automaton.
    Tgba(Arc<Tgba>),
    /// An alternating automaton.
    Alternating(Arc<AlternatingAutomaton>),
}

impl From<Tgba> for Automaton {
    fn from(automaton: Tgba) -> Self {
        Automaton::Tgba(Arc::new(automaton))
    }
}

impl From<AlternatingAutomaton> for Automaton {
    fn from(automaton: AlternatingAutomaton) -> Self {
        Automaton::Alternating(Arc::new(automaton))
    }
}

impl Automaton {
    /// The propositions of its letters, as declared.
    pub fn propositions(&self) -> &[Proposition] {
        match self {
            Automaton::Tgba(automaton) => automaton.propositions(),
            Automaton::Alternating(automaton) => automaton.propositions(),
        }
    }

    /// The kind of its words.
    pub fn words(&self) -> WordKind {
        match self {
            Automaton::Tgba(_) => WordKind::Infinite,
            Automaton::Alternating(automaton) => automaton.words(),
        }
    }

    /// Whether it accepts a word.
    pub fn accepts<E>(
        &self,
        word: &Word,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        match self {
            Automaton::Tgba(automaton) => tgba::accepts(automaton, word, interrupt),
            Automaton::Alternating(automaton) => membership::accepts(automaton, word, interrupt),
        }
    }

    /// The automaton, if it is a generalised Büchi automaton.
    pub fn generalised(&self) -> Option<&Tgba> {
        match self {
            Automaton::Tgba(automaton) => Some(automaton),
            Automaton::Alternating(_) => None,
        }
    }

    /// An alternating automaton with the same language.
    pub fn alternating<E>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Cow<'_, AlternatingAutomaton>, E> {
        match self {
            Automaton::Tgba(automaton) => Ok(Cow::Owned(to_alternating(automaton, interrupt)?)),
            Automaton::Alternating(automaton) => Ok(Cow::Borrowed(automaton)),
        }
    }
}
