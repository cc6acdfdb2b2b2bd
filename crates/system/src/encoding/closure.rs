//! The closure of a formula: its subformulas as an encoding sees them.
//!
//! One table of shapes serves both normal forms. In transition-based form `G F a` is one operator
//! \[RV11\], so `F a` belongs to the closure only if it also occurs elsewhere. So the closure is
//! computed here and not taken from the store.

use kermode_ltl::{BinaryOp, Formula, Node, Proposition, Store, UnaryOp};

use super::Form;

/// The shape of a subformula in normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Constant(bool),
    Proposition(Proposition),
    Not(Formula),
    And(Formula, Formula),
    Or(Formula, Formula),
    Next(Formula),
    /// Differs from `Next` on finite words only.
    WeakNext(Formula),
    Finally(Formula),
    Globally(Formula),
    /// `G F a`.
    Infinitely(Formula),
    Until(Formula, Formula),
    WeakUntil(Formula, Formula),
    Release(Formula, Formula),
    StrongRelease(Formula, Formula),
}

impl Shape {
    /// The shape of a formula in the normal form of `form`.
    pub(super) fn of(store: &Store, form: Form, formula: Formula) -> Self {
        match store.node(formula) {
            Node::Constant(value) => Shape::Constant(value),
            Node::Proposition(proposition) => Shape::Proposition(proposition),
            Node::Unary(UnaryOp::Not, a) => Shape::Not(a),
            Node::Unary(UnaryOp::Next, a) => Shape::Next(a),
            Node::Unary(UnaryOp::WeakNext, a) => Shape::WeakNext(a),
            Node::Unary(UnaryOp::Finally, a) => Shape::Finally(a),
            Node::Unary(UnaryOp::Globally, a) => match store.node(a) {
                Node::Unary(UnaryOp::Finally, goal) if form.is_transition_based() => {
                    Shape::Infinitely(goal)
                }
                _ => Shape::Globally(a),
            },
            Node::Binary(op, a, b) => Shape::of_binary(op, a, b),
            Node::Unary(..) | Node::BoundedUnary(..) | Node::BoundedBinary(..) => {
                unreachable!("past and bounded operators were refused")
            }
        }
    }

    fn of_binary(op: BinaryOp, a: Formula, b: Formula) -> Self {
        match op {
            BinaryOp::And => Shape::And(a, b),
            BinaryOp::Or => Shape::Or(a, b),
            BinaryOp::Until => Shape::Until(a, b),
            BinaryOp::WeakUntil => Shape::WeakUntil(a, b),
            BinaryOp::Release => Shape::Release(a, b),
            BinaryOp::StrongRelease => Shape::StrongRelease(a, b),
            BinaryOp::Xor | BinaryOp::Implies | BinaryOp::Iff => {
                unreachable!("a normal form has no such connective")
            }
            BinaryOp::Since | BinaryOp::Triggered => unreachable!("past operators were refused"),
        }
    }

    /// The operands, from left to right.
    pub(super) fn operands(self) -> impl DoubleEndedIterator<Item = Formula> {
        let (first, second) = match self {
            Shape::Constant(_) | Shape::Proposition(_) => (None, None),
            Shape::Not(a)
            | Shape::Next(a)
            | Shape::WeakNext(a)
            | Shape::Finally(a)
            | Shape::Globally(a)
            | Shape::Infinitely(a) => (Some(a), None),
            Shape::And(a, b)
            | Shape::Or(a, b)
            | Shape::Until(a, b)
            | Shape::WeakUntil(a, b)
            | Shape::Release(a, b)
            | Shape::StrongRelease(a, b) => (Some(a), Some(b)),
        };
        first.into_iter().chain(second)
    }

    /// Whether the operator is unfolded: its value depends on the current step and on its own value
    /// at the next step.
    pub(super) fn is_fixpoint(self) -> bool {
        !matches!(
            self,
            Shape::Constant(_)
                | Shape::Proposition(_)
                | Shape::Not(_)
                | Shape::And(..)
                | Shape::Or(..)
                | Shape::Next(_)
                | Shape::WeakNext(_)
        )
    }

    /// The goal of an eventuality, which must hold infinitely often while the operator holds.
    pub(super) fn goal(self) -> Option<Formula> {
        match self {
            Shape::Finally(goal) | Shape::Infinitely(goal) | Shape::Until(_, goal) => Some(goal),
            // `a M b` holds only where `b` holds, so `a` is the goal.
            Shape::StrongRelease(goal, _) => Some(goal),
            _ => None,
        }
    }
}

/// The subformulas of a formula in normal form, operands first.
pub(super) struct Closure {
    formulas: Vec<Formula>,
    shapes: Vec<Shape>,
}

impl Closure {
    pub(super) fn of(store: &Store, form: Form, root: Formula) -> Self {
        let mut seen = vec![false; root.index() + 1];
        let mut formulas = Vec::new();
        let mut todo = vec![root];
        while let Some(formula) = todo.pop() {
            if !std::mem::replace(&mut seen[formula.index()], true) {
                formulas.push(formula);
                todo.extend(Shape::of(store, form, formula).operands());
            }
        }
        formulas.sort_unstable();
        let shapes = formulas.iter().map(|&formula| Shape::of(store, form, formula)).collect();
        Closure { formulas, shapes }
    }

    pub(super) fn len(&self) -> usize {
        self.formulas.len()
    }

    pub(super) fn formula(&self, position: usize) -> Formula {
        self.formulas[position]
    }

    pub(super) fn shape(&self, position: usize) -> Shape {
        self.shapes[position]
    }

    pub(super) fn position(&self, formula: Formula) -> usize {
        self.formulas.binary_search(&formula).expect("a formula of the closure")
    }

    /// The position of the whole formula.
    pub(super) fn root(&self) -> usize {
        self.formulas.len() - 1
    }

    /// Whether a formula needs no variable for its value at the next step: it is a literal or a
    /// constant.
    pub(super) fn is_literal(&self, position: usize) -> bool {
        match self.shape(position) {
            Shape::Constant(_) | Shape::Proposition(_) => true,
            Shape::Not(a) => matches!(self.shape(self.position(a)), Shape::Proposition(_)),
            _ => false,
        }
    }
}
