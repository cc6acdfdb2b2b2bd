//! Smart constructors, which simplify while they build.
//!
//! They simplify constants, double negations, repeated and complementary operands, and nothing
//! else. Every step is sound on infinite and finite words. (`X true` stays, for example: it is
//! false at the end of a finite word.) All other simplification is in `rewrite`.

use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Interval, Node, Proposition, Store};

impl Store {
    /// `true` or `false`.
    pub fn constant(&mut self, value: bool) -> Formula {
        self.intern(Node::Constant(value))
    }

    /// The formula that is just this proposition.
    pub fn atom(&mut self, proposition: Proposition) -> Formula {
        self.intern(Node::Proposition(proposition))
    }

    /// The formula that is just the proposition of that name.
    pub fn named(&mut self, name: &str) -> Formula {
        let proposition = self.proposition(name);
        self.atom(proposition)
    }

    /// `op a`, simplified.
    pub fn unary(&mut self, op: UnaryOp, a: Formula) -> Formula {
        match (op, self.node(a)) {
            (UnaryOp::Not, Node::Constant(value)) => self.constant(!value),
            (UnaryOp::Not, Node::Unary(UnaryOp::Not, inner)) => inner,
            (UnaryOp::Next | UnaryOp::Yesterday, Node::Constant(false)) => a,
            (UnaryOp::WeakNext | UnaryOp::WeakYesterday, Node::Constant(true)) => a,
            (
                UnaryOp::Finally | UnaryOp::Globally | UnaryOp::Once | UnaryOp::Historically,
                Node::Constant(_),
            ) => a,
            (
                UnaryOp::Finally | UnaryOp::Globally | UnaryOp::Once | UnaryOp::Historically,
                Node::Unary(inner, _),
            ) if inner == op => a,
            _ => self.intern(Node::Unary(op, a)),
        }
    }

    /// `a op b`, simplified.
    pub fn binary(&mut self, op: BinaryOp, a: Formula, b: Formula) -> Formula {
        self.fold_binary(op, a, b).unwrap_or_else(|| self.intern(Node::Binary(op, a, b)))
    }

    fn fold_binary(&mut self, op: BinaryOp, a: Formula, b: Formula) -> Option<Formula> {
        use BinaryOp::*;
        let left = self.as_constant(a);
        let right = self.as_constant(b);
        let same = a == b;
        let opposite = self.are_complementary(a, b);
        let constant = |value| Some(Err(value));
        let folded: Option<Result<Formula, bool>> = match op {
            And if left == Some(false) || right == Some(false) || opposite => constant(false),
            And if left == Some(true) || same => Some(Ok(b)),
            And if right == Some(true) => Some(Ok(a)),
            Or if left == Some(true) || right == Some(true) || opposite => constant(true),
            Or if left == Some(false) || same => Some(Ok(b)),
            Or if right == Some(false) => Some(Ok(a)),
            Xor if same => constant(false),
            Xor if opposite => constant(true),
            Xor if left == Some(false) => Some(Ok(b)),
            Xor if right == Some(false) => Some(Ok(a)),
            Xor if left == Some(true) => Some(Ok(self.not(b))),
            Xor if right == Some(true) => Some(Ok(self.not(a))),
            Implies if left == Some(false) || right == Some(true) || same => constant(true),
            Implies if left == Some(true) || opposite => Some(Ok(b)),
            Implies if right == Some(false) => Some(Ok(self.not(a))),
            Iff if same => constant(true),
            Iff if opposite => constant(false),
            Iff if left == Some(true) => Some(Ok(b)),
            Iff if right == Some(true) => Some(Ok(a)),
            Iff if left == Some(false) => Some(Ok(self.not(b))),
            Iff if right == Some(false) => Some(Ok(self.not(a))),
            Until | Release | WeakUntil | StrongRelease | Since | Triggered if same => Some(Ok(a)),
            Until | Since | Release | Triggered if right.is_some() => Some(Ok(b)),
            Until | Since | WeakUntil if left == Some(false) => Some(Ok(b)),
            Release | Triggered | StrongRelease if left == Some(true) => Some(Ok(b)),
            WeakUntil if left == Some(true) || right == Some(true) => constant(true),
            StrongRelease if left == Some(false) || right == Some(false) => constant(false),
            _ => None,
        };
        folded.map(|result| result.unwrap_or_else(|value| self.constant(value)))
    }

    fn as_constant(&self, formula: Formula) -> Option<bool> {
        match self.node(formula) {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn are_complementary(&self, a: Formula, b: Formula) -> bool {
        self.node(a) == Node::Unary(UnaryOp::Not, b) || self.node(b) == Node::Unary(UnaryOp::Not, a)
    }

    /// `!a`.
    pub fn not(&mut self, a: Formula) -> Formula {
        self.unary(UnaryOp::Not, a)
    }

    /// `a & b`.
    pub fn and(&mut self, a: Formula, b: Formula) -> Formula {
        self.binary(BinaryOp::And, a, b)
    }

    /// `a | b`.
    pub fn or(&mut self, a: Formula, b: Formula) -> Formula {
        self.binary(BinaryOp::Or, a, b)
    }

    /// The conjunction of all, leaning left; `true` of none.
    pub fn all(&mut self, formulas: impl IntoIterator<Item = Formula>) -> Formula {
        let truth = self.constant(true);
        formulas.into_iter().fold(truth, |all, next| self.and(all, next))
    }

    /// `op[bounds] a`; bounds of 0 to 0 vanish.
    pub fn bounded_unary(&mut self, op: BoundedUnaryOp, bounds: Interval, a: Formula) -> Formula {
        if bounds == Interval::exactly(0) {
            return a;
        }
        let bounds = self.interval_id(bounds);
        self.intern(Node::BoundedUnary(op, bounds, a))
    }

    /// `a op[bounds] b`; bounds of 0 to 0 leave `b`.
    pub fn bounded_binary(
        &mut self,
        op: BoundedBinaryOp,
        bounds: Interval,
        a: Formula,
        b: Formula,
    ) -> Formula {
        if bounds == Interval::exactly(0) {
            return b;
        }
        let bounds = self.interval_id(bounds);
        self.intern(Node::BoundedBinary(op, bounds, a, b))
    }
}
