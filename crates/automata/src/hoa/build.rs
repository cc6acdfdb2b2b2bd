//! From a parsed text to an automaton. Only states that are mentioned exist, so a header may
//! declare any number. Without universal branching the automaton is a [`Tgba`].
//!
//! With universal branching the automaton alternates, and its acceptance is moved to locations:
//! every path of a run is tracked separately, by the levels of `degeneralise.rs`. If the sets are
//! on states and there is at most one mark, the locations are the states.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use kermode_bdd::{Bdd, CannotStart, Capacity, Literal, Manager, OutOfNodes, Variable};
use kermode_ltl::{Proposition, Store, WordKind};
use rustc_hash::FxBuildHasher;

use super::acceptance::Acceptance;
use super::body::{ParsedEdge, StateItem};
use super::header::Header;
use super::label::{Aliases, Label, function};
use super::reader::Number;
use crate::alternating::{AlternatingAutomaton, Location};
use crate::automaton::Automaton;
use crate::emerson_lei::{Condition, EmersonLei};
use crate::expression::Expression;
use crate::tgba::{Labels, Marks, State, Tgba, raised};

/// The numbers of nodes for labels: most need few, and if the first table is full the next size is
/// tried.
const NODES: [usize; 3] = [1 << 16, 1 << 19, 1 << 22];

/// Why labels could not be built.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub(super) enum NoRoom {
    #[error(transparent)]
    OutOfNodes(#[from] OutOfNodes),
    #[error(transparent)]
    CannotStart(#[from] CannotStart),
}

/// Why there is no automaton.
pub(super) enum Unbuilt<E> {
    NoRoom(NoRoom),
    Stopped(E),
}

impl<E, N: Into<NoRoom>> From<N> for Unbuilt<E> {
    fn from(error: N) -> Self {
        Unbuilt::NoRoom(error.into())
    }
}

/// An automaton whose text was checked.
pub(super) struct Checked<'t> {
    pub(super) text: &'t str,
    pub(super) header: &'t Header,
    pub(super) states: &'t [StateItem],
    pub(super) acceptance: &'t Acceptance,
}

/// An edge with its label and marks.
struct ReadyEdge {
    label: Bdd,
    targets: Vec<usize>,
    marks: Marks,
}

/// States by their index among those that are mentioned.
struct CheckedGraph<'t> {
    manager: Manager,
    propositions: Vec<Proposition>,
    mark_count: usize,
    names: Vec<Option<&'t str>>,
    edges: Vec<Vec<ReadyEdge>>,
    starts: Vec<Vec<usize>>,
}

impl<'t> Checked<'t> {
    /// The automaton. Its propositions become propositions of the store.
    pub(super) fn build<E>(
        &self,
        store: &mut Store,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Automaton, Unbuilt<E>> {
        let interrupt = &mut || interrupt().map_err(Unbuilt::Stopped);
        let names = self.header.propositions.iter().flatten();
        let propositions: Vec<Proposition> =
            names.map(|name| store.proposition(&name.name)).collect();
        for nodes in NODES {
            let capacity = Capacity { nodes, cache: nodes / 4, variables: propositions.len() };
            match self.graph(Manager::new(capacity)?, propositions.clone(), interrupt) {
                Err(Unbuilt::NoRoom(_)) => {}
                graph => return graph?.automaton(self.acceptance.with_fin.clone(), interrupt),
            }
        }
        Err(OutOfNodes.into())
    }

    fn graph<E: From<OutOfNodes>>(
        &self,
        manager: Manager,
        propositions: Vec<Proposition>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<CheckedGraph<'t>, E> {
        let numbers = self.numbers();
        let place = |number: &Number| numbers.partition_point(|&n| n < number.value);
        let places = |targets: &[Number]| {
            let places: BTreeSet<usize> = targets.iter().map(place).collect();
            places.into_iter().collect::<Vec<usize>>()
        };
        let aliases = self.aliases(&manager, interrupt)?;
        let mut names = vec![None; numbers.len()];
        let mut edges: Vec<Vec<ReadyEdge>> = numbers.iter().map(|_| Vec::new()).collect();
        for state in self.states {
            let index = place(&state.number);
            names[index] = state.name.as_ref().map(|name| name.name.as_str());
            let labels = self.labels(state, &manager, &aliases, interrupt)?;
            let labels = labels.into_iter().zip(&state.edges);
            edges[index] = labels
                .map(|(label, edge)| {
                    let (targets, marks) = (places(&edge.targets), self.marks(state, edge));
                    ReadyEdge { label, targets, marks }
                })
                .collect();
        }
        let starts = self.header.starts.iter().map(|start| places(start)).collect();
        Ok(CheckedGraph {
            manager,
            propositions,
            mark_count: self.acceptance.mark_count,
            names,
            edges,
            starts,
        })
    }

    /// The labels of a state's edges: their own, that of the state, or implicit letters.
    fn labels<E: From<OutOfNodes>>(
        &self,
        state: &StateItem,
        manager: &Manager,
        aliases: &Aliases,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<Bdd>, E> {
        let mut read = |label: &Label| function(self.text, label, manager, aliases, interrupt);
        let shared = state.label.as_ref().map(&mut read).transpose()?;
        let edges = state.edges.iter().enumerate();
        let labels = edges.map(|(number, edge)| match (&edge.label, &shared) {
            (Some(label), _) => read(label),
            (None, Some(label)) => Ok(label.clone()),
            (None, None) => Ok(letter(manager, number)?),
        });
        labels.collect()
    }

    /// The mentioned states in increasing order.
    fn numbers(&self) -> Vec<u64> {
        let targets = |state: &'t StateItem| state.edges.iter().flat_map(|edge| &edge.targets);
        let body = self.states.iter().flat_map(|s| targets(s).chain([&s.number]));
        let all = self.header.starts.iter().flatten().chain(body);
        let mut numbers: Vec<u64> = all.map(|number| number.value).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    fn aliases<E: From<OutOfNodes>>(
        &self,
        manager: &Manager,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Aliases<'t>, E> {
        let mut aliases = Aliases::default();
        for (name, label) in &self.header.aliases {
            let function = function(self.text, label, manager, &aliases, interrupt)?;
            aliases.insert(&self.text[name.clone()], function);
        }
        Ok(aliases)
    }

    /// The marks of an edge and of its state.
    fn marks(&self, state: &StateItem, edge: &ParsedEdge) -> Marks {
        let sets = state.marks.iter().chain(&edge.marks).map(|mark| mark.value);
        self.acceptance.marks(&sets.collect::<BTreeSet<u64>>())
    }
}

/// The letter whose propositions are the bits of the number.
fn letter(manager: &Manager, number: usize) -> Result<Bdd, OutOfNodes> {
    let literal =
        |variable: Variable| Literal { variable, positive: number >> variable.index() & 1 == 1 };
    manager.cube(&manager.variables().map(literal).collect())
}

impl CheckedGraph<'_> {
    /// The automaton. One with universal branching has no `Fin`.
    fn automaton<E>(
        self,
        with_fin: Option<Condition>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Automaton, E> {
        let targets = self.edges.iter().flatten().map(|edge| &edge.targets);
        match (targets.chain(&self.starts).all(|states| states.len() == 1), with_fin) {
            (true, Some(condition)) => Ok(EmersonLei::new(self.tgba(), condition).into()),
            (true, None) => Ok(self.tgba().into()),
            (false, _) => Ok(self.alternating(interrupt)?.into()),
        }
    }

    fn tgba(self) -> Tgba {
        let mut tgba = Tgba::new(self.manager, self.propositions, self.mark_count);
        for name in self.names {
            let state = tgba.add_state();
            name.into_iter().for_each(|name| tgba.set_name(state, name));
        }
        for (source, edges) in self.edges.into_iter().enumerate() {
            for ReadyEdge { label, targets, marks } in edges {
                let (source, target) = (State::from_index(source), State::from_index(targets[0]));
                tgba.add_transition(source, target, label, marks);
            }
        }
        self.starts.iter().for_each(|start| tgba.add_initial(State::from_index(start[0])));
        tgba
    }

    fn alternating<E>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<AlternatingAutomaton, E> {
        let watched = self.mark_count > 1 || !self.is_state_based();
        let copies = LocationCopies { graph: self, watched, all: self.copies(watched, interrupt)? };
        copies.automaton(interrupt)
    }

    /// The states, or their reachable copies by level, in order.
    fn copies<E>(
        &self,
        watched: bool,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<IndexSet<(usize, usize), FxBuildHasher>, E> {
        let last = self.mark_count;
        if !watched {
            return Ok((0..self.edges.len()).map(|state| (state, last)).collect());
        }
        let mut copies: IndexSet<(usize, usize), FxBuildHasher> =
            self.starts.iter().flatten().map(|&state| (state, last)).collect();
        let mut next = 0;
        while let Some(&(state, level)) = copies.get_index(next) {
            interrupt()?;
            for edge in &self.edges[state] {
                let reached = raised(level, &edge.marks, last);
                copies.extend(edge.targets.iter().map(|&target| (target, reached)));
            }
            next += 1;
        }
        copies.sort_unstable();
        Ok(copies)
    }

    /// Whether the edges of each state have the same marks.
    fn is_state_based(&self) -> bool {
        let uniform = |edges: &Vec<ReadyEdge>| edges.windows(2).all(|e| e[0].marks == e[1].marks);
        self.edges.iter().all(uniform)
    }
}

/// States with the level of the paths that lead there. At the last level a round is complete.
struct LocationCopies<'g, 't> {
    graph: &'g CheckedGraph<'t>,
    /// Whether levels change.
    watched: bool,
    all: IndexSet<(usize, usize), FxBuildHasher>,
}

impl LocationCopies<'_, '_> {
    fn automaton<E>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<AlternatingAutomaton, E> {
        let propositions = self.graph.propositions.clone();
        let mut automaton = AlternatingAutomaton::new(WordKind::Infinite, propositions);
        for &(state, level) in &self.all {
            let number = state.to_string();
            let name = self.graph.names[state].unwrap_or(&number);
            automaton.add_location(name, self.is_accepting(state, level));
        }
        let mut labels = Labels::new(&self.graph.propositions);
        for (index, &(state, level)) in self.all.iter().enumerate() {
            interrupt()?;
            let mut ways: Vec<Expression> = Vec::new();
            for edge in &self.graph.edges[state] {
                let label = labels.expression(automaton.expressions_mut(), &edge.label);
                let targets =
                    self.conjunction(&mut automaton, &edge.targets, self.behind(level, edge));
                ways.push(automaton.expressions_mut().and(label, targets));
            }
            let transition = automaton.expressions_mut().any(ways);
            automaton.set_transition(Location::from_index(index), transition);
        }
        let starts = self.graph.starts.iter();
        let starts = starts.map(|s| self.conjunction(&mut automaton, s, self.graph.mark_count));
        let starts: Vec<Expression> = starts.collect();
        let initial = automaton.expressions_mut().any(starts);
        automaton.set_initial(initial);
        Ok(automaton)
    }

    fn is_accepting(&self, state: usize, level: usize) -> bool {
        let marked = |edge: &ReadyEdge| edge.marks.len() == self.graph.mark_count;
        match self.watched {
            true => level == self.graph.mark_count,
            false => self.graph.edges[state].iter().all(marked),
        }
    }

    /// The level after an edge.
    fn behind(&self, level: usize, edge: &ReadyEdge) -> usize {
        match self.watched {
            true => raised(level, &edge.marks, self.graph.mark_count),
            false => level,
        }
    }

    fn conjunction(
        &self,
        automaton: &mut AlternatingAutomaton,
        states: &[usize],
        level: usize,
    ) -> Expression {
        let copy = |&state: &usize| self.all.get_index_of(&(state, level));
        let locations = states.iter().filter_map(copy).map(Location::from_index);
        let expressions = automaton.expressions_mut();
        let locations: Vec<Expression> = locations.map(|l| expressions.location(l)).collect();
        expressions.all(locations)
    }
}
