//! Symbolic alternating automata: Büchi automata over infinite words (sABW) and automata over
//! finite words (sAFW), section 2 of \[DDMR08\].
//!
//! An automaton is `<Loc, I, 2^P, delta, alpha>`. The initial condition `I` is a positive
//! expression over locations, so that a conjunction of properties needs no location of its own; the
//! transition of a location is an expression over literals of the propositions and positive
//! locations. A set `s` of locations follows `l` on a letter if `letter + s` satisfies `delta(l)`.
//! A run is a graph of such steps; it accepts an infinite word if every infinite path visits
//! `alpha` infinitely often, a finite word if every location that is left behind the last letter is
//! in `alpha`. The empty word is accepted if `alpha` satisfies `I`.
//!
//! Invariants: the propositions are handles of a [`Store`](kermode_ltl::Store), which the automaton
//! does not own, so that its words are those of formulas. Every literal is about a declared
//! proposition, and `I` has no literals.

use kermode_ltl::{Letter, Proposition, WordKind};

use crate::expression::{Expression, Expressions, Term};

/// A location of some automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location(u32);

impl Location {
    /// A location of no automaton, for what has no place yet.
    pub(crate) const NOWHERE: Location = Location(u32::MAX);

    /// The number of this location in its automaton, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The location of a number.
    ///
    /// # Panics
    /// When the number is 2^32 or more.
    pub fn from_index(index: usize) -> Self {
        Location(u32::try_from(index).expect("there are at most 2^32 locations"))
    }
}

/// What an automaton knows of a location.
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

    /// Adds a location from which nothing is accepted until it gets a transition. The label is for
    /// people: it need not be unique.
    pub fn add_location(&mut self, label: impl Into<String>, accepting: bool) -> Location {
        let location = Location::from_index(self.locations.len());
        let transition = self.expressions.constant(false);
        self.locations.push(LocationData { label: label.into(), accepting, transition });
        location
    }

    /// Says how the automaton goes on from a location.
    pub fn set_transition(&mut self, location: Location, transition: Expression) {
        debug_assert!(transition.index() < self.expressions.len());
        self.locations[location.index()].transition = transition;
    }

    /// Says where the automaton begins.
    ///
    /// # Panics
    /// When the expression has literals: nothing is read at the beginning.
    pub fn set_initial(&mut self, initial: Expression) {
        let is_literal = |&e: &Expression| matches!(self.expressions.term(e), Term::Literal { .. });
        let literal = self.expressions.below(&[initial]).into_iter().find(|e| is_literal(e));
        assert!(literal.is_none(), "the initial condition has no literals");
        self.initial = initial;
    }

    /// Which words it accepts: infinite ones by Büchi's condition, or finite ones.
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

    /// How many locations there are.
    pub fn location_count(&self) -> usize {
        self.locations.len()
    }

    /// What people call the location.
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

    /// The locations of which the transition of a location speaks, each once.
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

    /// Whether the initial condition leads to an expression, for each.
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

    /// The truth of every expression when the letter is read and the locations that `follows` tells
    /// come next: `delta(l)` holds there iff they are a successor of `l`.
    pub fn values(&self, letter: &Letter, follows: impl Fn(Location) -> bool) -> Vec<bool> {
        let literal = |proposition, positive| letter.contains(proposition) == positive;
        self.expressions.values(literal, follows)
    }
}
