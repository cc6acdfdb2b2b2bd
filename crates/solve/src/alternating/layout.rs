//! The variables of the decision diagrams, their meaning and their order.
//!
//! Propositions and locations are in the order of a traversal of the automaton, so that the
//! variables of one transition are close together. A location whose transition is a literal, such
//! as that of `X p`, follows the proposition: many transitions compare `p` with `X p`, and if all
//! propositions came before all such locations, the diagram of `n` comparisons would have `2^n`
//! nodes. Only automata over infinite words get this order: on finite words it made the Declare
//! models of the benchmark sets a sixth slower. Each location has a variable `x` for membership in
//! the next set, followed by as many copies as the method for successors needs.

use kermode_automata::{AlternatingAutomaton, Expression, Location, Term};
use kermode_bdd::Variable;
use kermode_ltl::{Proposition, WordKind};
use rustc_hash::FxHashMap;

/// The variables of an automaton.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    propositions: FxHashMap<Proposition, Variable>,
    /// The first variable of each location; its copies follow.
    locations: Vec<Variable>,
    /// The meaning of each variable.
    meanings: Vec<Meaning>,
}

/// The meaning of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A proposition of the letter.
    Proposition(Proposition),
    /// A location, in one of its copies.
    Location(Location, usize),
}

impl Layout {
    /// A layout with this many variables per location.
    pub(crate) fn new(
        automaton: &AlternatingAutomaton,
        copies: impl Fn(Location) -> usize,
    ) -> Self {
        let mut layout = Layout {
            propositions: FxHashMap::default(),
            locations: vec![Variable(u32::MAX); automaton.location_count()],
            meanings: Vec::new(),
        };
        let mut followers: FxHashMap<Proposition, Vec<Location>> = FxHashMap::default();
        let terms = walk(automaton);
        let is_infinite = automaton.words() == WordKind::Infinite;
        for location in terms.iter().filter_map(location_of).filter(|_| is_infinite) {
            let transition = automaton.expressions().term(automaton.transition(location));
            if let Term::Literal { proposition, .. } = transition {
                followers.entry(proposition).or_default().push(location);
            }
        }
        for term in terms {
            match term {
                Term::Literal { proposition, .. } => {
                    layout.add_proposition(proposition);
                    for location in followers.remove(&proposition).unwrap_or_default() {
                        layout.add_location(location, copies(location));
                    }
                }
                Term::Location(location) => layout.add_location(location, copies(location)),
                _ => {}
            }
        }
        layout
    }

    fn next(&self) -> Variable {
        Variable(self.meanings.len() as u32)
    }

    fn add_proposition(&mut self, proposition: Proposition) {
        let next = self.next();
        if *self.propositions.entry(proposition).or_insert(next) == next {
            self.meanings.push(Meaning::Proposition(proposition));
        }
    }

    fn add_location(&mut self, location: Location, copies: usize) {
        if !self.has(location) {
            self.locations[location.index()] = self.next();
            self.meanings.extend((0..copies).map(|copy| Meaning::Location(location, copy)));
        }
    }

    /// The number of variables.
    pub(crate) fn len(&self) -> usize {
        self.meanings.len()
    }

    /// The variable of a proposition.
    pub(crate) fn proposition(&self, proposition: Proposition) -> Variable {
        self.propositions[&proposition]
    }

    /// The variable of a proposition, if a reachable transition mentions it.
    pub(crate) fn find_proposition(&self, proposition: Proposition) -> Option<Variable> {
        self.propositions.get(&proposition).copied()
    }

    /// A variable of a location.
    pub(crate) fn location(&self, location: Location, copy: usize) -> Variable {
        Variable(self.locations[location.index()].0 + copy as u32)
    }

    /// Whether a location is reachable and thus has variables.
    pub(crate) fn has(&self, location: Location) -> bool {
        self.locations[location.index()] != Variable(u32::MAX)
    }

    /// The reachable locations.
    pub(crate) fn reachable(&self) -> impl Iterator<Item = Location> {
        let locations = (0..self.locations.len()).map(Location::from_index);
        locations.filter(|&location| self.has(location))
    }

    /// The meaning of a variable.
    pub(crate) fn meaning(&self, variable: Variable) -> Meaning {
        self.meanings[variable.index()]
    }
}

/// The leaves of the initial condition and of all reachable transitions; each location is followed
/// by the leaves of its transition.
fn walk(automaton: &AlternatingAutomaton) -> Vec<Term> {
    let mut seen = vec![false; automaton.expressions().len()];
    let (mut leaves, mut stack): (Vec<Term>, Vec<Expression>) =
        (Vec::new(), vec![automaton.initial()]);
    while let Some(expression) = stack.pop() {
        if std::mem::replace(&mut seen[expression.index()], true) {
            continue;
        }
        let term = automaton.expressions().term(expression);
        match term {
            Term::Location(location) => {
                leaves.push(term);
                stack.push(automaton.transition(location));
            }
            Term::Literal { .. } => leaves.push(term),
            _ => stack.extend(term.operands().rev()),
        }
    }
    leaves
}

fn location_of(term: &Term) -> Option<Location> {
    match *term {
        Term::Location(location) => Some(location),
        _ => None,
    }
}
