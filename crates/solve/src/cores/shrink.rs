//! From an unsatisfiable subset to a minimal one.
//!
//! Members are removed in chunks, and put back if the rest is satisfiable; chunks that were needed
//! are halved. A word on which all members of the subset hold but one shows that this one is
//! needed, whoever found the word.

use kermode_base::BitSet;

use super::oracle::{Found, Interruption, Oracle, without};
use crate::frame::answer::InternalError;
use crate::frame::budget::Stop;

/// An unsatisfiable subset. Without a stop, every member is needed.
pub(super) struct Shrunk {
    pub(super) set: BitSet,
    pub(super) stop: Option<Stop>,
}

/// Removes members that are not needed.
pub(super) fn shrink(oracle: &mut Oracle, set: BitSet) -> Result<Shrunk, InternalError> {
    let mut current = set;
    match minimise(oracle, &mut current) {
        Ok(()) => Ok(Shrunk { set: current, stop: None }),
        Err(Interruption::Stop(stop)) => Ok(Shrunk { set: current, stop: Some(stop) }),
        Err(Interruption::Bug(error)) => Err(error),
    }
}

/// Keeps `current` unsatisfiable.
fn minimise(oracle: &mut Oracle, current: &mut BitSet) -> Result<(), Interruption> {
    let mut needed = BitSet::new();
    let mut chunk = current.len() / 4;
    loop {
        for model in &oracle.models {
            let missing = without(current, &model.satisfied);
            if missing.len() == 1 {
                needed.union_with(&missing);
            }
        }
        let open = without(current, &needed);
        if open.is_empty() {
            return Ok(());
        }
        chunk = chunk.clamp(1, open.len().div_ceil(2));
        let tried: BitSet = open.iter().take(chunk).collect();
        match oracle.decide(&without(current, &tried))? {
            Found::Conflict(smaller) => *current = smaller,
            Found::Model(_) if chunk == 1 => needed.union_with(&tried),
            Found::Model(_) => chunk /= 2,
        }
    }
}
