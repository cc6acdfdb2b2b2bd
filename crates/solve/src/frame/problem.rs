//! What is asked.

use std::borrow::Cow;

use kermode_automata::{AlternatingAutomaton, Difference};
use kermode_ltl::{Formula, Proposition, Store, Word, WordKind, semantics};
use kermode_system::{Model, replay};
use serde::{Deserialize, Serialize};

use crate::frame::answer::Witness;
use crate::frame::budget::{Budget, Stop};
use crate::frame::witness::WitnessTime;

/// Is there a word in the language?
///
/// Validity, implication and equivalence are asked through the negation. The store is frozen:
/// engines that build formulas clone what they need.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'s> {
    /// The owner of the propositions and of the formula.
    pub store: &'s Store,
    /// The language in question.
    pub language: Language<'s>,
    /// Whether a witness is wanted. Engines that spend much time on witnesses honour it; others
    /// need not.
    pub witness: WitnessPolicy,
}

/// Whether a witness is wanted, how long it may be and how long it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WitnessPolicy {
    /// Whether a witness is wanted at all.
    pub wanted: bool,
    /// The most letters that are looked for and replayed.
    pub limit: usize,
    /// How long it may take after the verdict is known.
    pub time: WitnessTime,
}

impl Default for WitnessPolicy {
    fn default() -> Self {
        WitnessPolicy { wanted: true, limit: 1_000_000, time: WitnessTime::default() }
    }
}

/// A set of words.
#[derive(Clone, Copy, Debug)]
pub enum Language<'s> {
    /// The words of a kind that satisfy a formula.
    Formula {
        /// What they satisfy.
        formula: Formula,
        /// The kind of words in question; of finite ones, those that are not empty.
        words: WordKind,
    },
    /// The words that some automata accept and others reject, perhaps the empty one.
    Automata(&'s Difference),
    /// The words of the fair runs of a model that satisfy a formula. Its propositions are atoms of
    /// the model.
    Runs {
        /// The model.
        model: &'s Model,
        /// What the words satisfy: for checking, the negation of what is to hold.
        property: Formula,
    },
}

impl<'s> Problem<'s> {
    /// Is there a word of this kind that satisfies the formula?
    pub fn satisfiability(store: &'s Store, formula: Formula, words: WordKind) -> Self {
        Problem::about(store, Language::Formula { formula, words })
    }

    /// Is there a word that the automata, whose propositions are of the store, accept and reject as
    /// the difference says?
    pub fn emptiness(store: &'s Store, automata: &'s Difference) -> Self {
        Problem::about(store, Language::Automata(automata))
    }

    /// Is there a fair run of the model whose word satisfies the formula? The atoms of the model
    /// are propositions of the store.
    pub fn runs(store: &'s Store, model: &'s Model, property: Formula) -> Self {
        Problem::about(store, Language::Runs { model, property })
    }

    fn about(store: &'s Store, language: Language<'s>) -> Self {
        Problem { store, language, witness: WitnessPolicy::default() }
    }

    /// The same problem with another demand for a witness.
    pub fn with_witness(self, witness: WitnessPolicy) -> Self {
        Problem { witness, ..self }
    }

    /// The automaton whose words are in question, for engines that take automata.
    pub fn automaton(&self, budget: &Budget) -> Result<Cow<'s, AlternatingAutomaton>, Stop> {
        match self.language {
            Language::Formula { .. } => {
                Err(Stop::Unsupported("a formula is no automaton".to_owned()))
            }
            Language::Automata(automata) => automata.automaton(&mut || budget.check()),
            Language::Runs { .. } => Err(no_models()),
        }
    }

    /// The formula and the kind of its words, for engines that take nothing else.
    pub fn formula(&self) -> Result<(Formula, WordKind), Stop> {
        match self.language {
            Language::Formula { formula, words } => Ok((formula, words)),
            Language::Automata(_) => {
                Err(Stop::Unsupported("this engine takes formulas, no automata".to_owned()))
            }
            Language::Runs { .. } => Err(no_models()),
        }
    }

    /// The kind of the words in question.
    pub fn words(&self) -> WordKind {
        match self.language {
            Language::Formula { words, .. } => words,
            Language::Automata(automata) => automata.words(),
            Language::Runs { .. } => WordKind::Infinite,
        }
    }

    /// Whether a word is in the language, by the plain semantics alone. A word alone does not tell
    /// which run of a model it belongs to.
    pub fn contains(&self, word: &Word, budget: &Budget) -> Result<bool, Stop> {
        if let Language::Runs { .. } = self.language {
            return Err(no_models());
        }
        self.language.judge(self.store, &Witness::Word(word.clone()), budget)
    }

    /// The propositions of which the language speaks.
    pub fn propositions(&self) -> Vec<Proposition> {
        match self.language {
            Language::Formula { formula, .. } => self.store.propositions(formula),
            Language::Automata(automata) => automata.propositions(),
            Language::Runs { model, .. } => model.atoms.keys().copied().collect(),
        }
    }
}

impl Language<'_> {
    /// Judges a witness by the plain semantics alone: a formula by evaluation, automata by the
    /// games that are their acceptance, each of them by itself, and a run by each constraint of its
    /// model as well.
    pub fn judge(&self, store: &Store, witness: &Witness, budget: &Budget) -> Result<bool, Stop> {
        let interrupt = &mut || budget.check();
        match (*self, witness) {
            (Language::Formula { formula, words }, Witness::Word(word)) => Ok(word.kind() == words
                && !word.is_empty()
                && semantics::satisfies(store, formula, word, interrupt)?),
            (Language::Automata(automata), Witness::Word(word)) => {
                Ok(word.kind() == automata.words() && automata.contains(word, interrupt)?)
            }
            (Language::Runs { model, property }, Witness::Trace(run)) => {
                Ok(run.trace.variable_count() == model.system.variables().len()
                    && replay(&model.graph, &model.system, &run.trace, interrupt)?.is_ok()
                    && model.word(&run.trace) == run.word
                    && semantics::satisfies(store, property, &run.word, interrupt)?)
            }
            (Language::Runs { .. }, Witness::Word(_)) | (_, Witness::Trace(_)) => Ok(false),
        }
    }

    /// How many positions judging a word looks at: past operators unroll loops.
    pub(crate) fn judged_positions(&self, store: &Store, word: &Word) -> usize {
        match *self {
            Language::Formula { formula, .. } | Language::Runs { property: formula, .. } => {
                semantics::unrolled_length(store, formula, word)
            }
            Language::Automata(_) => word.len(),
        }
    }
}

fn no_models() -> Stop {
    Stop::Unsupported("this is about formulas and automata, not about models".to_owned())
}
