//! The cone of influence: a system without variables that no kept constraint depends on and that
//! always have a next value.
//!
//! It would be wrong to drop every constraint that is not connected to the observed variables: a
//! part without a fair run makes the whole system empty. So only *assignments* are dropped. A
//! transition constraint `next(x) <-> e` is the assignment of `x` if it is the only constraint of
//! this shape for `x`, and if `next(x)` does not depend on itself through such constraints. An
//! initial constraint `x <-> e` is an assignment under the same conditions. Literals are
//! assignments, too.
//!
//! The cone keeps exactly:
//! - every invariant, every justice constraint, and every initial or transition constraint that is
//!   not an assignment;
//! - their variables, and the observed ones;
//! - the assignments of each kept variable, and their variables.
//!
//! Invariant: **every fair run of the cone extends to one of the system**, and every run of the
//! system is one of the cone. A constraint that mentions a dropped variable is the assignment of a
//! dropped variable, and these can be executed one after the other at each step, because they do
//! not depend on themselves. [`Cone::extended`] does that for a lasso.

use std::convert::Infallible;

use kermode_base::{BitSet, components_of_edges};
use rustc_hash::FxHashMap;

use crate::graph::{Below, Expression, Graph, Term, Variable};
use crate::system::System;
use crate::trace::Trace;

/// A part of a system, and what was dropped.
#[derive(Clone, Debug)]
pub struct Cone {
    /// The cone of influence.
    pub system: System,
    /// The assignments of the dropped variables in the first state, each after those it depends on.
    first: Vec<DroppedAssignment>,
    /// The same for the next state.
    next: Vec<DroppedAssignment>,
}

/// An assignment of a dropped variable: a constraint that holds for one value of the variable.
#[derive(Clone, Debug)]
struct DroppedAssignment {
    variable: Variable,
    constraint: Expression,
    below: Below,
}

/// The cone of influence of the observed variables.
pub fn cone_of_influence(graph: &Graph, system: &System, observed: &[Variable]) -> Cone {
    let initial = Assignments::find(graph, system.initial(), false);
    let transition = Assignments::find(graph, system.transition(), true);
    let mut roots: Vec<Expression> = [initial.others(), transition.others()].concat();
    roots.extend(system.invariants().iter().chain(system.justice()));
    let mut kept = vec![false; graph.variable_count()];
    let mut todo = graph.variables(&roots);
    todo.extend(observed);
    while let Some(variable) = todo.pop() {
        if !std::mem::replace(&mut kept[variable.index()], true) {
            let assigned = [initial.of(variable), transition.of(variable)];
            todo.extend(assigned.into_iter().flatten().flat_map(|e| graph.variables(&[e])));
        }
    }
    let dropped: Vec<Variable> =
        system.variables().iter().copied().filter(|variable| !kept[variable.index()]).collect();
    Cone {
        first: initial.in_order(graph, &dropped, false),
        next: transition.in_order(graph, &dropped, true),
        system: restrict(graph, system, |variable| kept[variable.index()]),
    }
}

impl Cone {
    /// Whether nothing was dropped.
    pub fn is_whole(&self, system: &System) -> bool {
        self.system.variables().len() == system.variables().len()
    }

    /// A run or a finite path of the whole system from one of the cone. The loop may become longer:
    /// it ends when the dropped variables repeat their values, too. Gives up when the trace gets
    /// too long.
    pub fn extended<E>(
        &self,
        graph: &Graph,
        system: &System,
        trace: &Trace,
        longest: usize,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Trace>, E> {
        let mut values = Values { cone: self, graph, trace, now: Vec::new() };
        values.start();
        let variables = system.variables();
        let mut kept = vec![false; graph.variable_count()];
        self.system.variables().iter().for_each(|variable| kept[variable.index()] = true);
        let dropped: Vec<Variable> =
            variables.iter().copied().filter(|variable| !kept[variable.index()]).collect();
        let (mut rows, mut step): (Vec<BitSet>, usize) = (Vec::new(), 0);
        let mut seen: FxHashMap<(usize, BitSet), usize> = FxHashMap::default();
        let finished = |rows: Vec<BitSet>, start| {
            let row = |row: BitSet| (0..variables.len()).map(move |place| row.contains(place));
            Trace::new(variables.len(), rows.into_iter().map(row), start)
        };
        while rows.len() <= longest {
            interrupt()?;
            if trace.loop_start().is_some_and(|start| step >= start) {
                let place = (step, values.of(&dropped));
                if let Some(&start) = seen.get(&place) {
                    return Ok(Some(finished(rows, Some(start))));
                }
                seen.insert(place, rows.len());
            }
            rows.push(values.of(variables));
            let Some(following) = trace.successor(step) else {
                return Ok(Some(finished(rows, None)));
            };
            values.step(following);
            step = following;
        }
        Ok(None)
    }
}

/// The values of all variables while a trace of the cone is extended.
struct Values<'c> {
    cone: &'c Cone,
    graph: &'c Graph,
    trace: &'c Trace,
    /// By the index of the variable.
    now: Vec<bool>,
}

impl Values<'_> {
    /// The values of the kept variables at a step; the others are false.
    fn given(&self, step: usize) -> Vec<bool> {
        let mut values = vec![false; self.graph.variable_count()];
        for (position, variable) in self.cone.system.variables().iter().enumerate() {
            values[variable.index()] = self.trace.value(step, position);
        }
        values
    }

    fn start(&mut self) {
        self.now = self.given(0);
        for assignment in &self.cone.first {
            assignment.start(self.graph, &mut self.now);
        }
    }

    fn step(&mut self, to: usize) {
        let mut next = self.given(to);
        for assignment in &self.cone.next {
            assignment.step(self.graph, &self.now, &mut next);
        }
        self.now = next;
    }

    /// The places of the true variables in a list.
    fn of(&self, variables: &[Variable]) -> BitSet {
        let is_true = |&(_, variable): &(usize, &Variable)| self.now[variable.index()];
        variables.iter().enumerate().filter(is_true).map(|(place, _)| place).collect()
    }
}

impl DroppedAssignment {
    /// Gives the variable the value with which the constraint holds in this state.
    fn start(&self, graph: &Graph, now: &mut [bool]) {
        now[self.variable.index()] = true;
        let word = |values: &[bool], v: Variable| if values[v.index()] { u64::MAX } else { 0 };
        let values = graph.values(&self.below, |v| word(now, v), |_| 0);
        now[self.variable.index()] = values[self.below.position(self.constraint)] & 1 == 1;
    }

    /// Gives the variable the value with which the constraint holds for the step.
    fn step(&self, graph: &Graph, now: &[bool], next: &mut [bool]) {
        next[self.variable.index()] = true;
        let word = |values: &[bool], v: Variable| if values[v.index()] { u64::MAX } else { 0 };
        let values = graph.values(&self.below, |v| word(now, v), |v| word(next, v));
        next[self.variable.index()] = values[self.below.position(self.constraint)] & 1 == 1;
    }
}

/// The system restricted to some variables, without constraints that mention others.
fn restrict(graph: &Graph, system: &System, keeps: impl Fn(Variable) -> bool) -> System {
    let mut roots = system.constraints();
    roots.extend(system.definitions().iter().map(|definition| definition.expression));
    let below = Below::of(graph, &roots);
    let mut inside: Vec<bool> = Vec::with_capacity(below.len());
    for expression in below.iter() {
        inside.push(match graph.term(expression) {
            Term::Current(variable) | Term::Next(variable) => keeps(variable),
            term => term.operands().all(|operand| inside[below.position(operand)]),
        });
    }
    system.filtered(keeps, |expression| inside[below.position(expression)])
}

/// The constraints of one kind, with their possible assignments.
struct Assignments {
    claims: Vec<Claim>,
    /// For each variable, by index, the index of its assignment.
    assigned: Vec<Option<usize>>,
}

/// A constraint; if it has the shape of an assignment, its variable and value.
struct Claim {
    constraint: Expression,
    target: Option<Variable>,
    value: Option<Expression>,
}

impl Assignments {
    fn find(graph: &Graph, constraints: &[Expression], ahead: bool) -> Self {
        let claims: Vec<Claim> =
            constraints.iter().map(|&constraint| Claim::of(graph, constraint, ahead)).collect();
        let mut rivals = vec![0; graph.variable_count()];
        let mut assigned = vec![None; graph.variable_count()];
        for (place, claim) in claims.iter().enumerate() {
            if let Some(variable) = claim.target {
                rivals[variable.index()] += 1;
                assigned[variable.index()] = Some(place);
            }
        }
        let circular = circular(graph, &claims, ahead);
        for (index, assigned) in assigned.iter_mut().enumerate() {
            if rivals[index] > 1 || circular[index] {
                *assigned = None;
            }
        }
        Assignments { claims, assigned }
    }

    /// The assignment of a variable, if there is one.
    fn of(&self, variable: Variable) -> Option<Expression> {
        self.assigned[variable.index()].map(|place| self.claims[place].constraint)
    }

    /// The assignments of some variables, each after those that it depends on.
    fn in_order(
        &self,
        graph: &Graph,
        variables: &[Variable],
        ahead: bool,
    ) -> Vec<DroppedAssignment> {
        let mut waiting: FxHashMap<Variable, DroppedAssignment> = FxHashMap::default();
        for &variable in variables {
            if let Some(constraint) = self.of(variable) {
                let below = Below::of(graph, &[constraint]);
                waiting.insert(variable, DroppedAssignment { variable, constraint, below });
            }
        }
        let (mut ordered, mut todo) = (Vec::with_capacity(waiting.len()), variables.to_vec());
        while let Some(&variable) = todo.last() {
            let Some(assignment) = waiting.get(&variable) else {
                todo.pop();
                continue;
            };
            let used = assignment.below.iter().filter_map(|e| variable_of(graph, e, ahead));
            let before: Vec<Variable> =
                used.filter(|used| *used != variable && waiting.contains_key(used)).collect();
            if before.is_empty() {
                ordered.extend(waiting.remove(&variable));
            }
            todo.extend(before);
        }
        ordered
    }

    /// The constraints that are not assignments.
    fn others(&self) -> Vec<Expression> {
        let is_other =
            |claim: &&Claim| claim.target.is_none_or(|variable| self.of(variable).is_none());
        self.claims.iter().filter(is_other).map(|claim| claim.constraint).collect()
    }
}

impl Claim {
    fn of(graph: &Graph, constraint: Expression, ahead: bool) -> Self {
        let literal = |expression| variable_of(graph, expression, ahead);
        // `next(x) <-> e` or `!(next(x) <-> e)`.
        let equality = match graph.term(constraint) {
            Term::Not(inner) => inner,
            _ => constraint,
        };
        let (target, value) = match graph.term(equality) {
            Term::Iff(a, b) => match literal(a) {
                Some(variable) => (Some(variable), Some(b)),
                None => (literal(b), Some(a)),
            },
            _ => (literal(constraint), None),
        };
        Claim { constraint, target, value }
    }
}

/// The variable of a literal, at the moment that the assignment is about.
fn variable_of(graph: &Graph, expression: Expression, ahead: bool) -> Option<Variable> {
    let term = match graph.term(expression) {
        Term::Not(inner) => graph.term(inner),
        term => term,
    };
    match term {
        Term::Next(variable) if ahead => Some(variable),
        Term::Current(variable) if !ahead => Some(variable),
        _ => None,
    }
}

/// For each variable, by index, whether its assignment depends on itself.
fn circular(graph: &Graph, claims: &[Claim], ahead: bool) -> Vec<bool> {
    let count = graph.variable_count();
    let mut uses: Vec<(usize, usize)> = Vec::new();
    for claim in claims {
        if let (Some(variable), Some(value)) = (claim.target, claim.value) {
            let used = Below::of(graph, &[value]);
            let used = used.iter().filter(|&e| !matches!(graph.term(e), Term::Not(_)));
            let used = used.filter_map(|e| variable_of(graph, e, ahead));
            uses.extend(used.map(|used| (variable.index(), used.index())));
        }
    }
    let never = &mut || Ok::<(), Infallible>(());
    let Ok(component) = components_of_edges(count, uses.iter().copied(), never);
    let mut circular = vec![false; count];
    for (variable, used) in uses {
        circular[variable] |= component[variable] == component[used];
    }
    circular
}
