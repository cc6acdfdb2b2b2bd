//! The statistics of automata and encodings, by their names in texts and JSON.

use kermode_automata::dfa::DfaStatistics;
use kermode_automata::{AlternatingStatistics, tgba};
use kermode_base::Natural;
use kermode_system::Encoded;
use serde_json::{Value, json};

/// Figures by name.
pub(crate) type Counted = Vec<(&'static str, Value)>;

pub(crate) fn of_alternating(statistics: &AlternatingStatistics) -> Counted {
    vec![
        ("locations", json!(statistics.locations)),
        ("accepting", json!(statistics.accepting)),
        ("propositions", json!(statistics.propositions)),
        ("expressions", json!(statistics.expressions)),
        ("weak", json!(statistics.weak)),
        ("very weak", json!(statistics.very_weak)),
    ]
}

pub(crate) fn of_generalised(statistics: &tgba::TgbaStatistics) -> Counted {
    vec![
        ("states", json!(statistics.states)),
        ("edges", json!(statistics.edges)),
        ("transitions", number(&statistics.transitions)),
        ("marks", json!(statistics.marks)),
        ("propositions", json!(statistics.propositions)),
        ("components", json!(statistics.components)),
        ("accepting components", json!(statistics.accepting_components)),
        ("class", json!(statistics.class().to_string())),
        ("nondeterministic states", json!(statistics.nondeterministic_states)),
        ("deterministic", json!(statistics.deterministic)),
        ("complete", json!(statistics.complete)),
    ]
}

pub(super) fn of_deterministic(statistics: &DfaStatistics) -> Counted {
    vec![
        ("states", json!(statistics.states)),
        ("accepting", json!(statistics.accepting)),
        ("edges", json!(statistics.edges)),
        ("transitions", number(&statistics.transitions)),
        ("propositions", json!(statistics.propositions)),
        ("nodes", json!(statistics.nodes)),
        ("complete", json!(statistics.complete)),
    ]
}

/// A number, as a text where readers of JSON may not support its size.
fn number(count: &Natural) -> Value {
    match u64::try_from(count) {
        Ok(count) => json!(count),
        Err(_) => json!(count.to_string()),
    }
}

pub(super) fn of_encoded(encoded: &Encoded) -> Counted {
    let system = &encoded.system;
    vec![
        ("variables", json!(system.variables().len())),
        ("propositions", json!(encoded.atoms.len())),
        ("transition constraints", json!(system.transition().len())),
        ("justice constraints", json!(system.justice().len())),
    ]
}
