//! Whether each state that satisfies `INVAR` has a successor, reachable or not.
//!
//! If there are assignments only, and no next value depends on itself, they give each state a
//! successor. Otherwise the states are tried one after the other.

use kermode_base::components;
use rustc_hash::FxHashSet;

use super::evaluate::{Operation, Program, Time};
use super::explore::Exploration;
use super::space::{Deadlock, Interpreter};
use crate::flat::{FlatModel, FlatTerm};
use crate::syntax::{AssignmentKind, ConstraintKind};

/// Whether all states that satisfy `INVAR` have successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Totality {
    /// All have.
    Total,
    /// All reachable ones have, others have not.
    UnreachableDeadlock,
    /// A reachable one has not.
    Deadlock,
}

/// Whether all states that satisfy `INVAR` have successors. `None` if a limit stopped the
/// exploration, or if more than `limit` states would have to be tried.
pub fn totality<E>(
    interpreter: &mut Interpreter<'_>,
    exploration: &Exploration,
    limit: usize,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Totality>, E> {
    if !exploration.deadlocks.is_empty() {
        return Ok(Some(Totality::Deadlock));
    }
    if exploration.is_partial {
        return Ok(None);
    }
    if assignments_give_successors(interpreter.model(), interrupt)? {
        return Ok(Some(Totality::Total));
    }
    Ok(match interpreter.first_deadlock(limit, interrupt)? {
        Deadlock::None => Some(Totality::Total),
        Deadlock::At(_) => Some(Totality::UnreachableDeadlock),
        Deadlock::LimitReached => None,
    })
}

/// A sufficient condition: the next values can be computed one after the other. All assigned values
/// are in the domains of their variables, as is checked when a model is read.
fn assignments_give_successors<E>(
    model: &FlatModel,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    let is_free = |kind| matches!(kind, ConstraintKind::Init | ConstraintKind::Justice);
    if !model.constraints.iter().all(|constraint| is_free(constraint.kind)) {
        return Ok(false);
    }
    // The dependencies between next values.
    let mut edges = FxHashSet::default();
    for assignment in &model.assignments {
        let time = match assignment.kind {
            AssignmentKind::Init => continue,
            AssignmentKind::Current => Time::Next,
            AssignmentKind::Next => Time::Current,
        };
        let mut program = Program::default();
        program.add(&model.expressions, assignment.value, time);
        for instruction in &program.instructions {
            interrupt()?;
            match instruction.operation {
                Operation::Variable(variable, Time::Next) => {
                    edges.insert((assignment.variable.index(), variable.index()));
                }
                Operation::Term(FlatTerm::Interval(low, high), _) if low > high => {
                    return Ok(false);
                }
                _ => {}
            }
        }
    }
    let count = model.variables.len();
    let mut edges: Vec<(usize, usize)> = edges.into_iter().collect();
    edges.sort_unstable();
    let start: Vec<usize> =
        (0..=count).map(|variable| edges.partition_point(|edge| edge.0 < variable)).collect();
    let component = components(&start, |edge| edges[edge].1, interrupt)?;
    Ok(edges.iter().all(|&(from, to)| component[from] != component[to]))
}
