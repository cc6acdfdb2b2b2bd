//! Expresses a formula by the operators of a dialect, before `convert` writes it.
//!
//! These equivalences hold on the given kind of words: `a W b = b R (a | b)`,
//! `a M b = b U (a & b)`, `a ^ b = !(a <-> b)`, `N a = !X !a` (on infinite words `N a = X a`).
//! Bounded operators are written out, except that `H[a,b] p` is `!O[a,b] !p` for NuSMV. Past
//! operators have no equivalent in dialects without them.

use super::Syntax;
use super::grammar::{Bounds, Grammar, Meaning};
use super::write::{bounded_prefix, prefix};
use crate::normal::{Allowance, ExpansionTooLarge, expand_node, rebuild};
use crate::operator::{BinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Node, Store};
use crate::word::WordKind;

/// The largest number of subformulas that writing out bounded operators may add.
pub const EXPANSION_LIMIT: u64 = 10_000_000;

/// Why a formula has no equivalent in a dialect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Inexpressible {
    /// The dialect has no past operators.
    #[error("{dialect} has no past operators, and nothing that is equivalent to `{operator}`")]
    Past {
        /// The name of the dialect in messages.
        dialect: &'static str,
        /// The operator in Kermode's notation.
        operator: &'static str,
    },
    /// Bounded operators are too large to be written out.
    #[error(transparent)]
    TooLarge(#[from] ExpansionTooLarge),
}

/// An equivalent formula in the operators of the dialect.
pub fn express(store: &mut Store, root: Formula, syntax: Syntax) -> Result<Formula, Inexpressible> {
    let grammar = syntax.dialect.grammar();
    let mut allowance = Allowance { limit: EXPANSION_LIMIT, left: EXPANSION_LIMIT };
    let unbounded = rebuild(store, root, |store, node| {
        let has =
            |op, bounds| bounded_prefix(op, store.interval(bounds), syntax, grammar).is_some();
        let fits = match node {
            Node::BoundedUnary(op, bounds, _) => has(op, bounds),
            Node::BoundedBinary(..) => grammar.bounds == Bounds::Kermode,
            _ => true,
        };
        Ok::<_, Inexpressible>(match node {
            _ if fits => store.intern(node),
            Node::BoundedUnary(BoundedUnaryOp::Historically, bounds, a)
                if has(BoundedUnaryOp::Once, bounds) =>
            {
                let not_a = store.intern(Node::Unary(UnaryOp::Not, a));
                let once = store.intern(Node::BoundedUnary(BoundedUnaryOp::Once, bounds, not_a));
                store.intern(Node::Unary(UnaryOp::Not, once))
            }
            _ => expand_node(store, node, syntax.words, &mut allowance)?,
        })
    })?;
    rebuild(store, unbounded, |store, node| replace(store, node, syntax, grammar))
}

fn replace(
    store: &mut Store,
    node: Node,
    syntax: Syntax,
    grammar: &Grammar,
) -> Result<Formula, Inexpressible> {
    Ok(match node {
        Node::Unary(op, a) if prefix(op, syntax, grammar).is_none() => match op {
            UnaryOp::WeakNext if syntax.words == WordKind::Infinite => {
                store.intern(Node::Unary(UnaryOp::Next, a))
            }
            UnaryOp::WeakNext => {
                let not_a = store.intern(Node::Unary(UnaryOp::Not, a));
                let next = store.intern(Node::Unary(UnaryOp::Next, not_a));
                store.intern(Node::Unary(UnaryOp::Not, next))
            }
            _ => return Err(past(Meaning::Prefix(op), grammar)),
        },
        Node::Binary(op, a, b) if grammar.spelling(Meaning::Infix(op)).is_none() => match op {
            BinaryOp::Xor => {
                let iff = store.intern(Node::Binary(BinaryOp::Iff, a, b));
                store.intern(Node::Unary(UnaryOp::Not, iff))
            }
            BinaryOp::WeakUntil => {
                let either = store.intern(Node::Binary(BinaryOp::Or, a, b));
                store.intern(Node::Binary(BinaryOp::Release, b, either))
            }
            BinaryOp::StrongRelease => {
                let both = store.intern(Node::Binary(BinaryOp::And, a, b));
                store.intern(Node::Binary(BinaryOp::Until, b, both))
            }
            _ => return Err(past(Meaning::Infix(op), grammar)),
        },
        _ => store.intern(node),
    })
}

fn past(meaning: Meaning, grammar: &Grammar) -> Inexpressible {
    let operator = super::grammar::KERMODE.spelling(meaning).unwrap_or("?");
    Inexpressible::Past { dialect: grammar.name, operator }
}
