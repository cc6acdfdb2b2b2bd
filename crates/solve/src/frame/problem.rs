//! What is asked.

use std::borrow::Cow;

use kermode_automata::{AlternatingAutomaton, Difference};
use kermode_ltl::{Formula, Proposition, Store, WordKind};

use crate::frame::budget::{Budget, Stop};
use crate::frame::decide::WitnessPolicy;

/// Is there a word in the language?
///
/// Validity, implication and equivalence are asked through the negation. The store is frozen: engines
/// that build formulas clone what they need.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'s> {
    /// The owner of the propositions and of the formula.
    pub store: &'s Store,
    /// What the word is to be in.
    pub language: Language<'s>,
    /// Whether the word itself is wanted.
    pub(crate) witness: WitnessPolicy,
}

/// A set of words.
#[derive(Clone, Copy, Debug)]
pub enum Language<'s> {
    /// The words of a kind that satisfy a formula.
    Formula {
        /// What they satisfy.
        formula: Formula,
        /// Which words come into question; of finite ones, those that are not empty.
        words: WordKind,
    },
    /// The words that an automaton accepts, perhaps the empty one.
    Automaton(&'s AlternatingAutomaton),
    /// The words that some automata accept and others do not.
    Difference(&'s Difference),
}

impl<'s> Problem<'s> {
    /// Is there a word of this kind that satisfies the formula?
    pub fn satisfiability(store: &'s Store, formula: Formula, words: WordKind) -> Self {
        Problem::about(store, Language::Formula { formula, words })
    }

    /// Is there a word that the automaton, whose propositions are of the store, accepts?
    pub fn emptiness(store: &'s Store, automaton: &'s AlternatingAutomaton) -> Self {
        Problem::about(store, Language::Automaton(automaton))
    }

    /// Is there a word in the difference of automata, whose propositions are of the store?
    pub fn difference(store: &'s Store, difference: &'s Difference) -> Self {
        Problem::about(store, Language::Difference(difference))
    }

    fn about(store: &'s Store, language: Language<'s>) -> Self {
        Problem { store, language, witness: WitnessPolicy::default() }
    }

    /// Whether the word itself is wanted, and how long it may be. [`decide`](crate::decide) says so. Engines to which
    /// words are a lot of work heed it; others need not.
    pub fn witness(&self) -> WitnessPolicy {
        self.witness
    }

    /// The automaton whose words are in question, for engines that take automata.
    pub fn automaton(&self, budget: &Budget) -> Result<Cow<'s, AlternatingAutomaton>, Stop> {
        match self.language {
            Language::Formula { .. } => {
                Err(Stop::Unsupported("a formula is no automaton".to_owned()))
            }
            Language::Automaton(automaton) => Ok(Cow::Borrowed(automaton)),
            Language::Difference(difference) => difference.automaton(&mut || budget.check()),
        }
    }

    /// The formula and the kind of its words, for engines that take nothing else.
    pub fn formula(&self) -> Result<(Formula, WordKind), Stop> {
        match self.language {
            Language::Formula { formula, words } => Ok((formula, words)),
            Language::Automaton(_) | Language::Difference(_) => {
                Err(Stop::Unsupported("this engine takes formulas, no automata".to_owned()))
            }
        }
    }

    /// The kind of the words in question.
    pub fn words(&self) -> WordKind {
        match self.language {
            Language::Formula { words, .. } => words,
            Language::Automaton(automaton) => automaton.words(),
            Language::Difference(difference) => difference.words(),
        }
    }

    /// The propositions of which the language speaks.
    pub fn propositions(&self) -> Vec<Proposition> {
        match self.language {
            Language::Formula { formula, .. } => self.store.propositions(formula),
            Language::Automaton(automaton) => automaton.propositions().to_vec(),
            Language::Difference(difference) => difference.propositions(),
        }
    }
}
