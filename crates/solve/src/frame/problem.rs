//! Problems: the input of engines.

use std::borrow::Cow;

use kermode_automata::{AlternatingAutomaton, Difference};
use kermode_ltl::{Formula, Proposition, Store, Word, WordKind, semantics};
use kermode_system::{Ctl, Model, Target};
use serde::{Deserialize, Serialize};

use crate::frame::answer::{BranchTrace, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::dead_end::is_dead_end;
use crate::frame::shared_diagrams::SharedDiagrams;
use crate::frame::witness::WitnessTime;

/// Is there a word in the language?
///
/// Validity, implication and equivalence become problems about a negation. The store is shared
/// read-only: engines that build formulas clone it.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'s> {
    /// The owner of the propositions and of the formula.
    pub store: &'s Store,
    /// The language in question.
    pub language: Language<'s>,
    /// Whether a witness is wanted. Engines that need much time for witnesses respect it; others
    /// may ignore it.
    pub witness: WitnessPolicy,
    /// Diagrams that are shared with other problems about the same model.
    pub diagrams: Option<&'s SharedDiagrams>,
}

/// Whether a witness is wanted, how long it may be and how long it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WitnessPolicy {
    /// Whether a witness is wanted at all.
    pub wanted: bool,
    /// The largest number of letters that are searched for and replayed.
    pub limit: usize,
    /// The time limit for the witness after the verdict is known.
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
    /// The words of the given kind that satisfy a formula.
    Formula {
        /// The formula.
        formula: Formula,
        /// The kind of words. Finite words are nonempty.
        words: WordKind,
    },
    /// The words that some automata accept and others reject, perhaps including the empty word.
    Automata(&'s Difference),
    /// The words of the fair runs of a model that have a property. Its propositions are atoms of
    /// the model.
    Runs {
        /// The model.
        model: &'s Model,
        /// What the words satisfy: for model checking, the negation of the specification.
        property: RunProperty<'s>,
    },
    /// The words of the nonempty finite paths of a model, from an initial state, that have a
    /// property. Justice does not apply. Atoms have neither inputs nor next values.
    FiniteRuns {
        /// The model.
        model: &'s Model,
        /// What the words satisfy: for model checking, the negation of the specification.
        property: RunProperty<'s>,
        /// Where the paths end.
        end: PathEnd,
    },
    /// The finite paths of a model that start in an initial state and end with a target. Justice
    /// does not apply: for an invariant, the target is its violation.
    Paths {
        /// The model.
        model: &'s Model,
        /// What the paths end with.
        target: Target,
    },
    /// The paths of a model from initial states that violate a formula of CTL. It is empty if all
    /// initial states satisfy the formula from which a fair path starts.
    Branches {
        /// The model.
        model: &'s Model,
        /// The formula.
        formula: &'s Ctl,
    },
}

/// What the words of runs satisfy.
#[derive(Clone, Copy, Debug)]
pub enum RunProperty<'s> {
    /// A formula.
    Formula(Formula),
    /// Automata that accept the words, and others that reject them.
    Automata(&'s Difference),
}

impl From<Formula> for RunProperty<'_> {
    fn from(formula: Formula) -> Self {
        RunProperty::Formula(formula)
    }
}

impl<'s> From<&'s Difference> for RunProperty<'s> {
    fn from(automata: &'s Difference) -> Self {
        RunProperty::Automata(automata)
    }
}

impl RunProperty<'_> {
    /// The propositions that it is about.
    pub fn propositions(&self, store: &Store) -> Vec<Proposition> {
        match *self {
            RunProperty::Formula(formula) => store.propositions(formula),
            RunProperty::Automata(automata) => automata.propositions(),
        }
    }

    /// Whether a word has the property, by the plain semantics only.
    pub fn holds_on(&self, store: &Store, word: &Word, budget: &Budget) -> Result<bool, Stop> {
        let interrupt = &mut || budget.check();
        match *self {
            RunProperty::Formula(formula) => semantics::satisfies(store, formula, word, interrupt),
            RunProperty::Automata(automata) => automata.contains(word, interrupt),
        }
    }
}

/// Where finite paths end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathEnd {
    /// In any state.
    Anywhere,
    /// In a state without successor.
    DeadEnd,
}

impl<'s> Problem<'s> {
    /// Is there a word of this kind that satisfies the formula?
    pub fn satisfiability(store: &'s Store, formula: Formula, words: WordKind) -> Self {
        Problem::about(store, Language::Formula { formula, words })
    }

    /// Is there a word that the automata accept and reject as the difference says? The propositions
    /// of the automata are those of the store.
    pub fn emptiness(store: &'s Store, automata: &'s Difference) -> Self {
        Problem::about(store, Language::Automata(automata))
    }

    /// Is there a fair run of the model whose word satisfies the formula, or is in the difference
    /// of automata? The atoms of the model are propositions of the store.
    pub fn runs(store: &'s Store, model: &'s Model, property: impl Into<RunProperty<'s>>) -> Self {
        Problem::about(store, Language::Runs { model, property: property.into() })
    }

    /// Is there a finite path of the model whose word satisfies the formula, or is in the
    /// difference of automata? The atoms of the model are propositions of the store.
    pub fn finite_runs(
        store: &'s Store,
        model: &'s Model,
        property: impl Into<RunProperty<'s>>,
        end: PathEnd,
    ) -> Self {
        Problem::about(store, Language::FiniteRuns { model, property: property.into(), end })
    }

    /// Is there a path of the model from an initial state to the target?
    pub fn paths(store: &'s Store, model: &'s Model, target: Target) -> Self {
        Problem::about(store, Language::Paths { model, target })
    }

    /// Is there an initial state of the model from which a fair path starts and that violates the
    /// formula?
    pub fn branches(store: &'s Store, model: &'s Model, formula: &'s Ctl) -> Self {
        Problem::about(store, Language::Branches { model, formula })
    }

    fn about(store: &'s Store, language: Language<'s>) -> Self {
        Problem { store, language, witness: WitnessPolicy::default(), diagrams: None }
    }

    /// The same problem with another witness policy.
    pub fn with_witness(self, witness: WitnessPolicy) -> Self {
        Problem { witness, ..self }
    }

    /// The same problem, sharing diagrams with others about the same model.
    pub fn sharing(self, diagrams: &'s SharedDiagrams) -> Self {
        Problem { diagrams: Some(diagrams), ..self }
    }

    /// The automaton whose language is in question, for engines that support automata.
    pub fn automaton(&self, budget: &Budget) -> Result<Cow<'s, AlternatingAutomaton>, Stop> {
        match self.language {
            Language::Formula { .. } => {
                Err(Stop::Unsupported("a formula is no automaton".to_owned()))
            }
            Language::Automata(automata) => automata.automaton(&mut || budget.check()),
            Language::Runs { .. }
            | Language::FiniteRuns { .. }
            | Language::Paths { .. }
            | Language::Branches { .. } => Err(no_models()),
        }
    }

    /// The formula and the kind of its words, for engines that support only formulas.
    pub fn formula(&self) -> Result<(Formula, WordKind), Stop> {
        match self.language {
            Language::Formula { formula, words } => Ok((formula, words)),
            Language::Automata(_) => {
                Err(Stop::Unsupported("this engine takes formulas, no automata".to_owned()))
            }
            Language::Runs { .. }
            | Language::FiniteRuns { .. }
            | Language::Paths { .. }
            | Language::Branches { .. } => Err(no_models()),
        }
    }

    /// The kind of the words in question.
    pub fn words(&self) -> WordKind {
        match self.language {
            Language::Formula { words, .. } => words,
            Language::Automata(automata) => automata.words(),
            Language::Runs { .. } | Language::Branches { .. } => WordKind::Infinite,
            Language::FiniteRuns { .. } | Language::Paths { .. } => WordKind::Finite,
        }
    }

    /// Whether a word is in the language, by the plain semantics only. For a model this is an
    /// error, because a word does not determine a run.
    pub fn contains(&self, word: &Word, budget: &Budget) -> Result<bool, Stop> {
        match self.language {
            Language::Formula { .. } | Language::Automata(_) => {
                self.language.judge(self.store, &Witness::Word(word.clone()), budget)
            }
            Language::Runs { .. }
            | Language::FiniteRuns { .. }
            | Language::Paths { .. }
            | Language::Branches { .. } => Err(no_models()),
        }
    }

    /// The propositions that the language depends on.
    pub fn propositions(&self) -> Vec<Proposition> {
        match self.language {
            Language::Formula { formula, .. } => self.store.propositions(formula),
            Language::Automata(automata) => automata.propositions(),
            Language::Runs { model, .. }
            | Language::FiniteRuns { model, .. }
            | Language::Paths { model, .. }
            | Language::Branches { model, .. } => model.atoms.keys().copied().collect(),
        }
    }
}

impl Language<'_> {
    /// Whether the words are those of runs or finite paths of a model.
    pub(crate) fn has_model(&self) -> bool {
        matches!(self, Language::Runs { .. } | Language::FiniteRuns { .. })
    }

    /// Checks a witness by the plain semantics only: formulas are evaluated, each automaton is
    /// checked by its acceptance game, and a run or path is checked against each constraint of its
    /// model. Of a violated formula of CTL, everything is checked that the path claims to show.
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
                Ok(run.trace.loop_start().is_some()
                    && run.is_of(model, budget)?
                    && property.holds_on(store, &run.word, budget)?)
            }
            (Language::FiniteRuns { model, property, end }, Witness::Trace(run)) => {
                Ok(run.trace.loop_start().is_none()
                    && run.is_of(model, budget)?
                    && property.holds_on(store, &run.word, budget)?
                    && (end != PathEnd::DeadEnd || is_dead_end(model, &run.trace, budget)?))
            }
            (Language::Paths { model, target }, Witness::Trace(run)) => {
                let Model { graph, system, .. } = model;
                Ok(run.is_of(model, budget)?
                    && target.is_at_end(graph, system, &run.trace)
                    && (target != Target::DeadEnd || is_dead_end(model, &run.trace, budget)?))
            }
            (Language::Branches { model, formula }, Witness::Branch(branch)) => {
                let BranchTrace { run, evidence } = &**branch;
                Ok(run.is_of(model, budget)?
                    && evidence.judge(model, formula, &run.trace, interrupt)?)
            }
            (
                Language::Runs { .. }
                | Language::FiniteRuns { .. }
                | Language::Paths { .. }
                | Language::Branches { .. },
                Witness::Word(_),
            )
            | (_, Witness::Trace(_) | Witness::Branch(_)) => Ok(false),
        }
    }

    /// The number of positions that the check of a word evaluates; past operators unroll loops.
    pub(crate) fn judged_positions(&self, store: &Store, word: &Word) -> usize {
        match *self {
            Language::Formula { formula, .. }
            | Language::Runs { property: RunProperty::Formula(formula), .. }
            | Language::FiniteRuns { property: RunProperty::Formula(formula), .. } => {
                semantics::unrolled_length(store, formula, word)
            }
            Language::Automata(_)
            | Language::Runs { .. }
            | Language::FiniteRuns { .. }
            | Language::Paths { .. }
            | Language::Branches { .. } => word.len(),
        }
    }
}

fn no_models() -> Stop {
    Stop::Unsupported("this is about formulas and automata, not about models".to_owned())
}
