//! The words that some automata accept and others reject. Inclusion and equivalence are questions
//! about such differences: `A` is included in `B` if no word is accepted by `A` and rejected by
//! `B`. If no automaton accepts, the difference is that of all words: `A` is universal if no word
//! is rejected by `A`.
//!
//! A difference keeps its automata as they are. An engine gets one alternating automaton for all,
//! which includes complements, unless it supports generalised Büchi automata directly. Words are
//! replayed on the original automata, so that replay trusts neither complement nor product.

use std::borrow::Cow;

use kermode_ltl::{Proposition, Word, WordKind};

use crate::alternating::AlternatingAutomaton;
use crate::automaton::Automaton;
use crate::combine::{intersection_of, propositions_of};
use crate::complement::{ComplementTooLarge, complement, needs_ranks};
use crate::emerson_lei::TooManyRegions;
use crate::tgba::{self, ComplementStop, Tgba};

/// Automata that accept a word, and automata that reject it, at least one in all. All have the
/// same kind of words, and propositions of one store.
#[derive(Clone, Debug)]
pub struct Difference {
    words: WordKind,
    accepting: Vec<Automaton>,
    rejecting: Vec<Automaton>,
}

impl Difference {
    /// The words that an automaton accepts.
    pub fn of(automaton: impl Into<Automaton>) -> Self {
        let automaton = automaton.into();
        let words = automaton.words();
        Difference { words, accepting: vec![automaton], rejecting: Vec::new() }
    }

    /// The words that an automaton rejects.
    pub fn outside(automaton: impl Into<Automaton>) -> Self {
        let automaton = automaton.into();
        let words = automaton.words();
        Difference { words, accepting: Vec::new(), rejecting: vec![automaton] }
    }

    /// The intersection with another language.
    ///
    /// # Panics
    /// When that automaton has the other kind of words.
    pub fn and(mut self, automaton: impl Into<Automaton>) -> Self {
        let automaton = self.of_my_kind(automaton.into());
        self.accepting.push(automaton);
        self
    }

    /// The difference with another language.
    ///
    /// # Panics
    /// When that automaton has the other kind of words.
    pub fn not(mut self, automaton: impl Into<Automaton>) -> Self {
        let automaton = self.of_my_kind(automaton.into());
        self.rejecting.push(automaton);
        self
    }

    fn of_my_kind(&self, automaton: Automaton) -> Automaton {
        assert_eq!(automaton.words(), self.words(), "automata over words of one kind");
        automaton
    }

    /// The kind of its words.
    pub fn words(&self) -> WordKind {
        self.words
    }

    /// The automata, those that accept its words first.
    pub fn parts(&self) -> impl Iterator<Item = &Automaton> {
        self.accepting.iter().chain(&self.rejecting)
    }

    /// The automata that accept its words.
    pub fn accepting(&self) -> &[Automaton] {
        &self.accepting
    }

    /// The automata that do not accept its words.
    pub fn rejecting(&self) -> &[Automaton] {
        &self.rejecting
    }

    /// The accepting automata as generalised Büchi automata, unless one alternates.
    pub fn generalised<E: From<TooManyRegions>>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Vec<&Tgba>>, E> {
        generalised(&self.accepting, interrupt)
    }

    /// The same difference without alternation, if the complement of a rejecting automaton needs
    /// ranks. Rejecting automata without ranks are replaced by their complements.
    pub fn instead_of_ranks<E: ComplementStop>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Difference>, E> {
        let is_ranked = |automaton: &Automaton| match automaton {
            Automaton::Alternating(automaton) => needs_ranks(automaton),
            _ => false,
        };
        if !self.rejecting.iter().any(is_ranked) {
            return Ok(None);
        }
        let mut without = Difference { words: self.words, accepting: vec![], rejecting: vec![] };
        for automaton in &self.accepting {
            without.accepting.push(automaton.without_alternation(interrupt)?);
        }
        for automaton in &self.rejecting {
            match automaton {
                Automaton::Alternating(_) if !is_ranked(automaton) => {
                    without.accepting.push(automaton.tgba_complement(interrupt)?.into());
                }
                _ => without.rejecting.push(automaton.without_alternation(interrupt)?),
            }
        }
        Ok(Some(without))
    }

    /// The propositions of all parts, each once.
    pub fn propositions(&self) -> Vec<Proposition> {
        propositions_of(self.parts().map(Automaton::propositions))
    }

    /// Whether a word is in the difference, according to each automaton.
    pub fn contains<E>(
        &self,
        word: &Word,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        for (index, automaton) in self.parts().enumerate() {
            if automaton.accepts(word, interrupt)? != (index < self.accepting.len()) {
                return Ok(false);
            }
        }
        Ok(word.kind() == self.words())
    }

    /// One generalised Büchi automaton for the difference.
    ///
    /// # Panics
    /// When the words are finite.
    pub fn tgba<E: ComplementStop>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Tgba, E> {
        assert_eq!(
            self.words,
            WordKind::Infinite,
            "generalised Büchi automata have infinite words"
        );
        let mut all: Option<Tgba> = None;
        for (index, automaton) in self.parts().enumerate() {
            let part = match index < self.accepting.len() {
                true => automaton.tgba(interrupt)?.into_owned(),
                false => automaton.tgba_complement(interrupt)?,
            };
            all = Some(match all {
                Some(before) => tgba::trim(&tgba::intersection(&before, &part, interrupt)?),
                None => part,
            });
        }
        Ok(all.expect("a difference has a part"))
    }

    /// One alternating automaton for the difference.
    pub fn automaton<E: From<ComplementTooLarge> + From<TooManyRegions>>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Cow<'_, AlternatingAutomaton>, E> {
        if let ([automaton], []) = (&self.accepting[..], &self.rejecting[..]) {
            return automaton.alternating(interrupt);
        }
        let mut parts = Vec::with_capacity(self.accepting.len() + self.rejecting.len());
        for automaton in &self.accepting {
            parts.push(automaton.alternating(interrupt)?);
        }
        for automaton in &self.rejecting {
            parts.push(Cow::Owned(complement(&*automaton.alternating(interrupt)?, interrupt)?));
        }
        let parts: Vec<&AlternatingAutomaton> = parts.iter().map(|part| &**part).collect();
        Ok(Cow::Owned(intersection_of(&parts)))
    }
}

/// Automata as generalised Büchi automata, unless one alternates.
pub fn generalised<'a, E: From<TooManyRegions>>(
    automata: impl IntoIterator<Item = &'a Automaton>,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Vec<&'a Tgba>>, E> {
    automata.into_iter().map(|automaton| automaton.generalised(interrupt)).collect()
}
