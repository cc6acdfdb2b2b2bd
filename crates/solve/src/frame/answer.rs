//! Answers of engines and verdicts.
//!
//! An engine gives an [`Answer`]: the language is empty, or it is nonempty and a [`Witness`] proves
//! it. After the witness is replayed, the answer is a [`Verdict`]. `question.rs` translates
//! verdicts for each question: satisfiability, validity, emptiness.

use kermode_ltl::Word;
use kermode_system::ctl::evidence::Evidence;
use kermode_system::{Model, Trace, replay};
use serde::{Deserialize, Serialize};

use crate::frame::budget::{Budget, Stop};

/// The answer of an engine. Its witness is not yet replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The language has a word; a witness, or the reason why there is none.
    Nonempty(Result<Witness, LeftOut>),
    /// The language is empty, perhaps with a proof.
    Empty(Option<Certificate>),
}

impl Answer {
    /// The answer with this word.
    pub fn word(word: Word) -> Answer {
        Answer::Nonempty(Ok(Witness::Word(word)))
    }

    /// The same answer about another language, with its words mapped.
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
    /// The language has a word; a replayed witness, or the reason why it is not shown.
    Nonempty(Result<Witness, LeftOut>),
    /// The language is empty, perhaps with a proof.
    Empty(Option<Certificate>),
    /// The engine stopped before it had an answer.
    Unknown(Stop),
}

impl Verdict {
    /// Whether the language is known to have a word.
    pub fn is_nonempty(&self) -> bool {
        matches!(self, Verdict::Nonempty(_))
    }

    /// The word that proves that the language is nonempty, if it is shown.
    pub fn word(&self) -> Option<&Word> {
        match self {
            Verdict::Nonempty(Ok(witness)) => Some(witness.word()),
            _ => None,
        }
    }
}

/// A proof that a language is nonempty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Witness {
    /// A word of the language.
    Word(Word),
    /// A run or a finite path of the model.
    Trace(ModelTrace),
    /// A run or a finite path of the model, and what it shows of a formula of CTL.
    Branch(Box<BranchTrace>),
}

/// A run or a finite path that shows, as far as one path can, that a formula of CTL is false in its
/// first state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchTrace {
    /// The path. If it is finite, a fair path continues from its last state.
    pub run: ModelTrace,
    /// The truth values of subformulas along the path, and which of them it does not show.
    pub evidence: Evidence,
}

/// A run or a finite path of a model, and its word over the atoms of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelTrace {
    /// The states.
    pub trace: Trace,
    /// The letters of the steps between the states.
    pub word: Word,
}

impl ModelTrace {
    /// The trace of a model with its word.
    pub fn of(model: &Model, trace: Trace) -> ModelTrace {
        let word = model.word(&trace);
        ModelTrace { trace, word }
    }

    /// Whether the trace is a fair run of the model or a finite path, and the word is its word.
    pub(crate) fn is_of(&self, model: &Model, budget: &Budget) -> Result<bool, Stop> {
        let (system, interrupt) = (&model.system, &mut || budget.check());
        Ok(self.trace.variable_count() == system.variables().len()
            && replay(&model.graph, system, &self.trace, interrupt)?.is_ok()
            && model.word(&self.trace) == self.word)
    }
}

impl Witness {
    /// The word of the witness; a trace has one too.
    pub fn word(&self) -> &Word {
        match self {
            Witness::Word(word) => word,
            Witness::Trace(run) => &run.word,
            Witness::Branch(branch) => &branch.run.word,
        }
    }

    /// The word of the witness, without the trace.
    pub fn into_word(self) -> Word {
        match self {
            Witness::Word(word) => word,
            Witness::Trace(run) => run.word,
            Witness::Branch(branch) => branch.run.word,
        }
    }

    /// The same witness, perhaps with fewer letters.
    pub(crate) fn shortened(self) -> Witness {
        match self {
            Witness::Word(word) => Witness::Word(word.shortened()),
            run @ (Witness::Trace(_) | Witness::Branch(_)) => run,
        }
    }
}

/// A proof that a language is empty. There are no such proofs yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {}

/// The reason why an existing witness is not shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum LeftOut {
    /// The caller did not ask for it.
    #[error("not asked for")]
    NotAsked,
    /// It is longer than the limit.
    #[error("it has {length} letters, more than {limit}")]
    TooLong {
        /// The number of its letters.
        length: usize,
        /// The limit.
        limit: usize,
    },
    /// It would be longer than the limit.
    #[error("it would have more than {limit} letters")]
    NotMade {
        /// The limit.
        limit: usize,
    },
    /// Its replay would evaluate too many positions, because past operators unroll the loop.
    #[error("its replay takes {positions} positions, more than {limit}")]
    TooFar {
        /// The number of positions.
        positions: usize,
        /// The limit.
        limit: usize,
    },
    /// The time for the witness ended while it was built or replayed.
    #[error("it was not made and replayed in the time that a word has after the verdict")]
    WitnessTime,
    /// The budget ended while it was built or replayed.
    #[error("it was not made and replayed in time: {0}")]
    Stopped(Stop),
}

/// An error of an engine, which contradicts the semantics. It is never a verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InternalError {
    /// The witness of an engine failed its replay.
    #[error("engine {engine} gave a word that fails its replay")]
    WitnessFails {
        /// The engine's name.
        engine: String,
        /// The witness.
        witness: Witness,
    },
    /// Two engines contradict each other.
    #[error("engine {nonempty} says that there is a word, and engine {empty} that there is none")]
    Disagreement {
        /// The engine that answered that there is a word.
        nonempty: String,
        /// The engine that answered that there is none.
        empty: String,
    },
    /// An engine panicked.
    #[error("engine {engine} panicked: {message}")]
    Panic {
        /// The engine's name.
        engine: String,
        /// The message of the panic.
        message: String,
    },
}
