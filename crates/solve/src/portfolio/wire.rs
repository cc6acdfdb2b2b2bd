//! Problems for other processes, and their answers, as JSON. Formulas and automata are texts,
//! propositions are names: the stores of two processes number them differently.

use kermode_automata::alaska::{self, LocationNames};
use kermode_automata::{Automaton, Difference, hoa};
use kermode_base::Diagnostic;
use kermode_ltl::dialect::{parse, write};
use kermode_ltl::word::{WordJson, word_from_json, word_to_json};
use kermode_ltl::{Dialect, Store, Syntax, WordKind};
use serde::{Deserialize, Serialize};

use crate::frame::answer::{Answer, InternalError, LeftOut, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::decide::ask;
use crate::frame::engine::EngineSpec;
use crate::frame::observer::{Silent, Statistics};
use crate::frame::problem::{Language, Problem, WitnessPolicy};

/// A problem.
#[derive(Debug, Serialize, Deserialize)]
pub struct WrittenProblem {
    language: WrittenLanguage,
    witness: WitnessPolicy,
}

#[derive(Debug, Serialize, Deserialize)]
enum WrittenLanguage {
    Formula { text: String, finite: bool },
    Automata { accepting: Vec<WrittenAutomaton>, rejecting: Vec<WrittenAutomaton> },
}

/// The text of an automaton, in the format of its kind.
#[derive(Debug, Serialize, Deserialize)]
enum WrittenAutomaton {
    Alternating(String),
    Generalised(String),
}

/// The answer of an engine.
#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    said: Said,
    /// The statistics of the engine.
    pub statistics: Statistics,
}

#[derive(Debug, Serialize, Deserialize)]
enum Said {
    Nonempty(Result<WordJson, LeftOut>),
    Empty,
    Stopped(Stop),
    Panicked(String),
}

/// Why a problem or an answer cannot be written or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WireError(String);

impl WireError {
    fn new(error: impl ToString) -> Self {
        WireError(error.to_string())
    }

    fn unreadable(errors: &[Diagnostic]) -> Self {
        let message = errors.first().map_or("", |error| &error.message);
        WireError(format!("the question cannot be read: {message}"))
    }
}

impl WrittenProblem {
    /// Writes a problem. Its text may be too large because it does not share subformulas.
    pub fn of(problem: &Problem) -> Result<WrittenProblem, WireError> {
        let store = problem.store;
        let written = |automata: &[Automaton]| -> Result<Vec<WrittenAutomaton>, WireError> {
            automata.iter().map(|automaton| WrittenAutomaton::of(store, automaton)).collect()
        };
        let language = match problem.language {
            Language::Formula { formula, words } => {
                let text = write(store, formula, syntax(words)).map_err(WireError::new)?;
                WrittenLanguage::Formula { text, finite: words == WordKind::Finite }
            }
            Language::Automata(automata) => WrittenLanguage::Automata {
                accepting: written(automata.accepting())?,
                rejecting: written(automata.rejecting())?,
            },
            Language::Runs { .. }
            | Language::FiniteRuns { .. }
            | Language::Paths { .. }
            | Language::Branches { .. } => {
                return Err(WireError::new("models are not written for other processes"));
            }
        };
        Ok(WrittenProblem { language, witness: problem.witness })
    }

    /// Runs an engine.
    pub fn ask(&self, engine: &EngineSpec, budget: &Budget) -> Result<Reply, WireError> {
        let mut store = Store::new();
        match &self.language {
            WrittenLanguage::Formula { text, finite } => {
                let words = if *finite { WordKind::Finite } else { WordKind::Infinite };
                let parsed = parse(&mut store, text, syntax(words));
                let formula = parsed.map_err(|error| WireError::unreadable(&[error]))?.formula;
                let problem = Problem::satisfiability(&store, formula, words);
                Ok(Reply::of(&problem.with_witness(self.witness), engine, budget))
            }
            WrittenLanguage::Automata { accepting, rejecting } => {
                let automata = difference(&mut store, accepting, rejecting)?;
                let problem = Problem::emptiness(&store, &automata);
                Ok(Reply::of(&problem.with_witness(self.witness), engine, budget))
            }
        }
    }
}

fn difference(
    store: &mut Store,
    accepting: &[WrittenAutomaton],
    rejecting: &[WrittenAutomaton],
) -> Result<Difference, WireError> {
    let mut all: Option<Difference> = None;
    for (text, accepts) in
        accepting.iter().map(|text| (text, true)).chain(rejecting.iter().map(|text| (text, false)))
    {
        let automaton = text.read(store)?;
        all = Some(match (all, accepts) {
            (None, true) => Difference::of(automaton),
            (None, false) => Difference::outside(automaton),
            (Some(before), true) => before.and(automaton),
            (Some(before), false) => before.not(automaton),
        });
    }
    all.ok_or_else(|| WireError::new("there is no automaton"))
}

impl WrittenAutomaton {
    fn of(store: &Store, automaton: &Automaton) -> Result<Self, WireError> {
        match automaton {
            Automaton::Tgba(_) | Automaton::EmersonLei(_) => {
                let text = hoa::write(store, automaton, None).map_err(WireError::new)?;
                Ok(WrittenAutomaton::Generalised(text))
            }
            Automaton::Alternating(automaton) => {
                let text = alaska::write(store, automaton, LocationNames::Numbers);
                Ok(WrittenAutomaton::Alternating(text.map_err(WireError::new)?))
            }
        }
    }

    fn read(&self, store: &mut Store) -> Result<Automaton, WireError> {
        let read = match self {
            WrittenAutomaton::Alternating(text) => alaska::read(store, text).map(Automaton::from),
            WrittenAutomaton::Generalised(text) => {
                let first = hoa::read(store, text).into_iter().next();
                let first = first.ok_or_else(|| WireError::new("there is no automaton"))?;
                first.map(|hoa| hoa.automaton)
            }
        };
        read.map_err(|errors| WireError::unreadable(&errors))
    }
}

fn syntax(words: WordKind) -> Syntax {
    Syntax { dialect: Dialect::Kermode, words }
}

impl Reply {
    fn of(problem: &Problem, engine: &EngineSpec, budget: &Budget) -> Self {
        let mut observer = Silent::default();
        let said = match ask(problem, engine, budget, &mut observer) {
            Ok(Ok(Answer::Nonempty(Ok(Witness::Word(word))))) => {
                Said::Nonempty(Ok(word_to_json(problem.store, &word)))
            }
            Ok(Ok(Answer::Nonempty(Ok(Witness::Trace(_) | Witness::Branch(_))))) => {
                Said::Panicked("a run in place of a word".to_owned())
            }
            Ok(Ok(Answer::Nonempty(Err(reason)))) => Said::Nonempty(Err(reason)),
            Ok(Ok(Answer::Empty(_))) => Said::Empty,
            Ok(Err(stop)) => Said::Stopped(stop),
            Err(InternalError::Panic { message, .. }) => Said::Panicked(message),
            Err(error) => Said::Panicked(error.to_string()),
        };
        Reply { said, statistics: observer.statistics }
    }

    /// The answer, with a witness over the propositions of the problem that is not yet replayed; or
    /// the failure of the engine.
    pub fn answer(self, problem: &Problem) -> Result<Result<Answer, Stop>, String> {
        match self.said {
            Said::Nonempty(Ok(word)) => {
                let word = word_from_json(&mut problem.store.clone(), &word)
                    .map_err(|error| format!("its word cannot be read: {error}"))?;
                Ok(Ok(Answer::word(word.restricted(&problem.propositions()))))
            }
            Said::Nonempty(Err(reason)) => Ok(Ok(Answer::Nonempty(Err(reason)))),
            Said::Empty => Ok(Ok(Answer::Empty(None))),
            Said::Stopped(stop) => Ok(Err(stop)),
            Said::Panicked(message) => Err(format!("it panicked: {message}")),
        }
    }
}
