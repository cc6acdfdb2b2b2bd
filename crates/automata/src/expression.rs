//! Boolean expressions over literals of propositions and positive locations: the set `B+(Lit(P) +
//! Loc)` of \[DDMR08\], hash-consed.
//!
//! An [`Expressions`] owns expressions, an [`Expression`] is a handle into it. Equal expressions,
//! and conjunctions and disjunctions that differ in the order of two operands only, have one
//! handle. So the transitions of an automaton share common subexpressions, and the translation from
//! LTL is linear. Negation stands before propositions only. This expresses every Boolean function
//! of the propositions, and the monotone functions of locations, which is what alternation means.
//!
//! Invariant: **an expression has a larger handle than its operands**. A pass over expressions is a
//! loop over handles in increasing order, and nothing recurses.

use kermode_base::terms::{self, Below, Connective, Dag, Handle, Packed, Terms};
use kermode_ltl::Proposition;

use crate::alternating::Location;

/// An expression of some [`Expressions`]. It has no meaning for any other owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expression(u32);

impl Expression {
    /// The position of this expression among all of its owner, in order of construction.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Handle for Expression {
    fn index(self) -> usize {
        self.0 as usize
    }

    fn from_index(index: usize) -> Self {
        Expression(index as u32)
    }
}

/// The outermost operator of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// `true` or `false`.
    Constant(bool),
    /// A proposition of the letter that is read, or its negation.
    Literal {
        /// The proposition.
        proposition: Proposition,
        /// Whether it must hold.
        positive: bool,
    },
    /// The rest of the word must be accepted from there.
    Location(Location),
    /// Conjunction.
    And(Expression, Expression),
    /// Disjunction.
    Or(Expression, Expression),
}

impl Term {
    /// The operands, from left to right: none or two.
    pub fn operands(self) -> impl DoubleEndedIterator<Item = Expression> {
        let operands = match self {
            Term::And(a, b) | Term::Or(a, b) => Some([a, b]),
            Term::Constant(_) | Term::Literal { .. } | Term::Location(_) => None,
        };
        operands.into_iter().flatten()
    }
}

impl Packed for Term {
    fn packed(self) -> (u64, u32, u32) {
        let number = |index: usize| index as u32;
        match self {
            Term::Constant(value) => (0, value.into(), 0),
            Term::Literal { proposition, positive } => {
                (1, number(proposition.index()), positive.into())
            }
            Term::Location(location) => (2, number(location.index()), 0),
            Term::And(a, b) => (3, a.0, b.0),
            Term::Or(a, b) => (4, a.0, b.0),
        }
    }
}

impl terms::BooleanTerm for Term {
    type Handle = Expression;
    type Attribute = ();

    fn constant(value: bool) -> Self {
        Term::Constant(value)
    }

    fn joined(connective: Connective, a: Expression, b: Expression) -> Self {
        match connective {
            Connective::And => Term::And(a, b),
            Connective::Or => Term::Or(a, b),
        }
    }

    fn are_complementary(terms: &Terms<Self>, a: Expression, b: Expression) -> bool {
        match (terms.term(a), terms.term(b)) {
            (
                Term::Literal { proposition: p, positive: is },
                Term::Literal { proposition: q, positive: is_too },
            ) => p == q && is != is_too,
            _ => false,
        }
    }

    fn attribute(self, _: &Terms<Self>) {}
}

/// The owner of expressions.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    terms: Terms<Term>,
}

impl Dag for Expressions {
    type Handle = Expression;

    fn operands(&self, expression: Expression) -> impl Iterator<Item = Expression> {
        self.term(expression).operands()
    }
}

impl Expressions {
    /// No expressions yet.
    pub fn new() -> Self {
        Expressions::default()
    }

    /// How many distinct expressions there are.
    pub fn len(&self) -> usize {
        self.terms.all_terms().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.terms.all_terms().is_empty()
    }

    /// The outermost operator of an expression.
    pub fn term(&self, expression: Expression) -> Term {
        self.terms.term(expression)
    }

    /// All expressions, operands first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Expression, Term)> + '_ {
        let terms = self.terms.all_terms().iter().enumerate();
        terms.map(|(index, &term)| (Expression::from_index(index), term))
    }

    /// # Panics
    /// When there would be more than 2^32 expressions.
    fn intern(&mut self, term: Term) -> Expression {
        self.terms.intern(term)
    }

    /// `true` or `false`.
    pub fn constant(&mut self, value: bool) -> Expression {
        self.intern(Term::Constant(value))
    }

    /// The proposition or its negation.
    pub fn literal(&mut self, proposition: Proposition, positive: bool) -> Expression {
        self.intern(Term::Literal { proposition, positive })
    }

    /// The expression that is just this location.
    pub fn location(&mut self, location: Location) -> Expression {
        self.intern(Term::Location(location))
    }

    /// `a & b`, with constants, repeated operands and complementary literals folded.
    pub fn and(&mut self, a: Expression, b: Expression) -> Expression {
        self.terms.join(Connective::And, a, b)
    }

    /// `a | b`, with constants, repeated operands and complementary literals folded.
    pub fn or(&mut self, a: Expression, b: Expression) -> Expression {
        self.terms.join(Connective::Or, a, b)
    }

    /// The conjunction of all; `true` of none.
    pub fn all(&mut self, expressions: impl IntoIterator<Item = Expression>) -> Expression {
        self.terms.join_all(Connective::And, expressions)
    }

    /// The disjunction of all; `false` of none.
    pub fn any(&mut self, expressions: impl IntoIterator<Item = Expression>) -> Expression {
        self.terms.join_all(Connective::Or, expressions)
    }

    /// A term of this or another owner, with operands and locations mapped.
    pub(crate) fn rebuild(
        &mut self,
        term: Term,
        operand: impl Fn(Expression) -> Expression,
        location: impl Fn(Location) -> Location,
    ) -> Expression {
        match term {
            Term::Constant(_) | Term::Literal { .. } => self.intern(term),
            Term::Location(l) => self.location(location(l)),
            Term::And(a, b) => self.and(operand(a), operand(b)),
            Term::Or(a, b) => self.or(operand(a), operand(b)),
        }
    }

    /// The expressions below `roots`, themselves included, in increasing order: operands first.
    pub fn below(&self, roots: &[Expression]) -> Vec<Expression> {
        Below::of(self, roots).iter().collect()
    }

    /// The value of every expression by index, given the values of the leaves.
    pub fn values(
        &self,
        literal: impl Fn(Proposition, bool) -> bool,
        location: impl Fn(Location) -> bool,
    ) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.len());
        for &term in self.terms.all_terms() {
            values.push(match term {
                Term::Constant(value) => value,
                Term::Literal { proposition, positive } => literal(proposition, positive),
                Term::Location(l) => location(l),
                Term::And(a, b) => values[a.index()] && values[b.index()],
                Term::Or(a, b) => values[a.index()] || values[b.index()],
            });
        }
        values
    }
}
