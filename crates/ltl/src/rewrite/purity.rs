//! Pure eventualities and pure universalities ([EH00]).
//!
//! A formula is an *eventuality* if, wherever it is true, it is true at all earlier positions, and
//! a *universality* if it is true at all later ones. `F a` is the one, `G a` the other, `G F a`
//! both (*suspendable*: it says the same at every position). On finite words the same holds, but
//! for next: the weak one does not carry eventualities over (it may have been true because the word
//! ended), nor the strong one universalities.
//!
//! The paper instead adds or removes letters at the front. For formulas without past that is the
//! same, and by positions past operators take part: `H a` is an eventuality and `O a` a
//! universality. As there is nothing before the first position, the weak `Z` carries eventualities
//! over and the strong `Y` universalities.

use kermode_base::terms::Handle;

use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Node, Store};
use crate::word::WordKind;

/// What is known of a formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Purity {
    pub(super) eventual: bool,
    pub(super) universal: bool,
}

impl Purity {
    /// Says the same at every position of a word.
    pub(super) fn suspendable(self) -> bool {
        self.eventual && self.universal
    }
}

/// The purities of all formulas of a store, as far as they were asked for.
pub(super) struct Purities {
    words: WordKind,
    known: Vec<Purity>,
}

impl Purities {
    pub(super) fn new(words: WordKind) -> Self {
        Purities { words, known: Vec::new() }
    }

    pub(super) fn of(&mut self, store: &Store, formula: Formula) -> Purity {
        // Operands are older: all of a formula's are known when its turn comes.
        for index in self.known.len()..=formula.index() {
            let node = store.node(Formula::from_index(index));
            let purity = purity(node, self.words, |a| self.known[a.index()]);
            self.known.push(purity);
        }
        self.known[formula.index()]
    }
}

/// What an operator that looks a fixed distance ahead leaves of the purity of its operands. A
/// strong one needs a position that a later one may lack, a weak one does without.
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
        // Bounded operators move a window along with the position, as next and yesterday do.
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
            // The same truth at every position is what a Boolean function of such truths has.
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
