//! Circular assignments.
//!
//! `x := e` and `init(x) := e` make the value of `x` depend on the variables of `e`, and
//! `next(x) := e` makes its next value depend on the next values in `e`. A cycle of dependencies is
//! refused, even if conditions break it. Constraints are not looked at, and `next` assignments do not
//! look into current ones, as in NuSMV.
//!
//! The search is depth first over expressions in three roles, so that shared expressions are
//! visited once per role.

use kermode_base::Diagnostic;
use kermode_base::terms::Handle;

use super::{Flattener, Unusable};
use crate::flat::{FlatExpression, FlatTerm, VariableId};
use crate::syntax::AssignmentKind;

/// How an expression is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// In a current or initial assignment: variables stand for their values.
    Current,
    /// In a `next` assignment: variables are known, and `next` leads to [`Role::Next`].
    Step,
    /// Under `next`: variables stand for their next values.
    Next,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Active,
    Done,
}

impl Flattener<'_> {
    pub(super) fn find_circular_assignments<E>(
        &mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), Unusable<E>> {
        let count = self.model.variables.len();
        // A variable may have both an initial and a current assignment only in a wrong model.
        let [mut current, mut next] = [vec![None; count], vec![None; count]];
        for (number, assignment) in self.model.assignments.iter().enumerate() {
            match assignment.kind {
                AssignmentKind::Next => next[assignment.variable.index()] = Some(number),
                _ => current[assignment.variable.index()] = Some(number),
            }
        }
        let mut marks = vec![Mark::New; 3 * self.model.expressions.len()];
        let mut reported = Vec::new();
        for number in 0..self.model.assignments.len() {
            interrupt()?;
            let assignment = &self.model.assignments[number];
            let role = match assignment.kind {
                AssignmentKind::Next => Role::Step,
                _ => Role::Current,
            };
            let mut stack = vec![(assignment.value, role, false)];
            while let Some((expression, role, leaves)) = stack.pop() {
                let place = 3 * expression.index() + role as usize;
                if leaves {
                    marks[place] = Mark::Done;
                    continue;
                }
                match marks[place] {
                    Mark::Done => continue,
                    // It is below itself.
                    Mark::Active => {
                        reported.push((number, expression));
                        continue;
                    }
                    Mark::New => marks[place] = Mark::Active,
                }
                stack.push((expression, role, true));
                self.dependencies(expression, role, &current, &next, &mut |expression, role| {
                    stack.push((expression, role, false));
                });
            }
        }
        if let Some(&(number, _)) = reported.first() {
            self.report_cycle(number);
        }
        Ok(())
    }

    fn dependencies(
        &self,
        expression: FlatExpression,
        role: Role,
        current: &[Option<usize>],
        next: &[Option<usize>],
        depend: &mut dyn FnMut(FlatExpression, Role),
    ) {
        let value = |number: Option<usize>| Some(self.model.assignments[number?].value);
        match (self.model.expressions.term(expression), role) {
            (FlatTerm::Variable(variable), Role::Current) => {
                if let Some(value) = value(current[variable.index()]) {
                    depend(value, Role::Current);
                }
            }
            (FlatTerm::Variable(variable), Role::Next) => {
                if let Some(value) = value(next[variable.index()]) {
                    depend(value, Role::Step);
                }
            }
            (FlatTerm::Variable(_), Role::Step) => {}
            (FlatTerm::Next(operand), Role::Step) => depend(operand, Role::Next),
            (term, role) => term.operands().for_each(|operand| depend(operand, role)),
        }
    }

    fn report_cycle(&mut self, number: usize) {
        let assignment = &self.model.assignments[number];
        let VariableId(_) = assignment.variable;
        let name = &self.model.variable(assignment.variable).name;
        let Some(first) = assignment.assigned.first() else { return };
        let (kind, span) = (assignment.kind, first.span);
        let value = match kind {
            AssignmentKind::Next => "the next value",
            AssignmentKind::Init => "the initial value",
            AssignmentKind::Current => "the value",
        };
        let message = format!("{value} of `{name}` depends on itself");
        self.report(
            Diagnostic::error(span.range(), message)
                .label("this assignment leads back to itself, perhaps through others")
                .help("use the current instead of the next value in one of them, or a constraint (INVAR, TRANS)"),
        );
    }
}
