//! Traces as they were read, with the places of their parts in the text.

use std::ops::Range;

use crate::interpreter::{State, Trace};

/// How a trace that was read ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With its last state.
    Finite,
    /// With a step to this state.
    Loop(usize),
    /// With a state that equals these earlier ones, as NuSMV writes loops. NuSMV marks all states
    /// that equal the last one, and does not say which of them its own loop begins with.
    Repetition(Vec<usize>),
}

/// What messages call the states of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// By their index, from 0.
    Index,
    /// As NuSMV does: by the number of the trace, and that of the state from 1.
    Numbered(usize),
}

/// A trace that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadTrace {
    /// The states, in the order of the text.
    pub states: Vec<State>,
    /// The inputs of the steps that leave them. If the trace ends with its last state or a
    /// repetition, there is one less.
    pub inputs: Vec<State>,
    /// How it ends.
    pub ending: Ending,
    /// What messages call the states.
    pub names: Names,
    /// The bytes of the text that it was read from.
    pub span: Range<usize>,
    /// Where each state is written.
    pub places: Vec<Range<usize>>,
}

impl ReadTrace {
    /// The paths that the trace may stand for.
    ///
    /// For NuSMV's format with marks these are the infinite paths whose loops begin at each mark,
    /// from the first mark to the last. The first one has the longest loop, which contains all
    /// other loops, so that it meets each justice condition that one of them meets. It may violate
    /// a compassion condition, or satisfy a property, that another one does not. The last path is
    /// the finite one, for a property that finite paths violate. Otherwise there is one path.
    pub fn paths(&self) -> Vec<Trace> {
        let path = |loop_start| Trace {
            states: self.states.clone(),
            inputs: self.inputs.clone(),
            loop_start,
        };
        match &self.ending {
            Ending::Finite => vec![path(None)],
            &Ending::Loop(start) => vec![path(Some(start))],
            Ending::Repetition(starts) => {
                let close = |&start: &usize| {
                    let mut lasso = path(Some(start));
                    lasso.states.pop();
                    lasso
                };
                starts.iter().map(close).chain([path(None)]).collect()
            }
        }
    }

    /// What messages call a state.
    pub fn name(&self, position: usize) -> String {
        match self.names {
            Names::Index => position.to_string(),
            Names::Numbered(trace) => format!("{trace}.{}", position + 1),
        }
    }
}
