//! A problem on its way to a worker, and the answer on its way back, as JSON. Formulas and automata travel as
//! texts, propositions by their names: stores of two processes number them differently.

use anyhow::{Context, anyhow};
use kermode::automata::alaska::{self, LocationNames};
use kermode::automata::{AlternatingAutomaton, Automaton, Difference, hoa};
use kermode::ltl::dialect::{parse, write};
use kermode::ltl::word::{WordJson, word_from_json, word_to_json};
use kermode::ltl::{Diagnostic, Dialect, Store, Syntax, WordKind};
use kermode::solve::{
    Answer, Budget, EngineSpec, InternalError, Language, LeftOut, Problem, Silent, Statistics,
    Stop, WitnessPolicy, ask,
};
use serde::{Deserialize, Serialize};

/// What is asked.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Written {
    Formula { text: String, finite: bool },
    Automata { accepting: Vec<WrittenAutomaton>, rejecting: Vec<WrittenAutomaton> },
}

/// The text of an automaton, in the format of its kind.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum WrittenAutomaton {
    Alternating(String),
    Generalised(String),
}

/// What is answered.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Reply {
    pub(crate) said: Said,
    pub(crate) statistics: Statistics,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Said {
    Satisfiable(WordJson),
    Unseen(LeftOut),
    Unsatisfiable,
    Stopped(Stop),
    Panicked(String),
}

impl Written {
    /// The text of a problem. It may be too large where much is shared.
    pub(crate) fn of(problem: &Problem) -> anyhow::Result<Written> {
        let store = problem.store;
        let written = |automata: &[Automaton]| -> anyhow::Result<Vec<WrittenAutomaton>> {
            automata.iter().map(|automaton| WrittenAutomaton::of(store, automaton)).collect()
        };
        Ok(match problem.language {
            Language::Formula { formula, words } => {
                let text = write(store, formula, syntax(words))?;
                Written::Formula { text, finite: words == WordKind::Finite }
            }
            Language::Automaton(automaton) => {
                let accepting = vec![WrittenAutomaton::alternating(store, automaton)?];
                Written::Automata { accepting, rejecting: Vec::new() }
            }
            Language::Difference(difference) => Written::Automata {
                accepting: written(difference.accepting())?,
                rejecting: written(difference.rejecting())?,
            },
        })
    }

    /// Asks an engine.
    pub(crate) fn ask(
        &self,
        engine: &EngineSpec,
        policy: WitnessPolicy,
        budget: &Budget,
    ) -> anyhow::Result<Reply> {
        let mut store = Store::new();
        match self {
            Written::Formula { text, finite } => {
                let words = if *finite { WordKind::Finite } else { WordKind::Infinite };
                let parsed =
                    parse(&mut store, text, syntax(words)).map_err(|e| unreadable(&[e]))?;
                let problem = Problem::satisfiability(&store, parsed.formula, words);
                Ok(Reply::of(&problem, engine, policy, budget))
            }
            Written::Automata { accepting, rejecting } => {
                let mut read = |automaton: &WrittenAutomaton| automaton.read(&mut store);
                let first = read(accepting.first().context("there is no automaton")?)?;
                let mut difference = Difference::of(first);
                for text in &accepting[1..] {
                    difference = difference.and(read(text)?);
                }
                for text in rejecting {
                    difference = difference.not(read(text)?);
                }
                Ok(Reply::of(&Problem::difference(&store, &difference), engine, policy, budget))
            }
        }
    }
}

impl WrittenAutomaton {
    fn of(store: &Store, automaton: &Automaton) -> anyhow::Result<Self> {
        match automaton {
            Automaton::Tgba(_) => {
                Ok(WrittenAutomaton::Generalised(hoa::write(store, automaton, None)?))
            }
            Automaton::Alternating(automaton) => WrittenAutomaton::alternating(store, automaton),
        }
    }

    fn alternating(store: &Store, automaton: &AlternatingAutomaton) -> anyhow::Result<Self> {
        let text = alaska::write(store, automaton, LocationNames::Numbers)?;
        Ok(WrittenAutomaton::Alternating(text))
    }

    fn read(&self, store: &mut Store) -> anyhow::Result<Automaton> {
        let read = match self {
            WrittenAutomaton::Alternating(text) => alaska::read(store, text).map(Automaton::from),
            WrittenAutomaton::Generalised(text) => {
                let first = hoa::read(store, text).into_iter().next();
                first.context("there is no automaton")?.map(|hoa| hoa.automaton)
            }
        };
        read.map_err(|errors| unreadable(&errors))
    }
}

fn syntax(words: WordKind) -> Syntax {
    Syntax { dialect: Dialect::Kermode, words }
}

fn unreadable(errors: &[Diagnostic]) -> anyhow::Error {
    let message = errors.first().map_or("", |error| &error.message);
    anyhow!("the question cannot be read: {message}")
}

impl Reply {
    fn of(problem: &Problem, engine: &EngineSpec, policy: WitnessPolicy, budget: &Budget) -> Self {
        let mut observer = Silent::default();
        let said = match ask(problem, engine, policy, budget, &mut observer) {
            Ok(Ok(Answer::Satisfiable(word))) => {
                Said::Satisfiable(word_to_json(problem.store, &word))
            }
            Ok(Ok(Answer::SatisfiableUnseen(reason))) => Said::Unseen(reason),
            Ok(Ok(Answer::Unsatisfiable)) => Said::Unsatisfiable,
            Ok(Err(stop)) => Said::Stopped(stop),
            Err(InternalError::Panic { message, .. }) => Said::Panicked(message),
            Err(error) => Said::Panicked(error.to_string()),
        };
        Reply { said, statistics: observer.statistics }
    }
}

/// The word of a reply, over the propositions of a problem.
pub(crate) fn word_of(problem: &Problem, word: &WordJson) -> anyhow::Result<kermode::ltl::Word> {
    let word = word_from_json(&mut problem.store.clone(), word)?;
    Ok(word.restricted(&problem.propositions()))
}
