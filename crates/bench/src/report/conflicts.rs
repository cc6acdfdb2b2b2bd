//! Conflicts, which must be seen before any table: answers that contradict each other or a known
//! verdict, and crashes.

use std::collections::{BTreeMap, BTreeSet};

use super::results::{Cell, Grade, Input, Results};
use crate::record::Outcome;

/// An input with contradicting answers. Tools are indices in the results.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Conflict<'r> {
    pub(crate) input: &'r str,
    pub(crate) family: &'r str,
    pub(crate) expected: &'r [Outcome],
    pub(crate) said_yes: Vec<usize>,
    pub(crate) said_no: Vec<usize>,
}

/// The conflicts, by family and name.
pub(crate) fn conflicts(results: &Results) -> Vec<Conflict<'_>> {
    let mut conflicts: Vec<Conflict> = results.all_inputs().filter_map(conflict).collect();
    conflicts.sort_by_key(|conflict| (conflict.family, conflict.input));
    conflicts
}

fn conflict(input: &Input) -> Option<Conflict<'_>> {
    let wrong = |cell: &Cell| cell.grade == Grade::Wrong;
    let in_conflict = input.is_disputed() || input.cells.iter().flatten().any(wrong);
    in_conflict.then(|| Conflict {
        input: &input.name,
        family: &input.family,
        expected: &input.expected,
        said_yes: input.who_said(true),
        said_no: input.who_said(false),
    })
}

/// Runs of a tool that crashed and said the same.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Crash<'r> {
    pub(crate) tool: usize,
    pub(crate) detail: &'r str,
    pub(crate) runs: usize,
    pub(crate) inputs: BTreeSet<&'r str>,
}

/// The crashes, by tool and what it said.
pub(crate) fn crashes(results: &Results) -> Vec<Crash<'_>> {
    let mut crashes: BTreeMap<(usize, &str), Crash> = BTreeMap::new();
    for input in results.all_inputs() {
        for (tool, run) in input.runs().filter(|(_, run)| run.outcome == Outcome::Crash) {
            let detail = run.detail.as_deref().unwrap_or("");
            let new = || Crash { tool, detail, runs: 0, inputs: BTreeSet::new() };
            let crash = crashes.entry((tool, detail)).or_insert_with(new);
            crash.runs += 1;
            crash.inputs.insert(&input.name);
        }
    }
    crashes.into_values().collect()
}
