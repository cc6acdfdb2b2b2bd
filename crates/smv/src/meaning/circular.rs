//! Circular assignments.
//!
//! `x := e` and `init(x) := e` make the value of `x` depend on the variables of `e`, and
//! `next(x) := e` makes its next value depend on the next values in `e`. A cycle of dependencies is
//! refused, even if conditions break it. Only one process runs in a step, so a cycle through the
//! `next` assignments of several processes is none. Constraints are not looked at, and `next`
//! assignments do not look into current ones, as in NuSMV.
//!
//! The search is depth first over expressions in three roles, so that shared expressions are
//! visited once per role and process.

use kermode_base::Diagnostic;
use kermode_base::terms::Handle;

use super::{Flattener, Unusable};
use crate::flat::{Assigned, FlatExpression, FlatTerm, VariableId};
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

/// The progress of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    /// It is being searched, in the search with this number.
    Active(u32),
    /// It leads to no cycle, as the search with this number showed.
    Done(u32),
}

/// The assignments that are in force together: all current and initial ones, or the `next` ones of
/// one process.
struct Group {
    role: Role,
    assignments: Vec<(VariableId, AssignmentKind, Assigned)>,
}

impl Flattener<'_> {
    pub(super) fn find_circular_assignments<E>(
        &mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), Unusable<E>> {
        let mut marks = vec![Mark::New; 3 * self.model.expressions.len()];
        let mut values: Vec<Option<(u32, FlatExpression)>> = vec![None; self.model.variables.len()];
        for (number, group) in self.groups().into_iter().enumerate() {
            let number = number as u32;
            for (variable, _, assigned) in &group.assignments {
                values[variable.index()] = Some((number, assigned.value));
            }
            let value = |variable: VariableId| match values[variable.index()] {
                Some((group, value)) if group == number => Some(value),
                _ => None,
            };
            for &(variable, kind, assigned) in &group.assignments {
                interrupt()?;
                let root = (assigned.value, group.role);
                if self.leads_back(root, number, &mut marks, &value) {
                    self.report_cycle(variable, kind, assigned);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The groups of assignments, the current ones first.
    fn groups(&self) -> Vec<Group> {
        let mut groups = vec![Group { role: Role::Current, assignments: Vec::new() }];
        let mut steps = Vec::new();
        for assignment in &self.model.assignments {
            for &assigned in &assignment.assigned {
                let entry = (assignment.variable, assignment.kind, assigned);
                match assignment.kind {
                    AssignmentKind::Next => steps.push(entry),
                    _ => groups[0].assignments.push(entry),
                }
            }
        }
        steps.sort_by_key(|(_, _, assigned)| assigned.process);
        for part in steps.chunk_by(|(_, _, a), (_, _, b)| a.process == b.process) {
            groups.push(Group { role: Role::Step, assignments: part.to_vec() });
        }
        groups
    }

    /// Whether an expression depends on itself, or on one that does.
    fn leads_back(
        &self,
        root: (FlatExpression, Role),
        group: u32,
        marks: &mut [Mark],
        value: &dyn Fn(VariableId) -> Option<FlatExpression>,
    ) -> bool {
        let mut stack = vec![(root, false)];
        while let Some(((expression, role), leaves)) = stack.pop() {
            let place = 3 * expression.index() + role as usize;
            if leaves {
                marks[place] = Mark::Done(group);
                continue;
            }
            match marks[place] {
                Mark::Done(known) if known == group => continue,
                Mark::Active(known) if known == group => return true,
                _ => marks[place] = Mark::Active(group),
            }
            stack.push(((expression, role), true));
            match (self.model.expressions.term(expression), role) {
                (FlatTerm::Variable(variable), Role::Current) => {
                    stack.extend(value(variable).map(|value| ((value, Role::Current), false)));
                }
                (FlatTerm::Variable(variable), Role::Next) => {
                    stack.extend(value(variable).map(|value| ((value, Role::Step), false)));
                }
                (FlatTerm::Variable(_), Role::Step) => {}
                (FlatTerm::Next(operand), Role::Step) => stack.push(((operand, Role::Next), false)),
                (term, role) => {
                    stack.extend(term.operands().map(|operand| ((operand, role), false)));
                }
            }
        }
        false
    }

    fn report_cycle(&mut self, variable: VariableId, kind: AssignmentKind, assigned: Assigned) {
        let name = &self.model.variable(variable).name;
        let value = match kind {
            AssignmentKind::Next => "the next value",
            AssignmentKind::Init => "the initial value",
            AssignmentKind::Current => "the value",
        };
        let message = format!("{value} of `{name}` depends on itself");
        let help = "use the current instead of the next value in one of them, or a constraint (INVAR, TRANS)";
        self.report(
            Diagnostic::error(assigned.span.range(), message)
                .label("this assignment leads back to itself, perhaps through others")
                .help(help),
        );
    }
}
