//! Boolean expressions over literals of propositions and positive locations: the set `B+(Lit(P) + Loc)`
//! of \[DDMR08\], hash-consed.
//!
//! An [`Expressions`] owns expressions, an [`Expression`] is a handle into it. Equal expressions, and
//! conjunctions and disjunctions that differ in the order of two operands only, have one handle; so the
//! transitions of an automaton share what they have in common, and the translation from LTL is linear.
//! Negation stands before propositions only. Any Boolean function of the propositions can be had that
//! way; of locations only the monotone ones, which is what alternation means.
//!
//! Invariant: **operands have smaller handles than what is built from them**. A pass over expressions is
//! a loop over handles in increasing order, and nothing recurses.

use indexmap::IndexSet;
use kermode_ltl::Proposition;
use rustc_hash::FxBuildHasher;

use crate::alternating::Location;

/// An expression of some [`Expressions`]. Meaningless with any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expression(u32);

impl Expression {
    /// The position of this expression among all of its owner, in order of construction.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn from_index(index: usize) -> Self {
        Expression(u32::try_from(index).expect("there are at most 2^32 expressions"))
    }
}

/// The outermost shape of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// `true` or `false`.
    Constant(bool),
    /// A proposition of the letter that is read, or its negation.
    Literal {
        /// Of what.
        proposition: Proposition,
        /// Whether it is to hold.
        positive: bool,
    },
    /// The rest of the word is accepted from there.
    Location(Location),
    /// Both.
    And(Expression, Expression),
    /// One or both.
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

/// The owner of expressions.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    terms: IndexSet<Term, FxBuildHasher>,
}

impl Expressions {
    /// No expressions yet.
    pub fn new() -> Self {
        Expressions::default()
    }

    /// How many distinct expressions there are.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The shape of an expression.
    pub fn term(&self, expression: Expression) -> Term {
        self.terms[expression.index()]
    }

    /// All expressions, operands first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Expression, Term)> + '_ {
        self.terms.iter().enumerate().map(|(index, &term)| (Expression::from_index(index), term))
    }

    /// # Panics
    /// When there would be more than 2^32 expressions.
    fn intern(&mut self, term: Term) -> Expression {
        Expression::from_index(self.terms.insert_full(term).0)
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
        self.join(a, b, true)
    }

    /// `a | b`, with constants, repeated operands and complementary literals folded.
    pub fn or(&mut self, a: Expression, b: Expression) -> Expression {
        self.join(a, b, false)
    }

    /// The conjunction of all; `true` of none.
    pub fn all(&mut self, expressions: impl IntoIterator<Item = Expression>) -> Expression {
        let truth = self.constant(true);
        expressions.into_iter().fold(truth, |all, next| self.and(all, next))
    }

    /// The disjunction of all; `false` of none.
    pub fn any(&mut self, expressions: impl IntoIterator<Item = Expression>) -> Expression {
        let falsity = self.constant(false);
        expressions.into_iter().fold(falsity, |any, next| self.or(any, next))
    }

    /// A conjunction, or else a disjunction. The constant that changes nothing is the same Boolean value
    /// as `conjunction`, the one that decides is the other.
    fn join(&mut self, a: Expression, b: Expression, conjunction: bool) -> Expression {
        let (first, second) = (self.term(a), self.term(b));
        match (first, second) {
            (Term::Constant(value), _) => return if value == conjunction { b } else { a },
            (_, Term::Constant(value)) => return if value == conjunction { a } else { b },
            _ if a == b => return a,
            _ if are_complementary(first, second) => return self.constant(!conjunction),
            _ => {}
        }
        let term = |a, b| if conjunction { Term::And(a, b) } else { Term::Or(a, b) };
        match self.terms.get_index_of(&term(b, a)) {
            Some(index) => Expression::from_index(index),
            None => self.intern(term(a, b)),
        }
    }

    /// A term of another owner, or of this one, with its operands and locations changed.
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
        let mut seen = vec![false; self.len()];
        let mut order: Vec<Expression> = Vec::new();
        let mut todo: Vec<Expression> = roots.to_vec();
        while let Some(expression) = todo.pop() {
            if !std::mem::replace(&mut seen[expression.index()], true) {
                order.push(expression);
                todo.extend(self.term(expression).operands());
            }
        }
        order.sort_unstable();
        order
    }

    /// The truth of every expression, by its index, given that of the leaves.
    pub fn values(
        &self,
        literal: impl Fn(Proposition, bool) -> bool,
        location: impl Fn(Location) -> bool,
    ) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.len());
        for &term in &self.terms {
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

fn are_complementary(a: Term, b: Term) -> bool {
    match (a, b) {
        (
            Term::Literal { proposition: p, positive: is },
            Term::Literal { proposition: q, positive: is_too },
        ) => p == q && is != is_too,
        _ => false,
    }
}
