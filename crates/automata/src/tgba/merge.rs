//! Fewer transitions between the same two states.
//!
//! Transitions with the same marks become one, whose label is the disjunction of theirs.
//! Transitions with the same label become one as well, with the marks of all: a run that takes it
//! infinitely often may alternate between the original ones, and for any other run the marks do not
//! matter. Each step removes transitions, so it terminates.

use std::hash::Hash;

use indexmap::IndexMap;
use kermode_bdd::{Bdd, OutOfNodes};
use rustc_hash::FxBuildHasher;

use super::graph::{Marks, State, Tgba, Transition};

impl Tgba {
    /// Merges parallel transitions of every state. If the table is full, the remaining states are
    /// unchanged, and so is the language.
    pub fn merge_transitions(&mut self) -> Result<(), OutOfNodes> {
        for state in self.states() {
            if !has_parallel(self.successors(state)) {
                continue;
            }
            let merged = merged(self.successors(state))?;
            self.take_transitions(state);
            for Transition { target, label, marks } in merged {
                self.add_transition(state, target, label, marks);
            }
        }
        Ok(())
    }
}

/// Whether two of the transitions of a state have the same target.
fn has_parallel(transitions: &[Transition]) -> bool {
    let mut targets: Vec<State> = transitions.iter().map(|t| t.target).collect();
    targets.sort_unstable();
    targets.windows(2).any(|pair| pair[0] == pair[1])
}

/// The transitions of a state, merged.
fn merged(transitions: &[Transition]) -> Result<Vec<Transition>, OutOfNodes> {
    let mut merged = transitions.to_vec();
    loop {
        let before = merged.len();
        merged = join_labels(merged)?;
        merged = join_marks(merged);
        if merged.len() == before {
            return Ok(merged);
        }
    }
}

fn join_labels(transitions: Vec<Transition>) -> Result<Vec<Transition>, OutOfNodes> {
    let key = |t: &Transition| (t.target, t.marks.clone());
    let groups = grouped(transitions, key).into_iter().map(|((target, marks), group)| {
        let labels = group.into_iter().map(|t| t.label);
        Ok(Transition { target, label: disjunction(labels.collect())?, marks })
    });
    groups.collect()
}

fn join_marks(transitions: Vec<Transition>) -> Vec<Transition> {
    let key = |t: &Transition| (t.target, t.label.clone());
    let groups = grouped(transitions, key).into_iter().map(|((target, label), group)| {
        let mut marks = Marks::new();
        group.iter().for_each(|t| marks.union_with(&t.marks));
        Transition { target, label, marks }
    });
    groups.collect()
}

/// Transitions grouped by a key, in the order of the first of each group.
fn grouped<K: Hash + Eq>(
    transitions: Vec<Transition>,
    key: impl Fn(&Transition) -> (State, K),
) -> IndexMap<(State, K), Vec<Transition>, FxBuildHasher> {
    let mut groups: IndexMap<(State, K), Vec<Transition>, FxBuildHasher> = IndexMap::default();
    for transition in transitions {
        groups.entry(key(&transition)).or_default().push(transition);
    }
    groups
}

/// The disjunction of labels, joined in pairs: a long chain would copy its growing part again and
/// again.
fn disjunction(mut labels: Vec<Bdd>) -> Result<Bdd, OutOfNodes> {
    while labels.len() > 1 {
        let pairs = labels.chunks(2).map(|pair| match pair {
            [a, b] => a.or(b),
            _ => Ok(pair[0].clone()),
        });
        labels = pairs.collect::<Result<_, _>>()?;
    }
    Ok(labels.swap_remove(0))
}
