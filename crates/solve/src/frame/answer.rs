//! What is answered.

use kermode_ltl::Word;
use serde::{Deserialize, Serialize};

use crate::frame::budget::Stop;

/// What an engine says; its word is not yet replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a word; here is one.
    Satisfiable(Word),
    /// There is a word, and this is why it is not here.
    SatisfiableUnseen(LeftOut),
    /// There is none.
    Unsatisfiable,
}

impl Answer {
    /// The answer if a word was looked for. If the budget ended while its letters were, there is one still.
    pub(crate) fn of(word: Option<Result<Word, Stop>>) -> Answer {
        match word {
            None => Answer::Unsatisfiable,
            Some(Ok(word)) => Answer::Satisfiable(word),
            Some(Err(stop)) => Answer::SatisfiableUnseen(LeftOut::Stopped(stop)),
        }
    }
}

/// What a problem's answer is in the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a word.
    Satisfiable(Witness),
    /// There is none.
    Unsatisfiable,
    /// The engine stopped before it knew.
    Unknown(Stop),
}

/// The word that proves an answer, or the reason why it is not shown. A word is only here if the
/// semantics has replayed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Witness {
    /// A word that was replayed.
    Replayed(Word),
    /// No word is shown.
    LeftOut(LeftOut),
}

/// Why a word is not shown although there is one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum LeftOut {
    /// Nobody asked for it.
    #[error("not asked for")]
    NotAsked,
    /// It is longer than allowed.
    #[error("it has {length} letters, more than {limit}")]
    TooLong {
        /// How many letters it has.
        length: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// It would be longer than allowed.
    #[error("it would have more than {limit} letters")]
    NotMade {
        /// How many are allowed.
        limit: usize,
    },
    /// Its replay would look at too many positions: past operators unroll the loop.
    #[error("its replay takes {positions} positions, more than {limit}")]
    TooFar {
        /// How many positions.
        positions: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// The budget ended during the replay.
    #[error("its replay ended with {0}")]
    Stopped(Stop),
}

/// An engine contradicted the semantics: a bug, never a verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InternalError {
    /// The word of an engine is not in the language.
    #[error("engine {engine} gave a word that fails its replay")]
    WitnessFails {
        /// The engine's name.
        engine: String,
        /// What it gave.
        word: Word,
    },
    /// Two engines contradict each other.
    #[error(
        "engine {satisfiable} says that there is a word, and engine {unsatisfiable} that there is none"
    )]
    Disagreement {
        /// Who says that there is a word.
        satisfiable: String,
        /// Who says that there is none.
        unsatisfiable: String,
    },
    /// An engine panicked.
    #[error("engine {engine} panicked: {message}")]
    Panic {
        /// The engine's name.
        engine: String,
        /// What the panic said.
        message: String,
    },
}
