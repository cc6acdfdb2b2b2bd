//! One line of a campaign: what one tool did with one input.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    /// There is a word, or the property holds: the tool said yes.
    Satisfiable,
    /// The tool said no.
    Unsatisfiable,
    /// The tool gave up by itself.
    Unknown,
    /// The CPU time was used up.
    CpuLimit,
    /// The wall-clock time was used up.
    WallLimit,
    /// The memory was used up.
    MemoryLimit,
    /// The tool ended in a way that says nothing.
    Crash,
}

impl Outcome {
    /// A verdict as tables and manifests write it: `SAT`, `unsat`, `satisfiable`.
    pub(crate) fn of_word(word: &str) -> Option<Outcome> {
        match word.to_ascii_lowercase().as_str() {
            "sat" | "satisfiable" => Some(Outcome::Satisfiable),
            "unsat" | "unsatisfiable" => Some(Outcome::Unsatisfiable),
            _ => None,
        }
    }
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The name of the input.
    pub(crate) input: String,
    /// The family that tables sum over.
    pub(crate) family: String,
    /// The parameter of a generated family, for plots of growth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parameter: Option<f64>,
    /// The engine with its options, or the name of the other tool.
    pub(crate) tool: String,
    /// Which of the repetitions this is, from 0.
    pub(crate) repetition: u32,
    /// The verdict that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) expected: Option<Outcome>,
    /// What came out.
    pub(crate) outcome: Outcome,
    /// CPU time of the whole process group.
    pub(crate) cpu_seconds: f64,
    /// Wall-clock time.
    pub(crate) wall_seconds: f64,
    /// Peak memory of the group, in bytes.
    pub(crate) peak_bytes: u64,
    /// The CPU limit, which unsolved runs count twice.
    pub(crate) cpu_limit_seconds: f64,
    /// The wall-clock limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) wall_limit_seconds: Option<f64>,
    /// The memory limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) memory_limit_bytes: Option<u64>,
    /// The limit on the address space of each process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) address_space_limit_bytes: Option<u64>,
    /// What was run: the command, its build and the input, in a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fingerprint: Option<String>,
    /// The letters of the word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) witness_letters: Option<u64>,
    /// Whether the word was replayed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) replayed: Option<bool>,
    /// Why there is no verdict: a reason, an exit status, the first words of complaint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) detail: Option<String>,
    /// What the engine counted.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(crate) statistics: Map<String, Value>,
}

/// What tells a run from all others of its campaign: input, tool, repetition.
pub(crate) type Key = (String, String, u32);

impl Record {
    /// Which run this is.
    pub(crate) fn key(&self) -> Key {
        (self.input.clone(), self.tool.clone(), self.repetition)
    }
}
