//! Breadth-first exploration of the reachable states, with the counts that NuSMV reports.
//!
//! A reachable state is fair if a path starts there on which each justice condition holds
//! infinitely often. So it reaches a strongly connected component with an edge in it, in which each
//! condition holds at some state, or on some edge if the condition reads inputs. Compassion is
//! ignored.

use std::ops::ControlFlow;

use kermode_base::{BitSet, components};
use rustc_hash::FxHashMap;

use super::evaluate::{Evaluation, Time};
use super::space::{Interpreter, reads_inputs};
use super::state::State;
use crate::syntax::ConstraintKind;

/// The reachable states of a model and the edges between them.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// The states, in the order in which they were found.
    pub states: Vec<State>,
    /// The number of initial states, which come first.
    pub initial: usize,
    /// The number of breadth-first layers: 1 if there are only initial states.
    pub depth: usize,
    /// The edges that leave state `n` are `first_edge[n]..first_edge[n + 1]`.
    pub first_edge: Vec<usize>,
    /// The states where edges lead, by edge.
    pub targets: Vec<u32>,
    /// The states without successors.
    pub deadlocks: Vec<u32>,
    /// Whether each state is fair.
    pub is_fair: Vec<bool>,
    /// Whether the limit stopped the exploration. Then the counts are lower bounds, and the states
    /// that were not expanded have no edges.
    pub is_partial: bool,
}

/// Explores the states that are reachable from the initial ones: at most `limit` many.
pub fn explore<E>(
    interpreter: &mut Interpreter<'_>,
    limit: usize,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Exploration, E> {
    let mut search = Search::new(interpreter, limit);
    search.add_initial_states(interpreter, interrupt)?;
    search.expand_all(interpreter, interrupt)?;
    let Search { mut found, step_marks, .. } = search;
    if !found.is_partial {
        found.is_fair = fair_states(interpreter, &found, step_marks, interrupt)?;
    }
    Ok(found)
}

/// The state of an exploration.
struct Search {
    found: Exploration,
    numbers: FxHashMap<State, u32>,
    limit: usize,
    /// The edges on which each justice condition with inputs holds, for some inputs.
    step_marks: Vec<BitSet>,
}

impl Search {
    fn new(interpreter: &Interpreter<'_>, limit: usize) -> Self {
        let model = interpreter.model();
        let justice = model.constraints.iter().filter(|c| c.kind == ConstraintKind::Justice);
        let with_inputs = justice.filter(|c| reads_inputs(model, c.condition)).count();
        Search {
            found: Exploration::default(),
            numbers: FxHashMap::default(),
            limit: limit.min(u32::MAX as usize),
            step_marks: vec![BitSet::new(); with_inputs],
        }
    }

    /// The number of a state, which may be new. `None` if there is no room.
    fn number(&mut self, state: State) -> Option<u32> {
        if let Some(&number) = self.numbers.get(&state) {
            return Some(number);
        }
        if self.found.states.len() >= self.limit {
            self.found.is_partial = true;
            return None;
        }
        let number = self.found.states.len() as u32;
        self.found.states.push(state.clone());
        self.numbers.insert(state, number);
        Some(number)
    }

    fn add_initial_states<E>(
        &mut self,
        interpreter: &mut Interpreter<'_>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut add = |state| match self.number(state) {
            Some(_) => ControlFlow::Continue(()),
            None => ControlFlow::Break(()),
        };
        interpreter.initial_states(&mut add, interrupt)?;
        self.found.initial = self.found.states.len();
        Ok(())
    }

    fn expand_all<E>(
        &mut self,
        interpreter: &mut Interpreter<'_>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut layer_end = 0;
        for number in 0.. {
            self.found.first_edge.push(self.found.targets.len());
            if number == self.found.states.len() {
                break;
            }
            if number == layer_end {
                self.found.depth += 1;
                layer_end = self.found.states.len();
            }
            if !self.found.is_partial {
                self.expand(number, interpreter, interrupt)?;
            }
        }
        Ok(())
    }

    /// Adds the edges that leave a state.
    fn expand<E>(
        &mut self,
        number: usize,
        interpreter: &mut Interpreter<'_>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let state = self.found.states[number].clone();
        let first = self.found.targets.len();
        let mut edges: FxHashMap<u32, usize> = FxHashMap::default();
        let observed = !self.step_marks.is_empty();
        let mut add = |target: State, marks: &[bool]| {
            let Some(target) = self.number(target) else { return ControlFlow::Break(()) };
            let edge = *edges.entry(target).or_insert_with(|| {
                self.found.targets.push(target);
                self.found.targets.len() - 1
            });
            for (set, _) in self.step_marks.iter_mut().zip(marks).filter(|(_, mark)| **mark) {
                set.insert(edge);
            }
            ControlFlow::Continue(())
        };
        interpreter.edges(&state, observed, &mut add, interrupt)?;
        if self.found.targets.len() == first && !self.found.is_partial {
            self.found.deadlocks.push(number as u32);
        }
        Ok(())
    }
}

/// Whether each state is the start of a fair path.
fn fair_states<E>(
    interpreter: &Interpreter<'_>,
    found: &Exploration,
    step_marks: Vec<BitSet>,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<bool>, E> {
    let state_marks = state_marks(interpreter, found, interrupt)?;
    let states = found.states.len();
    let component = components(&found.first_edge, |edge| found.targets[edge] as usize, interrupt)?;
    let count = component.iter().map(|&number| number + 1).max().unwrap_or(0);
    // Which components have an inner edge, and which conditions hold in them.
    let mut has_edge = vec![false; count];
    let mut held = vec![BitSet::new(); count];
    for state in 0..states {
        let own = component[state];
        for edge in found.first_edge[state]..found.first_edge[state + 1] {
            if component[found.targets[edge] as usize] != own {
                continue;
            }
            has_edge[own] = true;
            for (condition, marks) in step_marks.iter().enumerate() {
                if marks.contains(edge) {
                    held[own].insert(condition);
                }
            }
        }
        for (condition, marks) in state_marks.iter().enumerate() {
            if marks.contains(state) {
                held[own].insert(step_marks.len() + condition);
            }
        }
    }
    let conditions = step_marks.len() + state_marks.len();
    let mut fair: Vec<bool> =
        (0..count).map(|own| has_edge[own] && held[own].len() == conditions).collect();
    // An edge leads to the same component or to one with a smaller number.
    let mut order: Vec<usize> = (0..states).collect();
    order.sort_by_key(|&state| component[state]);
    for state in order {
        interrupt()?;
        let edges = found.first_edge[state]..found.first_edge[state + 1];
        if edges.clone().any(|edge| fair[component[found.targets[edge] as usize]]) {
            fair[component[state]] = true;
        }
    }
    Ok(component.into_iter().map(|own| fair[own]).collect())
}

/// The states in which each justice condition without inputs holds.
fn state_marks<E>(
    interpreter: &Interpreter<'_>,
    found: &Exploration,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<BitSet>, E> {
    let model = interpreter.model();
    let conditions: Vec<_> = model
        .constraints
        .iter()
        .filter(|c| c.kind == ConstraintKind::Justice && !reads_inputs(model, c.condition))
        .map(|c| c.condition)
        .collect();
    let mut marks = vec![BitSet::new(); conditions.len()];
    let mut evaluation = Evaluation::new(&model.expressions, &conditions);
    for (number, state) in found.states.iter().enumerate() {
        interrupt()?;
        evaluation.run(|variable, time| match time {
            Time::Current => interpreter.states().value(state, variable),
            Time::Next => None,
        });
        for (condition, set) in marks.iter_mut().enumerate() {
            if evaluation.is_true(condition) {
                set.insert(number);
            }
        }
    }
    Ok(marks)
}
