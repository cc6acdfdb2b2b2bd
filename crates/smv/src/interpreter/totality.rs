//! Whether each state that satisfies `INVAR` has a successor, reachable or not.
//!
//! An assignment whose target occurs nowhere else can always be met, and is left out; that repeats
//! until nothing changes. If constraints remain, the values of the current variables that occur in
//! them are tried one after the other, as far as they belong to a state that satisfies `INVAR`.

use std::cell::RefCell;
use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::evaluate::{Operation, Program, Time};
use super::explore::Exploration;
use super::network::Network;
use super::operations::Slot;
use super::search::{Wanted, assume, solutions};
use crate::flat::{FlatBinary, FlatExpression, FlatModel, FlatTerm, Type, Value, VariableId};
use crate::syntax::{AssignmentKind, ConstraintKind, VariableKind};

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
/// exploration, or if more than `limit` valuations would have to be tried.
///
/// The values of assignments must be in the domains of the variables, as is checked when a model is
/// read.
pub fn totality<E>(
    model: &FlatModel,
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
    let total = has_successors(model, limit, interrupt)?;
    Ok(total.map(|total| if total { Totality::Total } else { Totality::UnreachableDeadlock }))
}

/// A part of the step relation that concerns the next state.
struct Part {
    kind: PartKind,
    /// The variables that it reads. The target of an assignment counts only if it occurs on the
    /// right side.
    reads: FxHashSet<(VariableId, Time)>,
}

enum PartKind {
    Condition(FlatExpression, Time),
    /// The next value of the variable is that of the expression, or one of its elements.
    Assignment(VariableId, FlatExpression, Time),
    /// The variable keeps its value.
    Frozen(VariableId),
}

/// Whether all states that satisfy `INVAR` have successors. `None` if more than `limit` valuations
/// would have to be tried.
fn has_successors<E>(
    model: &FlatModel,
    limit: usize,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<bool>, E> {
    if model.dead_loop.is_some() {
        return Ok(Some(true));
    }
    let mut parts = parts(model, interrupt)?;
    leave_out_outputs(&mut parts);
    if parts.is_empty() {
        return Ok(Some(true));
    }
    // The constraints that remain, and the current variables in them.
    let (mut program, mut roots) = (Program::default(), Vec::new());
    for part in &parts {
        roots.push(match part.kind {
            PartKind::Condition(condition, time) => {
                program.add(&model.expressions, condition, time)
            }
            PartKind::Assignment(variable, value, time) => {
                let value = program.add(&model.expressions, value, time);
                let target = program.variable(variable, Time::Next);
                program.operator(FlatBinary::In, [target, value])
            }
            PartKind::Frozen(variable) => {
                let values =
                    [Time::Current, Time::Next].map(|time| program.variable(variable, time));
                program.operator(FlatBinary::Equal, values)
            }
        });
    }
    let mut step = Network::new(model, program, &roots);
    let is_given = |variable, time| {
        time == Time::Current && model.variable(variable).kind != VariableKind::Input
    };
    let given: Vec<(VariableId, u32)> = step
        .leaves()
        .iter()
        .filter(|leaf| is_given(leaf.variable, leaf.time))
        .map(|leaf| (leaf.variable, leaf.place))
        .collect();
    // The states that satisfy `INVAR`, as far as these variables are concerned.
    let (mut program, mut roots) = (Program::default(), Vec::new());
    super::space::add_invariant(model, &mut program, &mut roots);
    let read: Vec<u32> =
        given.iter().map(|&(variable, _)| program.variable(variable, Time::Current)).collect();
    let mut states = Network::new(model, program, &roots);
    if states.is_contradictory() {
        return Ok(Some(true));
    }
    let is_read: Vec<bool> =
        states.leaves().iter().map(|leaf| read.contains(&leaf.place)).collect();
    let wanted = Wanted { leaves: &is_read, observed: &[] };
    let (mut answer, mut tried) = (Ok(Some(true)), FxHashSet::default());
    let shared = RefCell::new(interrupt);
    let mut visit = |network: &Network<'_>| {
        let values: Vec<Value> = read.iter().filter_map(|&place| scalar(network, place)).collect();
        if tried.contains(&values) {
            return ControlFlow::Continue(());
        }
        if tried.len() >= limit {
            answer = Ok(None);
            return ControlFlow::Break(());
        }
        let places = given.iter().map(|&(_, place)| place);
        let found = has_solution(&mut step, places.zip(values.iter().copied()), &mut || {
            shared.borrow_mut()()
        });
        tried.insert(values);
        match found {
            Ok(true) => return ControlFlow::Continue(()),
            Ok(false) => answer = Ok(Some(false)),
            Err(stop) => answer = Err(stop),
        }
        ControlFlow::Break(())
    };
    solutions(&mut states, &wanted, &mut visit, &mut || shared.borrow_mut()())?;
    answer
}

fn scalar(network: &Network<'_>, place: u32) -> Option<Value> {
    match network.value(place) {
        Slot::Scalar(value) => Some(value),
        _ => None,
    }
}

/// Whether there is a solution with these values.
fn has_solution<E>(
    network: &mut Network<'_>,
    values: impl Iterator<Item = (u32, Value)>,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    if network.is_contradictory() {
        return Ok(false);
    }
    let bottom = network.mark();
    let mut found = false;
    let mut result = Ok(());
    if assume(network, values) {
        let none_wanted = vec![false; network.leaves().len()];
        let mut visit = |_: &Network<'_>| {
            found = true;
            ControlFlow::Break(())
        };
        let wanted = Wanted { leaves: &none_wanted, observed: &[] };
        result = solutions(network, &wanted, &mut visit, interrupt);
    }
    network.undo(bottom);
    result.map(|()| found)
}

/// The step relation in parts: conjunctions are taken apart. `INVAR` and current assignments are
/// those of the next state.
fn parts<E>(
    model: &FlatModel,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<Part>, E> {
    let mut parts = Vec::new();
    let mut add = |kind, value: Option<(FlatExpression, Time)>| -> Result<(), E> {
        interrupt()?;
        let mut program = Program::default();
        if let Some((value, time)) = value {
            program.add(&model.expressions, value, time);
        }
        let variables =
            program.instructions.iter().filter_map(|instruction| match instruction.operation {
                Operation::Variable(variable, time) => Some((variable, time)),
                Operation::Term(..) => None,
            });
        let reads = variables.collect();
        parts.push(Part { kind, reads });
        Ok(())
    };
    for constraint in &model.constraints {
        let time = match constraint.kind {
            ConstraintKind::Trans => Time::Current,
            ConstraintKind::Invar => Time::Next,
            ConstraintKind::Init | ConstraintKind::Justice => continue,
        };
        let mut stack = vec![constraint.condition];
        while let Some(condition) = stack.pop() {
            match model.expressions.term(condition) {
                FlatTerm::Binary(FlatBinary::And, a, b)
                    if model.expressions.ty(condition) == Type::Boolean =>
                {
                    stack.extend([a, b]);
                }
                _ => add(PartKind::Condition(condition, time), Some((condition, time)))?,
            }
        }
    }
    for assignment in &model.assignments {
        let time = match assignment.kind {
            AssignmentKind::Init => continue,
            AssignmentKind::Current => Time::Next,
            AssignmentKind::Next => Time::Current,
        };
        let kind = PartKind::Assignment(assignment.variable, assignment.value, time);
        add(kind, Some((assignment.value, time)))?;
    }
    for (index, variable) in model.variables.iter().enumerate() {
        if variable.kind == VariableKind::Frozen {
            add(PartKind::Frozen(VariableId(index as u32)), None)?;
        }
    }
    Ok(parts)
}

/// Leaves out assignments whose targets occur nowhere else.
fn leave_out_outputs(parts: &mut Vec<Part>) {
    let target = |part: &Part| match part.kind {
        PartKind::Condition(..) => None,
        PartKind::Assignment(variable, ..) | PartKind::Frozen(variable) => Some(variable),
    };
    // How often each next value occurs.
    let mut uses: FxHashMap<VariableId, usize> = FxHashMap::default();
    let mut assigned: FxHashMap<VariableId, usize> = FxHashMap::default();
    for (number, part) in parts.iter().enumerate() {
        let reads = part.reads.iter().filter(|read| read.1 == Time::Next).map(|read| read.0);
        for variable in reads.chain(target(part)) {
            *uses.entry(variable).or_default() += 1;
        }
        if let Some(variable) = target(part) {
            assigned.insert(variable, number);
        }
    }
    let is_output = |uses: &FxHashMap<VariableId, usize>, variable| uses.get(&variable) == Some(&1);
    let mut left_out = vec![false; parts.len()];
    let mut agenda: Vec<usize> = (0..parts.len()).collect();
    while let Some(number) = agenda.pop() {
        let part = &parts[number];
        let Some(variable) = target(part) else { continue };
        if left_out[number] || !is_output(&uses, variable) {
            continue;
        }
        left_out[number] = true;
        for &(read, _) in part.reads.iter().filter(|read| read.1 == Time::Next) {
            if let Some(count) = uses.get_mut(&read) {
                *count -= 1;
            }
            agenda.extend(assigned.get(&read));
        }
    }
    let mut number = 0;
    parts.retain(|_| {
        number += 1;
        !left_out[number - 1]
    });
}
