//! Random and exhaustive formulas and words, for tests, fuzzing and benchmarks.
//!
//! Tests and reports contain seeds, so the formulas of a seed must never change: the generator is
//! [`Rng`], and **the order in which numbers are drawn is part of the interface**. Formulas are
//! stored as drawn, through [`Store::intern`]; nothing is simplified.

use kermode_base::Rng;

use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Interval, Node, Proposition, Store};
use crate::word::{Letter, Word, WordKind};

/// The operators that formulas are made of.
#[derive(Clone, Debug, Default)]
pub struct Operators {
    /// Operators with one operand.
    pub unary: Vec<UnaryOp>,
    /// Operators with two operands.
    pub binary: Vec<BinaryOp>,
    /// Bounded operators with one operand.
    pub bounded_unary: Vec<BoundedUnaryOp>,
    /// Bounded operators with two operands.
    pub bounded_binary: Vec<BoundedBinaryOp>,
    /// The largest bound drawn.
    pub max_bound: u32,
    /// Whether one leaf in eight is `true` or `false`.
    pub constants: bool,
}

impl Operators {
    /// All future operators but the weak next, which infinite words do not need.
    pub fn future() -> Self {
        let unary = UnaryOp::ALL.into_iter().filter(|op| !op.is_past());
        let binary = BinaryOp::ALL.into_iter().filter(|op| !op.is_past());
        Operators {
            unary: unary.filter(|&op| op != UnaryOp::WeakNext).collect(),
            binary: binary.collect(),
            ..Operators::default()
        }
    }

    /// With the weak next.
    pub fn with_weak_next(mut self) -> Self {
        self.unary.push(UnaryOp::WeakNext);
        self
    }

    /// With past operators, bounded ones if the bounded future operators are present.
    pub fn with_past(mut self) -> Self {
        self.unary.extend(UnaryOp::ALL.into_iter().filter(|op| op.is_past()));
        self.binary.extend(BinaryOp::ALL.into_iter().filter(|op| op.is_past()));
        if !self.bounded_unary.is_empty() {
            self.bounded_unary = BoundedUnaryOp::ALL.to_vec();
        }
        self
    }

    /// With bounded operators, those of the past if the unbounded ones are present.
    pub fn with_bounds(mut self, max_bound: u32) -> Self {
        let past = self.unary.iter().any(|op| op.is_past());
        let unary = BoundedUnaryOp::ALL.into_iter();
        self.bounded_unary = unary.filter(|op| past || !op.is_past()).collect();
        self.bounded_binary = BoundedBinaryOp::ALL.to_vec();
        self.max_bound = max_bound;
        self
    }

    /// With `true` and `false`.
    pub fn with_constants(mut self) -> Self {
        self.constants = true;
        self
    }

    fn unary_count(&self) -> usize {
        self.unary.len() + self.bounded_unary.len()
    }

    fn binary_count(&self) -> usize {
        self.binary.len() + self.bounded_binary.len()
    }
}

/// Parameters of random formulas.
#[derive(Clone, Debug)]
pub struct RandomFormula {
    /// Nodes of the syntax tree.
    pub size: usize,
    /// What the leaves are.
    pub propositions: Vec<Proposition>,
    /// What the other nodes are.
    pub operators: Operators,
}

/// A pending task of drawing.
enum Task {
    Draw(usize),
    Unary(UnaryOp),
    Binary(BinaryOp),
    BoundedUnary(BoundedUnaryOp, Interval),
    BoundedBinary(BoundedBinaryOp, Interval),
}

impl RandomFormula {
    /// Draws a formula: each operator that the size allows is as likely as any other, and a binary
    /// one splits the rest of the size uniformly.
    ///
    /// # Panics
    /// When no formula has that size (without unary operators only odd sizes can be had), or when
    /// there is no proposition.
    pub fn draw(&self, store: &mut Store, rng: &mut Rng) -> Formula {
        assert!(self.size > 0, "a formula has a node");
        let mut tasks = vec![Task::Draw(self.size)];
        let mut done: Vec<Formula> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Draw(1) => done.push(self.draw_leaf(store, rng)),
                Task::Draw(size) => self.draw_operator(size, rng, &mut tasks),
                _ => {
                    let formula = build(store, task, &mut done);
                    done.push(formula);
                }
            }
        }
        done.pop().expect("the whole formula")
    }

    fn draw_leaf(&self, store: &mut Store, rng: &mut Rng) -> Formula {
        if self.operators.constants && rng.below(8) == 0 {
            return store.constant(rng.coin());
        }
        store.atom(rng.choose(&self.propositions))
    }

    fn draw_operator(&self, size: usize, rng: &mut Rng, tasks: &mut Vec<Task>) {
        let operators = &self.operators;
        let unary = operators.unary_count();
        let binary = if size < 3 { 0 } else { operators.binary_count() };
        assert!(unary + binary > 0, "operators for a formula of {size} nodes");
        let choice = rng.below(unary + binary);
        if choice < unary {
            tasks.push(self.draw_unary(choice, rng));
            tasks.push(Task::Draw(size - 1));
        } else {
            tasks.push(self.draw_binary(choice - unary, rng));
            let left = self.draw_left_size(size, rng);
            tasks.push(Task::Draw(size - 1 - left));
            tasks.push(Task::Draw(left));
        }
    }

    fn draw_left_size(&self, size: usize, rng: &mut Rng) -> usize {
        if self.operators.unary_count() > 0 {
            return rng.between(1, size - 2);
        }
        // Binary operators alone make trees of odd sizes.
        2 * rng.below((size - 1) / 2) + 1
    }

    fn draw_unary(&self, choice: usize, rng: &mut Rng) -> Task {
        let unbounded = &self.operators.unary;
        match choice.checked_sub(unbounded.len()) {
            None => Task::Unary(unbounded[choice]),
            Some(i) => Task::BoundedUnary(self.operators.bounded_unary[i], self.draw_bounds(rng)),
        }
    }

    fn draw_binary(&self, choice: usize, rng: &mut Rng) -> Task {
        let unbounded = &self.operators.binary;
        match choice.checked_sub(unbounded.len()) {
            None => Task::Binary(unbounded[choice]),
            Some(i) => Task::BoundedBinary(self.operators.bounded_binary[i], self.draw_bounds(rng)),
        }
    }

    fn draw_bounds(&self, rng: &mut Rng) -> Interval {
        let high = rng.between(0, self.operators.max_bound as usize) as u32;
        let low = rng.between(0, high as usize) as u32;
        Interval { low, high }
    }
}

/// The formula of an operator whose operands are done.
fn build(store: &mut Store, task: Task, done: &mut Vec<Formula>) -> Formula {
    let last = done.pop().expect("an operand");
    let node = match task {
        Task::Draw(_) => unreachable!("what is drawn is not built"),
        Task::Unary(op) => Node::Unary(op, last),
        Task::BoundedUnary(op, bounds) => Node::BoundedUnary(op, store.interval_id(bounds), last),
        Task::Binary(op) => Node::Binary(op, done.pop().expect("a left operand"), last),
        Task::BoundedBinary(op, bounds) => {
            let first = done.pop().expect("a left operand");
            Node::BoundedBinary(op, store.interval_id(bounds), first, last)
        }
    };
    store.intern(node)
}

/// A random word: a prefix of at most `max_prefix` letters and a loop of 1 to `max_cycle` letters;
/// finite words have 1 to `max_prefix + max_cycle` letters. Each proposition holds with probability
/// one half.
///
/// # Panics
/// When `max_cycle` is 0.
pub fn random_word(
    rng: &mut Rng,
    propositions: &[Proposition],
    words: WordKind,
    max_prefix: usize,
    max_cycle: usize,
) -> Word {
    match words {
        WordKind::Infinite => {
            let prefix = rng.between(0, max_prefix);
            let cycle = rng.between(1, max_cycle);
            let prefix = random_letters(rng, propositions, prefix);
            Word::lasso(prefix, random_letters(rng, propositions, cycle))
        }
        WordKind::Finite => {
            let length = rng.between(1, max_prefix + max_cycle);
            Word::finite(random_letters(rng, propositions, length))
        }
    }
}

fn random_letters(rng: &mut Rng, propositions: &[Proposition], count: usize) -> Vec<Letter> {
    let mut letter = || propositions.iter().copied().filter(|_| rng.coin()).collect();
    (0..count).map(|_| letter()).collect()
}

/// All formulas with at most `max_size` nodes: element `n - 1` has those with exactly `n`.
///
/// Formulas are counted as written: `a & b` and `b & a` are two, and symmetry is ignored. Over two
/// propositions, `{!, X, &, U}` give 8,246 formulas of up to 7 nodes, and `{!, X, F, G, &, |, U,
/// R}` give 20,090 of up to 6.
pub fn all_formulas(
    store: &mut Store,
    propositions: &[Proposition],
    unary: &[UnaryOp],
    binary: &[BinaryOp],
    max_size: usize,
) -> Vec<Vec<Formula>> {
    let mut by_size: Vec<Vec<Formula>> = Vec::with_capacity(max_size);
    for size in 1..=max_size {
        let mut formulas = Vec::new();
        if size == 1 {
            formulas.extend(propositions.iter().map(|&p| store.atom(p)));
        }
        if size >= 2 {
            for &a in &by_size[size - 2] {
                formulas.extend(unary.iter().map(|&op| store.intern(Node::Unary(op, a))));
            }
        }
        for left in 1..size.saturating_sub(1) {
            for &a in &by_size[left - 1] {
                for &b in &by_size[size - left - 2] {
                    let nodes = binary.iter().map(|&op| Node::Binary(op, a, b));
                    formulas.extend(nodes.map(|node| store.intern(node)));
                }
            }
        }
        by_size.push(formulas);
    }
    by_size
}
