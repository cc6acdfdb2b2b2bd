//! An automaton of any kind, as read from files. Engines that support one kind only get the
//! other one converted. Words are replayed on the automaton itself.

use std::borrow::Cow;
use std::sync::Arc;

use kermode_ltl::{Proposition, Word, WordKind};

use crate::alternating::AlternatingAutomaton;
use crate::complement::{complement, needs_ranks};
use crate::dealternate::{NotDealternated, dealternate};
use crate::emerson_lei::{EmersonLei, TooManyRegions};
use crate::membership;
use crate::tgba::{self, ComplementStop, Tgba, to_alternating};

/// An automaton of any kind. Copies share it.
#[derive(Clone, Debug)]
pub enum Automaton {
    /// A generalised Büchi automaton.
    Tgba(Arc<Tgba>),
    /// A nondeterministic automaton with `Fin` in its acceptance condition.
    EmersonLei(Arc<EmersonLei>),
    /// An alternating automaton.
    Alternating(Arc<AlternatingAutomaton>),
}

impl From<Tgba> for Automaton {
    fn from(automaton: Tgba) -> Self {
        Automaton::Tgba(Arc::new(automaton))
    }
}

impl From<EmersonLei> for Automaton {
    fn from(automaton: EmersonLei) -> Self {
        Automaton::EmersonLei(Arc::new(automaton))
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
            Automaton::EmersonLei(automaton) => automaton.graph().propositions(),
            Automaton::Alternating(automaton) => automaton.propositions(),
        }
    }

    /// The kind of its words.
    pub fn words(&self) -> WordKind {
        match self {
            Automaton::Tgba(_) | Automaton::EmersonLei(_) => WordKind::Infinite,
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
            Automaton::EmersonLei(automaton) => automaton.accepts(word, interrupt),
            Automaton::Alternating(automaton) => membership::accepts(automaton, word, interrupt),
        }
    }

    /// A generalised Büchi automaton with the same language, unless this one alternates.
    pub fn generalised<E: From<TooManyRegions>>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<&Tgba>, E> {
        match self {
            Automaton::Tgba(automaton) => Ok(Some(automaton)),
            Automaton::EmersonLei(automaton) => automaton.generalised(interrupt).map(Some),
            Automaton::Alternating(_) => Ok(None),
        }
    }

    /// A generalised Büchi automaton with the same language.
    ///
    /// # Panics
    /// When the words are finite.
    pub fn tgba<E: From<NotDealternated> + From<TooManyRegions>>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Cow<'_, Tgba>, E> {
        match self {
            Automaton::Tgba(automaton) => Ok(Cow::Borrowed(automaton)),
            Automaton::EmersonLei(automaton) => automaton.generalised(interrupt).map(Cow::Borrowed),
            Automaton::Alternating(automaton) => Ok(Cow::Owned(dealternate(automaton, interrupt)?)),
        }
    }

    /// The automaton itself, or a generalised Büchi automaton in place of an alternating one.
    ///
    /// # Panics
    /// When it alternates and the words are finite.
    pub fn without_alternation<E: From<NotDealternated>>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Automaton, E> {
        match self {
            Automaton::Alternating(automaton) => Ok(dealternate(automaton, interrupt)?.into()),
            Automaton::Tgba(_) | Automaton::EmersonLei(_) => Ok(self.clone()),
        }
    }

    /// A generalised Büchi automaton of the words that this one rejects. A deterministic automaton
    /// is complemented with the condition that it was read with: its generalised Büchi automaton
    /// may be nondeterministic. An alternating automaton whose complement needs ranks is made
    /// nondeterministic first: ranks multiply the locations, and the breakpoint construction is
    /// exponential in them.
    ///
    /// # Panics
    /// When the words are finite.
    pub fn tgba_complement<E: ComplementStop>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Tgba, E> {
        match self {
            Automaton::Tgba(automaton) => tgba::complement(automaton, interrupt),
            Automaton::EmersonLei(automaton) => {
                match automaton.deterministic_complement(interrupt)? {
                    Some(complement) => Ok(complement),
                    None => tgba::complement(automaton.generalised(interrupt)?, interrupt),
                }
            }
            Automaton::Alternating(automaton) if needs_ranks(automaton) => {
                tgba::complement(&dealternate(automaton, interrupt)?, interrupt)
            }
            Automaton::Alternating(automaton) => {
                dealternate(&complement(automaton, interrupt)?, interrupt)
            }
        }
    }

    /// An alternating automaton with the same language.
    pub fn alternating<E: From<TooManyRegions>>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Cow<'_, AlternatingAutomaton>, E> {
        let generalised = match self {
            Automaton::Tgba(automaton) => automaton,
            Automaton::EmersonLei(automaton) => automaton.generalised(interrupt)?,
            Automaton::Alternating(automaton) => return Ok(Cow::Borrowed(automaton)),
        };
        Ok(Cow::Owned(to_alternating(generalised, interrupt)?))
    }
}
