//! Fair runs of small systems by brute force: all states and all steps, written out one by one.

#![allow(dead_code, reason = "each test uses a part")]

pub(crate) mod random;

use std::collections::VecDeque;
use std::convert::Infallible;

use kermode_base::components;
use kermode_system::{Below, Expression, Graph, System, Trace, Variable};

/// The largest system that is written out.
pub(crate) const MOST_VARIABLES: usize = 10;

/// The steps from a state, and which justice constraints each satisfies, a bit each.
type Step = (usize, u64);

/// A system written out: a state is a number, whose bits are the values of the variables.
pub(crate) struct Explicit {
    variables: usize,
    justice: usize,
    pub(crate) initial: Vec<usize>,
    /// By state; states that are not reached have none.
    steps: Vec<Vec<Step>>,
}

impl Explicit {
    pub(crate) fn new(graph: &Graph, system: &System) -> Self {
        let variables = system.variables().len();
        assert!(variables <= MOST_VARIABLES, "{variables} variables");
        let roots = system.constraints();
        let below = Below::of(graph, &roots);
        let writer = Writer { graph, system, below };
        let mut steps: Vec<Option<Vec<Step>>> = vec![None; 1 << variables];
        let initial: Vec<usize> =
            (0..1 << variables).filter(|&state| writer.is_initial(state)).collect();
        let mut todo = initial.clone();
        while let Some(state) = todo.pop() {
            if steps[state].is_none() {
                let next = writer.steps(state);
                todo.extend(next.iter().map(|&(next, _)| next));
                steps[state] = Some(next);
            }
        }
        let steps = steps.into_iter().map(Option::unwrap_or_default).collect();
        Explicit { variables, justice: system.justice().len(), initial, steps }
    }

    /// A fair run, if there is one.
    pub(crate) fn fair_run(&self) -> Option<Trace> {
        let component = self.components();
        let fair = self.fair_components(&component);
        let prefix = self.path(&self.initial, |state| fair[component[state]])?;
        let entry = *prefix.last().expect("a path has a state");
        let inside = |state: usize| component[state] == component[entry];
        let mut walk = vec![entry];
        for justice in 0..self.justice {
            let is_just = |from: usize, &(to, just): &Step| {
                inside(from) && inside(to) && just >> justice & 1 == 1
            };
            let from = *walk.last().expect("a walk has a state");
            let there = self
                .path(&[from], |state| self.steps[state].iter().any(|step| is_just(state, step)))?;
            let source = *there.last().expect("a path has a state");
            walk.extend(&there[1..]);
            walk.push(
                self.steps[source]
                    .iter()
                    .find(|step| is_just(source, step))
                    .expect("a just step")
                    .0,
            );
        }
        // At least one step, and back.
        let from = *walk.last().expect("a walk has a state");
        if walk.len() > 1 && from == entry {
            walk.pop();
        } else {
            let (out, _) = *self.steps[from].iter().find(|step| inside(step.0)).expect("a step");
            let back = self.path(&[out], |state| state == entry)?;
            walk.extend(&back[..back.len() - 1]);
        }
        let states = prefix[..prefix.len() - 1].iter().chain(&walk).copied();
        let row = |state: usize| (0..self.variables).map(move |bit| state >> bit & 1 == 1);
        Some(Trace::new(self.variables, states.map(row), Some(prefix.len() - 1)))
    }

    fn components(&self) -> Vec<usize> {
        let mut start = vec![0];
        let mut targets = Vec::new();
        for steps in &self.steps {
            targets.extend(steps.iter().map(|&(to, _)| to));
            start.push(targets.len());
        }
        let Ok(components) = components::<Infallible>(&start, |edge| targets[edge], &mut || Ok(()));
        components
    }

    fn fair_components(&self, component: &[usize]) -> Vec<bool> {
        let mut just: Vec<Option<u64>> = vec![None; component.len()];
        for (from, steps) in self.steps.iter().enumerate() {
            for &(_, holds) in steps.iter().filter(|&&(to, _)| component[to] == component[from]) {
                *just[component[from]].get_or_insert(0) |= holds;
            }
        }
        let all = (1u64 << self.justice) - 1;
        just.into_iter().map(|just| just == Some(all)).collect()
    }

    /// A shortest path, both ends included.
    fn path(&self, from: &[usize], is_goal: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
        let mut parent: Vec<Option<usize>> = vec![None; self.steps.len()];
        let mut todo: VecDeque<usize> = VecDeque::new();
        for &state in from {
            parent[state] = Some(state);
            todo.push_back(state);
        }
        while let Some(state) = todo.pop_front() {
            if is_goal(state) {
                let mut path = vec![state];
                while let Some(before) =
                    parent[path[path.len() - 1]].filter(|&before| before != path[path.len() - 1])
                {
                    path.push(before);
                }
                path.reverse();
                return Some(path);
            }
            for &(next, _) in &self.steps[state] {
                if parent[next].is_none() {
                    parent[next] = Some(state);
                    todo.push_back(next);
                }
            }
        }
        None
    }
}

struct Writer<'a> {
    graph: &'a Graph,
    system: &'a System,
    below: Below,
}

impl Writer<'_> {
    fn position(&self, variable: Variable) -> usize {
        let variables = self.system.variables();
        variables.iter().position(|&other| other == variable).expect("a variable of the system")
    }

    /// Values from `state` to the 64 states of a block.
    fn values(&self, state: usize, block: usize) -> Vec<u64> {
        let current =
            |variable| if state >> self.position(variable) & 1 == 1 { u64::MAX } else { 0 };
        let next = |variable| {
            (0..64).map(|i| (((block * 64 + i) >> self.position(variable) & 1) as u64) << i).sum()
        };
        self.graph.values(&self.below, current, next)
    }

    fn holds(&self, constraints: &[Expression], values: &[u64]) -> u64 {
        constraints
            .iter()
            .fold(u64::MAX, |all, &constraint| all & values[self.below.position(constraint)])
    }

    fn is_state(&self, state: usize) -> bool {
        self.holds(self.system.invariants(), &self.values(state, 0)) & 1 == 1
    }

    fn is_initial(&self, state: usize) -> bool {
        self.is_state(state) && self.holds(self.system.initial(), &self.values(state, 0)) & 1 == 1
    }

    fn steps(&self, state: usize) -> Vec<Step> {
        let states = 1usize << self.system.variables().len();
        let mut steps = Vec::new();
        for block in 0..states.div_ceil(64) {
            let values = self.values(state, block);
            let holds = self.holds(self.system.transition(), &values);
            for i in (0..64).filter(|i| holds >> i & 1 == 1 && block * 64 + i < states) {
                let justice = self.system.justice().iter().enumerate();
                let just = justice.map(|(number, &constraint)| {
                    (values[self.below.position(constraint)] >> i & 1) << number
                });
                steps.push((block * 64 + i, just.sum()));
            }
        }
        steps.retain(|&(next, _)| self.is_state(next));
        steps
    }
}
