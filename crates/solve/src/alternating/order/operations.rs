//! The transitions of an automaton as lists of operations on words of 64 truth values, called
//! lanes. The data are compact because they are evaluated most often.

use kermode_automata::Term;

use crate::alternating::transitions::Transitions;

/// The operation of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    Constant(bool),
    /// The variable of a proposition.
    Literal(u32, bool),
    Location(u32),
    And(u32, u32),
    Or(u32, u32),
}

/// The operations of all reachable transitions.
pub(super) struct Operations {
    /// By the index of the expression.
    operations: Vec<Operation>,
    /// For each location, the expressions of its transition, operands first.
    pub(super) below: Vec<Vec<u32>>,
    /// For each location, its transition.
    pub(super) roots: Vec<usize>,
    /// The expressions of all transitions, operands first.
    pub(super) all: Vec<u32>,
    /// How many variables there are.
    pub(super) variables: usize,
}

impl Operations {
    pub(super) fn new(transitions: &Transitions) -> Self {
        let (automaton, layout) = (transitions.automaton, &transitions.layout);
        let expressions = automaton.expressions();
        let mut below = vec![Vec::new(); automaton.location_count()];
        let mut operations = vec![Operation::Constant(false); expressions.len()];
        let mut all = Vec::new();
        for location in layout.reachable() {
            for expression in expressions.below(&[automaton.transition(location)]) {
                below[location.index()].push(expression.index() as u32);
                operations[expression.index()] =
                    operation(transitions, expressions.term(expression));
            }
            all.extend_from_slice(&below[location.index()]);
        }
        all.sort_unstable();
        all.dedup();
        let roots = automaton.locations().map(|l| automaton.transition(l).index()).collect();
        Operations { operations, below, roots, all, variables: layout.len() }
    }

    /// The total number of expressions of the transitions.
    pub(super) fn total(&self) -> usize {
        self.below.iter().map(Vec::len).sum()
    }

    /// The total number of targets of the transitions.
    pub(super) fn targets(&self) -> usize {
        let is_location = |&&e: &&u32| matches!(self.get(e), Operation::Location(_));
        self.below.iter().flatten().filter(is_location).count()
    }

    pub(super) fn get(&self, expression: u32) -> Operation {
        self.operations[expression as usize]
    }

    /// The index above those of all expressions.
    pub(super) fn len(&self) -> usize {
        self.operations.len()
    }

    /// Evaluates expressions, operands first, for given values of propositions and locations.
    pub(super) fn evaluate(
        &self,
        expressions: &[u32],
        letters: &[u64],
        follows: impl Fn(usize) -> u64,
        values: &mut [u64],
    ) {
        for &expression in expressions {
            values[expression as usize] = match self.get(expression) {
                Operation::Constant(true) => u64::MAX,
                Operation::Constant(false) => 0,
                Operation::Literal(variable, true) => letters[variable as usize],
                Operation::Literal(variable, false) => !letters[variable as usize],
                Operation::Location(location) => follows(location as usize),
                Operation::And(a, b) => values[a as usize] & values[b as usize],
                Operation::Or(a, b) => values[a as usize] | values[b as usize],
            };
        }
    }
}

fn operation(transitions: &Transitions, term: Term) -> Operation {
    match term {
        Term::Constant(value) => Operation::Constant(value),
        Term::Literal { proposition, positive } => {
            Operation::Literal(transitions.layout.proposition(proposition).0, positive)
        }
        Term::Location(location) => Operation::Location(location.index() as u32),
        Term::And(a, b) => Operation::And(a.index() as u32, b.index() as u32),
        Term::Or(a, b) => Operation::Or(a.index() as u32, b.index() as u32),
    }
}
