//! What is answered.
//!
//! An engine gives an [`Answer`]: the language is empty, or it is not and a [`Witness`] proves it.
//! After the witness is replayed, the answer is a [`Verdict`]. What a verdict means to a user who
//! asked for satisfiability, validity or emptiness is said elsewhere.

use kermode_ltl::Word;
use kermode_system::Trace;
use serde::{Deserialize, Serialize};

use crate::frame::budget::Stop;

/// What an engine says; its witness is not yet replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The language has a word; a witness, or why there is none to show.
    Nonempty(Result<Witness, LeftOut>),
    /// The language has no word, and perhaps the proof.
    Empty(Option<Certificate>),
}

impl Answer {
    /// There is a word, and this is one.
    pub fn word(word: Word) -> Answer {
        Answer::Nonempty(Ok(Witness::Word(word)))
    }

    /// The same answer about another language whose words come from the words of this one.
    pub(crate) fn map_word(self, map: impl FnOnce(Word) -> Word) -> Answer {
        match self {
            Answer::Nonempty(Ok(Witness::Word(word))) => Answer::word(map(word)),
            answer => answer,
        }
    }
}

/// The answer to a problem after the witness was replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The language has a word; a witness that was replayed, or why it is not shown.
    Nonempty(Result<Witness, LeftOut>),
    /// The language has no word, and perhaps the proof.
    Empty(Option<Certificate>),
    /// The engine stopped before it knew.
    Unknown(Stop),
}

impl Verdict {
    /// Whether the language is known to have a word.
    pub fn is_nonempty(&self) -> bool {
        matches!(self, Verdict::Nonempty(_))
    }

    /// The word that proves that the language has one, if it is there to show.
    pub fn word(&self) -> Option<&Word> {
        match self {
            Verdict::Nonempty(Ok(witness)) => Some(witness.word()),
            _ => None,
        }
    }
}

/// What proves that a language has a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Witness {
    /// A word of the language.
    Word(Word),
    /// A run of the model in question.
    Trace(ModelTrace),
}

/// A run of a model, and its word over the atoms of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelTrace {
    /// The states.
    pub trace: Trace,
    /// The letters of the steps between them.
    pub word: Word,
}

impl Witness {
    /// The word, which a trace has as well.
    pub fn word(&self) -> &Word {
        match self {
            Witness::Word(word) => word,
            Witness::Trace(run) => &run.word,
        }
    }

    /// The word alone.
    pub fn into_word(self) -> Word {
        match self {
            Witness::Word(word) => word,
            Witness::Trace(run) => run.word,
        }
    }

    /// The same witness, perhaps in fewer letters.
    pub(crate) fn shortened(self) -> Witness {
        match self {
            Witness::Word(word) => Witness::Word(word.shortened()),
            run @ Witness::Trace(_) => run,
        }
    }
}

/// What proves that a language has no word. There is none yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {}

/// Why a witness is not shown although there is one.
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
    /// The time of the witness ended while it was made or replayed.
    #[error("it was not made and replayed in the time that a word has after the verdict")]
    WitnessTime,
    /// The budget ended while it was made or replayed.
    #[error("it was not made and replayed in time: {0}")]
    Stopped(Stop),
}

/// An engine contradicted the semantics: a bug, never a verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InternalError {
    /// The witness of an engine does not prove what it should.
    #[error("engine {engine} gave a word that fails its replay")]
    WitnessFails {
        /// The engine's name.
        engine: String,
        /// What it gave.
        witness: Witness,
    },
    /// Two engines contradict each other.
    #[error("engine {nonempty} says that there is a word, and engine {empty} that there is none")]
    Disagreement {
        /// The engine that says that there is a word.
        nonempty: String,
        /// The engine that says that there is none.
        empty: String,
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
