//! The explicit graph of a flat model: its reachable states and its steps.
//!
//! Some expressions about states and steps are *observed*: atoms of properties, justice and
//! compassion conditions. Their values at a step are its *letter*. Steps between the same states
//! with the same letter become one edge; steps that differ in a letter, because of their inputs,
//! stay apart. An edge remembers the inputs of one of its steps.

use std::ops::ControlFlow;

use kermode_base::BitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Unjudged;
use crate::flat::{FlatExpression, FlatModel};
use crate::interpreter::{Evaluation, Interpreter, State, Time, Trace};
use crate::syntax::ConstraintKind;

/// The largest sizes that the judge works with.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Reachable states of the model.
    pub states: usize,
    /// Steps of the model, counted with their inputs; also edges of products.
    pub steps: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { states: 100_000, steps: 2_000_000 }
    }
}

/// Steps with the same source, target and letter.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The state where it leads.
    pub target: u32,
    /// The number of its letter.
    pub letter: u32,
    /// The inputs of one of the steps.
    pub inputs: State,
}

/// The reachable states of a model, and the edges between them.
#[derive(Clone, Debug)]
pub struct Graph<'m> {
    /// The model.
    pub model: &'m FlatModel,
    /// The states in breadth-first order, the initial ones first.
    pub states: Vec<State>,
    /// The number of initial states.
    pub initial: usize,
    /// The edges that leave state `n` are `first_edge[n]..first_edge[n + 1]`.
    pub first_edge: Vec<usize>,
    /// The edges, by their sources.
    pub edges: Vec<Edge>,
    /// The letter of each state: expressions about steps are false in it.
    pub state_letters: Vec<u32>,
    pub(super) limits: Limits,
    observed: Vec<FlatExpression>,
    letters: Vec<Box<[bool]>>,
    /// The edge by which each state was found; none of initial states.
    found_by: Vec<Option<(u32, usize)>>,
}

impl<'m> Graph<'m> {
    /// Explores a model. Its fairness conditions are observed in any case.
    ///
    /// # Errors
    /// If the model is too large, or if `interrupt` returns an error.
    pub fn new<E>(
        model: &'m FlatModel,
        observed: impl IntoIterator<Item = FlatExpression>,
        limits: Limits,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, Unjudged<E>> {
        let mut builder = Builder::new(model, observed, limits);
        builder.explore(interrupt)?;
        Ok(builder.graph)
    }

    /// The edges that leave a state.
    pub fn leaving(&self, state: usize) -> std::ops::Range<usize> {
        self.first_edge[state]..self.first_edge[state + 1]
    }

    /// The place of an observed expression in letters.
    pub fn place(&self, expression: FlatExpression) -> Option<usize> {
        self.observed.iter().position(|&known| known == expression)
    }

    /// The number of letters.
    pub fn letter_count(&self) -> usize {
        self.letters.len()
    }

    /// The values of the observed expressions in a letter.
    pub fn letter(&self, number: u32) -> &[bool] {
        &self.letters[number as usize]
    }

    /// The edges on which an observed expression is true.
    ///
    /// # Panics
    /// When the expression is not observed.
    pub fn edges_with(&self, expression: FlatExpression) -> BitSet {
        let place = self.place(expression).expect("an observed expression");
        let edges = 0..self.edges.len();
        edges.filter(|&edge| self.letter(self.edges[edge].letter)[place]).collect()
    }

    /// A shortest path from an initial state to a state.
    pub fn path_to(&self, state: usize) -> Trace {
        let mut trace = Trace {
            states: vec![self.states[state].clone()],
            inputs: Vec::new(),
            loop_start: None,
        };
        let mut current = state;
        while let Some((source, edge)) = self.found_by[current] {
            trace.states.push(self.states[source as usize].clone());
            trace.inputs.push(self.edges[edge].inputs.clone());
            current = source as usize;
        }
        trace.states.reverse();
        trace.inputs.reverse();
        trace
    }
}

/// The justice conditions of a model.
pub(super) fn justice(model: &FlatModel) -> impl Iterator<Item = FlatExpression> {
    let justice = model.constraints.iter().filter(|c| c.kind == ConstraintKind::Justice);
    justice.map(|constraint| constraint.condition)
}

/// An exploration.
struct Builder<'m> {
    graph: Graph<'m>,
    interpreter: Interpreter<'m>,
    evaluation: Evaluation<'m>,
    /// Whether each observed expression is about steps.
    about_steps: Vec<bool>,
    numbers: FxHashMap<State, u32>,
    letter_numbers: FxHashMap<Box<[bool]>, u32>,
    /// Steps with their inputs that were seen.
    steps: usize,
    too_large: Option<(&'static str, usize)>,
}

impl<'m> Builder<'m> {
    fn new(
        model: &'m FlatModel,
        observed: impl IntoIterator<Item = FlatExpression>,
        limits: Limits,
    ) -> Self {
        let compassion = model.compassion.iter().flat_map(|&(p, q, _)| [p, q]);
        let mut seen = FxHashSet::default();
        let all = observed.into_iter().chain(justice(model)).chain(compassion);
        let observed: Vec<_> = all.filter(|&expression| seen.insert(expression)).collect();
        let evaluation = Evaluation::new(&model.expressions, &observed);
        let is_about_steps = |&expression: &_| model.expressions.is_about_steps(expression);
        let about_steps = observed.iter().map(is_about_steps).collect();
        let graph = Graph {
            model,
            states: Vec::new(),
            initial: 0,
            first_edge: Vec::new(),
            edges: Vec::new(),
            state_letters: Vec::new(),
            limits: Limits { states: limits.states.min(u32::MAX as usize), ..limits },
            observed,
            letters: Vec::new(),
            found_by: Vec::new(),
        };
        Builder {
            graph,
            interpreter: Interpreter::new(model),
            evaluation,
            about_steps,
            numbers: FxHashMap::default(),
            letter_numbers: FxHashMap::default(),
            steps: 0,
            too_large: None,
        }
    }

    fn explore<E>(
        &mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), Unjudged<E>> {
        let mut initial = Vec::new();
        let limit = self.graph.limits.states;
        let mut collect = |state| {
            initial.push(state);
            if initial.len() > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let interrupted = Unjudged::Interrupted;
        self.interpreter.initial_states(&mut collect, interrupt).map_err(interrupted)?;
        for state in initial {
            self.number(state, None);
        }
        self.graph.initial = self.graph.states.len();
        let mut next = 0;
        while next < self.graph.states.len() && self.too_large.is_none() {
            self.expand(next, interrupt)?;
            next += 1;
        }
        self.graph.first_edge.push(self.graph.edges.len());
        match self.too_large {
            Some((what, limit)) => Err(Unjudged::TooLarge { what, limit }),
            None => Ok(()),
        }
    }

    /// The number of a state, which may be new.
    fn number(&mut self, state: State, found_by: Option<(u32, usize)>) -> u32 {
        if let Some(&number) = self.numbers.get(&state) {
            return number;
        }
        let number = self.graph.states.len();
        if number >= self.graph.limits.states {
            self.too_large = Some(("states", self.graph.limits.states));
        }
        self.graph.states.push(state.clone());
        self.graph.found_by.push(found_by);
        self.numbers.insert(state, number as u32);
        number as u32
    }

    /// Adds the edges that leave a state.
    fn expand<E>(
        &mut self,
        number: usize,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), Unjudged<E>> {
        let state = self.graph.states[number].clone();
        let letter = self.read_letter(&state, None);
        self.graph.state_letters.push(letter);
        self.graph.first_edge.push(self.graph.edges.len());
        let mut steps = Vec::new();
        let room = self.graph.limits.steps.saturating_sub(self.steps);
        let mut collect = |inputs: State, target: State| {
            steps.push((inputs, target));
            if steps.len() > room { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let interrupted = Unjudged::Interrupted;
        self.interpreter.steps(&state, &mut collect, interrupt).map_err(interrupted)?;
        if steps.len() > room {
            self.too_large = Some(("steps", self.graph.limits.steps));
        }
        self.steps += steps.len();
        let mut known = FxHashSet::default();
        for (inputs, target) in steps {
            let letter = self.read_letter(&state, Some((&inputs, &target)));
            let edge = self.graph.edges.len();
            let target = self.number(target, Some((number as u32, edge)));
            if known.insert((target, letter)) {
                self.graph.edges.push(Edge { target, letter, inputs });
            }
        }
        Ok(())
    }

    /// The number of the letter of a step, or of a state without one.
    fn read_letter(&mut self, state: &State, step: Option<(&State, &State)>) -> u32 {
        let (states, inputs) = (self.interpreter.states(), self.interpreter.inputs());
        self.evaluation.run(|variable, time| match time {
            Time::Current => {
                let of_input = || inputs.value(step?.0, variable);
                states.value(state, variable).or_else(of_input)
            }
            Time::Next => states.value(step?.1, variable),
        });
        let value = |(place, &about_steps): (usize, &bool)| {
            self.evaluation.is_true(place) && (step.is_some() || !about_steps)
        };
        let letter: Box<[bool]> = self.about_steps.iter().enumerate().map(value).collect();
        if let Some(&known) = self.letter_numbers.get(&letter) {
            return known;
        }
        let number = self.graph.letters.len() as u32;
        self.graph.letters.push(letter.clone());
        self.letter_numbers.insert(letter, number);
        number
    }
}
