//! The definitions of the operators, taken literally: every quantifier over positions is an `any`
//! or an `all`. Slow, and meant to be obviously right. The fast evaluator and the oracles are
//! compared with it.
//!
//! One shortcut: there are infinitely many distances into the future, but any `n` consecutive
//! distances visit all positions of a word with `n` stored positions, so no quantifier looks
//! further.

use std::convert::Infallible;
use std::ops::RangeInclusive;

use super::{ahead, unrolling};
use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Interval, Node, Store, Subformulas};
use crate::word::Word;

/// The truth of every subformula at every position of an unrolled word.
#[derive(Clone, Debug)]
pub struct Values {
    word: Word,
    subformulas: Subformulas,
    values: Vec<Vec<bool>>,
}

impl Values {
    /// The word, unrolled.
    pub fn word(&self) -> &Word {
        &self.word
    }

    /// Whether a subformula holds at a stored position of [`Values::word`].
    pub fn holds(&self, subformula: Formula, position: usize) -> bool {
        self.values[self.subformulas.position(subformula)][position]
    }
}

/// Whether the word satisfies the formula, at position 0.
///
/// # Panics
/// When the word is empty.
pub fn satisfies(store: &Store, formula: Formula, word: &Word) -> bool {
    evaluate(store, formula, word).holds(formula, 0)
}

/// The same, with an `interrupt` callback whose error is passed on.
///
/// # Panics
/// When the word is empty.
pub fn satisfies_unless<E>(
    store: &Store,
    formula: Formula,
    word: &Word,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    let word = word.unrolled(unrolling(store, formula, word));
    Ok(evaluate_unless(store, formula, word, interrupt)?.holds(formula, 0))
}

/// Evaluates a formula at every position.
///
/// # Panics
/// When the word is empty.
pub fn evaluate(store: &Store, formula: Formula, word: &Word) -> Values {
    evaluate_unrolled(store, formula, word.unrolled(unrolling(store, formula, word)))
}

/// Evaluates a formula on a word that is already unrolled, at least as far as [`unrolling`]
/// demands.
///
/// # Panics
/// When the word is empty.
pub fn evaluate_unrolled(store: &Store, formula: Formula, word: Word) -> Values {
    match evaluate_unless(store, formula, word, &mut || Ok::<(), Infallible>(())) {
        Ok(values) => values,
    }
}

/// On longer words `interrupt` is called at each position.
const LONG: usize = 64;

fn evaluate_unless<E>(
    store: &Store,
    formula: Formula,
    word: Word,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Values, E> {
    assert!(!word.is_empty(), "formulas have no truth value on the empty word");
    let subformulas = store.subformulas(formula);
    let mut values: Vec<Vec<bool>> = Vec::with_capacity(subformulas.len());
    for subformula in subformulas.iter() {
        let holds = |a: Formula, position: usize| values[subformulas.position(a)][position];
        let here = Definitions { store, word: &word, holds };
        let node = store.node(subformula);
        let mut value = |position| {
            if position == 0 || word.len() > LONG {
                interrupt()?;
            }
            Ok(here.value(node, position))
        };
        let column: Result<Vec<bool>, E> = (0..word.len()).map(&mut value).collect();
        values.push(column?);
    }
    Ok(Values { word, subformulas, values })
}

/// The definitions, given the values of the operands.
struct Definitions<'a, H> {
    store: &'a Store,
    word: &'a Word,
    holds: H,
}

impl<H: Fn(Formula, usize) -> bool> Definitions<'_, H> {
    fn value(&self, node: Node, i: usize) -> bool {
        match node {
            Node::Constant(value) => value,
            Node::Proposition(p) => self.word.letters()[i].contains(p),
            Node::Unary(op, a) => self.unary(op, a, i),
            Node::Binary(op, a, b) => self.binary(op, a, b, i),
            Node::BoundedUnary(op, bounds, a) => {
                self.bounded_unary(op, self.store.interval(bounds), a, i)
            }
            Node::BoundedBinary(op, bounds, a, b) => {
                self.bounded_binary(op, self.store.interval(bounds), a, b, i)
            }
        }
    }

    fn unary(&self, op: UnaryOp, a: Formula, i: usize) -> bool {
        match op {
            UnaryOp::Not => !(self.holds)(a, i),
            UnaryOp::Next => self.inside(i, 1) && self.at(a, i, 1),
            UnaryOp::WeakNext => !self.inside(i, 1) || self.at(a, i, 1),
            UnaryOp::Finally => self.distances(i).any(|d| self.at(a, i, d)),
            UnaryOp::Globally => self.distances(i).all(|d| self.at(a, i, d)),
            UnaryOp::Yesterday => i > 0 && (self.holds)(a, i - 1),
            UnaryOp::WeakYesterday => i == 0 || (self.holds)(a, i - 1),
            UnaryOp::Once => (0..=i).any(|j| (self.holds)(a, j)),
            UnaryOp::Historically => (0..=i).all(|j| (self.holds)(a, j)),
        }
    }

    fn binary(&self, op: BinaryOp, a: Formula, b: Formula, i: usize) -> bool {
        let (left, right) = ((self.holds)(a, i), (self.holds)(b, i));
        match op {
            BinaryOp::And => left && right,
            BinaryOp::Or => left || right,
            BinaryOp::Xor => left != right,
            BinaryOp::Implies => !left || right,
            BinaryOp::Iff => left == right,
            BinaryOp::Until => self.until(a, b, i),
            BinaryOp::WeakUntil => {
                self.until(a, b, i) || self.distances(i).all(|d| self.at(a, i, d))
            }
            BinaryOp::Release => {
                self.distances(i).all(|d| self.at(b, i, d) || (0..d).any(|e| self.at(a, i, e)))
            }
            BinaryOp::StrongRelease => {
                self.distances(i).any(|d| self.at(a, i, d) && (0..=d).all(|e| self.at(b, i, e)))
            }
            BinaryOp::Since => {
                (0..=i).any(|j| (self.holds)(b, j) && (j + 1..=i).all(|k| (self.holds)(a, k)))
            }
            BinaryOp::Triggered => {
                (0..=i).all(|j| (self.holds)(b, j) || (j + 1..=i).any(|k| (self.holds)(a, k)))
            }
        }
    }

    fn until(&self, a: Formula, b: Formula, i: usize) -> bool {
        self.distances(i).any(|d| self.at(b, i, d) && (0..d).all(|e| self.at(a, i, e)))
    }

    fn bounded_unary(&self, op: BoundedUnaryOp, bounds: Interval, a: Formula, i: usize) -> bool {
        let mut ahead = self.distances_within(bounds, i);
        let mut back = (bounds.low as usize..=bounds.high as usize).take_while(|&d| d <= i);
        match op {
            BoundedUnaryOp::Finally => ahead.any(|d| self.at(a, i, d)),
            BoundedUnaryOp::Globally => ahead.all(|d| self.at(a, i, d)),
            BoundedUnaryOp::Once => back.any(|d| (self.holds)(a, i - d)),
            BoundedUnaryOp::Historically => back.all(|d| (self.holds)(a, i - d)),
        }
    }

    fn bounded_binary(
        &self,
        op: BoundedBinaryOp,
        bounds: Interval,
        a: Formula,
        b: Formula,
        i: usize,
    ) -> bool {
        let mut ahead = self.distances_within(bounds, i);
        let smaller = |d: usize| 0..d.min(self.word.len());
        match op {
            BoundedBinaryOp::Until => {
                ahead.any(|d| self.at(b, i, d) && smaller(d).all(|e| self.at(a, i, e)))
            }
            BoundedBinaryOp::Release => {
                ahead.all(|d| self.at(b, i, d) || smaller(d).any(|e| self.at(a, i, e)))
            }
        }
    }

    /// Whether `a` holds at a distance ahead that is inside the word.
    fn at(&self, a: Formula, i: usize, distance: usize) -> bool {
        let target = ahead(self.word, i, distance).expect("a distance inside the word");
        (self.holds)(a, target)
    }

    fn inside(&self, i: usize, distance: usize) -> bool {
        ahead(self.word, i, distance).is_some()
    }

    /// The distances ahead inside the word, up to where positions repeat.
    fn distances(&self, i: usize) -> impl Iterator<Item = usize> {
        self.known(i, 0..=self.word.len())
    }

    /// The distances within bounds and inside the word, up to where positions repeat.
    fn distances_within(&self, bounds: Interval, i: usize) -> impl Iterator<Item = usize> {
        let (low, high) = (bounds.low as usize, bounds.high as usize);
        self.known(i, low..=high.min(low + self.word.len()))
    }

    fn known(&self, i: usize, range: RangeInclusive<usize>) -> impl Iterator<Item = usize> {
        range.take_while(move |&d| self.inside(i, d))
    }
}
