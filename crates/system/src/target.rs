//! What a path is searched for: a state, a step, or the end of all paths.

use crate::graph::{Expression, Graph};
use crate::system::System;
use crate::trace::{Trace, columns};

/// The target of a search for a finite path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A state in which an expression holds. The expression has neither next values nor inputs.
    State(Expression),
    /// A step on which an expression holds: over both states and the inputs of the step. A state
    /// that no step leaves is not met, whatever the expression says about states.
    Step(Expression),
    /// A state without successor.
    DeadEnd,
}

impl Target {
    /// The expression that the last state or step of a path must satisfy.
    pub fn expression(self) -> Option<Expression> {
        match self {
            Target::State(expression) | Target::Step(expression) => Some(expression),
            Target::DeadEnd => None,
        }
    }

    /// Whether a finite trace of a system ends with a state or step in which the expression holds.
    /// Of a dead end this says only that the trace is finite: whether there is a successor is a
    /// question about the system.
    ///
    /// # Panics
    /// When the trace has another number of variables, or when the expression has a variable that
    /// the system lacks.
    pub fn is_at_end(self, graph: &Graph, system: &System, trace: &Trace) -> bool {
        let last = trace.len() - 1;
        let holds = |expression, position: usize| {
            let column = &columns(graph, system, trace, &[expression])[0];
            column[position / 64] >> (position % 64) & 1 == 1
        };
        trace.loop_start().is_none()
            && match self {
                Target::State(expression) => holds(expression, last),
                Target::Step(expression) => last > 0 && holds(expression, last - 1),
                Target::DeadEnd => true,
            }
    }
}
