//! Symbolic alternating automata: Büchi automata over infinite words (sABW) and automata over
//! finite words (sAFW), section 2 of \[DDMR08\].
//!
//! An automaton is `<Loc, I, 2^P, delta, alpha>`. The initial condition `I` is a positive
//! expression over locations, so a conjunction of properties needs no location of its own. The
//! transition of a location is an expression over literals of the propositions and positive
//! locations. A set `s` of locations is a successor of `l` on a letter if `letter + s` satisfies
//! `delta(l)`. A run is a graph of such steps. It accepts an infinite word if every infinite path
//! visits `alpha` infinitely often, and a finite word if all locations after the last letter are in
//! `alpha`. The empty word is accepted if `alpha` satisfies `I`.
//!
//! Invariants: the propositions are handles of a [`Store`](kermode_ltl::Store), which the automaton
//! does not own, so words of the automaton are words of formulas. Every literal is about a declared
//! proposition, and `I` has no literals.

use kermode_ltl::{Letter, Proposition, WordKind};

use crate::expression::{Expression, Expressions, Term};

/// A location of some automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location(u32);

impl Location {
    /// A placeholder for a location that is not known yet.
    pub(crate) const NOWHERE: Location = Location(u32::MAX);

    /// The number of this location in its automaton, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The location with a number.
    ///
    /// # Panics
    /// When the number is 2^32 or more.
    pub fn from_index(index: usize) -> Self {
        Location(u32::try_from(index).expect("there are at most 2^32 locations"))
    }
}

/// The data of a location.
#[derive(Clone, Debug)]
struct LocationData {
    label: String,
    accepting: bool,
    transition: Expression,
}

/// A symbolic alternating automaton.
#[derive(Clone, Debug)]
pub struct AlternatingAutomaton {
    words: WordKind,
    propositions: Vec<Proposition>,
    locations: Vec<LocationData>,
    expressions: Expressions,
    initial: Expression,
}

impl AlternatingAutomaton {
    /// An automaton without locations, which accepts nothing.
    pub fn new(words: WordKind, propositions: Vec<Proposition>) -> Self {
        let mut expressions = Expressions::new();
        let initial = expressions.constant(false);
        AlternatingAutomaton { words, propositions, locations: Vec::new(), expressions, initial }
    }

    /// Adds a location that accepts nothing until it gets a transition. The label is for display
    /// and need not be unique.
    pub fn add_location(&mut self, label: impl Into<String>, accepting: bool) -> Location {
        let location = Location::from_index(self.locations.len());
        let transition = self.expressions.constant(false);
        self.locations.push(LocationData { label: label.into(), accepting, transition });
        location
    }

    /// Sets the transition of a location.
    pub fn set_transition(&mut self, location: Location, transition: Expression) {
        debug_assert!(transition.index() < self.expressions.len());
        self.locations[location.index()].transition = transition;
    }

    /// Sets the initial condition.
    ///
    /// # Panics
    /// When the expression has literals: no letter is read at the beginning.
    pub fn set_initial(&mut self, initial: Expression) {
        let is_literal = |&e: &Expression| matches!(self.expressions.term(e), Term::Literal { .. });
        let literal = self.expressions.below(&[initial]).into_iter().find(|e| is_literal(e));
        assert!(literal.is_none(), "the initial condition has no literals");
        self.initial = initial;
    }

    /// Whether it accepts infinite words, by Büchi's condition, or finite words.
    pub fn words(&self) -> WordKind {
        self.words
    }

    /// The propositions of its letters, as declared.
    pub fn propositions(&self) -> &[Proposition] {
        &self.propositions
    }

    /// All locations.
    pub fn locations(&self) -> impl DoubleEndedIterator<Item = Location> + ExactSizeIterator {
        (0..self.locations.len()).map(Location::from_index)
    }

    /// The number of locations.
    pub fn location_count(&self) -> usize {
        self.locations.len()
    }

    /// The label of a location, for display.
    pub fn label(&self, location: Location) -> &str {
        &self.locations[location.index()].label
    }

    /// Whether the location is in `alpha`: accepting on infinite words, final on finite ones.
    pub fn is_accepting(&self, location: Location) -> bool {
        self.locations[location.index()].accepting
    }

    /// `delta` of a location.
    pub fn transition(&self, location: Location) -> Expression {
        self.locations[location.index()].transition
    }

    /// The locations in the transition of a location, each once.
    pub fn targets(&self, location: Location) -> impl Iterator<Item = Location> {
        let below = self.expressions.below(&[self.transition(location)]);
        below.into_iter().filter_map(|expression| match self.expressions.term(expression) {
            Term::Location(target) => Some(target),
            _ => None,
        })
    }

    /// The initial condition.
    pub fn initial(&self) -> Expression {
        self.initial
    }

    /// The owner of the initial condition and the transitions.
    pub fn expressions(&self) -> &Expressions {
        &self.expressions
    }

    /// The owner of expressions, to build more of them.
    pub fn expressions_mut(&mut self) -> &mut Expressions {
        &mut self.expressions
    }

    /// The expressions of the initial condition and of all transitions, operands first.
    pub fn used_expressions(&self) -> Vec<Expression> {
        let transitions = self.locations.iter().map(|data| data.transition);
        let roots: Vec<Expression> = transitions.chain([self.initial]).collect();
        self.expressions.below(&roots)
    }

    /// For each expression, whether it is reachable from the initial condition.
    pub(crate) fn reached_expressions(&self) -> Vec<bool> {
        let mut reached = vec![false; self.expressions.len()];
        let mut todo = vec![self.initial];
        while let Some(expression) = todo.pop() {
            if std::mem::replace(&mut reached[expression.index()], true) {
                continue;
            }
            let term = self.expressions.term(expression);
            todo.extend(term.operands());
            if let Term::Location(location) = term {
                todo.push(self.transition(location));
            }
        }
        reached
    }

    /// The value of every expression when the letter is read and `follows` gives the next
    /// locations: these are a successor of `l` iff `delta(l)` is true.
    pub fn values(&self, letter: &Letter, follows: impl Fn(Location) -> bool) -> Vec<bool> {
        let literal = |proposition, positive| letter.contains(proposition) == positive;
        self.expressions.values(literal, follows)
    }
}
