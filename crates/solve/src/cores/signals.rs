//! Fast evaluation of formulas on short words: one machine word per subformula, one bit per
//! position.
//!
//! This only guides the search for words ([`super::repair`]). Past operators take the second pass
//! through the loop for all later ones, which is not exact. What is found is evaluated by the plain
//! semantics before it counts.

use kermode_ltl::{
    BinaryOp, BoundedBinaryOp, BoundedUnaryOp, Formula, Interval, Node, Proposition, Store, UnaryOp,
};

/// The positions of a word: the bits of a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) length: u32,
    pub(super) loop_start: Option<u32>,
}

/// A formula as a list of operations, operands first.
pub(super) struct Program(Vec<Operation>);

enum Operation {
    Constant(bool),
    Proposition(Proposition),
    Unary(UnaryOp, usize),
    Binary(BinaryOp, usize, usize),
    BoundedUnary(BoundedUnaryOp, Interval, usize),
    BoundedBinary(BoundedBinaryOp, Interval, usize, usize),
}

impl Program {
    pub(super) fn of(store: &Store, formula: Formula) -> Program {
        let subformulas = store.subformulas(formula);
        let place = |operand| subformulas.position(operand);
        let operation = |subformula| match store.node(subformula) {
            Node::Constant(value) => Operation::Constant(value),
            Node::Proposition(p) => Operation::Proposition(p),
            Node::Unary(op, a) => Operation::Unary(op, place(a)),
            Node::Binary(op, a, b) => Operation::Binary(op, place(a), place(b)),
            Node::BoundedUnary(op, bounds, a) => {
                Operation::BoundedUnary(op, store.interval(bounds), place(a))
            }
            Node::BoundedBinary(op, bounds, a, b) => {
                Operation::BoundedBinary(op, store.interval(bounds), place(a), place(b))
            }
        };
        Program(subformulas.iter().map(operation).collect())
    }

    /// The number of operations.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the formula holds at the first position; `signals` has the column of each
    /// proposition by its index.
    pub(super) fn holds(&self, shape: Shape, signals: &[u64], columns: &mut Vec<u64>) -> bool {
        columns.clear();
        for operation in &self.0 {
            let column = match *operation {
                Operation::Constant(value) => {
                    if value {
                        shape.all()
                    } else {
                        0
                    }
                }
                Operation::Proposition(p) => signals[p.index()],
                Operation::Unary(op, a) => shape.unary(op, columns[a]),
                Operation::Binary(op, a, b) => shape.binary(op, columns[a], columns[b]),
                Operation::BoundedUnary(op, bounds, a) => {
                    shape.bounded_unary(op, bounds, columns[a])
                }
                Operation::BoundedBinary(op, bounds, a, b) => {
                    shape.bounded_binary(op, bounds, columns[a], columns[b])
                }
            };
            columns.push(column);
        }
        columns.last().is_some_and(|root| root & 1 == 1)
    }
}

impl Shape {
    /// All positions.
    pub(super) fn all(self) -> u64 {
        u64::MAX >> (64 - self.length)
    }

    /// The positions of the loop.
    pub(super) fn cycle(self) -> u64 {
        self.loop_start.map_or(0, |start| self.all() >> start << start)
    }

    fn not(self, a: u64) -> u64 {
        !a & self.all()
    }

    /// The value at the next position, or `last` at the end of a finite word.
    fn next(self, a: u64, last: bool) -> u64 {
        let wrapped = self.loop_start.map_or(last, |start| a >> start & 1 == 1);
        a >> 1 | u64::from(wrapped) << (self.length - 1)
    }

    /// The value at the position before, or `first` at the beginning.
    fn before(self, a: u64, first: bool) -> u64 {
        (a << 1 | u64::from(first)) & self.all()
    }

    fn finally(self, a: u64) -> u64 {
        if a & self.cycle() != 0 {
            return self.all();
        }
        if a == 0 { 0 } else { u64::MAX >> a.leading_zeros() }
    }

    fn until(self, a: u64, b: u64) -> u64 {
        let (mut result, mut holds) = (0, false);
        let mut pass = |from: u32, result: &mut u64| {
            for position in (from..self.length).rev() {
                holds = b >> position & 1 == 1 || (holds && a >> position & 1 == 1);
                *result = *result & !(1 << position) | u64::from(holds) << position;
            }
        };
        if let Some(start) = self.loop_start {
            pass(start, &mut result);
        }
        pass(0, &mut result);
        result
    }

    fn since(self, a: u64, b: u64) -> u64 {
        let (mut result, mut holds) = (0, false);
        for from in [Some(0), self.loop_start].into_iter().flatten() {
            for position in from..self.length {
                holds = b >> position & 1 == 1 || (holds && a >> position & 1 == 1);
                result = result & !(1 << position) | u64::from(holds) << position;
            }
        }
        result
    }

    fn unary(self, op: UnaryOp, a: u64) -> u64 {
        match op {
            UnaryOp::Not => self.not(a),
            UnaryOp::Next => self.next(a, false),
            UnaryOp::WeakNext => self.next(a, true),
            UnaryOp::Finally => self.finally(a),
            UnaryOp::Globally => self.not(self.finally(self.not(a))),
            UnaryOp::Yesterday => self.before(a, false),
            UnaryOp::WeakYesterday => self.before(a, true),
            UnaryOp::Once => self.since(self.all(), a),
            UnaryOp::Historically => self.not(self.since(self.all(), self.not(a))),
        }
    }

    fn binary(self, op: BinaryOp, a: u64, b: u64) -> u64 {
        let not = |column| self.not(column);
        match op {
            BinaryOp::And => a & b,
            BinaryOp::Or => a | b,
            BinaryOp::Xor => a ^ b,
            BinaryOp::Implies => not(a) | b,
            BinaryOp::Iff => not(a ^ b),
            BinaryOp::Until => self.until(a, b),
            BinaryOp::Release => not(self.until(not(a), not(b))),
            BinaryOp::WeakUntil => not(self.until(not(b), not(a | b))),
            BinaryOp::StrongRelease => self.until(b, a & b),
            BinaryOp::Since => self.since(a, b),
            BinaryOp::Triggered => not(self.since(not(a), not(b))),
        }
    }

    /// The distances that matter: later positions repeat.
    fn distances(self, bounds: Interval) -> (u32, u32) {
        let low = bounds.low.min(2 * self.length);
        (low, bounds.high.min(low + 2 * self.length))
    }

    fn bounded_unary(self, op: BoundedUnaryOp, bounds: Interval, a: u64) -> u64 {
        match op {
            BoundedUnaryOp::Finally => self.bounded_until(bounds, self.all(), a),
            BoundedUnaryOp::Globally => {
                self.not(self.bounded_until(bounds, self.all(), self.not(a)))
            }
            BoundedUnaryOp::Once => self.bounded_once(bounds, a),
            BoundedUnaryOp::Historically => self.not(self.bounded_once(bounds, self.not(a))),
        }
    }

    fn bounded_binary(self, op: BoundedBinaryOp, bounds: Interval, a: u64, b: u64) -> u64 {
        match op {
            BoundedBinaryOp::Until => self.bounded_until(bounds, a, b),
            BoundedBinaryOp::Release => {
                self.not(self.bounded_until(bounds, self.not(a), self.not(b)))
            }
        }
    }

    fn bounded_until(self, bounds: Interval, a: u64, b: u64) -> u64 {
        let (low, high) = self.distances(bounds);
        let later = (low..high).fold(b, |later, _| b | a & self.next(later, false));
        (0..low).fold(later, |later, _| a & self.next(later, false))
    }

    fn bounded_once(self, bounds: Interval, a: u64) -> u64 {
        let (low, high) = self.distances(bounds);
        let earlier = (low..high).fold(a, |earlier, _| a | self.before(earlier, false));
        (0..low).fold(earlier, |earlier, _| self.before(earlier, false))
    }
}
