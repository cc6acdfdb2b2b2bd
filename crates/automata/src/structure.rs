//! The strongly connected components of an automaton, and what they say about acceptance.
//!
//! The graph is that of the expressions: an operator leads to its operands and a location to its
//! transition. It is as large as the automaton, while the graph of locations has an edge for each
//! location in a transition and may be quadratic. Two locations reach each other in one graph iff
//! they do in the other.
//!
//! An automaton is *weak* \[MSS86\] if locations that reach each other are all accepting or all
//! rejecting, and *very weak* \[Roh97\] if no two locations reach each other. Automata of LTL are
//! very weak.

use std::convert::Infallible;

use kermode_base::components_of_edges;

use crate::alternating::{AlternatingAutomaton, Location};
use crate::expression::{Expression, Term};

/// The strongly connected components of an automaton's expressions, successors first.
#[derive(Clone, Debug)]
pub struct Structure {
    /// All expressions by component; within a component, operands first.
    order: Vec<Expression>,
    /// Component `c` is `order[start[c]..start[c + 1]]`.
    start: Vec<usize>,
    recurrent: Vec<bool>,
    component: Vec<usize>,
}

impl Structure {
    /// The structure of an automaton.
    pub fn of(automaton: &AlternatingAutomaton) -> Self {
        let expressions = automaton.expressions();
        let mut edges = Vec::new();
        for (source, term) in expressions.iter() {
            let targets = successors(automaton, term);
            edges.extend(targets.map(|target| (source.index(), target.index())));
        }
        let never = &mut || Ok::<(), Infallible>(());
        let Ok(component) = components_of_edges(expressions.len(), edges.into_iter(), never);
        let mut order: Vec<Expression> = expressions.iter().map(|(e, _)| e).collect();
        order.sort_by_key(|e| component[e.index()]);
        let count = order.last().map_or(0, |e| component[e.index()] + 1);
        let below = |c| order.partition_point(|e| component[e.index()] < c);
        let start: Vec<usize> = (0..=count).map(below).collect();
        // Expressions are acyclic, so a cycle passes through a location. It has two members, or is
        // a location whose transition is itself.
        let returns = |c: usize| {
            let first = order[start[c]];
            let mut next = successors(automaton, expressions.term(first));
            start[c + 1] - start[c] > 1 || next.any(|e| e == first)
        };
        let recurrent = (0..count).map(returns).collect();
        Structure { order, start, recurrent, component }
    }

    /// The number of components.
    pub fn len(&self) -> usize {
        self.recurrent.len()
    }

    /// Whether there is no expression.
    pub fn is_empty(&self) -> bool {
        self.recurrent.is_empty()
    }

    /// The expressions of a component, operands first.
    pub fn members(&self, component: usize) -> &[Expression] {
        &self.order[self.start[component]..self.start[component + 1]]
    }

    /// Whether the component has a cycle.
    pub fn is_recurrent(&self, component: usize) -> bool {
        self.recurrent[component]
    }

    /// The component of an expression. Its successors have the same or a smaller number.
    pub fn component(&self, expression: Expression) -> usize {
        self.component[expression.index()]
    }

    /// The locations of a component.
    pub fn locations(
        &self,
        automaton: &AlternatingAutomaton,
        component: usize,
    ) -> impl Iterator<Item = Location> {
        self.members(component).iter().filter_map(|&e| match automaton.expressions().term(e) {
            Term::Location(location) => Some(location),
            _ => None,
        })
    }
}

/// The locations on cycles outside of `alpha`, by strongly connected components of what is left of
/// the automaton without `alpha`. A path visits `alpha` finitely often iff it stays in one of these
/// components from some point on.
pub fn rejecting_components(automaton: &AlternatingAutomaton) -> Vec<Vec<Location>> {
    let mut outside = automaton.clone();
    let nothing = outside.expressions_mut().constant(false);
    for location in automaton.locations().filter(|&l| automaton.is_accepting(l)) {
        outside.set_transition(location, nothing);
    }
    let structure = Structure::of(&outside);
    let recurrent = (0..structure.len()).filter(|&c| structure.is_recurrent(c));
    recurrent.map(|c| structure.locations(&outside, c).collect()).collect()
}

/// The successors of an expression: its operands, or the transition of a location.
fn successors(
    automaton: &AlternatingAutomaton,
    term: Term,
) -> impl Iterator<Item = Expression> + use<> {
    let transition = match term {
        Term::Location(location) => Some(automaton.transition(location)),
        _ => None,
    };
    term.operands().chain(transition)
}

/// Sizes and properties of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlternatingStatistics {
    /// The number of locations.
    pub locations: usize,
    /// The number of accepting locations.
    pub accepting: usize,
    /// The number of propositions.
    pub propositions: usize,
    /// The number of distinct expressions in the initial condition and the transitions.
    pub expressions: usize,
    /// Whether locations that reach each other agree on acceptance.
    pub weak: bool,
    /// Whether no two locations reach each other.
    pub very_weak: bool,
}

impl AlternatingStatistics {
    /// Computes the statistics.
    pub fn of(automaton: &AlternatingAutomaton) -> Self {
        let structure = Structure::of(automaton);
        let (mut weak, mut very_weak) = (true, true);
        for component in 0..structure.len() {
            let mut locations = structure.locations(automaton, component);
            let Some(first) = locations.next() else { continue };
            for other in locations {
                very_weak = false;
                weak &= automaton.is_accepting(other) == automaton.is_accepting(first);
            }
        }
        AlternatingStatistics {
            locations: automaton.location_count(),
            accepting: automaton.locations().filter(|&l| automaton.is_accepting(l)).count(),
            propositions: automaton.propositions().len(),
            expressions: automaton.used_expressions().len(),
            weak,
            very_weak,
        }
    }
}
