//! Formulas in Rust syntax: `(m & !b).implies(!c & b.next_by(n))`.
//!
//! A [`Term`] has a reference to the pen that interns the results of its operators, so that terms
//! nest like formulas. Nothing is simplified: sizes are those of the papers.

use std::cell::RefCell;
use std::ops::{BitAnd, BitOr, Not};

use crate::operator::{BinaryOp, UnaryOp};
use crate::store::{Formula, Node, Store};

/// What writes into a store.
pub(super) struct Pen(RefCell<Store>);

/// A formula in the making.
#[derive(Clone, Copy)]
pub(super) struct Term<'p> {
    pen: &'p Pen,
    formula: Formula,
}

/// The formula that `text` writes into the store.
pub(super) fn write(store: &mut Store, text: impl FnOnce(&Pen) -> Term<'_>) -> Formula {
    let pen = Pen(RefCell::new(std::mem::take(store)));
    let formula = text(&pen).formula;
    *store = pen.0.into_inner();
    formula
}

impl Pen {
    /// The proposition of that name.
    pub(super) fn named(&self, name: &str) -> Term<'_> {
        Term { pen: self, formula: self.0.borrow_mut().named(name) }
    }

    /// The propositions `stem` with each of the numbers.
    pub(super) fn numbered<I>(&self, stem: &str, numbers: I) -> Vec<Term<'_>>
    where
        I: IntoIterator<Item = usize>,
    {
        numbers.into_iter().map(|number| self.named(&format!("{stem}{number}"))).collect()
    }

    fn intern(&self, node: Node) -> Term<'_> {
        Term { pen: self, formula: self.0.borrow_mut().intern(node) }
    }
}

impl<'p> Term<'p> {
    fn unary(self, op: UnaryOp) -> Self {
        self.pen.intern(Node::Unary(op, self.formula))
    }

    fn binary(self, op: BinaryOp, right: Self) -> Self {
        self.pen.intern(Node::Binary(op, self.formula, right.formula))
    }

    pub(super) fn implies(self, right: Self) -> Self {
        self.binary(BinaryOp::Implies, right)
    }

    pub(super) fn iff(self, right: Self) -> Self {
        self.binary(BinaryOp::Iff, right)
    }

    pub(super) fn until(self, right: Self) -> Self {
        self.binary(BinaryOp::Until, right)
    }

    pub(super) fn release(self, right: Self) -> Self {
        self.binary(BinaryOp::Release, right)
    }

    pub(super) fn next(self) -> Self {
        self.unary(UnaryOp::Next)
    }

    /// `X X .. X`, so many times.
    pub(super) fn next_by(self, distance: usize) -> Self {
        (0..distance).fold(self, |term, _| term.next())
    }

    pub(super) fn finally(self) -> Self {
        self.unary(UnaryOp::Finally)
    }

    pub(super) fn globally(self) -> Self {
        self.unary(UnaryOp::Globally)
    }

    /// `G F`.
    pub(super) fn recurs(self) -> Self {
        self.finally().globally()
    }
}

impl Not for Term<'_> {
    type Output = Self;

    fn not(self) -> Self {
        self.unary(UnaryOp::Not)
    }
}

impl BitAnd for Term<'_> {
    type Output = Self;

    fn bitand(self, right: Self) -> Self {
        self.binary(BinaryOp::And, right)
    }
}

impl BitOr for Term<'_> {
    type Output = Self;

    fn bitor(self, right: Self) -> Self {
        self.binary(BinaryOp::Or, right)
    }
}

/// The terms joined from the left: `((a op b) op c)`.
///
/// # Panics
/// When there is none.
pub(super) fn join<'p, I>(terms: I, op: impl Fn(Term<'p>, Term<'p>) -> Term<'p>) -> Term<'p>
where
    I: IntoIterator<Item = Term<'p>>,
{
    terms.into_iter().reduce(op).expect("a family joins at least one formula")
}

/// `((a & b) & c)`.
pub(super) fn all<'p>(terms: impl IntoIterator<Item = Term<'p>>) -> Term<'p> {
    join(terms, |a, b| a & b)
}

/// `((a | b) | c)`.
pub(super) fn any<'p>(terms: impl IntoIterator<Item = Term<'p>>) -> Term<'p> {
    join(terms, |a, b| a | b)
}
