//! The properties of a model, ready for the engines.

use kermode_automata::Difference;
use kermode_ltl::Formula;
use kermode_smv::flat::FlatExpression;
use kermode_smv::property::CtlSpecification;
use kermode_system::Target;

use crate::engines::ctl::ComputeKind;

/// A property to decide.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its number among the specifications of the model, from 1; typed properties have none.
    pub number: Option<usize>,
    /// Which logic.
    pub kind: CheckedKind,
    /// Its name.
    pub name: Option<String>,
    /// The path of its instance; empty for `main`.
    pub instance: String,
    /// The line of the model in which it begins; typed properties have none.
    pub line: Option<usize>,
    /// Its formula, as it is written, on one line; of automata, where they come from.
    pub text: String,
    pub(super) meaning: Meaning,
}

/// The logics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckedKind {
    /// LTL: every fair path satisfies the formula.
    Ltl,
    /// LTL over finite paths.
    FiniteLtl,
    /// An automaton: it accepts the words of all fair paths, or of none.
    Automaton,
    /// An automaton over finite words: it accepts those of all finite paths, or of none.
    FiniteAutomaton,
    /// An invariant of all reachable states or steps.
    Invariant,
    /// CTL: every fair initial state satisfies the formula.
    Ctl,
    /// The length of a shortest path.
    ComputeMin,
    /// The length of a longest path.
    ComputeMax,
    /// No dead end is reachable.
    Deadlock,
    /// PSL, which is not supported.
    Psl,
}

impl CheckedKind {
    /// Whether only infinite paths count.
    pub(super) fn is_of_infinite_paths(self) -> bool {
        matches!(self, CheckedKind::Ltl | CheckedKind::Automaton | CheckedKind::Ctl)
    }

    /// The keyword of such specifications in models.
    pub fn keyword(self) -> &'static str {
        match self {
            CheckedKind::Ltl | CheckedKind::FiniteLtl => "LTLSPEC",
            CheckedKind::Automaton | CheckedKind::FiniteAutomaton => "automaton",
            CheckedKind::Invariant => "INVARSPEC",
            CheckedKind::Ctl => "CTLSPEC",
            CheckedKind::ComputeMin | CheckedKind::ComputeMax => "COMPUTE",
            CheckedKind::Deadlock => "deadlock",
            CheckedKind::Psl => "PSLSPEC",
        }
    }
}

/// What a property asks.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// Every path satisfies the formula.
    Paths(Formula),
    /// No path has a word in the difference.
    Words(Difference),
    /// No path ends with the target, which is the violation of an invariant or a dead end.
    Never {
        /// The target.
        target: Target,
        /// The invariant.
        invariant: Option<FlatExpression>,
    },
    /// Every fair initial state satisfies the formula.
    Branches(CtlSpecification),
    /// The number of steps from states to others.
    Compute {
        /// The shortest or the longest.
        kind: ComputeKind,
        /// Where paths start.
        from: CtlSpecification,
        /// Where they arrive.
        to: CtlSpecification,
    },
    /// No answer, for this reason.
    Unsupported(String),
}

impl Property {
    /// Whether it is an automaton that accepts no path.
    pub fn wants_none(&self) -> bool {
        matches!(&self.meaning, Meaning::Words(violation) if violation.rejecting().is_empty())
    }

    /// How verdict lines call it: its keyword, and its name or its text.
    pub fn label(&self) -> String {
        let what = self.name.as_deref().unwrap_or(&self.text);
        let place = match (self.instance.as_str(), &self.name) {
            ("", _) | (_, Some(_)) => String::new(),
            (instance, None) => format!(" IN {instance}"),
        };
        match self.kind {
            CheckedKind::Deadlock => what.to_owned(),
            CheckedKind::Automaton | CheckedKind::FiniteAutomaton => {
                let which = if self.wants_none() { "no" } else { "every" };
                let name = self.name.as_ref().map(|name| format!(" ({name})"));
                format!("{which} path is accepted by {}{}", self.text, name.unwrap_or_default())
            }
            kind => format!("{} {what}{place}", kind.keyword()),
        }
    }
}
