//! The acceptance game of an automaton on a loop of letters: one player chooses disjuncts, the
//! other conjuncts, and the first wins if `alpha` is visited infinitely often. A word is accepted
//! from a location iff the first player wins there.
//!
//! A configuration is an expression at a position. The winning configurations are the fixpoint `nu
//! Y. mu X` in which an accepting location refers to `Y` and any other to `X`. It is computed
//! component by component of the [`Structure`], so that the successors of a component are decided
//! before it. In a very weak automaton each component has one location and takes a few passes
//! around the loop, so the time is linear in the automaton and the loop. In general it is
//! polynomial.
//!
//! The values of literals, the meaning of locations and their fixpoints are parameters:
//! [`membership`](crate::membership) plays on a word, [`trim`](crate::trim) on one letter that
//! represents all letters.

use kermode_ltl::Proposition;

use crate::alternating::{AlternatingAutomaton, Location};
use crate::expression::{Expression, Term};
use crate::structure::Structure;

/// Positions between two calls of `interrupt`.
const BETWEEN_INTERRUPTS: usize = 256;

/// The rules of a game.
pub(crate) struct Game<'a> {
    /// The automaton.
    pub(crate) automaton: &'a AlternatingAutomaton,
    /// The number of letters of the loop.
    pub(crate) length: usize,
    /// Whether a literal is true at a position.
    pub(crate) literal: &'a dyn Fn(usize, Proposition, bool) -> bool,
    /// The value of a location, given the value of its transition at the next position.
    pub(crate) location: &'a dyn Fn(Location, bool) -> bool,
    /// Whether a path that stays in the location for ever wins.
    pub(crate) greatest: &'a dyn Fn(Location) -> bool,
}

/// Where the first player wins.
pub(crate) struct Winning {
    /// One row of bits per expression, one bit per position.
    bits: Vec<u64>,
    row: usize,
}

impl Winning {
    fn new(expressions: usize, positions: usize) -> Self {
        let row = positions.div_ceil(64);
        Winning { bits: vec![0; expressions * row], row }
    }

    /// Whether the first player wins from an expression at a position.
    pub(crate) fn get(&self, expression: Expression, position: usize) -> bool {
        self.bits[expression.index() * self.row + position / 64] >> (position % 64) & 1 == 1
    }

    /// Changes a value, and returns whether it was different.
    fn set(&mut self, expression: Expression, position: usize, value: bool) -> bool {
        let word = &mut self.bits[expression.index() * self.row + position / 64];
        let before = *word;
        let bit = 1 << (position % 64);
        *word = if value { before | bit } else { before & !bit };
        *word != before
    }

    fn fill(&mut self, expression: Expression, value: bool) {
        let row = expression.index() * self.row;
        self.bits[row..row + self.row].fill(if value { u64::MAX } else { 0 });
    }
}

impl Game<'_> {
    /// Solves the game.
    pub(crate) fn solve<E>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Winning, E> {
        let structure = Structure::of(self.automaton);
        let mut winning = Winning::new(self.automaton.expressions().len(), self.length);
        for component in 0..structure.len() {
            let members = structure.members(component);
            match structure.is_recurrent(component) {
                true => self.greatest_fixpoint(members, &mut winning, interrupt)?,
                false => {
                    self.sweep(members, &mut winning, interrupt)?;
                }
            }
        }
        Ok(winning)
    }

    /// `nu Y`: an accepting location wins until it is found to lose.
    fn greatest_fixpoint<E>(
        &self,
        members: &[Expression],
        winning: &mut Winning,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let (outer, inner): (Vec<Expression>, Vec<Expression>) =
            members.iter().copied().partition(|&e| self.is_greatest(e));
        outer.iter().for_each(|&e| winning.fill(e, true));
        loop {
            // `mu X`: any other expression loses until it is found to win.
            inner.iter().for_each(|&e| winning.fill(e, false));
            while self.sweep(&inner, winning, interrupt)? {}
            if !self.sweep(&outer, winning, interrupt)? {
                return Ok(());
            }
        }
    }

    fn is_greatest(&self, expression: Expression) -> bool {
        match self.automaton.expressions().term(expression) {
            Term::Location(location) => (self.greatest)(location),
            _ => false,
        }
    }

    /// Recomputes expressions, once around the loop, backwards in time. Returns whether any value
    /// changed.
    fn sweep<E>(
        &self,
        expressions: &[Expression],
        winning: &mut Winning,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        let mut changed = false;
        for position in (0..self.length).rev() {
            if position % BETWEEN_INTERRUPTS == 0 {
                interrupt()?;
            }
            for &expression in expressions {
                let value = self.value(expression, position, winning);
                changed |= winning.set(expression, position, value);
            }
        }
        Ok(changed)
    }

    fn value(&self, expression: Expression, position: usize, winning: &Winning) -> bool {
        match self.automaton.expressions().term(expression) {
            Term::Constant(value) => value,
            Term::Literal { proposition, positive } => {
                (self.literal)(position, proposition, positive)
            }
            Term::Location(location) => {
                let next = if position + 1 == self.length { 0 } else { position + 1 };
                let transition = self.automaton.transition(location);
                (self.location)(location, winning.get(transition, next))
            }
            Term::And(a, b) => winning.get(a, position) && winning.get(b, position),
            Term::Or(a, b) => winning.get(a, position) || winning.get(b, position),
        }
    }
}
