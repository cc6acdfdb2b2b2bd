//! One line of a campaign: the result of one tool on one input.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The formula has a word.
    Satisfiable,
    /// The formula has no word.
    Unsatisfiable,
    /// The model has the property.
    Holds,
    /// The model does not have the property.
    Violated,
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
    /// The verdicts.
    pub(crate) const VERDICTS: [Outcome; 4] =
        [Outcome::Satisfiable, Outcome::Unsatisfiable, Outcome::Holds, Outcome::Violated];

    /// A verdict on a formula as tables and manifests write it: `SAT`, `unsat`, `satisfiable`.
    pub fn of_formula(word: &str) -> Option<Outcome> {
        match word.to_ascii_lowercase().as_str() {
            "sat" | "satisfiable" => Some(Outcome::Satisfiable),
            "unsat" | "unsatisfiable" => Some(Outcome::Unsatisfiable),
            _ => None,
        }
    }

    /// A verdict on a property of a model as tables and manifests write it: `holds`, `FALSE`.
    pub fn of_property(word: &str) -> Option<Outcome> {
        match word.to_ascii_lowercase().as_str() {
            "holds" | "true" => Some(Outcome::Holds),
            "violated" | "false" => Some(Outcome::Violated),
            _ => None,
        }
    }

    /// Whether a verdict is yes: there is a word, or the property holds. None without a verdict.
    pub fn answer(self) -> Option<bool> {
        match self {
            Outcome::Satisfiable | Outcome::Holds => Some(true),
            Outcome::Unsatisfiable | Outcome::Violated => Some(false),
            _ => None,
        }
    }

    /// Whether a limit ended the run.
    pub(crate) fn is_limit(self) -> bool {
        matches!(self, Outcome::CpuLimit | Outcome::WallLimit | Outcome::MemoryLimit)
    }
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The name of the input.
    pub input: String,
    /// The family that tables sum over.
    pub family: String,
    /// The property of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// The parameter of a generated family, for plots of growth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<f64>,
    /// The engine with its options, or the name of the other tool.
    pub tool: String,
    /// Which of the repetitions this is, from 0.
    pub repetition: u32,
    /// The verdict that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Outcome>,
    /// What came out.
    pub outcome: Outcome,
    /// CPU time of the whole process group.
    pub cpu_seconds: f64,
    /// Wall-clock time.
    pub wall_seconds: f64,
    /// Peak memory of the group, in bytes.
    pub peak_bytes: u64,
    /// The CPU limit, which unsolved runs count twice.
    pub cpu_limit_seconds: f64,
    /// The wall-clock limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_limit_seconds: Option<f64>,
    /// The memory limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_limit_bytes: Option<u64>,
    /// The limit on the address space of each process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address_space_limit_bytes: Option<u64>,
    /// A hash of the command, its build and the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// The letters of the word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness_letters: Option<u64>,
    /// Whether the word was replayed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replayed: Option<bool>,
    /// Why there is no verdict: a reason, an exit status, the beginning of an error message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What the engine counted.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub statistics: Map<String, Value>,
}

/// The key of a run in its campaign: input, tool, repetition.
pub(crate) type Key = (String, String, u32);

impl Record {
    /// Which run this is.
    pub(crate) fn key(&self) -> Key {
        (self.input.clone(), self.tool.clone(), self.repetition)
    }
}
