//! Random alternating automata, for tests and benchmarks.
//!
//! Seeds are written down, so **the order in which numbers are drawn is part of the interface**, as
//! in [`kermode_ltl::random`].

use kermode_base::Rng;
use kermode_ltl::{Proposition, WordKind};

use crate::alternating::{AlternatingAutomaton, Location};
use crate::expression::Expression;

/// Parameters of random automata.
#[derive(Clone, Debug)]
pub struct RandomAutomaton {
    /// The kind of their words.
    pub words: WordKind,
    /// The number of locations.
    pub locations: usize,
    /// The propositions of the literals.
    pub propositions: Vec<Proposition>,
    /// The largest number of leaves of a transition.
    pub leaves: usize,
    /// The largest size of a group of locations. A group is accepting as a whole and leads only to
    /// itself and earlier groups: such automata are weak, and very weak with groups of one. Without
    /// groups there is no restriction.
    pub group: Option<usize>,
}

impl RandomAutomaton {
    /// Draws an automaton.
    ///
    /// # Panics
    /// When there are no locations, no propositions or no leaves, or when the group size is 0.
    pub fn draw(&self, rng: &mut Rng) -> AlternatingAutomaton {
        let mut automaton = AlternatingAutomaton::new(self.words, self.propositions.clone());
        for index in 0..self.locations {
            let before = index.checked_sub(1).map(Location::from_index);
            let joins = |_: &Location| self.group.is_some_and(|size| index % size != 0);
            let accepting = match before.filter(joins) {
                Some(before) => automaton.is_accepting(before),
                None => rng.coin(),
            };
            automaton.add_location(format!("l{index}"), accepting);
        }
        for index in 0..self.locations {
            let reach = match self.group {
                Some(size) => (index / size * size + size).min(self.locations),
                None => self.locations,
            };
            let transition = self.draw_expression(&mut automaton, rng, reach, true);
            automaton.set_transition(Location::from_index(index), transition);
        }
        let initial = self.draw_expression(&mut automaton, rng, self.locations, false);
        automaton.set_initial(initial);
        automaton
    }

    /// A combination of leaves: locations below `reach`, as many literals if they are wanted,
    /// seldom a constant. Pairs are joined until one expression is left.
    fn draw_expression(
        &self,
        automaton: &mut AlternatingAutomaton,
        rng: &mut Rng,
        reach: usize,
        literals: bool,
    ) -> Expression {
        let expressions = automaton.expressions_mut();
        let mut parts: Vec<Expression> = Vec::new();
        for _ in 0..rng.between(1, self.leaves) {
            parts.push(if rng.below(16) == 0 {
                expressions.constant(rng.coin())
            } else if literals && rng.coin() {
                expressions.literal(rng.choose(&self.propositions), rng.coin())
            } else {
                expressions.location(Location::from_index(rng.below(reach)))
            });
        }
        while parts.len() > 1 {
            let first = parts.swap_remove(rng.below(parts.len()));
            let second = parts.swap_remove(rng.below(parts.len()));
            parts.push(match rng.coin() {
                true => expressions.and(first, second),
                false => expressions.or(first, second),
            });
        }
        parts[0]
    }
}
