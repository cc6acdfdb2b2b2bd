//! The tableau along given letters, for products with models.
//!
//! The graph of atoms has all letters. Here the letter is given, and only the promises of future
//! operators are guessed: those of past operators are determined by the row before. Each guess must
//! agree with the row before, so most of them end early, and formulas may be larger than those that
//! the whole graph has room for.

use super::TableauStop;
use super::tableau::{EXPANSION_LIMIT, Step, law, steps};
use crate::normal::without_bounded;
use crate::store::{Formula, Node, Proposition, Store};
use crate::word::WordKind;

/// What the operators of a formula demand across the border of two positions: one bit per temporal
/// subformula. A future operator demands a value of the later position, a past operator one of the
/// earlier position.
pub type Row = u128;

/// The largest number of temporal subformulas.
const LIMIT: usize = Row::BITS as usize;

/// An atom with a given letter that fits to the row before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The row after it.
    pub to: Row,
    /// One bit per temporal subformula: on a word, each is set infinitely often.
    pub fair: Row,
    /// Whether a finite word may end here.
    pub last: bool,
}

/// The atoms of a formula, by the row before them and their letter.
///
/// An infinite word satisfies the formula if and only if it has a sequence of atoms, the first one
/// without a row before it, in which each bit of [`TableauSteps::all_fair`] is fair infinitely
/// often. A finite word needs a last atom at its end instead.
#[derive(Clone, Debug)]
pub struct TableauSteps {
    steps: Vec<Step>,
    propositions: Vec<Proposition>,
    temporal: usize,
}

impl TableauSteps {
    /// Prepares a formula. Bounded operators are written out.
    ///
    /// # Errors
    /// If the formula is too large.
    pub fn new<E>(
        store: &Store,
        formula: Formula,
        words: WordKind,
    ) -> Result<Self, TableauStop<E>> {
        let (store, formula) = without_bounded(store, formula, words, EXPANSION_LIMIT)?;
        let order = store.subformulas(formula);
        let propositions = store.propositions(formula);
        let temporal = order.iter().filter(|&f| store.node(f).is_temporal()).count();
        if temporal > LIMIT {
            return Err(TableauStop::TooLarge { elementary: temporal, limit: LIMIT });
        }
        let steps = steps(&store, &order, &propositions);
        Ok(TableauSteps { steps, propositions, temporal })
    }

    /// The propositions of the formula. A letter has one value for each.
    pub fn propositions(&self) -> &[Proposition] {
        &self.propositions
    }

    /// The bits that must be fair infinitely often.
    pub fn all_fair(&self) -> Row {
        match self.temporal {
            0 => 0,
            temporal => Row::MAX >> (LIMIT - temporal),
        }
    }

    /// Calls `visit` for each atom with this letter that fits to the row before it, or that may be
    /// the first one if there is none. Calls `interrupt` for each guess. Errors of both end the
    /// search and are passed on.
    pub fn atoms<E>(
        &self,
        before: Option<Row>,
        letter: &[bool],
        visit: &mut dyn FnMut(Atom) -> Result<(), E>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        // The truth of the subformulas so far, each with the atom up to there.
        let mut values: Vec<(bool, Atom)> = Vec::with_capacity(self.steps.len());
        // The promises that are still to be tried: the number of a subformula and the guess.
        let mut open: Vec<(usize, bool)> = Vec::new();
        let mut guess = None;
        loop {
            interrupt()?;
            if self.extend(before, letter, &mut values, &mut open, guess)
                && let Some(&(truth, atom)) = values.last()
                && (truth || before.is_some())
            {
                visit(atom)?;
            }
            let Some((number, promise)) = open.pop() else { return Ok(()) };
            values.truncate(number);
            guess = Some(promise);
        }
    }

    /// Computes the remaining subformulas, the first of them with the given promise. Other promises
    /// are false at first, and the other choice becomes open. Returns whether all fit.
    fn extend(
        &self,
        before: Option<Row>,
        letter: &[bool],
        values: &mut Vec<(bool, Atom)>,
        open: &mut Vec<(usize, bool)>,
        mut guess: Option<bool>,
    ) -> bool {
        while let Some(step) = self.steps.get(values.len()) {
            let nothing = Atom { to: 0, fair: 0, last: true };
            let mut atom = values.last().map_or(nothing, |&(_, atom)| atom);
            let Step { node, operands, guessed } = *step;
            let operands = operands.map(|operand| operand.is_some_and(|place| values[place].0));
            let row_bit = guessed.wrapping_sub(self.propositions.len());
            let demanded = before.filter(|_| node.is_temporal()).map(|row| row >> row_bit & 1 == 1);
            let promise = match node {
                Node::Proposition(_) => letter[guessed],
                _ if !node.is_temporal() => false,
                _ if node.is_past() => {
                    demanded.unwrap_or_else(|| law(node, operands, false).at_border)
                }
                _ => guess.take().unwrap_or_else(|| {
                    open.push((values.len(), true));
                    false
                }),
            };
            let law = law(node, operands, promise);
            if node.is_temporal() {
                let is_past = node.is_past();
                let to = if is_past { law.promised } else { promise };
                atom.to |= Row::from(to) << row_bit;
                atom.fair |= Row::from(law.fair) << row_bit;
                atom.last &= is_past || promise == law.at_border;
                if !is_past && demanded.is_some_and(|demanded| demanded != law.promised) {
                    return false;
                }
            }
            values.push((law.truth, atom));
        }
        true
    }
}
