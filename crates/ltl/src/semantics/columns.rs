//! The production evaluator: one column of bits per subformula, one bit per stored position.
//!
//! Boolean and unbounded temporal operators work on 64 positions at once, see `bits.rs`. Bounded
//! operators compare their bounds with the distance to the next position where an operand holds,
//! which one scan computes; `G`, `H` and `R` are the negations of their duals.

use std::borrow::Cow;
use std::convert::Infallible;

use super::bits::{Column, Frame, greatest, least};
use super::{ahead, unrolling_of_all};
use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Interval, Node, Proposition, Store, Subformulas};
use crate::word::Word;

/// Where every subformula of a formula holds.
#[derive(Clone, Debug)]
pub struct Table {
    word: Word,
    subformulas: Subformulas,
    columns: Vec<Column>,
}

impl Table {
    /// The word, its loop unrolled until all subformulas are periodic.
    pub fn word(&self) -> &Word {
        &self.word
    }

    /// The subformulas of the table, operands first.
    pub fn subformulas(&self) -> &Subformulas {
        &self.subformulas
    }

    /// Whether a subformula holds at a stored position of [`Table::word`].
    ///
    /// # Panics
    /// When the formula is not a subformula or the position is beyond the stored ones.
    pub fn holds(&self, subformula: Formula, position: usize) -> bool {
        assert!(position < self.word.len(), "a stored position of the unrolled word");
        self.columns[self.subformulas.position(subformula)].get(position)
    }
}

/// Evaluates a formula with all its subformulas at every position.
///
/// # Panics
/// When the word is empty.
pub fn evaluate_all(store: &Store, formula: Formula, word: &Word) -> Table {
    let mut never = || Ok::<(), Infallible>(());
    let Ok(table) = evaluate_several(store, store.subformulas(formula), word, &mut never);
    table
}

/// The same for subformulas of several formulas, with an `interrupt` callback whose error is passed
/// on.
///
/// # Panics
/// When the word is empty.
pub(crate) fn evaluate_several<E>(
    store: &Store,
    subformulas: Subformulas,
    word: &Word,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Table, E> {
    let word = unrolled(store, &subformulas, word).into_owned();
    let mut evaluator = Evaluator::new(store, &word, interrupt);
    let mut columns: Vec<Column> = Vec::with_capacity(subformulas.len());
    for subformula in subformulas.iter() {
        let operand = |a| &columns[subformulas.position(a)];
        let column = evaluator.column(store.node(subformula), operand)?;
        columns.push(column);
    }
    Ok(Table { word, subformulas, columns })
}

/// Whether the word satisfies the formula, at position 0. Calls `interrupt` at least once per
/// subformula and passes its error on.
///
/// # Panics
/// When the word is empty.
pub fn satisfies<E>(
    store: &Store,
    formula: Formula,
    word: &Word,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    interrupt()?;
    let subformulas = store.subformulas(formula);
    let word = unrolled(store, &subformulas, word);
    let last_use = last_uses(store, &subformulas);
    let mut evaluator = Evaluator::new(store, &word, interrupt);
    // A column is dropped as soon as it is not needed any more.
    let mut columns: Vec<Column> = Vec::with_capacity(subformulas.len());
    for (position, subformula) in subformulas.iter().enumerate() {
        let node = store.node(subformula);
        let column = evaluator.column(node, |a| &columns[subformulas.position(a)])?;
        columns.push(column);
        for operand in node.operands().map(|a| subformulas.position(a)) {
            if last_use[operand] == position {
                columns[operand] = Column::default();
            }
        }
    }
    Ok(columns[subformulas.position(formula)].get(0))
}

fn unrolled<'a>(store: &Store, subformulas: &Subformulas, word: &'a Word) -> Cow<'a, Word> {
    assert!(!word.is_empty(), "formulas have no truth value on the empty word");
    match unrolling_of_all(store, subformulas, word) {
        0 => Cow::Borrowed(word),
        passes => Cow::Owned(word.unrolled(passes)),
    }
}

/// The last subformula that has each subformula as its operand.
fn last_uses(store: &Store, subformulas: &Subformulas) -> Vec<usize> {
    let mut last_use = vec![usize::MAX; subformulas.len()];
    for (position, subformula) in subformulas.iter().enumerate() {
        for operand in store.node(subformula).operands() {
            last_use[subformulas.position(operand)] = position;
        }
    }
    last_use
}

/// Positions of a scan between two calls of `interrupt`.
const STRIDE: usize = 1 << 16;

/// The distance to something that never comes.
const NEVER: usize = usize::MAX;

/// Computes columns over one word that is unrolled far enough.
struct Evaluator<'a, E> {
    store: &'a Store,
    word: &'a Word,
    frame: Frame,
    interrupt: &'a mut dyn FnMut() -> Result<(), E>,
}

impl<'a, E> Evaluator<'a, E> {
    fn new(
        store: &'a Store,
        word: &'a Word,
        interrupt: &'a mut dyn FnMut() -> Result<(), E>,
    ) -> Self {
        Evaluator { store, word, frame: Frame::of(word), interrupt }
    }

    fn column<'c>(
        &mut self,
        node: Node,
        operand: impl Fn(Formula) -> &'c Column,
    ) -> Result<Column, E> {
        (self.interrupt)()?;
        match node {
            Node::Constant(value) => Ok(self.frame.column(|_| if value { !0 } else { 0 })),
            Node::Proposition(p) => self.proposition(p),
            Node::Unary(op, a) => Ok(self.unary(op, operand(a))),
            Node::Binary(op, a, b) => Ok(self.binary(op, operand(a), operand(b))),
            Node::BoundedUnary(op, bounds, a) => {
                self.bounded_unary(op, self.store.interval(bounds), operand(a))
            }
            Node::BoundedBinary(op, bounds, a, b) => {
                self.bounded_binary(op, self.store.interval(bounds), operand(a), operand(b))
            }
        }
    }

    fn proposition(&mut self, proposition: Proposition) -> Result<Column, E> {
        let letters = self.word.letters();
        self.by_positions(|position| letters[position].contains(proposition))
    }

    fn unary(&self, op: UnaryOp, a: &Column) -> Column {
        let a = |word: usize| a.word(word);
        let all = |_: usize| !0;
        let none = |_: usize| 0;
        match op {
            UnaryOp::Not => self.frame.column(|word| !a(word)),
            UnaryOp::Next => self.frame.next(a, false),
            UnaryOp::WeakNext => self.frame.next(a, true),
            UnaryOp::Finally => self.frame.forward(least(a, all)),
            UnaryOp::Globally => self.frame.forward(greatest(none, a)),
            UnaryOp::Yesterday => self.frame.previous(a, false),
            UnaryOp::WeakYesterday => self.frame.previous(a, true),
            UnaryOp::Once => self.frame.backward(least(a, all)),
            UnaryOp::Historically => self.frame.backward(greatest(none, a)),
        }
    }

    fn binary(&self, op: BinaryOp, a: &Column, b: &Column) -> Column {
        let a = |word: usize| a.word(word);
        let b = |word: usize| b.word(word);
        let both = |word: usize| a(word) & b(word);
        match op {
            BinaryOp::And => self.frame.column(both),
            BinaryOp::Or => self.frame.column(|word| a(word) | b(word)),
            BinaryOp::Xor => self.frame.column(|word| a(word) ^ b(word)),
            BinaryOp::Implies => self.frame.column(|word| !a(word) | b(word)),
            BinaryOp::Iff => self.frame.column(|word| !(a(word) ^ b(word))),
            BinaryOp::Until => self.frame.forward(least(b, a)),
            BinaryOp::WeakUntil => self.frame.forward(greatest(b, a)),
            BinaryOp::Release => self.frame.forward(greatest(both, b)),
            BinaryOp::StrongRelease => self.frame.forward(least(both, b)),
            BinaryOp::Since => self.frame.backward(least(b, a)),
            BinaryOp::Triggered => self.frame.backward(greatest(both, b)),
        }
    }

    fn bounded_unary(
        &mut self,
        op: BoundedUnaryOp,
        bounds: Interval,
        a: &Column,
    ) -> Result<Column, E> {
        match op {
            BoundedUnaryOp::Finally => self.finally(bounds, |i| a.get(i)),
            BoundedUnaryOp::Globally => {
                let violated = self.finally(bounds, |i| !a.get(i))?;
                Ok(self.unary(UnaryOp::Not, &violated))
            }
            BoundedUnaryOp::Once => self.once(bounds, |i| a.get(i)),
            BoundedUnaryOp::Historically => {
                let violated = self.once(bounds, |i| !a.get(i))?;
                Ok(self.unary(UnaryOp::Not, &violated))
            }
        }
    }

    fn bounded_binary(
        &mut self,
        op: BoundedBinaryOp,
        bounds: Interval,
        a: &Column,
        b: &Column,
    ) -> Result<Column, E> {
        match op {
            BoundedBinaryOp::Until => self.until(bounds, |i| a.get(i), |i| b.get(i)),
            BoundedBinaryOp::Release => {
                let violated = self.until(bounds, |i| !a.get(i), |i| !b.get(i))?;
                Ok(self.unary(UnaryOp::Not, &violated))
            }
        }
    }

    /// `F[l,h]`: the next position with `a` from distance `l` on is within `h`.
    fn finally(&mut self, bounds: Interval, a: impl Fn(usize) -> bool) -> Result<Column, E> {
        let next = self.next_distances(a)?;
        let (low, window) = widths(bounds);
        let word = self.word;
        self.by_positions(|i| ahead(word, i, low).is_some_and(|j| next[j] <= window))
    }

    /// `U[l,h]`: the same for `b`, and `a` does not fail before it.
    fn until(
        &mut self,
        bounds: Interval,
        a: impl Fn(usize) -> bool,
        b: impl Fn(usize) -> bool,
    ) -> Result<Column, E> {
        let next = self.next_distances(b)?;
        let failure = self.next_distances(|i| !a(i))?;
        let (low, window) = widths(bounds);
        let word = self.word;
        self.by_positions(|i| {
            ahead(word, i, low).is_some_and(|j| next[j] <= window && failure[i] >= low + next[j])
        })
    }

    /// `O[l,h]`: the previous position with `a` from distance `l` back is within `h`.
    fn once(&mut self, bounds: Interval, a: impl Fn(usize) -> bool) -> Result<Column, E> {
        let (low, window) = widths(bounds);
        let mut last = None;
        self.by_positions(|i| {
            let Some(j) = i.checked_sub(low) else {
                return false;
            };
            if a(j) {
                last = Some(j);
            }
            last.is_some_and(|last| j - last <= window)
        })
    }

    /// From each position the distance to the next one where `a` holds, 0 where it does.
    fn next_distances(&mut self, a: impl Fn(usize) -> bool) -> Result<Vec<usize>, E> {
        let length = self.word.len();
        let mut distances = vec![NEVER; length];
        let mut distance = match self.word.loop_start() {
            Some(start) => (start..length).find(|&i| a(i)).map_or(NEVER, |i| i - start),
            None => NEVER,
        };
        for i in (0..length).rev() {
            distance = if a(i) { 0 } else { distance.saturating_add(1) };
            distances[i] = distance;
            if i % STRIDE == 0 {
                (self.interrupt)()?;
            }
        }
        Ok(distances)
    }

    /// A column from its bits.
    fn by_positions(&mut self, mut bit: impl FnMut(usize) -> bool) -> Result<Column, E> {
        let mut column = self.frame.column(|_| 0);
        for position in 0..self.word.len() {
            if bit(position) {
                column.set(position);
            }
            if position % STRIDE == 0 {
                (self.interrupt)()?;
            }
        }
        Ok(column)
    }
}

/// The smallest distance, and the number of further ones.
fn widths(bounds: Interval) -> (usize, usize) {
    (bounds.low as usize, (bounds.high - bounds.low) as usize)
}
