//! Traces of systems, and their replay, which checks every witness of a search for a system.
//!
//! A *trace* has the values of all variables at each step. An infinite trace is a lasso: its last
//! step leads back to an earlier one. A finite trace ends with its last state, which no step
//! leaves: the values of inputs there mean nothing, except that they satisfy the invariants.
//!
//! Replay evaluates every constraint at every step and shares only the expressions with searches.
//! It reports which constraint fails and where: initial constraints at step 0, invariants at each
//! step, transition constraints between each step and the next (after the last one, the start of
//! the loop), and each justice constraint at some step of the loop. A finite trace has no step
//! after its last state and no justice.
//!
//! Values are stored as columns of bits, 64 steps per word, and expressions are evaluated 64 steps
//! at a time.

use std::fmt;

use crate::graph::{Below, Expression, Graph, Variable};
use crate::system::System;

/// A sequence of states: infinite, as a lasso, or finite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// For each variable, in the order of the system, one bit per step.
    columns: Vec<Vec<u64>>,
    steps: usize,
    loop_start: Option<usize>,
}

impl Trace {
    /// The trace of these steps, each with one value per variable. After the last step it continues
    /// at `loop_start`, or it ends there.
    ///
    /// # Panics
    /// When a step has another number of values, or when the loop or the whole trace would be
    /// empty.
    pub fn new<Step: IntoIterator<Item = bool>>(
        variables: usize,
        steps: impl IntoIterator<Item = Step>,
        loop_start: Option<usize>,
    ) -> Self {
        let mut trace = Trace { columns: vec![Vec::new(); variables], steps: 0, loop_start };
        for step in steps {
            trace.push(step);
        }
        assert!(trace.steps > 0, "a trace has a state");
        assert!(loop_start.is_none_or(|start| start < trace.steps), "a loop has a step");
        trace
    }

    fn push(&mut self, step: impl IntoIterator<Item = bool>) {
        let (word, bit) = (self.steps / 64, self.steps % 64);
        let mut values = step.into_iter();
        for column in &mut self.columns {
            column.resize(word + 1, 0);
            column[word] |= u64::from(values.next().expect("a value for each variable")) << bit;
        }
        assert!(values.next().is_none(), "a variable for each value");
        self.steps += 1;
    }

    /// The number of variables.
    pub fn variable_count(&self) -> usize {
        self.columns.len()
    }

    /// The trace of the first variables.
    pub fn restricted(mut self, variables: usize) -> Trace {
        self.columns.truncate(variables);
        self
    }

    /// The number of stored states: up to the end of the first pass through the loop.
    pub fn len(&self) -> usize {
        self.steps
    }

    /// Always false: a trace has a state.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Where the loop begins. A finite trace has none.
    pub fn loop_start(&self) -> Option<usize> {
        self.loop_start
    }

    /// The position that follows a position. The last state of a finite trace has none.
    pub fn successor(&self, position: usize) -> Option<usize> {
        if position + 1 < self.steps { Some(position + 1) } else { self.loop_start }
    }

    /// The value of a variable, by its position in the system, at a step.
    pub fn value(&self, step: usize, position: usize) -> bool {
        self.columns[position][step / 64] >> (step % 64) & 1 == 1
    }

    /// The value of a variable at the steps of a word, and one step later. After the end of a
    /// finite trace it is false.
    fn words(&self, position: usize, word: usize) -> (u64, u64) {
        let column = &self.columns[position];
        let following = column.get(word + 1).copied().unwrap_or(0);
        let next = column[word] >> 1 | following << 63;
        let last = self.steps - 1;
        if last / 64 != word {
            return (column[word], next);
        }
        let back = self.loop_start.is_some_and(|start| self.value(start, position));
        let back = u64::from(back) << (last % 64);
        (column[word], next & !(1 << (last % 64)) | back)
    }

    /// The bits of a word that are positions from `first` on and before `end`.
    fn mask(&self, word: usize, first: usize, end: usize) -> u64 {
        let (start, end) = (word * 64, (word * 64 + 64).min(end));
        let upto = |step: usize| match step.saturating_sub(start) {
            64.. => u64::MAX,
            bits => (1 << bits) - 1,
        };
        upto(end) & !upto(first)
    }
}

/// The kinds of constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// On the first state.
    Initial,
    /// On every step.
    Transition,
    /// On every state.
    Invariant,
    /// On infinitely many steps.
    Justice,
}

/// The constraint that a trace violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Violation {
    /// The kind of constraint.
    pub kind: ConstraintKind,
    /// The index among constraints of that kind.
    pub number: usize,
    /// The constraint.
    pub constraint: Expression,
    /// The first step at which it fails. Justice fails at all steps of the loop; this is the first
    /// of them.
    pub step: usize,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, step) = (self.number + 1, self.step);
        match self.kind {
            ConstraintKind::Initial => write!(f, "initial constraint {number} fails"),
            ConstraintKind::Transition => {
                write!(f, "transition constraint {number} fails from step {step} to the next")
            }
            ConstraintKind::Invariant => write!(f, "invariant {number} fails at step {step}"),
            ConstraintKind::Justice => {
                write!(f, "justice constraint {number} never holds in the loop from step {step} on")
            }
        }
    }
}

/// Whether a trace is a fair run of a system, or, if it is finite, a path from an initial state. If
/// not, the error is the first constraint that fails at the earliest time.
///
/// # Panics
/// When the trace has another number of variables, or when a constraint has a variable that the
/// system lacks.
pub fn replay<E>(
    graph: &Graph,
    system: &System,
    trace: &Trace,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Result<(), Violation>, E> {
    assert_eq!(trace.columns.len(), system.variables().len(), "a trace of this system");
    let replay = Replay::new(graph, system, trace, &system.constraints());
    let mut just = vec![false; system.justice().len()];
    for word in 0..trace.steps.div_ceil(64) {
        interrupt()?;
        let values = replay.values(word);
        if let Some(violation) = replay.violation(word, &values) {
            return Ok(Err(violation));
        }
        replay.note_justice(word, &values, &mut just);
    }
    Ok(replay.unjust(&just))
}

/// The values of expressions at the steps of a trace, as columns of bits, 64 steps per word.
pub(crate) fn columns(
    graph: &Graph,
    system: &System,
    trace: &Trace,
    expressions: &[Expression],
) -> Vec<Vec<u64>> {
    assert_eq!(trace.columns.len(), system.variables().len(), "a trace of this system");
    let replay = Replay::new(graph, system, trace, expressions);
    let words = trace.steps.div_ceil(64);
    let mut columns = vec![Vec::with_capacity(words); expressions.len()];
    for word in 0..words {
        let values = replay.values(word);
        for (column, &expression) in columns.iter_mut().zip(expressions) {
            column.push(values[replay.below.position(expression)]);
        }
    }
    columns
}

struct Replay<'a> {
    graph: &'a Graph,
    system: &'a System,
    trace: &'a Trace,
    below: Below,
    /// The position of a variable in the system, by its index in the graph.
    positions: Vec<usize>,
}

impl<'a> Replay<'a> {
    fn new(
        graph: &'a Graph,
        system: &'a System,
        trace: &'a Trace,
        expressions: &[Expression],
    ) -> Self {
        let mut positions = vec![usize::MAX; graph.variable_count()];
        for (position, variable) in system.variables().iter().enumerate() {
            positions[variable.index()] = position;
        }
        let below = Below::of(graph, expressions);
        Replay { graph, system, trace, below, positions }
    }

    /// The values of all expressions at the steps of a word.
    fn values(&self, word: usize) -> Vec<u64> {
        let words = |variable: Variable| self.trace.words(self.positions[variable.index()], word);
        self.graph.values(&self.below, |variable| words(variable).0, |variable| words(variable).1)
    }

    /// The earliest violation at the steps of a word, except for justice.
    fn violation(&self, word: usize, values: &[u64]) -> Option<Violation> {
        let steps = self.trace.steps;
        let everywhere = self.trace.mask(word, 0, steps);
        let left = steps - usize::from(self.trace.loop_start.is_none());
        let first = if word == 0 { 1 } else { 0 };
        let kinds = [
            (ConstraintKind::Initial, self.system.initial(), first),
            (ConstraintKind::Invariant, self.system.invariants(), everywhere),
            (ConstraintKind::Transition, self.system.transition(), self.trace.mask(word, 0, left)),
        ];
        let fails = |(kind, constraints, mask)| self.fails(kind, constraints, mask, word, values);
        kinds.into_iter().filter_map(fails).min_by_key(|violation| violation.step)
    }

    fn fails(
        &self,
        kind: ConstraintKind,
        constraints: &[Expression],
        mask: u64,
        word: usize,
        values: &[u64],
    ) -> Option<Violation> {
        let violations = constraints.iter().enumerate().filter_map(|(number, &constraint)| {
            let failing = !values[self.below.position(constraint)] & mask;
            let step = word * 64 + failing.trailing_zeros() as usize;
            (failing != 0).then_some(Violation { kind, number, constraint, step })
        });
        violations.min_by_key(|violation| violation.step)
    }

    fn note_justice(&self, word: usize, values: &[u64], just: &mut [bool]) {
        let Some(start) = self.trace.loop_start else { return };
        let mask = self.trace.mask(word, start, self.trace.steps);
        for (number, &constraint) in self.system.justice().iter().enumerate() {
            just[number] |= values[self.below.position(constraint)] & mask != 0;
        }
    }

    fn unjust(&self, just: &[bool]) -> Result<(), Violation> {
        let unjust = just.iter().position(|&just| !just);
        match (unjust, self.trace.loop_start) {
            (None, _) | (_, None) => Ok(()),
            (Some(number), Some(step)) => {
                let constraint = self.system.justice()[number];
                Err(Violation { kind: ConstraintKind::Justice, number, constraint, step })
            }
        }
    }
}
