//! The words that some automata accept and others do not. Inclusion and equivalence are questions about such
//! differences: `A` is included in `B` if no word is accepted by `A` and not by `B`.
//!
//! A difference keeps its parts. Engines get one automaton for all, with complements in it; a word is judged by the
//! parts as they were given, so that a replay does not trust the complements.

use std::borrow::Cow;
use std::sync::Arc;

use kermode_ltl::{Proposition, Word, WordKind};

use crate::alternating::AlternatingAutomaton;
use crate::combine::{intersection_of, propositions_of};
use crate::complement::{ComplementTooLarge, complement};
use crate::membership::accepts;

/// Automata that accept a word, and automata that do not. All are about words of one kind, and their propositions are of
/// one store.
#[derive(Clone, Debug)]
pub struct Difference {
    /// At least one.
    accepting: Vec<Arc<AlternatingAutomaton>>,
    rejecting: Vec<Arc<AlternatingAutomaton>>,
}

impl Difference {
    /// The words that an automaton accepts.
    pub fn of(automaton: impl Into<Arc<AlternatingAutomaton>>) -> Self {
        Difference { accepting: vec![automaton.into()], rejecting: Vec::new() }
    }

    /// Those of them that another one accepts, too.
    ///
    /// # Panics
    /// When that is about words of the other kind.
    pub fn and(mut self, automaton: impl Into<Arc<AlternatingAutomaton>>) -> Self {
        let automaton = self.of_my_kind(automaton.into());
        self.accepting.push(automaton);
        self
    }

    /// Those of them that another one does not accept.
    ///
    /// # Panics
    /// When that is about words of the other kind.
    pub fn not(mut self, automaton: impl Into<Arc<AlternatingAutomaton>>) -> Self {
        let automaton = self.of_my_kind(automaton.into());
        self.rejecting.push(automaton);
        self
    }

    fn of_my_kind(&self, automaton: Arc<AlternatingAutomaton>) -> Arc<AlternatingAutomaton> {
        assert_eq!(automaton.words(), self.words(), "automata over words of one kind");
        automaton
    }

    /// The kind of its words.
    pub fn words(&self) -> WordKind {
        self.accepting[0].words()
    }

    /// The automata, those that accept its words first.
    pub fn parts(&self) -> impl Iterator<Item = &AlternatingAutomaton> {
        self.accepting.iter().chain(&self.rejecting).map(|automaton| &**automaton)
    }

    /// The propositions of all parts, each once.
    pub fn propositions(&self) -> Vec<Proposition> {
        propositions_of(self.parts())
    }

    /// Whether a word is in the difference, by what each part says to it.
    pub fn contains<E>(
        &self,
        word: &Word,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        for (index, automaton) in self.parts().enumerate() {
            if accepts(automaton, word, interrupt)? != (index < self.accepting.len()) {
                return Ok(false);
            }
        }
        Ok(word.kind() == self.words())
    }

    /// One automaton for the difference.
    pub fn automaton<E: From<ComplementTooLarge>>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Cow<'_, AlternatingAutomaton>, E> {
        if let ([automaton], []) = (&self.accepting[..], &self.rejecting[..]) {
            return Ok(Cow::Borrowed(automaton));
        }
        let complements: Result<Vec<AlternatingAutomaton>, E> =
            self.rejecting.iter().map(|automaton| complement(automaton, interrupt)).collect();
        let complements = complements?;
        let parts = self.accepting.iter().map(|automaton| &**automaton).chain(&complements);
        Ok(Cow::Owned(intersection_of(&parts.collect::<Vec<_>>())))
    }
}
