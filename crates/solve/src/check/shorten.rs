//! Shorter counterexamples.
//!
//! The lasso of a fixpoint visits the justice constraints one after the other, and its states
//! include those of the property automaton, so it often repeats states of the model. Where two
//! states are equal, the steps between them can be left out, or become the loop. Each shorter trace
//! is judged as the first one was.

use kermode_smv::interpreter::{State, Trace};
use rustc_hash::FxHashMap;

use crate::frame::budget::Stop;

/// Longer traces stay as they are.
const LONGEST: usize = 400;
/// How many traces are judged.
const MOST_JUDGED: usize = 600;

/// A shorter counterexample, if one is found. A stop ends the search.
pub(super) fn shortened(trace: Trace, judge: &dyn Fn(&Trace) -> Result<bool, Stop>) -> Trace {
    if trace.loop_start.is_none() || trace.states.len() > LONGEST {
        return trace;
    }
    let mut left = MOST_JUDGED;
    let mut is_right = |candidate: &Trace| match left {
        0 => None,
        _ => {
            left -= 1;
            judge(candidate).ok()
        }
    };
    let trace = truncated(trace, &mut is_right);
    cut(trace, &mut is_right)
}

/// Whether a trace is a counterexample; nothing if no more may be judged.
type IsRight<'r> = dyn FnMut(&Trace) -> Option<bool> + 'r;

/// Looks for a loop that ends earlier.
fn truncated(trace: Trace, is_right: &mut IsRight) -> Trace {
    for (first, second) in pairs(&trace) {
        if second >= trace.states.len() {
            break;
        }
        let candidate = Trace {
            states: trace.states[..second].to_vec(),
            inputs: trace.inputs[..second].to_vec(),
            loop_start: Some(first),
        };
        match is_right(&candidate) {
            Some(true) => return candidate,
            Some(false) => {}
            None => break,
        }
    }
    trace
}

/// Leaves out steps between equal states, as long as that is possible.
fn cut(mut trace: Trace, is_right: &mut IsRight) -> Trace {
    'again: loop {
        let mut all = pairs(&trace);
        all.sort_by_key(|&(first, second)| std::cmp::Reverse(second - first));
        for (first, second) in all {
            let Some(candidate) = without(&trace, first, second) else { continue };
            match is_right(&candidate) {
                Some(true) => {
                    trace = candidate;
                    continue 'again;
                }
                Some(false) => {}
                None => return trace,
            }
        }
        return trace;
    }
}

/// The trace without the steps from one position to another with an equal state.
fn without(trace: &Trace, first: usize, second: usize) -> Option<Trace> {
    let start = trace.loop_start?;
    let removed = second - first;
    let loop_start = if second <= start {
        start - removed
    } else if first >= start {
        start
    } else {
        return None;
    };
    let mut shorter = trace.clone();
    shorter.states.drain(first..second);
    shorter.inputs.drain(first..second);
    shorter.loop_start = Some(loop_start);
    (loop_start < shorter.states.len()).then_some(shorter)
}

/// The pairs of positions with equal states, the second position in increasing order. The position
/// behind the last one has the state where the loop begins.
fn pairs(trace: &Trace) -> Vec<(usize, usize)> {
    let mut seen: FxHashMap<&State, Vec<usize>> = FxHashMap::default();
    let mut pairs = Vec::new();
    let back = trace.loop_start.map(|start| &trace.states[start]);
    for (position, state) in trace.states.iter().chain(back).enumerate() {
        let before = seen.entry(state).or_default();
        pairs.extend(before.iter().rev().map(|&first| (first, position)));
        before.push(position);
    }
    pairs
}
