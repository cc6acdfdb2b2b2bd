//! Pure eventualities and pure universalities ([EH00]).
//!
//! A formula is an *eventuality* if, wherever it is true, it is true at all earlier positions. It
//! is a *universality* if, wherever it is true, it is true at all later positions. `F a` is an
//! eventuality, `G a` is a universality, and `G F a` is both (*suspendable*: it has the same value
//! at every position). The same holds on finite words, except for next. The weak next does not
//! preserve eventualities, because it may be true only at the end of the word. The strong next does
//! not preserve universalities.
//!
//! The paper defines purity by adding and removing letters at the front of a word. For formulas
//! without past operators both definitions agree. The definition by positions covers past operators
//! as well: `H a` is an eventuality and `O a` a universality. There is no position before the first
//! one, so the weak `Z` preserves eventualities and the strong `Y` universalities.

use kermode_base::terms::Handle;

use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Node, Store};
use crate::word::WordKind;

/// The known properties of a formula; `false` means unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Purity {
    pub(super) eventual: bool,
    pub(super) universal: bool,
}

impl Purity {
    /// Whether the formula has the same value at every position of a word.
    pub(super) fn suspendable(self) -> bool {
        self.eventual && self.universal
    }
}

/// The purities of the formulas of a store, computed on demand.
pub(super) struct Purities {
    words: WordKind,
    known: Vec<Purity>,
}

impl Purities {
    pub(super) fn new(words: WordKind) -> Self {
        Purities { words, known: Vec::new() }
    }

    pub(super) fn of(&mut self, store: &Store, formula: Formula) -> Purity {
        // Operands have smaller indices, so their purities are known already.
        for index in self.known.len()..=formula.index() {
            let node = store.node(Formula::from_index(index));
            let purity = purity(node, self.words, |a| self.known[a.index()]);
            self.known.push(purity);
        }
        self.known[formula.index()]
    }
}

/// The purity of an operator that looks a fixed distance ahead. A strong operator needs a position,
/// which may not exist for a later one. A weak operator does not need it.
fn ahead(Purity { eventual, universal }: Purity, strong: bool, words: WordKind) -> Purity {
    let infinite = words == WordKind::Infinite;
    Purity {
        eventual: eventual && (infinite || strong),
        universal: universal && (infinite || !strong),
    }
}

fn purity(node: Node, words: WordKind, of: impl Fn(Formula) -> Purity) -> Purity {
    let known = |eventual, universal| Purity { eventual, universal };
    match node {
        Node::Constant(_) => known(true, true),
        Node::Proposition(_) => known(false, false),
        // The window of a bounded operator moves with the position, as it does for next and
        // yesterday.
        Node::BoundedUnary(op, _, a) => match op {
            BoundedUnaryOp::Finally => ahead(of(a), true, words),
            BoundedUnaryOp::Globally => ahead(of(a), false, words),
            BoundedUnaryOp::Once => known(false, of(a).universal),
            BoundedUnaryOp::Historically => known(of(a).eventual, false),
        },
        Node::BoundedBinary(op, _, a, b) => {
            let (a, b) = (of(a), of(b));
            let both = known(a.eventual && b.eventual, a.universal && b.universal);
            ahead(both, op == BoundedBinaryOp::Until, words)
        }
        Node::Unary(op, a) => {
            let Purity { eventual, universal } = of(a);
            match op {
                UnaryOp::Not => known(universal, eventual),
                UnaryOp::Finally | UnaryOp::Historically => known(true, universal),
                UnaryOp::Globally | UnaryOp::Once => known(eventual, true),
                UnaryOp::Next => ahead(of(a), true, words),
                UnaryOp::WeakNext => ahead(of(a), false, words),
                UnaryOp::Yesterday => known(false, universal),
                UnaryOp::WeakYesterday => known(eventual, false),
            }
        }
        Node::Binary(op, a, b) => match op {
            BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Until
            | BinaryOp::StrongRelease
            | BinaryOp::Release
            | BinaryOp::WeakUntil
            | BinaryOp::Since
            | BinaryOp::Triggered => {
                known(of(a).eventual && of(b).eventual, of(a).universal && of(b).universal)
            }
            // A Boolean function of constant values is constant.
            BinaryOp::Xor | BinaryOp::Iff => {
                let suspendable = of(a).suspendable() && of(b).suspendable();
                known(suspendable, suspendable)
            }
            BinaryOp::Implies => {
                known(of(a).universal && of(b).eventual, of(a).eventual && of(b).universal)
            }
        },
    }
}
