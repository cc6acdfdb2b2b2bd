//! The plain tableau of a formula, as bits and constraints of a system.
//!
//! Each subformula has a *value*: an expression over bits of the present state. The value of a
//! temporal operator mentions a bit for what it demands of the next position, or remembers of the
//! previous one. Constraints tie the bit to that position, in both directions, and an operator that
//! demands something of the future has a justice constraint: the demand is fulfilled or has ended
//! infinitely often.
//!
//! Invariant, on which every proof rests: **on each word, give every bit the truth value of what it
//! stands for; then all constraints hold.** So a path whose word satisfies the formula is a path
//! of the system with the tableau, and if there is none, no path satisfies the formula.
//!
//! Over finite words, a bit for the next position is strong or weak: in the last state it is false
//! or true. Subformulas have the numbers of a depth-first search, operands first, from 1.

use kermode_ltl::{
    BinaryOp, BoundedBinaryOp, BoundedUnaryOp, Formula, Node, Proposition, Store, UnaryOp, WordKind,
};
use kermode_system::{Expression, Graph};
use rustc_hash::FxHashMap;

use crate::certificate::{BitName, JusticeName, Place};
use crate::product::Product;
use crate::refusal::{MOST_BITS, TooLarge};

/// How the value of an operator depends on the bit of its next or previous position.
#[derive(Clone, Copy)]
enum Shape {
    /// The bit.
    Bit,
    /// `a | bit`.
    Or(Expression),
    /// `a & bit`.
    And(Expression),
    /// `b | a & bit`.
    Until(Expression, Expression),
    /// `b & (a | bit)`.
    Release(Expression, Expression),
}

impl Shape {
    fn value(self, graph: &mut Graph, bit: Expression) -> Expression {
        match self {
            Shape::Bit => bit,
            Shape::Or(a) => graph.or(a, bit),
            Shape::And(a) => graph.and(a, bit),
            Shape::Until(a, b) => {
                let on = graph.and(a, bit);
                graph.or(b, on)
            }
            Shape::Release(a, b) => {
                let on = graph.or(a, bit);
                graph.and(b, on)
            }
        }
    }
}

/// A tableau in construction.
struct Tableau<'p> {
    product: &'p mut Product,
    words: WordKind,
    /// The present subformula, and the number of its bits so far.
    place: Place,
    bits: usize,
    /// Bits, and the expressions whose next values they have.
    ties: Vec<(Expression, Expression)>,
    /// What holds in the last state of a finite word.
    last: Vec<Expression>,
}

/// Adds the tableau of a formula to a system: paths whose words satisfy the formula remain. Over
/// finite words the result is the condition on the last state.
pub(crate) fn constrain(
    product: &mut Product,
    (store, formula): (&Store, Formula),
    atoms: &FxHashMap<Proposition, Expression>,
    words: WordKind,
) -> Result<Expression, TooLarge> {
    let place = Place { subformula: 0, bit: 0 };
    let (ties, last) = (Vec::new(), Vec::new());
    let mut tableau = Tableau { product, words, place, bits: 0, ties, last };
    let mut values: FxHashMap<Formula, Expression> = FxHashMap::default();
    for part in numbered(store, formula) {
        tableau.place = Place { subformula: tableau.place.subformula + 1, bit: 0 };
        let value = tableau.value(store, part, atoms, &|operand| values[&operand])?;
        values.insert(part, value);
    }
    let Tableau { ties, last, .. } = tableau;
    let model = &mut product.model;
    let (bits, values_there): (Vec<Expression>, Vec<Expression>) = ties.into_iter().unzip();
    let later = model.graph.shift(&values_there);
    for (bit, later) in bits.into_iter().zip(later) {
        let tie = model.graph.iff(bit, later);
        model.system.add_transition(&model.graph, tie);
    }
    model.system.add_initial(&model.graph, values[&formula]);
    Ok(model.graph.all(last))
}

/// The subformulas in the order of their numbers.
pub fn numbered(store: &Store, formula: Formula) -> Vec<Formula> {
    let (mut order, mut seen) = (Vec::new(), rustc_hash::FxHashSet::default());
    let mut todo = vec![(formula, false)];
    while let Some((part, is_open)) = todo.pop() {
        if is_open {
            order.push(part);
        } else if seen.insert(part) {
            todo.push((part, true));
            todo.extend(store.node(part).operands().rev().map(|operand| (operand, false)));
        }
    }
    order
}

impl Tableau<'_> {
    /// The value of a subformula, given those of its operands.
    fn value(
        &mut self,
        store: &Store,
        part: Formula,
        atoms: &FxHashMap<Proposition, Expression>,
        of: &dyn Fn(Formula) -> Expression,
    ) -> Result<Expression, TooLarge> {
        let graph = &mut self.product.model.graph;
        match store.node(part) {
            Node::Constant(value) => Ok(graph.constant(value)),
            Node::Proposition(proposition) => Ok(self.atom(atoms[&proposition])),
            Node::Unary(op, a) => {
                let a = of(a);
                match op {
                    UnaryOp::Not => Ok(graph.not(a)),
                    UnaryOp::Next => self.next(Shape::Bit, Some(a), false),
                    UnaryOp::WeakNext => self.next(Shape::Bit, Some(a), true),
                    UnaryOp::Finally => self.demand(Shape::Or(a), true, a),
                    UnaryOp::Globally => self.demand(Shape::And(a), false, a),
                    UnaryOp::Yesterday => self.previous(Shape::Bit, Some(a), false),
                    UnaryOp::WeakYesterday => self.previous(Shape::Bit, Some(a), true),
                    UnaryOp::Once => self.previous(Shape::Or(a), None, false),
                    UnaryOp::Historically => self.previous(Shape::And(a), None, true),
                }
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (of(a), of(b));
                match op {
                    BinaryOp::And => Ok(graph.and(a, b)),
                    BinaryOp::Or => Ok(graph.or(a, b)),
                    BinaryOp::Xor => Ok(graph.xor(a, b)),
                    BinaryOp::Implies => Ok(graph.implies(a, b)),
                    BinaryOp::Iff => Ok(graph.iff(a, b)),
                    BinaryOp::Until => self.demand(Shape::Until(a, b), true, b),
                    BinaryOp::WeakUntil => self.demand(Shape::Until(a, b), false, a),
                    BinaryOp::Release => self.demand(Shape::Release(a, b), false, b),
                    BinaryOp::StrongRelease => self.demand(Shape::Release(a, b), true, a),
                    BinaryOp::Since => self.previous(Shape::Until(a, b), None, false),
                    BinaryOp::Triggered => self.previous(Shape::Release(a, b), None, true),
                }
            }
            Node::BoundedUnary(op, bounds, a) => {
                let (bounds, a) = (store.interval(bounds), of(a));
                let (near, far) = (bounds.low, bounds.high - bounds.low);
                let (shape, weak) = match op {
                    BoundedUnaryOp::Finally | BoundedUnaryOp::Once => (Shape::Or(a), false),
                    BoundedUnaryOp::Globally | BoundedUnaryOp::Historically => {
                        (Shape::And(a), true)
                    }
                };
                let step = match op {
                    BoundedUnaryOp::Finally | BoundedUnaryOp::Globally => Self::next,
                    BoundedUnaryOp::Once | BoundedUnaryOp::Historically => Self::previous,
                };
                let window =
                    (0..far).try_fold(a, |value, _| step(self, shape, Some(value), weak))?;
                (0..near).try_fold(window, |value, _| step(self, Shape::Bit, Some(value), weak))
            }
            Node::BoundedBinary(op, bounds, a, b) => {
                let (bounds, a, b) = (store.interval(bounds), of(a), of(b));
                let (shape, before, weak) = match op {
                    BoundedBinaryOp::Until => (Shape::Until(a, b), Shape::And(a), false),
                    BoundedBinaryOp::Release => (Shape::Release(a, b), Shape::Or(a), true),
                };
                let far = bounds.high - bounds.low;
                let window =
                    (0..far).try_fold(b, |value, _| self.next(shape, Some(value), weak))?;
                (0..bounds.low).try_fold(window, |value, _| self.next(before, Some(value), weak))
            }
        }
    }

    /// The value of an atom: a bit of its own if it is about steps.
    fn atom(&mut self, atom: Expression) -> Expression {
        if !self.product.model.graph.looks_ahead(atom) {
            return atom;
        }
        let name = BitName::Step { subformula: self.place.subformula };
        let (_, bit) = self.product.add_bit(name);
        let model = &mut self.product.model;
        let tie = model.graph.iff(bit, atom);
        model.system.add_transition(&model.graph, tie);
        bit
    }

    /// `shape` of a bit that has the value of an expression at the next position: of `later`, or of
    /// the result itself. In the last state of a finite word the bit is true if it is weak.
    fn next(
        &mut self,
        shape: Shape,
        later: Option<Expression>,
        weak: bool,
    ) -> Result<Expression, TooLarge> {
        let place = self.count()?;
        let (_, bit) = self.product.add_bit(BitName::Next(place));
        let graph = &mut self.product.model.graph;
        let value = shape.value(graph, bit);
        self.last.push(if weak { bit } else { graph.not(bit) });
        self.ties.push((bit, later.unwrap_or(value)));
        Ok(value)
    }

    /// An operator with a demand on the future: its value is `shape` of its own next value. A
    /// strong one that is true needs `decisive` at some time, a weak one that is false its
    /// negation.
    fn demand(
        &mut self,
        shape: Shape,
        strong: bool,
        decisive: Expression,
    ) -> Result<Expression, TooLarge> {
        let value = self.next(shape, None, !strong)?;
        if self.words == WordKind::Infinite {
            let graph = &mut self.product.model.graph;
            let (open, met) = match strong {
                true => (value, decisive),
                false => (graph.not(value), graph.not(decisive)),
            };
            let justice = graph.implies(open, met);
            self.product.add_justice(JusticeName::Formula(self.place.subformula), justice);
        }
        Ok(value)
    }

    /// `shape` of a bit that had the value of an expression at the previous position: of `before`,
    /// or of the result itself. At the first position it is `first`.
    fn previous(
        &mut self,
        shape: Shape,
        before: Option<Expression>,
        first: bool,
    ) -> Result<Expression, TooLarge> {
        let place = self.count()?;
        let (variable, bit) = self.product.add_bit(BitName::Past(place));
        let value = shape.value(&mut self.product.model.graph, bit);
        self.product.model.observe(variable, first, before.unwrap_or(value));
        Ok(value)
    }

    /// The place of a further bit.
    fn count(&mut self) -> Result<Place, TooLarge> {
        self.bits += 1;
        if self.bits > MOST_BITS {
            return Err(TooLarge);
        }
        let place = self.place;
        self.place.bit += 1;
        Ok(place)
    }
}
