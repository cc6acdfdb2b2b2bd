//! The semantics: the truth of formulas at the positions of a word.
//!
//! Position `i` of a finite word has a successor unless it is the last: the strong `X` needs one,
//! the weak `N` does not, and `F G U R W M` range over the positions of the word. Past operators
//! reach back to position 0 of the whole word, on a lasso too, so the first passes through the loop
//! may differ from later ones. Unrolling the loop far enough makes them part of the prefix
//! ([`unrolling`]); from then on one pass represents all.
//!
//! Two evaluators share only that: [`naive`] follows the definitions literally and checks the other
//! in tests; [`columns`] replays witnesses in production.
//!
//! Formulas describe non-empty words: both evaluators panic on the empty one.

mod bits;

pub mod columns;
pub mod naive;

pub(crate) use columns::evaluate_several;
pub use columns::{Table, evaluate_all, satisfies};

use std::convert::Infallible;

use crate::operator::{BinaryOp, UnaryOp};
use crate::store::{Formula, Node, Store, Subformulas};
use crate::word::Word;

/// Whether a word satisfies a formula, which is its truth at the first position.
///
/// # Panics
/// When the word is empty.
pub fn holds(store: &Store, formula: Formula, word: &Word) -> bool {
    match satisfies(store, formula, word, &mut || Ok::<(), Infallible>(())) {
        Ok(holds) => holds,
    }
}

/// How many positions [`checked_length`] allows.
const MOST_POSITIONS: usize = 10_000_000;

/// Why a formula is not evaluated on a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unevaluable {
    /// The word is empty.
    #[error("formulas speak about words with at least one letter")]
    EmptyWord,
    /// Large bounds of past operators unroll the loop too often.
    #[error("past operators reach over {positions} positions")]
    TooFar {
        /// The number of positions to evaluate.
        positions: usize,
    },
}

/// The number of positions to evaluate, or an error if the word is empty or the number is too
/// large. Callers check this before they evaluate a formula and a word of a user.
pub fn checked_length(store: &Store, formula: Formula, word: &Word) -> Result<usize, Unevaluable> {
    if word.is_empty() {
        return Err(Unevaluable::EmptyWord);
    }
    match unrolled_length(store, formula, word) {
        positions if positions > MOST_POSITIONS => Err(Unevaluable::TooFar { positions }),
        positions => Ok(positions),
    }
}

/// How many passes through the loop must move into the prefix before every subformula has the
/// loop's period from there on; 0 for finite words and for formulas without past.
///
/// Positions are counted after the prefix. Let the operands have the period `L` of the loop from
/// position `p` on; then so has
/// - a Boolean or future operator, which reads only positions from its own on;
/// - `Y` and `Z` from `p + 1`, `O[l,h]` and `H[l,h]` from `p + h`, which read no farther back;
/// - `S` and `T`, `O` and `H` from `p + L - 1`. The value `v(i)` depends on `v(i - 1)`
///   monotonically, by way of the operands at `i`. From `p - 1` on one pass through the loop
///   therefore is `v(i + L) = f(v(i))` and `v(i + 2L) = f(v(i + L))` with the same monotone Boolean
///   `f`, which is constant or the identity: either way `v(i + 2L) = v(i + L)`.
pub fn unrolling(store: &Store, formula: Formula, word: &Word) -> usize {
    unrolling_of_all(store, &store.subformulas(formula), word)
}

/// The same for several formulas together.
fn unrolling_of_all(store: &Store, subformulas: &Subformulas, word: &Word) -> usize {
    let period = word.cycle().len();
    if period == 0 {
        return 0;
    }
    let mut periodic_from: Vec<usize> = Vec::with_capacity(subformulas.len());
    for subformula in subformulas.iter() {
        let node = store.node(subformula);
        let operands = node.operands().map(|a| periodic_from[subformulas.position(a)]);
        let operands_from = operands.max().unwrap_or(0);
        periodic_from.push(operands_from.saturating_add(delay(store, node, period)));
    }
    let last = periodic_from.into_iter().max().unwrap_or(0);
    last.div_ceil(period)
}

/// After how many positions beyond its operands an operator becomes periodic.
fn delay(store: &Store, node: Node, period: usize) -> usize {
    match node {
        Node::Unary(UnaryOp::Yesterday | UnaryOp::WeakYesterday, _) => 1,
        Node::Unary(UnaryOp::Once | UnaryOp::Historically, _)
        | Node::Binary(BinaryOp::Since | BinaryOp::Triggered, _, _) => period - 1,
        Node::BoundedUnary(op, bounds, _) if op.is_past() => store.interval(bounds).high as usize,
        _ => 0,
    }
}

/// The number of positions to evaluate: all of a finite word, all of the unrolled lasso.
///
/// Large bounds of past operators make this large: `O[0,1000000] a` on a loop of one letter takes a
/// million passes.
pub fn unrolled_length(store: &Store, formula: Formula, word: &Word) -> usize {
    unrolled_length_of_all(store, &store.subformulas(formula), word)
}

/// The same for several formulas together.
pub(crate) fn unrolled_length_of_all(
    store: &Store,
    subformulas: &Subformulas,
    word: &Word,
) -> usize {
    let moved = unrolling_of_all(store, subformulas, word).saturating_mul(word.cycle().len());
    word.len().saturating_add(moved)
}

/// The stored position `distance` steps after `position`, if the word is that long.
fn ahead(word: &Word, position: usize, distance: usize) -> Option<usize> {
    let target = position + distance;
    if target < word.len() {
        return Some(target);
    }
    let start = word.loop_start()?;
    Some(start + (target - start) % word.cycle().len())
}
