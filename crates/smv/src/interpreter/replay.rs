//! Traces are checked against the model: each constraint and assignment at each step, one by one.

use std::convert::Infallible;

use super::dead_loops::DeadLoops;
use super::evaluate::{Evaluation, Outcome, Time};
use super::state::{Layout, State};
use crate::flat::{FlatExpression, FlatModel, Value, VariableId};
use crate::syntax::{AssignmentKind, ConstraintKind, Span, VariableKind};

/// A path of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The states.
    pub states: Vec<State>,
    /// The inputs of the step that leaves each state. The last state of a finite path has none.
    pub inputs: Vec<State>,
    /// Where the step that leaves the last state leads, if the path is infinite.
    pub loop_start: Option<usize>,
}

/// Which fairness conditions the loop of a trace must meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// None: an invariant is violated by any path.
    Ignored,
    /// `FAIRNESS` and `JUSTICE`, as for CTL.
    Justice,
    /// Also `COMPASSION`, as for LTL.
    JusticeAndCompassion,
}

/// A part of the model that a trace violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// There is no state, the number of inputs is wrong, or the loop starts behind the end.
    Shape,
    /// A constraint, by its index in the model.
    Constraint(usize),
    /// An assignment, by its index in the model.
    Assignment(usize),
    /// A frozen variable keeps its value.
    Frozen(VariableId),
    /// The variable is true exactly in the dead ends, and nothing changes on their loops.
    DeadLoop(VariableId),
    /// A justice condition holds in the loop: the index of the constraint in the model.
    Justice(usize),
    /// A compassion condition holds in the loop: the index of the pair in the model.
    Compassion(usize),
}

/// Why a trace is no path of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The state, or the step that leaves it, counted from 0.
    pub position: usize,
    /// What is violated.
    pub rule: Rule,
    /// Where that is written.
    pub span: Span,
    /// The result of the constraint, or of the right side of the assignment.
    pub outcome: Outcome,
}

/// The parts of the model that hold at the same places.
struct Rules<'m> {
    evaluation: Evaluation<'m>,
    rules: Vec<(Rule, Span)>,
}

/// Checks traces of a model.
pub struct Replay<'m> {
    model: &'m FlatModel,
    states: Layout<'m>,
    inputs: Layout<'m>,
    initial: Rules<'m>,
    always: Rules<'m>,
    step: Rules<'m>,
    dead: Option<DeadLoops<'m>>,
    /// The indices of justice conditions.
    justice: Vec<usize>,
}

impl<'m> Replay<'m> {
    /// Prepares for traces of a model.
    pub fn new(model: &'m FlatModel) -> Self {
        Replay {
            model,
            states: Layout::of_states(model),
            inputs: Layout::of_inputs(model),
            initial: Rules::of(model, ConstraintKind::Init, AssignmentKind::Init),
            always: Rules::of(model, ConstraintKind::Invar, AssignmentKind::Current),
            step: Rules::of(model, ConstraintKind::Trans, AssignmentKind::Next),
            dead: DeadLoops::of(model),
            justice: (0..model.constraints.len())
                .filter(|&index| model.constraints[index].kind == ConstraintKind::Justice)
                .collect(),
        }
    }

    /// Finds the first violation.
    pub fn check(&mut self, trace: &Trace, fairness: Fairness) -> Result<(), Violation> {
        let Ok(checked) = self.check_unless(trace, fairness, &mut || Ok::<(), Infallible>(()));
        checked
    }

    /// The same, unless the caller interrupts.
    pub fn check_unless<E>(
        &mut self,
        trace: &Trace,
        fairness: Fairness,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Result<(), Violation>, E> {
        if let Err(violation) = self.check_shape(trace) {
            return Ok(Err(violation));
        }
        for position in 0..trace.states.len() {
            interrupt()?;
            if let Err(violation) = self.check_position(trace, position) {
                return Ok(Err(violation));
            }
            if let Some(violation) = self.wrong_mark(trace, position, interrupt)? {
                return Ok(Err(violation));
            }
        }
        Ok(self.check_fairness(trace, fairness))
    }

    /// Checks a state and the step that leaves it.
    fn check_position(&mut self, trace: &Trace, position: usize) -> Result<(), Violation> {
        let Replay { model, states, inputs, initial, always, step, dead, .. } = self;
        let state = &trace.states[position];
        let current = |variable, _| states.value(state, variable);
        if position == 0 {
            initial.check(model, position, &current)?;
        }
        always.check(model, position, &current)?;
        let Some(input) = trace.inputs.get(position) else { return Ok(()) };
        let next = successor(trace, position);
        if let Some(dead) = dead.as_ref().filter(|dead| dead.is_marked(states, state)) {
            let changes = Violation {
                position,
                rule: Rule::DeadLoop(dead.variable),
                span: model.variable(dead.variable).span,
                outcome: Outcome::Scalar(Value::Boolean(true)),
            };
            return if next == state { Ok(()) } else { Err(changes) };
        }
        let value = |variable, time| match time {
            Time::Current => states.value(state, variable).or(inputs.value(input, variable)),
            Time::Next => states.value(next, variable),
        };
        step.check(model, position, &value)?;
        for &variable in states.variables() {
            let declared = model.variable(variable);
            let before = value(variable, Time::Current);
            if declared.kind == VariableKind::Frozen && before != value(variable, Time::Next) {
                return Err(Violation {
                    position,
                    rule: Rule::Frozen(variable),
                    span: declared.span,
                    outcome: before.map_or(Outcome::Unknown, Outcome::Scalar),
                });
            }
        }
        Ok(())
    }

    /// Whether a state has the mark of dead ends though it is none, or is one without the mark. The
    /// step that leaves a state without the mark shows that it is none.
    fn wrong_mark<E>(
        &mut self,
        trace: &Trace,
        position: usize,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Violation>, E> {
        let Replay { model, states, dead: Some(dead), .. } = self else { return Ok(None) };
        let state = &trace.states[position];
        let is_marked = dead.is_marked(states, state);
        if (!is_marked && position < trace.inputs.len())
            || dead.is_right(states, state, interrupt)?
        {
            return Ok(None);
        }
        Ok(Some(Violation {
            position,
            rule: Rule::DeadLoop(dead.variable),
            span: model.variable(dead.variable).span,
            outcome: Outcome::Scalar(Value::Boolean(is_marked)),
        }))
    }

    fn check_shape(&self, trace: &Trace) -> Result<(), Violation> {
        let last = usize::from(trace.loop_start.is_none());
        let is_right = !trace.states.is_empty()
            && trace.inputs.len() + last == trace.states.len()
            && trace.loop_start.is_none_or(|start| start < trace.states.len());
        let violation = Violation {
            position: 0,
            rule: Rule::Shape,
            span: Span::default(),
            outcome: Outcome::Unknown,
        };
        if is_right { Ok(()) } else { Err(violation) }
    }

    /// Finds the first fairness condition that the loop of a trace violates. The rest of the trace
    /// is not looked at.
    pub fn check_fairness(&self, trace: &Trace, fairness: Fairness) -> Result<(), Violation> {
        let Some(start) = trace.loop_start else { return Ok(()) };
        let violated = |rule, span| Violation {
            position: start,
            rule,
            span,
            outcome: Outcome::Scalar(Value::Boolean(false)),
        };
        if fairness == Fairness::Ignored {
            return Ok(());
        }
        let conditions = self.justice.iter().map(|&index| self.model.constraints[index].condition);
        let held = self.held_in_loop(trace, start, conditions);
        if let Some(missed) = held.iter().position(|held| !held) {
            let index = self.justice[missed];
            return Err(violated(Rule::Justice(index), self.model.constraints[index].span));
        }
        if fairness == Fairness::Justice {
            return Ok(());
        }
        let pairs = &self.model.compassion;
        let held = self.held_in_loop(trace, start, pairs.iter().flat_map(|&(p, q, _)| [p, q]));
        for (pair, held) in held.chunks(2).enumerate() {
            if held == [true, false] {
                return Err(violated(Rule::Compassion(pair), pairs[pair].2));
            }
        }
        Ok(())
    }

    /// Whether each condition holds at some place of the loop.
    fn held_in_loop(
        &self,
        trace: &Trace,
        start: usize,
        conditions: impl Iterator<Item = FlatExpression>,
    ) -> Vec<bool> {
        let conditions: Vec<_> = conditions.collect();
        let mut held = vec![false; conditions.len()];
        let mut evaluation = Evaluation::new(&self.model.expressions, &conditions);
        for (state, input) in trace.states.iter().zip(&trace.inputs).skip(start) {
            evaluation.run(|variable, _| {
                self.states.value(state, variable).or(self.inputs.value(input, variable))
            });
            for (number, held) in held.iter_mut().enumerate() {
                *held |= evaluation.is_true(number);
            }
        }
        held
    }
}

/// The state where the step that leaves a position leads.
fn successor(trace: &Trace, position: usize) -> &State {
    let next = position + 1;
    trace.states.get(next).unwrap_or(&trace.states[trace.loop_start.unwrap_or(position)])
}

impl<'m> Rules<'m> {
    fn of(model: &'m FlatModel, constraints: ConstraintKind, assignments: AssignmentKind) -> Self {
        let (mut roots, mut rules) = (Vec::new(), Vec::new());
        for (index, constraint) in model.constraints.iter().enumerate() {
            if constraint.kind == constraints {
                roots.push(constraint.condition);
                rules.push((Rule::Constraint(index), constraint.span));
            }
        }
        for (index, assignment) in model.assignments.iter().enumerate() {
            if assignment.kind == assignments {
                roots.push(assignment.value);
                let span = assignment.assigned.first().map(|first| first.span).unwrap_or_default();
                rules.push((Rule::Assignment(index), span));
            }
        }
        Rules { evaluation: Evaluation::new(&model.expressions, &roots), rules }
    }

    /// Finds the first rule that these values violate.
    fn check(
        &mut self,
        model: &FlatModel,
        position: usize,
        value: &dyn Fn(VariableId, Time) -> Option<Value>,
    ) -> Result<(), Violation> {
        self.evaluation.run(value);
        for (number, &(rule, span)) in self.rules.iter().enumerate() {
            let outcome = self.evaluation.outcome(number);
            let holds = match rule {
                Rule::Assignment(index) => {
                    let assignment = &model.assignments[index];
                    let time = match assignment.kind {
                        AssignmentKind::Next => Time::Next,
                        AssignmentKind::Init | AssignmentKind::Current => Time::Current,
                    };
                    let assigned = value(assignment.variable, time);
                    assigned.is_some_and(|value| match &outcome {
                        Outcome::Scalar(right) => *right == value,
                        Outcome::Set(set) => set.contains(value),
                        Outcome::Failure(_) | Outcome::Unknown => false,
                    })
                }
                _ => outcome.is_true(),
            };
            if !holds {
                return Err(Violation { position, rule, span, outcome });
            }
        }
        Ok(())
    }
}
