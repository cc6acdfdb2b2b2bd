//! Deliberately wrong tableaux: a search for wrong engines must find each of them.
//!
//! A mutant differs from the tableau in one point: an expansion law, the formula, or the word. Some
//! mistakes are crude, others matter only at the border of a word, or on infinite words of one
//! kind. They are compiled only with the feature `mutants`, which only tests enable.

use super::TableauStop;
use super::tableau::{Law, law, tableau_by};
use crate::operator::{BinaryOp, UnaryOp};
use crate::store::{Formula, Interval, Node, Store};
use crate::word::{Word, WordKind};

use {BinaryOp::*, UnaryOp::*};

/// A wrong tableau.
pub struct Mutant {
    /// What it is called.
    pub name: &'static str,
    error: Error,
}

/// The mistake of a mutant.
enum Error {
    /// Another law for the operators of the first function.
    Law(fn(Node) -> bool, fn(Node, [bool; 2], bool) -> Law),
    Reading(fn(&mut Store, Formula) -> Formula),
    Word(fn(Word) -> Word),
}

/// Every mutant.
pub static MUTANTS: &[Mutant] = &[
    of_law("until-promise", |node| is_binary(node, Until), content_with_now),
    of_law("next-swapped", |node| is_unary(node, &[Next, WeakNext]), other_border),
    of_law("finally-unchecked", |node| is_unary(node, &[Finally]), unchecked),
    of_law("until-unchecked", |node| is_binary(node, Until), unchecked),
    of_law("until-greedy", |node| is_binary(node, Until), left_at_the_goal),
    of_law("strong-release-unchecked", |node| is_binary(node, StrongRelease), unchecked),
    of_law("weak-until-unchecked", |node| is_binary(node, WeakUntil), unchecked),
    of_law("release-unchecked", |node| is_binary(node, Release), unchecked),
    of_law("release-as-weak-until", |node| is_binary(node, Release), of_weak_until),
    of_law("yesterday-swapped", |node| is_unary(node, &[Yesterday, WeakYesterday]), other_border),
    of_law("since-at-start", |node| is_binary(node, Since), other_border),
    of_law("triggered-at-start", |node| is_binary(node, Triggered), other_border),
    of_law("last-ignored", |node| !node.is_past(), any_border),
    Mutant { name: "begins-anywhere", error: Error::Reading(at_any_moment) },
    Mutant { name: "finally-joined", error: Error::Reading(with_joined_finallys) },
    Mutant { name: "bounds-short", error: Error::Reading(with_short_bounds) },
    Mutant { name: "loop-late", error: Error::Word(with_late_loop) },
];

const fn of_law(
    name: &'static str,
    concerns: fn(Node) -> bool,
    wrong: fn(Node, [bool; 2], bool) -> Law,
) -> Mutant {
    Mutant { name, error: Error::Law(concerns, wrong) }
}

fn is_unary(node: Node, operators: &[UnaryOp]) -> bool {
    matches!(node, Node::Unary(op, _) if operators.contains(&op))
}

fn is_binary(node: Node, operator: BinaryOp) -> bool {
    matches!(node, Node::Binary(op, ..) if op == operator)
}

/// `a U b` is satisfied by `a` now: the obligation is dropped.
fn content_with_now(node: Node, [a, b]: [bool; 2], promise: bool) -> Law {
    Law { truth: a || b, promised: a || b, ..law(node, [a, b], promise) }
}

/// The goal of `a U b` counts only where `a` fails: too strict where both hold for ever.
fn left_at_the_goal(node: Node, [a, b]: [bool; 2], promise: bool) -> Law {
    let law = law(node, [a, b], promise);
    Law { fair: law.fair && !(law.truth && a), ..law }
}

/// `a R b` treated as `a W b`.
fn of_weak_until(node: Node, operands: [bool; 2], promise: bool) -> Law {
    match node {
        Node::Binary(_, a, b) => law(Node::Binary(WeakUntil, a, b), operands, promise),
        _ => law(node, operands, promise),
    }
}

/// Eventualities need not happen, and false invariants need not be refuted.
fn unchecked(node: Node, operands: [bool; 2], promise: bool) -> Law {
    Law { fair: true, ..law(node, operands, promise) }
}

/// The promise beyond the border of the word is inverted.
fn other_border(node: Node, operands: [bool; 2], promise: bool) -> Law {
    let law = law(node, operands, promise);
    Law { at_border: !law.at_border, ..law }
}

/// A wrong law: the word may end at any promise.
fn any_border(node: Node, operands: [bool; 2], promise: bool) -> Law {
    Law { at_border: promise, ..law(node, operands, promise) }
}

/// A formula with past operators may hold at any position instead of the first.
fn at_any_moment(store: &mut Store, formula: Formula) -> Formula {
    match store.node(formula).is_past() {
        true => store.intern(Node::Unary(Finally, formula)),
        false => formula,
    }
}

/// `F a & F b` treated as `F(a & b)`.
fn with_joined_finallys(store: &mut Store, root: Formula) -> Formula {
    rebuilt(store, root, |store, node| {
        let Node::Binary(And, f, g) = node else { return node };
        match (store.node(f), store.node(g)) {
            (Node::Unary(Finally, a), Node::Unary(Finally, b)) => {
                Node::Unary(Finally, store.intern(Node::Binary(And, a, b)))
            }
            _ => node,
        }
    })
}

/// `F[l,h]` and similar operators end one position too early.
fn with_short_bounds(store: &mut Store, root: Formula) -> Formula {
    rebuilt(store, root, |store, mut node| {
        if let Node::BoundedUnary(_, bounds, _) | Node::BoundedBinary(_, bounds, ..) = &mut node {
            let Interval { low, high } = store.interval(*bounds);
            *bounds = store.interval_id(Interval { low, high: low.max(high.saturating_sub(1)) });
        }
        node
    })
}

/// The formula with every node changed, operands first.
fn rebuilt(store: &mut Store, root: Formula, change: impl Fn(&mut Store, Node) -> Node) -> Formula {
    let order = store.subformulas(root);
    let mut changed: Vec<Formula> = Vec::with_capacity(order.len());
    for formula in order.iter() {
        let node = store.node(formula).map(|a| changed[order.position(a)]);
        let node = change(store, node);
        changed.push(store.intern(node));
    }
    changed[order.position(root)]
}

/// The loop lacks its first letter.
fn with_late_loop(word: Word) -> Word {
    let start = word.loop_start().map(|start| (start + 1).min(word.len() - 1));
    Word::from_letters(word.letters().to_vec(), start)
}

impl Mutant {
    /// The answer of the mutant, with the signature of [`tableau`](super::tableau).
    pub fn tableau<E>(
        &self,
        store: &Store,
        formula: Formula,
        words: WordKind,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Word>, TableauStop<E>> {
        let mut store = store.clone();
        match self.error {
            Error::Law(concerns, wrong) => {
                let laws = |node, operands, promise| match concerns(node) {
                    true => wrong(node, operands, promise),
                    false => law(node, operands, promise),
                };
                tableau_by(laws, &store, formula, words, interrupt)
            }
            Error::Reading(read) => {
                let formula = read(&mut store, formula);
                tableau_by(law, &store, formula, words, interrupt)
            }
            Error::Word(spoil) => {
                Ok(tableau_by(law, &store, formula, words, interrupt)?.map(spoil))
            }
        }
    }
}
