//! The machine that applies rules until none fires.
//!
//! It works on a stack of tasks: build a term, then finish the node whose operands are built.
//! Finishing a node tries the rules, and the result of a rule is built in turn. Each distinct node
//! is finished once.
//!
//! The machine terminates. Every rule reduces the number of operators, narrows an interval, moves
//! an `X` outwards, a suspendable part upwards or a negation inwards, or merges operators of a
//! chain. No rule does the opposite: merging skips suspendable operands, which another rule moves.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Simplified;
use super::purity::{Purities, Purity};
use super::rule::{Apply, Rule};
use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Interval, IntervalId, Node, Store, Subformulas};
use crate::word::WordKind;

/// A formula that is still to be simplified.
#[derive(Clone, Debug)]
pub(super) enum Term {
    /// A simplified formula.
    Done(Formula),
    Unary(UnaryOp, Box<Term>),
    Binary(BinaryOp, Box<Term>, Box<Term>),
    /// A conjunction or disjunction of any length.
    Chain(BinaryOp, Vec<Term>),
    BoundedUnary(BoundedUnaryOp, Interval, Box<Term>),
    BoundedBinary(BoundedBinaryOp, Interval, Box<Term>, Box<Term>),
    Constant(bool),
}

impl Term {
    pub(super) fn unary(op: UnaryOp, a: Formula) -> Term {
        Term::Unary(op, Box::new(Term::Done(a)))
    }

    pub(super) fn binary(op: BinaryOp, a: Formula, b: Formula) -> Term {
        Term::Binary(op, Box::new(Term::Done(a)), Box::new(Term::Done(b)))
    }

    pub(super) fn bounded(op: BoundedUnaryOp, bounds: Interval, a: Formula) -> Term {
        Term::BoundedUnary(op, bounds, Box::new(Term::Done(a)))
    }

    pub(super) fn chain(op: BinaryOp, operands: impl IntoIterator<Item = Formula>) -> Term {
        Term::Chain(op, operands.into_iter().map(Term::Done).collect())
    }
}

enum Task {
    Build(Term),
    Unary(UnaryOp),
    Binary(BinaryOp),
    Chain(BinaryOp, usize),
    BoundedUnary(BoundedUnaryOp, IntervalId),
    BoundedBinary(BoundedBinaryOp, IntervalId),
    /// Records the topmost result as the result of this node.
    Remember(Formula),
}

pub(super) struct Machine<'s> {
    pub(super) store: &'s mut Store,
    purities: Purities,
    rules: &'s [Rule],
    enabled: &'s [bool],
    /// Whether chains inside chains are flattened although other formulas may share them. This is
    /// set together with the rules that merge.
    flattens: bool,
    fired: Vec<u64>,
    /// The finished nodes and their results.
    finished: FxHashMap<Formula, Formula>,
    tasks: Vec<Task>,
    results: Vec<Formula>,
    steps: u64,
}

/// The number of tasks between two calls of `interrupt`.
const BETWEEN_INTERRUPTS: u64 = 1024;

/// Simplifies `root` by the rules that are enabled.
pub(super) fn run<E>(
    store: &mut Store,
    root: Formula,
    words: WordKind,
    rules: &[Rule],
    enabled: &[bool],
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Simplified, E> {
    let subformulas = store.subformulas(root);
    let inside = inside_chains(store, &subformulas);
    let mut machine = Machine {
        store,
        purities: Purities::new(words),
        rules,
        enabled,
        flattens: rules.iter().zip(enabled).any(|(rule, &on)| on && rule.merges),
        fired: vec![0; rules.len()],
        finished: FxHashMap::default(),
        tasks: Vec::new(),
        results: Vec::new(),
        steps: 0,
    };
    let mut simplified: Vec<Formula> = Vec::with_capacity(subformulas.len());
    for (position, formula) in subformulas.iter().enumerate() {
        let result = match inside[position] {
            true => formula,
            false => machine.simplify(formula, &subformulas, &inside, &simplified, interrupt)?,
        };
        simplified.push(result);
    }
    let formula = simplified.pop().unwrap_or(root);
    Ok(Simplified { formula, fired: machine.fired })
}

/// Which subformulas are part of a longer chain: they are used only once, by a chain of the same
/// operator.
fn inside_chains(store: &Store, subformulas: &Subformulas) -> Vec<bool> {
    let mut uses = vec![0u32; subformulas.len()];
    let mut in_same = vec![false; subformulas.len()];
    for formula in subformulas.iter() {
        let node = store.node(formula);
        for operand in node.operands() {
            let position = subformulas.position(operand);
            uses[position] = uses[position].saturating_add(1);
            in_same[position] |=
                chain_op(node).is_some() && chain_op(node) == chain_op(store.node(operand));
        }
    }
    uses.into_iter().zip(in_same).map(|(uses, in_same)| uses == 1 && in_same).collect()
}

/// The operator of a conjunction or disjunction.
pub(super) fn chain_op(node: Node) -> Option<BinaryOp> {
    match node {
        Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), _, _) => Some(op),
        _ => None,
    }
}

impl Machine<'_> {
    fn simplify<E>(
        &mut self,
        formula: Formula,
        subformulas: &Subformulas,
        inside: &[bool],
        simplified: &[Formula],
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Formula, E> {
        let done = |a: Formula| simplified[subformulas.position(a)];
        let node = self.store.node(formula);
        let term = match chain_op(node) {
            Some(op) => {
                let operands =
                    chain_operands(self.store, formula, |a| inside[subformulas.position(a)]);
                Term::chain(op, operands.into_iter().map(done))
            }
            None => match node.map(done) {
                Node::Unary(op, a) => Term::unary(op, a),
                Node::Binary(op, a, b) => Term::binary(op, a, b),
                Node::BoundedUnary(op, bounds, a) => {
                    Term::bounded(op, self.store.interval(bounds), a)
                }
                Node::BoundedBinary(op, bounds, a, b) => {
                    let bounds = self.store.interval(bounds);
                    let [a, b] = [a, b].map(|a| Box::new(Term::Done(a)));
                    Term::BoundedBinary(op, bounds, a, b)
                }
                Node::Constant(value) => Term::Constant(value),
                Node::Proposition(_) => Term::Done(formula),
            },
        };
        self.build(term, interrupt)
    }

    fn build<E>(
        &mut self,
        term: Term,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Formula, E> {
        self.tasks.push(Task::Build(term));
        while let Some(task) = self.tasks.pop() {
            self.steps += 1;
            if self.steps.is_multiple_of(BETWEEN_INTERRUPTS) {
                interrupt()?;
            }
            match task {
                Task::Build(term) => self.start(term),
                Task::Unary(op) => {
                    let a = self.result();
                    self.finish(Node::Unary(op, a));
                }
                Task::Binary(op) => {
                    let (b, a) = (self.result(), self.result());
                    self.finish(Node::Binary(op, a, b));
                }
                Task::Chain(op, length) => {
                    let operands = self.results.split_off(self.results.len() - length);
                    self.finish_chain(op, operands);
                }
                Task::BoundedUnary(op, bounds) => {
                    let a = self.result();
                    self.finish(Node::BoundedUnary(op, bounds, a));
                }
                Task::BoundedBinary(op, bounds) => {
                    let (b, a) = (self.result(), self.result());
                    self.finish(Node::BoundedBinary(op, bounds, a, b));
                }
                Task::Remember(node) => {
                    let result = self.results[self.results.len() - 1];
                    self.finished.insert(node, result);
                }
            }
        }
        Ok(self.result())
    }

    fn result(&mut self) -> Formula {
        self.results.pop().expect("operands are built before their operator")
    }

    fn start(&mut self, term: Term) {
        match term {
            Term::Done(formula) => self.results.push(formula),
            Term::Constant(value) => {
                let constant = self.store.constant(value);
                self.results.push(constant);
            }
            Term::Unary(op, a) => self.tasks.extend([Task::Unary(op), Task::Build(*a)]),
            Term::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                self.tasks.push(Task::Build(Term::Chain(op, vec![*a, *b])));
            }
            Term::Binary(op, a, b) => {
                self.tasks.extend([Task::Binary(op), Task::Build(*b), Task::Build(*a)]);
            }
            Term::BoundedUnary(op, bounds, a) => {
                let bounds = self.store.interval_id(bounds);
                self.tasks.extend([Task::BoundedUnary(op, bounds), Task::Build(*a)]);
            }
            Term::BoundedBinary(op, bounds, a, b) => {
                let bounds = self.store.interval_id(bounds);
                let operands = [Task::Build(*b), Task::Build(*a)];
                self.tasks.push(Task::BoundedBinary(op, bounds));
                self.tasks.extend(operands);
            }
            Term::Chain(op, operands) => {
                self.tasks.push(Task::Chain(op, operands.len()));
                self.tasks.extend(operands.into_iter().rev().map(Task::Build));
            }
        }
    }

    /// Tries the rules on a node with simplified operands.
    fn finish(&mut self, node: Node) {
        let formula = self.store.intern(node);
        if let Some(&known) = self.finished.get(&formula) {
            return self.results.push(known);
        }
        for (position, rule) in self.rules.iter().enumerate() {
            let Apply::Node(apply) = rule.apply else { continue };
            if self.enabled[position]
                && let Some(term) = apply(self, node)
            {
                self.fired[position] += 1;
                return self.tasks.extend([Task::Remember(formula), Task::Build(term)]);
            }
        }
        self.finished.insert(formula, formula);
        self.results.push(formula);
    }

    /// Tries the rules on a chain with simplified operands.
    fn finish_chain(&mut self, op: BinaryOp, operands: Vec<Formula>) {
        let flat = match self.flattens {
            true => self.flattened(op, &operands),
            false => operands.clone(),
        };
        for (position, rule) in self.rules.iter().enumerate() {
            let Apply::Chain(apply) = rule.apply else { continue };
            if self.enabled[position]
                && let Some(term) = apply(self, op, &flat)
            {
                self.fired[position] += 1;
                return self.tasks.push(Task::Build(term));
            }
        }
        let all =
            operands.into_iter().reduce(|all, next| self.store.intern(Node::Binary(op, all, next)));
        let all = all.unwrap_or_else(|| self.store.constant(op == BinaryOp::And));
        self.results.push(all);
    }

    /// Replaces operands that are chains of the same operator by their own operands, up to a limit.
    fn flattened(&self, op: BinaryOp, operands: &[Formula]) -> Vec<Formula> {
        let mut flat = Vec::with_capacity(operands.len());
        for &operand in operands {
            match chain_op(self.store.node(operand)) {
                Some(inner) if inner == op => {
                    flat.extend(chain_operands(self.store, operand, at_most(FLATTENED)));
                }
                _ => flat.push(operand),
            }
        }
        flat
    }

    /// The purity of a formula.
    pub(super) fn purity(&mut self, formula: Formula) -> Purity {
        self.purities.of(self.store, formula)
    }
}

/// The number of nodes of a simplified chain that are flattened. Without this limit, a chain that
/// grows with each operator around it would be copied each time.
pub(super) const FLATTENED: usize = 64;

/// A test that is true the first `count` times.
pub(super) fn at_most(count: usize) -> impl FnMut(Formula) -> bool {
    let mut left = count;
    move |_| {
        let yes = left > 0;
        left -= usize::from(yes);
        yes
    }
}

/// The operands of a chain, from left to right. `goes_on` decides which operands are flattened
/// further. A shared chain is flattened once, because duplicates add nothing.
pub(super) fn chain_operands(
    store: &Store,
    chain: Formula,
    mut goes_on: impl FnMut(Formula) -> bool,
) -> Vec<Formula> {
    let op = chain_op(store.node(chain));
    let mut operands = Vec::new();
    let mut taken_apart = FxHashSet::default();
    let mut todo: Vec<Formula> = store.node(chain).operands().rev().collect();
    while let Some(next) = todo.pop() {
        if chain_op(store.node(next)) != op || !goes_on(next) {
            operands.push(next);
        } else if taken_apart.insert(next) {
            todo.extend(store.node(next).operands().rev());
        }
    }
    operands
}
