//! Boolean expressions over variables and their next values, hash-consed: the constraints of
//! systems.
//!
//! A [`Graph`] owns variables and expressions; a [`Variable`] and an [`Expression`] are handles
//! into it. Equal expressions have one handle, and so have conjunctions, disjunctions and
//! equivalences that differ in the order of two operands only. Constants, repeated and
//! complementary operands are simplified, nothing else: an implication stays one, so that a printed
//! model looks like the original.
//!
//! Variables are *not* looked up by name: each call creates a new one, whose name is for display.
//! Two systems over one graph share exactly the variables that the caller passes to both.
//!
//! Invariant: **an expression has a larger handle than its operands**. A pass over expressions is a
//! loop over handles in increasing order ([`Below`]), and nothing recurses.

use kermode_base::terms::{self, Connective, Dag, Handle, Packed, Terms};

/// A Boolean variable of some [`Graph`]. It has no meaning for any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(u32);

impl Variable {
    /// The position of this variable among all of its graph, in order of construction.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An expression of some [`Graph`]. It has no meaning for any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expression(u32);

impl Expression {
    /// The position of this expression among all of its graph, in order of construction.
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

/// The expressions below some roots, the roots included, in increasing order: operands first. A
/// pass keeps one value per expression in a vector.
pub type Below = terms::Below<Expression>;

/// The outermost operator of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// `true` or `false`.
    Constant(bool),
    /// The current value of a variable.
    Current(Variable),
    /// The next value of a variable.
    Next(Variable),
    /// Negation.
    Not(Expression),
    /// Conjunction.
    And(Expression, Expression),
    /// Disjunction.
    Or(Expression, Expression),
    /// Implication.
    Implies(Expression, Expression),
    /// Equivalence.
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

impl Packed for Term {
    fn packed(self) -> (u64, u32, u32) {
        match self {
            Term::Constant(value) => (0, value.into(), 0),
            Term::Current(variable) => (1, variable.0, 0),
            Term::Next(variable) => (2, variable.0, 0),
            Term::Not(a) => (3, a.0, 0),
            Term::And(a, b) => (4, a.0, b.0),
            Term::Or(a, b) => (5, a.0, b.0),
            Term::Implies(a, b) => (6, a.0, b.0),
            Term::Iff(a, b) => (7, a.0, b.0),
        }
    }
}

impl terms::BooleanTerm for Term {
    type Handle = Expression;
    /// Whether the expression has a next value.
    type Attribute = bool;

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
        terms.term(a) == Term::Not(b) || terms.term(b) == Term::Not(a)
    }

    fn attribute(self, terms: &Terms<Self>) -> bool {
        matches!(self, Term::Next(_)) || self.operands().any(|a| terms.attribute(a))
    }
}

/// The owner of variables and expressions.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    terms: Terms<Term>,
    names: Vec<Box<str>>,
}

impl Dag for Graph {
    type Handle = Expression;

    fn operands(&self, expression: Expression) -> impl Iterator<Item = Expression> {
        self.term(expression).operands()
    }
}

impl Graph {
    /// No variables and no expressions yet.
    pub fn new() -> Self {
        Graph::default()
    }

    /// How many distinct expressions there are.
    pub fn len(&self) -> usize {
        self.terms.all_terms().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.terms.all_terms().is_empty()
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

    /// The name of a variable, for display.
    pub fn name(&self, variable: Variable) -> &str {
        &self.names[variable.index()]
    }

    /// The outermost operator of an expression.
    pub fn term(&self, expression: Expression) -> Term {
        self.terms.term(expression)
    }

    /// Whether the expression has next values.
    pub fn looks_ahead(&self, expression: Expression) -> bool {
        self.terms.attribute(expression)
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

    /// The current value of a variable.
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
        self.terms.join(Connective::And, a, b)
    }

    /// `a | b`.
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
            _ => self.terms.commutative(Term::Iff, a, b),
        }
    }

    /// Exclusive or.
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

    /// Whether the unsigned number in some bits, the least significant first, is at most a bound.
    pub fn at_most(&mut self, bits: &[Expression], bound: u64) -> Expression {
        let mut at_most = self.constant(true);
        if bound.unbounded_shr(bits.len() as u32) > 0 {
            return at_most;
        }
        for (place, &bit) in bits.iter().enumerate() {
            let zero = self.not(bit);
            at_most = match bound.unbounded_shr(place as u32) & 1 {
                1 => self.or(zero, at_most),
                _ => self.and(zero, at_most),
            };
        }
        at_most
    }

    fn are_complementary(&self, a: Expression, b: Expression) -> bool {
        <Term as terms::BooleanTerm>::are_complementary(&self.terms, a, b)
    }

    /// The expressions one step later: next values in place of current values.
    ///
    /// # Panics
    /// When one of them has next values already.
    pub fn shift(&mut self, roots: &[Expression]) -> Vec<Expression> {
        self.rebuild(roots, |term| match term {
            Term::Current(variable) => Term::Next(variable),
            Term::Next(_) => panic!("only the next step can be spoken about"),
            term => term,
        })
    }

    /// The expressions with variables replaced.
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

    /// The expressions with the current and next values of variables replaced by others, given the
    /// terms of the former.
    pub fn replace(
        &mut self,
        roots: &[Expression],
        mut leaf: impl FnMut(&mut Graph, Term) -> Expression,
    ) -> Vec<Expression> {
        self.rebuild_with(roots, |graph, term| match term {
            Term::Current(_) | Term::Next(_) => leaf(graph, term),
            term => graph.intern(term),
        })
    }

    fn rebuild(&mut self, roots: &[Expression], leaf: impl Fn(Term) -> Term) -> Vec<Expression> {
        self.rebuild_with(roots, |graph, term| graph.intern(leaf(term)))
    }

    fn rebuild_with(
        &mut self,
        roots: &[Expression],
        mut leaf: impl FnMut(&mut Graph, Term) -> Expression,
    ) -> Vec<Expression> {
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
                term => leaf(self, term),
            };
            built.push(copy);
        }
        roots.iter().map(|&root| built[below.position(root)]).collect()
    }

    /// The variables of the expressions, current or next, each once, in order of construction.
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

    /// The conjuncts of an expression, from left to right. None of them is a conjunction. `true`
    /// has none.
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

    /// The values of expressions in 64 situations at once, by their position in `below`, given
    /// those of the current and next variables: bit `i` is the value in situation `i`.
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
