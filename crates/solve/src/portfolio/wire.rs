//! Problems for other processes, and their answers, as JSON. Formulas and automata are texts,
//! propositions are names: the stores of two processes number them differently. `wire_model` has
//! the format of models and traces.

use kermode_automata::alaska::{self, LocationNames};
use kermode_automata::{Automaton, Difference, hoa};
use kermode_base::Diagnostic;
use kermode_ltl::dialect::{parse, write};
use kermode_ltl::word::{WordJson, word_from_json, word_to_json};
use kermode_ltl::{Dialect, Formula, Store, Syntax, WordKind};
use serde::{Deserialize, Serialize};

use super::wire_model::{
    Places, WrittenCtl, WrittenEvidence, WrittenModel, WrittenTarget, WrittenTrace,
};
use crate::frame::answer::{Answer, BranchTrace, InternalError, LeftOut, ModelTrace, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::decide::ask;
use crate::frame::engine::EngineSpec;
use crate::frame::observer::{Silent, Statistics};
use crate::frame::problem::{Language, PathEnd, Problem, RunProperty, WitnessPolicy};

/// A problem.
#[derive(Debug, Serialize, Deserialize)]
pub struct WrittenProblem {
    language: WrittenLanguage,
    witness: WitnessPolicy,
}

#[derive(Debug, Serialize, Deserialize)]
enum WrittenLanguage {
    Formula { text: String, finite: bool },
    Automata(WrittenDifference),
    Runs { model: WrittenModel, property: WrittenProperty, end: Option<WrittenEnd> },
    Paths { model: WrittenModel, target: WrittenTarget },
    Branches { model: WrittenModel, formula: WrittenCtl },
}

/// What the words of runs satisfy.
#[derive(Debug, Serialize, Deserialize)]
enum WrittenProperty {
    Formula(String),
    Automata(WrittenDifference),
}

/// Where finite paths end.
#[derive(Debug, Serialize, Deserialize)]
enum WrittenEnd {
    Anywhere,
    DeadEnd,
}

/// Automata that accept a word, and automata that reject it.
#[derive(Debug, Serialize, Deserialize)]
struct WrittenDifference {
    accepting: Vec<WrittenAutomaton>,
    rejecting: Vec<WrittenAutomaton>,
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
    Nonempty(Result<WrittenWitness, LeftOut>),
    Empty,
    Stopped(Stop),
    Panicked(String),
}

#[derive(Debug, Serialize, Deserialize)]
enum WrittenWitness {
    Word(WordJson),
    Trace(WrittenTrace),
    Branch(WrittenTrace, WrittenEvidence),
}

/// Why a problem or an answer cannot be written or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WireError(String);

impl WireError {
    pub(super) fn new(error: impl ToString) -> Self {
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
        let runs = |model, property: RunProperty, end: Option<WrittenEnd>| {
            let words = if end.is_some() { WordKind::Finite } else { WordKind::Infinite };
            let property = match property {
                RunProperty::Formula(formula) => {
                    let text = write(store, formula, syntax(words)).map_err(WireError::new)?;
                    WrittenProperty::Formula(text)
                }
                RunProperty::Automata(automata) => {
                    WrittenProperty::Automata(WrittenDifference::of(store, automata)?)
                }
            };
            let model = Places::new(model, &[]).model(store);
            Ok::<_, WireError>(WrittenLanguage::Runs { model, property, end })
        };
        let language = match problem.language {
            Language::Formula { formula, words } => {
                let text = write(store, formula, syntax(words)).map_err(WireError::new)?;
                WrittenLanguage::Formula { text, finite: words == WordKind::Finite }
            }
            Language::Automata(automata) => {
                WrittenLanguage::Automata(WrittenDifference::of(store, automata)?)
            }
            Language::Runs { model, property } => runs(model, property, None)?,
            Language::FiniteRuns { model, property, end } => {
                let end = match end {
                    PathEnd::Anywhere => WrittenEnd::Anywhere,
                    PathEnd::DeadEnd => WrittenEnd::DeadEnd,
                };
                runs(model, property, Some(end))?
            }
            Language::Paths { model, target } => {
                let reached: Vec<_> = target.expression().into_iter().collect();
                let places = Places::new(model, &reached);
                let (model, target) = (places.model(store), places.target(target));
                WrittenLanguage::Paths { model, target }
            }
            Language::Branches { model, formula } => {
                let places = Places::new(model, &formula.atoms());
                let (model, formula) = (places.model(store), places.ctl(formula));
                WrittenLanguage::Branches { model, formula }
            }
        };
        Ok(WrittenProblem { language, witness: problem.witness })
    }

    /// Runs an engine.
    pub fn ask(&self, engine: &EngineSpec, budget: &Budget) -> Result<Reply, WireError> {
        let mut store = Store::new();
        let reply =
            |problem: Problem| Reply::of(&problem.with_witness(self.witness), engine, budget);
        match &self.language {
            WrittenLanguage::Formula { text, finite } => {
                let words = if *finite { WordKind::Finite } else { WordKind::Infinite };
                let formula = formula(&mut store, text, words)?;
                Ok(reply(Problem::satisfiability(&store, formula, words)))
            }
            WrittenLanguage::Automata(automata) => {
                let automata = automata.read(&mut store)?;
                Ok(reply(Problem::emptiness(&store, &automata)))
            }
            WrittenLanguage::Runs { model, property, end } => {
                let model = model.read(&mut store)?.model;
                let words = if end.is_some() { WordKind::Finite } else { WordKind::Infinite };
                let automata;
                let property: RunProperty = match property {
                    WrittenProperty::Formula(text) => formula(&mut store, text, words)?.into(),
                    WrittenProperty::Automata(written) => {
                        automata = written.read(&mut store)?;
                        (&automata).into()
                    }
                };
                Ok(reply(match end {
                    None => Problem::runs(&store, &model, property),
                    Some(WrittenEnd::Anywhere) => {
                        Problem::finite_runs(&store, &model, property, PathEnd::Anywhere)
                    }
                    Some(WrittenEnd::DeadEnd) => {
                        Problem::finite_runs(&store, &model, property, PathEnd::DeadEnd)
                    }
                }))
            }
            WrittenLanguage::Paths { model, target } => {
                let read = model.read(&mut store)?;
                let target = read.target(target)?;
                Ok(reply(Problem::paths(&store, &read.model, target)))
            }
            WrittenLanguage::Branches { model, formula } => {
                let read = model.read(&mut store)?;
                let formula = read.ctl(formula)?;
                Ok(reply(Problem::branches(&store, &read.model, &formula)))
            }
        }
    }
}

fn formula(store: &mut Store, text: &str, words: WordKind) -> Result<Formula, WireError> {
    let parsed = parse(store, text, syntax(words));
    Ok(parsed.map_err(|error| WireError::unreadable(&[error]))?.formula)
}

impl WrittenDifference {
    fn of(store: &Store, automata: &Difference) -> Result<Self, WireError> {
        let written = |automata: &[Automaton]| -> Result<Vec<WrittenAutomaton>, WireError> {
            automata.iter().map(|automaton| WrittenAutomaton::of(store, automaton)).collect()
        };
        let (accepting, rejecting) = (automata.accepting(), automata.rejecting());
        Ok(WrittenDifference { accepting: written(accepting)?, rejecting: written(rejecting)? })
    }

    fn read(&self, store: &mut Store) -> Result<Difference, WireError> {
        let mut all: Option<Difference> = None;
        let accepting = self.accepting.iter().map(|text| (text, true));
        for (text, accepts) in accepting.chain(self.rejecting.iter().map(|text| (text, false))) {
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
            Ok(Ok(Answer::Nonempty(Ok(witness)))) => Said::Nonempty(Ok(match witness {
                Witness::Word(word) => WrittenWitness::Word(word_to_json(problem.store, &word)),
                Witness::Trace(run) => WrittenWitness::Trace(WrittenTrace::of(&run.trace)),
                Witness::Branch(branch) => WrittenWitness::Branch(
                    WrittenTrace::of(&branch.run.trace),
                    WrittenEvidence::of(&branch.evidence),
                ),
            })),
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
            Said::Nonempty(Ok(witness)) => {
                let witness = witness
                    .read(problem)
                    .map_err(|error| format!("its witness cannot be read: {error}"))?;
                Ok(Ok(Answer::Nonempty(Ok(witness))))
            }
            Said::Nonempty(Err(reason)) => Ok(Ok(Answer::Nonempty(Err(reason)))),
            Said::Empty => Ok(Ok(Answer::Empty(None))),
            Said::Stopped(stop) => Ok(Err(stop)),
            Said::Panicked(message) => Err(format!("it panicked: {message}")),
        }
    }
}

impl WrittenWitness {
    /// The witness, with its word over the propositions of the problem.
    fn read(&self, problem: &Problem) -> Result<Witness, WireError> {
        match (self, problem.language) {
            (WrittenWitness::Word(word), _) => {
                let word = word_from_json(&mut problem.store.clone(), word);
                let word = word.map_err(WireError::new)?;
                Ok(Witness::Word(word.restricted(&problem.propositions())))
            }
            (
                WrittenWitness::Trace(trace),
                Language::Runs { model, .. }
                | Language::FiniteRuns { model, .. }
                | Language::Paths { model, .. },
            ) => {
                let trace = trace.read(model.system.variables().len())?;
                Ok(Witness::Trace(ModelTrace::of(model, trace)))
            }
            (WrittenWitness::Branch(trace, evidence), Language::Branches { model, formula }) => {
                let trace = trace.read(model.system.variables().len())?;
                let (run, evidence) = (ModelTrace::of(model, trace), evidence.read(formula)?);
                Ok(Witness::Branch(Box::new(BranchTrace { run, evidence })))
            }
            _ => Err(WireError::new("it is of another kind")),
        }
    }
}
