//! Liveness to safety: an automaton over finite words that is empty exactly if a Büchi automaton
//! is, `A'` of section 3.5 of \[STV05\].
//!
//! A Büchi automaton is not empty exactly if an accepting state can be reached, and reached again
//! from itself. `A'` has the states of the automaton, and a copy of them for each accepting state
//! `b`. When a run leaves `b` it may move to the copy of `b`, which stores `b`. A word is accepted
//! if it leads to `b` in the copy of `b`: a finite word of the language is a prefix and a loop, one
//! after the other. Departures from the paper: an accepting state without a loop has no copy, and a
//! copy has the states of its component only, since no other state leads back.
//!
//! The result is a nondeterministic automaton as an alternating one over finite words. With
//! [`accepting_sink`] it becomes an automaton over infinite words that accepts the words with an
//! accepted prefix: it is terminal, and its emptiness is a reachability question too.

use kermode_ltl::WordKind;
use rustc_hash::FxHashMap;

use crate::alternating::{AlternatingAutomaton, Location};
use crate::expression::Expression;
use crate::tgba::{Components, Labels, Marks, State, Tgba};

/// The graph of `A'`: labelled transitions between numbered states.
struct LoopGraph<'a> {
    buchi: &'a Tgba,
    names: Vec<String>,
    /// Source, transition of the Büchi automaton (state and position), target.
    edges: Vec<(usize, (State, usize), usize)>,
    accepting: Vec<usize>,
}

/// An automaton over finite words that is empty exactly if a Büchi automaton with marks on states
/// is.
pub fn liveness_to_safety<E>(
    buchi: &Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<AlternatingAutomaton, E> {
    let graph = LoopGraph::new(buchi, interrupt)?;
    let propositions = buchi.propositions().to_vec();
    let mut automaton = AlternatingAutomaton::new(WordKind::Finite, propositions.clone());
    for (index, name) in graph.names.iter().enumerate() {
        automaton.add_location(name, graph.accepting.binary_search(&index).is_ok());
    }
    let mut labels = Labels::new(&propositions);
    let mut ways: Vec<Vec<Expression>> = vec![Vec::new(); graph.names.len()];
    for &(source, (state, place), target) in &graph.edges {
        interrupt()?;
        let expressions = automaton.expressions_mut();
        let label = labels.expression(expressions, &buchi.successors(state)[place].label);
        let target = expressions.location(Location::from_index(target));
        ways[source].push(expressions.and(label, target));
    }
    for (index, ways) in ways.into_iter().enumerate() {
        let transition = automaton.expressions_mut().any(ways);
        automaton.set_transition(Location::from_index(index), transition);
    }
    let expressions = automaton.expressions_mut();
    let initial = buchi.initial().iter().map(|s| Location::from_index(s.index()));
    let initial: Vec<Expression> = initial.map(|l| expressions.location(l)).collect();
    let initial = expressions.any(initial);
    automaton.set_initial(initial);
    Ok(automaton)
}

/// The infinite words with a prefix that [`liveness_to_safety`] accepts, as a terminal automaton.
pub fn accepting_sink<E>(
    buchi: &Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let graph = LoopGraph::new(buchi, interrupt)?;
    let mut terminal = buchi.sibling(1);
    for name in &graph.names {
        let state = terminal.add_state();
        terminal.set_name(state, name);
    }
    let marked = Marks::from_iter([0]);
    for &(source, (state, place), target) in &graph.edges {
        interrupt()?;
        if graph.accepting.binary_search(&source).is_err() {
            let label = buchi.successors(state)[place].label.clone();
            let [source, target] = [source, target].map(State::from_index);
            terminal.add_transition(source, target, label, Marks::new());
        }
    }
    for &accepting in &graph.accepting {
        let sink = State::from_index(accepting);
        terminal.add_transition(sink, sink, buchi.manager().top(), marked.clone());
    }
    buchi.initial().iter().for_each(|&state| terminal.add_initial(state));
    Ok(terminal)
}

impl<'a> LoopGraph<'a> {
    fn new<E>(buchi: &'a Tgba, interrupt: &mut dyn FnMut() -> Result<(), E>) -> Result<Self, E> {
        let (edges, accepting) = (Vec::new(), Vec::new());
        let mut graph = LoopGraph { buchi, names: Vec::new(), edges, accepting };
        for state in buchi.states() {
            graph.names.push(graph.name(state));
            for (place, transition) in buchi.successors(state).iter().enumerate() {
                graph.edges.push((state.index(), (state, place), transition.target.index()));
            }
        }
        let components = Components::try_of(buchi, interrupt)?;
        let members = components.members();
        let is_accepting =
            |state: State| buchi.state_marks(state).is_some_and(|marks| !marks.is_empty());
        for stored in buchi.states().filter(|&state| is_accepting(state)) {
            let component = components.component(stored);
            if components.is_recurrent(component) {
                graph.add_copy(stored, &members[component], interrupt)?;
            }
        }
        Ok(graph)
    }

    fn name(&self, state: State) -> String {
        self.buchi.name(state).map_or_else(|| state.index().to_string(), str::to_owned)
    }

    /// Adds the copy that stores an accepting state, and the transitions that lead there.
    fn add_copy<E>(
        &mut self,
        stored: State,
        component: &[State],
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let first = self.names.len();
        let copies: FxHashMap<State, usize> =
            component.iter().enumerate().map(|(place, &state)| (state, first + place)).collect();
        for &state in component {
            interrupt()?;
            self.names.push(format!("{}, stored {}", self.name(state), self.name(stored)));
            for (place, transition) in self.buchi.successors(state).iter().enumerate() {
                let Some(&target) = copies.get(&transition.target) else { continue };
                self.edges.push((copies[&state], (state, place), target));
                if state == stored {
                    self.edges.push((state.index(), (state, place), target));
                }
            }
        }
        self.accepting.push(copies[&stored]);
        Ok(())
    }
}
