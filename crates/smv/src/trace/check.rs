//! Replays a trace that was read on the model, and explains the first step that is wrong.

use kermode_base::Diagnostic;

use super::explain::Explanation;
use super::read_trace::{Ending, ReadTrace};
use crate::flat::FlatModel;
use crate::interpreter::{Fairness, Replay, Trace, Violation};

/// Why a trace is no path of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The first violation: the position of a state, or of the step that leaves it, and what is
    /// violated.
    pub violation: Violation,
    /// What is wrong in the text of the trace.
    pub in_trace: Diagnostic,
    /// The part of the model that is violated, in the text of the model.
    pub in_model: Diagnostic,
}

/// No path was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoPath<E> {
    /// The trace is no path of the model.
    Refused(Box<Refusal>),
    /// The caller interrupted.
    Stopped(E),
}

impl<E> From<E> for NoPath<E> {
    fn from(stop: E) -> Self {
        NoPath::Stopped(stop)
    }
}

/// The paths of the model that a trace may stand for, at least one, in the order of
/// [`ReadTrace::paths`]. If fairness counts, a trace with a loop stands for infinite paths only.
///
/// # Errors
/// If the trace is no path of the model, or the caller interrupts.
pub fn check<E>(
    model: &FlatModel,
    read: &ReadTrace,
    fairness: Fairness,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<Trace>, NoPath<E>> {
    let mut paths = read.paths();
    let mut replay = Replay::new(model);
    // The last path has all steps of the others.
    let Some(last) = paths.last() else { return Ok(paths) };
    interrupt()?;
    let refuse = |path: &Trace, violation| {
        let explanation = Explanation { model, read, path };
        let (in_trace, in_model) = explanation.of(&violation);
        Err(NoPath::Refused(Box::new(Refusal { violation, in_trace, in_model })))
    };
    if let Err(violation) = replay.check(last, fairness) {
        return refuse(last, violation);
    }
    let is_repetition = matches!(read.ending, Ending::Repetition(_));
    if fairness == Fairness::Ignored || !is_repetition {
        return Ok(paths);
    }
    paths.pop();
    let mut fair = Vec::new();
    let mut first = None;
    for path in paths {
        interrupt()?;
        match replay.check_fairness(&path, fairness) {
            Ok(()) => fair.push(path),
            Err(violation) => drop(first.get_or_insert((path, violation))),
        }
    }
    match first {
        Some((path, violation)) if fair.is_empty() => refuse(&path, violation),
        _ => Ok(fair),
    }
}
