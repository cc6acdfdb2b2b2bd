//! Hash-consed terms: each term exists once and has a handle of four bytes.
//!
//! A [`UniqueTable`] finds the one copy of each node. [`Below`] is the order of every pass over
//! terms, for any [`Dag`]. [`Terms`] adds what graphs of Boolean expressions share: conjunctions
//! and disjunctions that simplify constants, repeated and complementary operands, and that are one
//! term in both orders of operands. The [`BooleanTerm`] of each graph defines its other
//! expressions.
//!
//! Invariant: **a term has a larger handle than its operands**. Nothing recurses.

mod below;
mod unique_table;

pub use below::{Below, Dag, Handle};
pub use unique_table::{Packed, UniqueTable};

/// Conjunction and disjunction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connective {
    /// All operands hold.
    And,
    /// Some operand holds.
    Or,
}

impl Connective {
    /// The neutral constant of the connective. The other constant is absorbing.
    pub fn unit(self) -> bool {
        self == Connective::And
    }
}

/// The outermost operator of a Boolean expression, over handles of operands.
pub trait BooleanTerm: Packed {
    /// The handle of an expression.
    type Handle: Handle;

    /// A value that is computed from the values of the operands and stored with the expression.
    type Attribute: Copy;

    /// `true` or `false`.
    fn constant(value: bool) -> Self;

    /// The conjunction or disjunction of two.
    fn joined(connective: Connective, a: Self::Handle, b: Self::Handle) -> Self;

    /// A cheap, incomplete test: true means that one is the negation of the other.
    fn are_complementary(terms: &Terms<Self>, a: Self::Handle, b: Self::Handle) -> bool;

    /// The attribute of a term whose operands are already stored.
    fn attribute(self, terms: &Terms<Self>) -> Self::Attribute;
}

/// The owner of Boolean expressions.
#[derive(Clone, Debug)]
pub struct Terms<T: BooleanTerm> {
    table: UniqueTable<T>,
    attributes: Vec<T::Attribute>,
}

impl<T: BooleanTerm> Default for Terms<T> {
    fn default() -> Self {
        Terms { table: UniqueTable::default(), attributes: Vec::new() }
    }
}

impl<T: BooleanTerm> Terms<T> {
    /// The terms of all expressions by index, operands first.
    pub fn all_terms(&self) -> &[T] {
        self.table.nodes()
    }

    /// The term of an expression.
    pub fn term(&self, expression: T::Handle) -> T {
        self.table.nodes()[expression.index()]
    }

    /// The attribute of an expression.
    pub fn attribute(&self, expression: T::Handle) -> T::Attribute {
        self.attributes[expression.index()]
    }

    /// The expression with exactly this term.
    ///
    /// # Panics
    /// When there would be more than 2^32 expressions.
    pub fn intern(&mut self, term: T) -> T::Handle {
        let index = self.table.insert(term) as usize;
        if index == self.attributes.len() {
            self.attributes.push(term.attribute(self));
        }
        T::Handle::from_index(index)
    }

    /// The expression `term(a, b)` or `term(b, a)` if one of them exists, otherwise a new `term(a,
    /// b)`.
    pub fn commutative(
        &mut self,
        term: impl Fn(T::Handle, T::Handle) -> T,
        a: T::Handle,
        b: T::Handle,
    ) -> T::Handle {
        match self.table.find(term(b, a)) {
            Some(index) => T::Handle::from_index(index as usize),
            None => self.intern(term(a, b)),
        }
    }

    /// `true` or `false`.
    pub fn constant(&mut self, value: bool) -> T::Handle {
        self.intern(T::constant(value))
    }

    /// The conjunction or disjunction of two.
    pub fn join(&mut self, connective: Connective, a: T::Handle, b: T::Handle) -> T::Handle {
        let unit = T::constant(connective.unit());
        let decisive = T::constant(!connective.unit());
        let (first, second) = (self.term(a), self.term(b));
        if a == b || first == decisive || second == unit {
            return a;
        }
        if second == decisive || first == unit {
            return b;
        }
        if T::are_complementary(self, a, b) {
            return self.intern(decisive);
        }
        self.commutative(|a, b| T::joined(connective, a, b), a, b)
    }

    /// The conjunction or disjunction of all, from left to right. Without operands it is the
    /// neutral constant.
    pub fn join_all(
        &mut self,
        connective: Connective,
        expressions: impl IntoIterator<Item = T::Handle>,
    ) -> T::Handle {
        let unit = self.constant(connective.unit());
        expressions.into_iter().fold(unit, |joined, next| self.join(connective, joined, next))
    }
}

#[cfg(test)]
mod tests {
    use super::Connective::{And, Or};
    use super::*;
    use crate::Rng;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Id(u32);

    impl Handle for Id {
        fn index(self) -> usize {
            self.0 as usize
        }

        fn from_index(index: usize) -> Self {
            Id(index as u32)
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Shape {
        Constant(bool),
        Literal(u32, bool),
        Joined(Connective, Id, Id),
    }

    impl Packed for Shape {
        fn packed(self) -> (u64, u32, u32) {
            match self {
                Shape::Constant(value) => (0, value.into(), 0),
                Shape::Literal(variable, positive) => (1, variable, positive.into()),
                Shape::Joined(And, a, b) => (2, a.0, b.0),
                Shape::Joined(Or, a, b) => (3, a.0, b.0),
            }
        }
    }

    impl BooleanTerm for Shape {
        type Handle = Id;
        /// The height of the tree.
        type Attribute = usize;

        fn constant(value: bool) -> Self {
            Shape::Constant(value)
        }

        fn joined(connective: Connective, a: Id, b: Id) -> Self {
            Shape::Joined(connective, a, b)
        }

        fn are_complementary(terms: &Terms<Self>, a: Id, b: Id) -> bool {
            match (terms.term(a), terms.term(b)) {
                (Shape::Literal(x, positive), Shape::Literal(y, other)) => {
                    x == y && positive != other
                }
                _ => false,
            }
        }

        fn attribute(self, terms: &Terms<Self>) -> usize {
            operands(self).map(|a| terms.attribute(a) + 1).max().unwrap_or(0)
        }
    }

    fn operands(shape: Shape) -> impl Iterator<Item = Id> {
        let operands = match shape {
            Shape::Joined(_, a, b) => Some([a, b]),
            _ => None,
        };
        operands.into_iter().flatten()
    }

    fn literals(terms: &mut Terms<Shape>) -> [Id; 3] {
        [(0, true), (0, false), (1, true)]
            .map(|(v, positive)| terms.intern(Shape::Literal(v, positive)))
    }

    #[test]
    fn what_is_plain_is_folded() {
        let mut terms = Terms::default();
        let [a, not_a, b] = literals(&mut terms);
        let (truth, falsity) = (terms.constant(true), terms.constant(false));
        for (connective, unit, decides) in [(And, truth, falsity), (Or, falsity, truth)] {
            assert_eq!(terms.join(connective, a, unit), a);
            assert_eq!(terms.join(connective, unit, a), a);
            assert_eq!(terms.join(connective, a, decides), decides);
            assert_eq!(terms.join(connective, decides, a), decides);
            assert_eq!(terms.join(connective, a, a), a);
            assert_eq!(terms.join(connective, a, not_a), decides);
            assert_eq!(terms.join_all(connective, []), unit);
            assert_eq!(terms.join_all(connective, [unit, b, a]), terms.join(connective, b, a));
        }
    }

    #[test]
    fn both_orders_of_operands_are_one_term() {
        let mut terms = Terms::default();
        let [a, _, b] = literals(&mut terms);
        let first = terms.join(And, b, a);
        assert_eq!(terms.term(first), Shape::Joined(And, b, a));
        assert_eq!(terms.join(And, a, b), first);
        assert_ne!(terms.join(Or, a, b), first);
        assert_eq!(terms.all_terms().len(), 5);
    }

    /// Attributes are computed for new expressions, after those of their operands.
    #[test]
    fn attributes_follow_the_operands() {
        let mut terms = Terms::default();
        let mut known = literals(&mut terms).to_vec();
        let mut rng = Rng::new(1);
        for _ in 0..500 {
            let connective = rng.choose(&[And, Or]);
            known.push(terms.join(connective, rng.choose(&known), rng.choose(&known)));
        }
        for (index, &term) in terms.all_terms().iter().enumerate() {
            assert!(operands(term).all(|operand| operand.index() < index));
            assert_eq!(terms.attribute(Id::from_index(index)), term.attribute(&terms));
        }
    }
}
