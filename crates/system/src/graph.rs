//! Boolean expressions over variables and their next values, hash-consed: what the constraints of
//! systems are made of.
//!
//! A [`Graph`] owns variables and expressions; a [`Variable`] and an [`Expression`] are handles into it. Equal
//! expressions have one handle, and so have conjunctions, disjunctions and equivalences that differ in the
//! order of two operands only. Constants, repeated and complementary operands are folded, nothing else:
//! an implication stays one, so that what is printed looks like what was meant.
//!
//! Variables are *not* found by name: each call makes a new one, whose name is for people. Two systems over
//! one graph share what they are made to share.
//!
//! Invariant: **operands have smaller handles than what is built from them**. A pass over expressions is
//! a loop over handles in increasing order ([`Below`]), and nothing recurses.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// A Boolean variable of some [`Graph`]. Meaningless with any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(u32);

impl Variable {
    /// The position of this variable among all of its graph, in order of construction.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An expression of some [`Graph`]. Meaningless with any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expression(u32);

impl Expression {
    /// The position of this expression among all of its graph, in order of construction.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    fn from_index(index: usize) -> Self {
        Expression(u32::try_from(index).expect("there are at most 2^32 expressions"))
    }
}

/// The outermost shape of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// `true` or `false`.
    Constant(bool),
    /// The value of a variable now.
    Current(Variable),
    /// Its value at the next step.
    Next(Variable),
    /// The opposite.
    Not(Expression),
    /// Both.
    And(Expression, Expression),
    /// One or both.
    Or(Expression, Expression),
    /// The second, if the first.
    Implies(Expression, Expression),
    /// Both or neither.
    Iff(Expression, Expression),
}

impl Term {
    /// The operands, from left to right: none, one or two.
    pub fn operands(self) -> impl DoubleEndedIterator<Item = Expression> {
        let (first, second) = match self {
            Term::Constant(_) | Term::Current(_) | Term::Next(_) => (None, None),
            Term::Not(a) => (Some(a), None),
            Term::And(a, b) | Term::Or(a, b) | Term::Implies(a, b) | Term::Iff(a, b) => {
                (Some(a), Some(b))
            }
        };
        first.into_iter().chain(second)
    }
}

/// The owner of variables and expressions.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    terms: IndexSet<Term, FxBuildHasher>,
    /// Whether there is a next value somewhere below, by expression.
    looks_ahead: Vec<bool>,
    names: Vec<Box<str>>,
}

impl Graph {
    /// No variables and no expressions yet.
    pub fn new() -> Self {
        Graph::default()
    }

    /// How many distinct expressions there are.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// A new variable. Names need not differ.
    ///
    /// # Panics
    /// When there would be more than 2^32 variables.
    pub fn variable(&mut self, name: &str) -> Variable {
        let index = u32::try_from(self.names.len()).expect("there are at most 2^32 variables");
        self.names.push(name.into());
        Variable(index)
    }

    /// How many variables there are.
    pub fn variable_count(&self) -> usize {
        self.names.len()
    }

    /// What people call a variable.
    pub fn name(&self, variable: Variable) -> &str {
        &self.names[variable.index()]
    }

    /// The shape of an expression.
    pub fn term(&self, expression: Expression) -> Term {
        self.terms[expression.index()]
    }

    /// Whether the expression speaks about the next step.
    pub fn looks_ahead(&self, expression: Expression) -> bool {
        self.looks_ahead[expression.index()]
    }

    /// # Panics
    /// When there would be more than 2^32 expressions.
    fn intern(&mut self, term: Term) -> Expression {
        let (index, fresh) = self.terms.insert_full(term);
        if fresh {
            let ahead =
                matches!(term, Term::Next(_)) || term.operands().any(|a| self.looks_ahead(a));
            self.looks_ahead.push(ahead);
        }
        Expression::from_index(index)
    }

    /// `true` or `false`.
    pub fn constant(&mut self, value: bool) -> Expression {
        self.intern(Term::Constant(value))
    }

    /// The value of a variable now.
    pub fn current(&mut self, variable: Variable) -> Expression {
        self.intern(Term::Current(variable))
    }

    /// The value of a variable at the next step.
    pub fn next(&mut self, variable: Variable) -> Expression {
        self.intern(Term::Next(variable))
    }

    /// `!a`.
    pub fn not(&mut self, a: Expression) -> Expression {
        match self.term(a) {
            Term::Constant(value) => self.constant(!value),
            Term::Not(inner) => inner,
            _ => self.intern(Term::Not(a)),
        }
    }

    /// `a & b`.
    pub fn and(&mut self, a: Expression, b: Expression) -> Expression {
        self.join(a, b, true)
    }

    /// `a | b`.
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
        match (self.term(a), self.term(b)) {
            (Term::Constant(value), _) => return if value == conjunction { b } else { a },
            (_, Term::Constant(value)) => return if value == conjunction { a } else { b },
            _ if a == b => return a,
            _ if self.are_complementary(a, b) => return self.constant(!conjunction),
            _ => {}
        }
        self.commutative(if conjunction { Term::And } else { Term::Or }, a, b)
    }

    /// `a -> b`.
    pub fn implies(&mut self, a: Expression, b: Expression) -> Expression {
        match (self.term(a), self.term(b)) {
            (Term::Constant(true), _) => b,
            (_, Term::Constant(false)) => self.not(a),
            (Term::Constant(false), _) | (_, Term::Constant(true)) => self.constant(true),
            _ if a == b => self.constant(true),
            _ if self.are_complementary(a, b) => b,
            _ => self.intern(Term::Implies(a, b)),
        }
    }

    /// `a <-> b`.
    pub fn iff(&mut self, a: Expression, b: Expression) -> Expression {
        match (self.term(a), self.term(b)) {
            (Term::Constant(true), _) => b,
            (_, Term::Constant(true)) => a,
            (Term::Constant(false), _) => self.not(b),
            (_, Term::Constant(false)) => self.not(a),
            _ if a == b => self.constant(true),
            _ if self.are_complementary(a, b) => self.constant(false),
            _ => self.commutative(Term::Iff, a, b),
        }
    }

    /// One but not both.
    pub fn xor(&mut self, a: Expression, b: Expression) -> Expression {
        let iff = self.iff(a, b);
        self.not(iff)
    }

    /// `yes` if the condition holds, else `no`.
    pub fn if_then_else(
        &mut self,
        condition: Expression,
        yes: Expression,
        no: Expression,
    ) -> Expression {
        if yes == no {
            return yes;
        }
        let otherwise = self.not(condition);
        let (with, without) = (self.and(condition, yes), self.and(otherwise, no));
        self.or(with, without)
    }

    fn are_complementary(&self, a: Expression, b: Expression) -> bool {
        self.term(a) == Term::Not(b) || self.term(b) == Term::Not(a)
    }

    /// The expression in the order of operands in which it is already there, or else as given.
    fn commutative(
        &mut self,
        term: impl Fn(Expression, Expression) -> Term,
        a: Expression,
        b: Expression,
    ) -> Expression {
        match self.terms.get_index_of(&term(b, a)) {
            Some(index) => Expression::from_index(index),
            None => self.intern(term(a, b)),
        }
    }

    /// The expressions one step later: the next value of a variable in place of its value.
    ///
    /// # Panics
    /// When one of them looks ahead already.
    pub fn shift(&mut self, roots: &[Expression]) -> Vec<Expression> {
        self.rebuild(roots, |term| match term {
            Term::Current(variable) => Term::Next(variable),
            Term::Next(_) => panic!("only the next step can be spoken about"),
            term => term,
        })
    }

    /// The expressions with other variables.
    pub fn rename(
        &mut self,
        roots: &[Expression],
        name: impl Fn(Variable) -> Variable,
    ) -> Vec<Expression> {
        self.rebuild(roots, |term| match term {
            Term::Current(variable) => Term::Current(name(variable)),
            Term::Next(variable) => Term::Next(name(variable)),
            term => term,
        })
    }

    fn rebuild(&mut self, roots: &[Expression], leaf: impl Fn(Term) -> Term) -> Vec<Expression> {
        let below = Below::of(self, roots);
        let mut built: Vec<Expression> = Vec::with_capacity(below.len());
        for expression in below.iter() {
            let operand = |a| built[below.position(a)];
            let copy = match self.term(expression) {
                Term::Not(a) => self.not(operand(a)),
                Term::And(a, b) => self.and(operand(a), operand(b)),
                Term::Or(a, b) => self.or(operand(a), operand(b)),
                Term::Implies(a, b) => self.implies(operand(a), operand(b)),
                Term::Iff(a, b) => self.iff(operand(a), operand(b)),
                term => self.intern(leaf(term)),
            };
            built.push(copy);
        }
        roots.iter().map(|&root| built[below.position(root)]).collect()
    }

    /// The variables that the expressions mention, now or next, each once, in order of construction.
    pub fn variables(&self, roots: &[Expression]) -> Vec<Variable> {
        let mut found: Vec<Variable> = Vec::new();
        for expression in Below::of(self, roots).iter() {
            if let Term::Current(variable) | Term::Next(variable) = self.term(expression) {
                found.push(variable);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The conjuncts of an expression, from left to right: it is the conjunction of all of them, and none
    /// is a conjunction. `true` has none.
    pub fn conjuncts(&self, expression: Expression) -> Vec<Expression> {
        let mut conjuncts = Vec::new();
        let mut todo = vec![expression];
        while let Some(expression) = todo.pop() {
            match self.term(expression) {
                Term::And(a, b) => todo.extend([b, a]),
                Term::Constant(true) => {}
                _ => conjuncts.push(expression),
            }
        }
        conjuncts
    }

    /// The truth of expressions in 64 situations at once, by their position in `below`, given that of the
    /// variables now and next: bit `i` is the truth in situation `i`.
    pub fn values(
        &self,
        below: &Below,
        current: impl Fn(Variable) -> u64,
        next: impl Fn(Variable) -> u64,
    ) -> Vec<u64> {
        let mut values: Vec<u64> = Vec::with_capacity(below.len());
        for expression in below.iter() {
            let value = |a| values[below.position(a)];
            let value = match self.term(expression) {
                Term::Constant(value) => {
                    if value {
                        u64::MAX
                    } else {
                        0
                    }
                }
                Term::Current(variable) => current(variable),
                Term::Next(variable) => next(variable),
                Term::Not(a) => !value(a),
                Term::And(a, b) => value(a) & value(b),
                Term::Or(a, b) => value(a) | value(b),
                Term::Implies(a, b) => !value(a) | value(b),
                Term::Iff(a, b) => !(value(a) ^ value(b)),
            };
            values.push(value);
        }
        values
    }
}

/// The expressions below some roots, themselves included, in increasing order: operands first. A pass keeps
/// one value an expression in a plain vector.
#[derive(Clone, Debug)]
pub struct Below {
    order: Vec<Expression>,
}

impl Below {
    /// What is below these expressions.
    pub fn of(graph: &Graph, roots: &[Expression]) -> Self {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut order: Vec<Expression> = Vec::new();
        let mut todo: Vec<Expression> = roots.to_vec();
        while let Some(expression) = todo.pop() {
            if seen.insert(expression) {
                order.push(expression);
                todo.extend(graph.term(expression).operands());
            }
        }
        order.sort_unstable();
        Below { order }
    }

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Operands first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Expression> + ExactSizeIterator + '_ {
        self.order.iter().copied()
    }

    /// The position of an expression in this order.
    ///
    /// # Panics
    /// When it is not below the roots.
    pub fn position(&self, expression: Expression) -> usize {
        self.order.binary_search(&expression).expect("an expression below the roots")
    }
}
