//! Explains why a trace is no path of the model: which state or step, which part of the model, and
//! the values of the variables in it.

use std::ops::Range;

use kermode_base::Diagnostic;
use kermode_base::terms::Dag;
use rustc_hash::FxHashSet;

use super::read_trace::ReadTrace;
use super::values::listed;
use crate::flat::{FlatExpression, FlatModel, FlatTerm, Value, VariableId};
use crate::interpreter::{FailureReason, Layout, Outcome, Rule, Trace, Violation};
use crate::syntax::{AssignmentKind, ConstraintKind, VariableKind};

/// Explains a violation.
pub(super) struct Explanation<'e> {
    pub(super) model: &'e FlatModel,
    pub(super) read: &'e ReadTrace,
    pub(super) path: &'e Trace,
}

/// Where a rule applies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    State,
    Step,
    Loop,
}

impl Explanation<'_> {
    /// What is wrong in the text of the trace, and the part of the model that is violated.
    pub(super) fn of(&self, violation: &Violation) -> (Diagnostic, Diagnostic) {
        let position = violation.position;
        let scope = self.scope(violation.rule);
        let place = self.place(position, scope);
        match violation.rule {
            Rule::Shape => (
                Diagnostic::error(self.read.span.clone(), "this trace has a wrong form")
                    .label("states, inputs and loop do not fit together"),
                Diagnostic::error(0..0, "the trace has a wrong form").label("no path of the model"),
            ),
            Rule::Constraint(index) => {
                let constraint = &self.model.constraints[index];
                let keyword = keyword(constraint.kind);
                let values = self.values(position, &[constraint.condition], None);
                let result = match &violation.outcome {
                    Outcome::Failure(failure) => {
                        format!("has no value ({})", reason(failure.reason))
                    }
                    _ => "is FALSE".to_owned(),
                };
                (
                    self.in_trace(position, scope, &format!("violates {keyword}"), &values),
                    Diagnostic::error(
                        violation.span.range(),
                        format!("this {keyword} {result} in {place}"),
                    )
                    .label(values),
                )
            }
            Rule::Assignment(index) => self.assignment(index, position, scope, violation),
            Rule::Frozen(variable) => {
                let name = &self.model.variable(variable).name;
                let change = self.values(position, &[], Some(variable));
                let problem = format!("changes `{name}`, which is frozen");
                let message = format!("`{name}` is frozen, but changes in {place}");
                (
                    self.in_trace(position, scope, &problem, &change),
                    Diagnostic::error(violation.span.range(), message).label(change),
                )
            }
            Rule::DeadLoop(variable) => {
                let name = &self.model.variable(variable).name;
                let values = self.values(position, &[], Some(variable));
                let rule = format!(
                    "`{name}` is TRUE exactly in the states without another step, and nothing \
                     changes there"
                );
                (
                    self.in_trace(position, scope, "violates `--dead`", &values),
                    Diagnostic::error(violation.span.range(), rule).label(values),
                )
            }
            Rule::Justice(_) => self.unfair(violation, "this FAIRNESS condition never holds"),
            Rule::Compassion(_) => self.unfair(
                violation,
                "the first condition of this COMPASSION holds, and the second never",
            ),
        }
    }

    fn scope(&self, rule: Rule) -> Scope {
        match rule {
            Rule::Shape => Scope::State,
            Rule::Constraint(index) => match self.model.constraints[index].kind {
                ConstraintKind::Trans => Scope::Step,
                _ => Scope::State,
            },
            Rule::Assignment(index) => match self.model.assignments[index].kind {
                AssignmentKind::Next => Scope::Step,
                AssignmentKind::Init | AssignmentKind::Current => Scope::State,
            },
            Rule::Frozen(_) => Scope::Step,
            Rule::DeadLoop(_) => Scope::State,
            Rule::Justice(_) | Rule::Compassion(_) => Scope::Loop,
        }
    }

    /// The index of the state after a step.
    fn target(&self, position: usize) -> usize {
        match self.path.loop_start {
            Some(start) if position + 1 == self.path.states.len() => start,
            _ => position + 1,
        }
    }

    /// What messages call a state, step or loop.
    fn place(&self, position: usize, scope: Scope) -> String {
        let name = self.read.name(position);
        match scope {
            Scope::State => format!("state {name}"),
            Scope::Step => {
                let target = self.target(position);
                let back = if target <= position { "back " } else { "" };
                format!("the step from state {name} {back}to state {}", self.read.name(target))
            }
            Scope::Loop => {
                let last = self.read.name(self.path.states.len() - 1);
                format!("the loop from state {name} to state {last}")
            }
        }
    }

    /// The diagnostic about the text of the trace.
    fn in_trace(&self, position: usize, scope: Scope, problem: &str, values: &str) -> Diagnostic {
        let written = match scope {
            Scope::Step => self.target(position).max(position),
            Scope::State | Scope::Loop => position,
        };
        let span = self.read.places.get(written).cloned().unwrap_or(self.read.span.clone());
        let place = self.place(position, scope);
        Diagnostic::error(span, format!("{place} {problem}")).label(values)
    }

    fn unfair(&self, violation: &Violation, problem: &str) -> (Diagnostic, Diagnostic) {
        let (position, scope) = (violation.position, Scope::Loop);
        let place = self.place(position, scope);
        (
            self.in_trace(position, scope, "is not fair", "the loop starts here"),
            Diagnostic::error(violation.span.range(), format!("{problem} in {place}"))
                .label("violated by the loop"),
        )
    }

    fn assignment(
        &self,
        index: usize,
        position: usize,
        scope: Scope,
        violation: &Violation,
    ) -> (Diagnostic, Diagnostic) {
        let assignment = &self.model.assignments[index];
        let name = &self.model.variable(assignment.variable).name;
        let (is_next, target) = match assignment.kind {
            AssignmentKind::Current => (false, name.clone()),
            AssignmentKind::Init => (false, format!("init({name})")),
            AssignmentKind::Next => (true, format!("next({name})")),
        };
        let found = self.value(assignment.variable, position, is_next);
        let found = found.map(|value| self.model.show(value)).unwrap_or_default();
        let expected = self.outcome(&violation.outcome);
        let values = self.values(position, &[assignment.value], None);
        let (span, message) = self.assigned(index, position, violation);
        let place = self.place(position, scope);
        (
            self.in_trace(
                position,
                scope,
                "violates an assignment",
                &format!("`{target}` is {found}, and must be {expected}"),
            ),
            Diagnostic::error(span, format!("{message} in {place}"))
                .label(format!("`{target}` is {found}, and this is {expected}"))
                .help(format!("the values on the right side: {values}")),
        )
    }

    /// Where the assignment that counts is written, and what is wrong with it. In a model with
    /// processes that is the one of the process that runs.
    fn assigned(
        &self,
        index: usize,
        position: usize,
        violation: &Violation,
    ) -> (Range<usize>, String) {
        let assignment = &self.model.assignments[index];
        let name = &self.model.variable(assignment.variable).name;
        let violated = "this assignment is violated".to_owned();
        let selector = match assignment.kind {
            AssignmentKind::Next => self.model.process_selector,
            AssignmentKind::Init | AssignmentKind::Current => None,
        };
        let running = selector.and_then(|id| self.value(id, position, false));
        let Some(running) = running.map(|value| self.model.show(value)) else {
            return (violation.span.range(), violated);
        };
        let runs = |process: u32| {
            let path = self.model.instances[process as usize].0.as_str();
            running == if path.is_empty() { "main" } else { path }
        };
        match assignment.assigned.iter().find(|assigned| runs(assigned.process)) {
            Some(assigned) => (assigned.span.range(), violated),
            None => (
                violation.span.range(),
                format!("the process `{running}` does not assign `{name}`, which changes"),
            ),
        }
    }

    /// The value of a variable in a state, of an input in the step that leaves it, or of a variable
    /// in the next state.
    fn value(&self, id: VariableId, position: usize, is_next: bool) -> Option<Value> {
        let position = if is_next { self.target(position) } else { position };
        match self.model.variable(id).kind {
            VariableKind::Input => {
                Layout::of_inputs(self.model).value(self.path.inputs.get(position)?, id)
            }
            VariableKind::State | VariableKind::Frozen => {
                Layout::of_states(self.model).value(self.path.states.get(position)?, id)
            }
        }
    }

    /// The variables in some expressions, and one variable before and after a step, with their
    /// values.
    fn values(
        &self,
        position: usize,
        roots: &[FlatExpression],
        changed: Option<VariableId>,
    ) -> String {
        let mut uses: Vec<(VariableId, bool)> = Vec::new();
        for &root in roots {
            uses.extend(self.uses(root));
        }
        uses.extend(changed.into_iter().flat_map(|id| [(id, false), (id, true)]));
        let show = |&(id, is_next): &(VariableId, bool)| {
            let value = self.model.show(self.value(id, position, is_next)?);
            let name = &self.model.variable(id).name;
            Some(if is_next {
                format!("next({name}) = {value}")
            } else {
                format!("{name} = {value}")
            })
        };
        match uses.is_empty() {
            true => "no variable matters here".to_owned(),
            false => listed(uses.iter().filter_map(show).collect()),
        }
    }

    /// The variables that an expression reads, and whether it reads them in the next state.
    fn uses(&self, root: FlatExpression) -> Vec<(VariableId, bool)> {
        let expressions = &self.model.expressions;
        let (mut uses, mut stack) = (Vec::new(), vec![(root, false)]);
        let mut seen = FxHashSet::default();
        while let Some((expression, is_next)) = stack.pop() {
            if !seen.insert((expression, is_next)) {
                continue;
            }
            let term = expressions.term(expression);
            if let FlatTerm::Variable(id) = term {
                uses.push((id, is_next));
            }
            let is_next = is_next || matches!(term, FlatTerm::Next(_));
            stack.extend(expressions.operands(expression).map(|operand| (operand, is_next)));
        }
        uses.sort_unstable();
        uses
    }

    /// The result of the right side of an assignment, in words.
    fn outcome(&self, outcome: &Outcome) -> String {
        match outcome {
            Outcome::Scalar(value) => self.model.show(*value),
            Outcome::Set(set) => {
                let some = (0..set.len().min(20)).filter_map(|number| set.get(number));
                let mut texts: Vec<String> = some.map(|value| self.model.show(value)).collect();
                if set.len() > 20 {
                    texts.truncate(7);
                    texts.push("..".to_owned());
                }
                format!("one of {}", texts.join(", "))
            }
            Outcome::Failure(failure) => format!("nothing ({})", reason(failure.reason)),
            Outcome::Unknown => "unknown".to_owned(),
        }
    }
}

fn keyword(kind: ConstraintKind) -> &'static str {
    match kind {
        ConstraintKind::Init => "INIT",
        ConstraintKind::Invar => "INVAR",
        ConstraintKind::Trans => "TRANS",
        ConstraintKind::Justice => "FAIRNESS",
    }
}

fn reason(reason: FailureReason) -> &'static str {
    match reason {
        FailureReason::NoCase => "no condition of a `case` is true",
        FailureReason::OutOfBounds => "a subscript is out of bounds",
        FailureReason::DivisionByZero => "a division by zero",
        FailureReason::ShiftAmount => "a shift by too many bits",
    }
}
