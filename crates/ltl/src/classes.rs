//! The hierarchy of temporal properties, by syntax (\[MP90\], \[CMP92\], \[CP03\]).
//!
//! A property is a set of words, and its class is topological. On infinite words *safety* is closed
//! (each violation shows after finitely many letters), *guarantee* is open (each satisfaction
//! does), *recurrence* is a countable intersection of open sets and *persistence* a countable union
//! of closed ones. *Obligation* is both recurrence and persistence, which for regular properties is
//! a Boolean combination of safety and guarantee \[Lan69\]. A formula is put into a class if its
//! property is in it *at every position*. So `& | X` and all past and bounded operators, which are
//! finite unions and intersections, stay in the class of their operands, negation exchanges dual
//! classes, and one rule remains.
//!
//! `k U g` is the union over all `n` of `g_n & k_0 & .. & k_{n-1}`, and it is also `F g & (k W g)`,
//! where `W` is an intersection in the same way. So it is
//! - a guarantee if `k` and `g` both are, and persistence if both are, by the first form;
//! - recurrence if `k` is recurrence and `g` a guarantee, by the second.
//!
//! `F g` is `true U g`, and the same holds for `g M k`, which keeps `k` one position longer; `R`,
//! `W` and `G` are the duals. The test is incomplete: a reported class is right, but a class that
//! is not reported may hold nevertheless (`G F true` is a guarantee).
//!
//! **Finite words** have no limits, and only the lower classes have a meaning. *Safety* means that
//! each prefix of a model is a model, *guarantee* that each continuation is, *obligation* is a
//! Boolean combination of such. They are reported less often than on infinite words: `X` demands a
//! next position, so it preserves guarantee but not safety, and the weak `N` the reverse. A formula
//! with `U` or `R` is an obligation only as a guarantee or as safety. Recurrence and persistence
//! are reported for obligations, and mean nothing more.
//!
//! **Stutter-invariance** (\[Lam83\], \[PW97\]): repeating letters does not matter. It holds
//! without `X`, `N`, `Y`, `Z` and bounded operators, since only these count positions; `S`, `T`,
//! `O` and `H` do not.

use std::fmt;

use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Node, Store};
use crate::word::WordKind;

/// A class of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Every violation is visible after a finite prefix.
    Safety,
    /// Every satisfaction is visible after a finite prefix; also called co-safety.
    Guarantee,
    /// A Boolean combination of safety and guarantee.
    Obligation,
    /// Something holds from some position on, as in `F G a`.
    Persistence,
    /// Something holds infinitely often, as in `G F a`.
    Recurrence,
    /// Repeating letters does not matter.
    StutterInvariant,
    /// No future operators.
    PurePast,
    /// No past operators.
    PureFuture,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 8] = [
        Class::Safety,
        Class::Guarantee,
        Class::Obligation,
        Class::Persistence,
        Class::Recurrence,
        Class::StutterInvariant,
        Class::PurePast,
        Class::PureFuture,
    ];

    /// The name of the class.
    pub fn name(self) -> &'static str {
        match self {
            Class::Safety => "safety",
            Class::Guarantee => "guarantee",
            Class::Obligation => "obligation",
            Class::Persistence => "persistence",
            Class::Recurrence => "recurrence",
            Class::StutterInvariant => "stutter-invariant",
            Class::PurePast => "pure past",
            Class::PureFuture => "pure future",
        }
    }
}

/// The classes that a formula is in by its syntax.
///
/// Displayed as names with commas between them, or `none`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Classes(u8);

const SAFETY: u8 = 1 << 0;
const GUARANTEE: u8 = 1 << 1;
const PERSISTENCE: u8 = 1 << 2;
const RECURRENCE: u8 = 1 << 3;
const STUTTER_INVARIANT: u8 = 1 << 4;
const NO_FUTURE: u8 = 1 << 5;
const NO_PAST: u8 = 1 << 6;
const ALL: Classes = Classes((1 << 7) - 1);
/// Obligation needs no bit of its own. Invariant: safety and guarantee come with both of these.
const OBLIGATION: u8 = PERSISTENCE | RECURRENCE;

impl Classes {
    /// The classes of a formula over words of a kind, in one pass over its distinct subformulas.
    /// Negations may stand anywhere.
    pub fn of(store: &Store, root: Formula, words: WordKind) -> Self {
        let subformulas = store.subformulas(root);
        let mut classes: Vec<Classes> = Vec::with_capacity(subformulas.len());
        for formula in subformulas.iter() {
            let operand = |a| classes[subformulas.position(a)];
            let found = ClassRules { store, words }.classes(store.node(formula), operand);
            classes.push(found);
        }
        classes[subformulas.position(root)]
    }

    /// Whether the formula is in a class.
    pub fn contains(self, class: Class) -> bool {
        self.has(match class {
            Class::Safety => SAFETY,
            Class::Guarantee => GUARANTEE,
            Class::Obligation => OBLIGATION,
            Class::Persistence => PERSISTENCE,
            Class::Recurrence => RECURRENCE,
            Class::StutterInvariant => STUTTER_INVARIANT,
            Class::PurePast => NO_FUTURE,
            Class::PureFuture => NO_PAST,
        })
    }

    /// The classes, in the order of [`Class::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Class> {
        Class::ALL.into_iter().filter(move |&class| self.contains(class))
    }
}

impl Classes {
    fn has(self, bits: u8) -> bool {
        self.0 & bits == bits
    }

    fn with(self, bits: u8) -> Self {
        Classes(self.0 | bits)
    }

    fn without(self, bits: u8) -> Self {
        Classes(self.0 & !bits)
    }

    fn and(self, other: Self) -> Self {
        Classes(self.0 & other.0)
    }

    /// The classes of the negation.
    fn dual(self) -> Self {
        const LOW: u8 = SAFETY | PERSISTENCE;
        const HIGH: u8 = GUARANTEE | RECURRENCE;
        // Each low bit stands just below its dual.
        Classes(self.0 & !(LOW | HIGH) | (self.0 & LOW) << 1 | (self.0 & HIGH) >> 1)
    }
}

impl fmt::Display for Classes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Class::name).collect();
        match names.is_empty() {
            true => f.write_str("none"),
            false => f.write_str(&names.join(", ")),
        }
    }
}

impl fmt::Debug for Classes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The classes of an operator, given those of its operands.
struct ClassRules<'a> {
    store: &'a Store,
    words: WordKind,
}

impl ClassRules<'_> {
    fn classes(&self, node: Node, operand: impl Fn(Formula) -> Classes) -> Classes {
        // An operator with the bounds 0 and 0 is its last operand.
        let no_distance = |bounds| self.store.interval(bounds).high == 0;
        match node {
            Node::Constant(_) | Node::Proposition(_) => ALL,
            Node::Unary(op, a) => self.unary(op, operand(a)),
            Node::Binary(op, a, b) => self.binary(op, operand(a), operand(b)),
            Node::BoundedUnary(_, bounds, a) if no_distance(bounds) => operand(a),
            Node::BoundedUnary(op, _, a) => match op {
                BoundedUnaryOp::Finally => self.ahead(operand(a)),
                BoundedUnaryOp::Globally => self.ahead(operand(a).dual()).dual(),
                BoundedUnaryOp::Once | BoundedUnaryOp::Historically => back(operand(a)),
            },
            Node::BoundedBinary(_, bounds, _, b) if no_distance(bounds) => operand(b),
            Node::BoundedBinary(op, _, a, b) => match (op, operand(a).and(operand(b))) {
                (BoundedBinaryOp::Until, both) => self.ahead(both),
                (BoundedBinaryOp::Release, both) => self.ahead(both.dual()).dual(),
            },
        }
    }

    fn unary(&self, op: UnaryOp, a: Classes) -> Classes {
        match op {
            UnaryOp::Not => a.dual(),
            UnaryOp::Next => self.ahead(a),
            UnaryOp::WeakNext => self.ahead(a.dual()).dual(),
            UnaryOp::Finally => self.until(ALL, a),
            UnaryOp::Globally => self.until(ALL, a.dual()).dual(),
            UnaryOp::Yesterday | UnaryOp::WeakYesterday => back(a),
            UnaryOp::Once | UnaryOp::Historically => a.without(NO_PAST),
        }
    }

    fn binary(&self, op: BinaryOp, a: Classes, b: Classes) -> Classes {
        match op {
            BinaryOp::And | BinaryOp::Or => a.and(b),
            BinaryOp::Implies => a.dual().and(b),
            BinaryOp::Iff | BinaryOp::Xor => a.and(a.dual()).and(b).and(b.dual()),
            BinaryOp::Until => self.until(a, b),
            BinaryOp::StrongRelease => self.until(b, a),
            BinaryOp::Release => self.until(a.dual(), b.dual()).dual(),
            BinaryOp::WeakUntil => self.until(b.dual(), a.dual()).dual(),
            BinaryOp::Since | BinaryOp::Triggered => a.and(b).without(NO_PAST),
        }
    }

    /// A goal that must be reached, with another formula until then.
    fn until(&self, kept: Classes, goal: Classes) -> Classes {
        let both = kept.and(goal).without(SAFETY | RECURRENCE | NO_FUTURE);
        let recurs = match self.words {
            WordKind::Infinite => kept.has(RECURRENCE) && goal.has(GUARANTEE),
            WordKind::Finite if both.has(GUARANTEE) => true,
            WordKind::Finite => return both.without(PERSISTENCE),
        };
        if recurs { both.with(RECURRENCE) } else { both }
    }

    /// A formula at a later position that must exist.
    fn ahead(&self, a: Classes) -> Classes {
        let a = a.without(STUTTER_INVARIANT | NO_FUTURE);
        match self.words {
            WordKind::Infinite => a,
            WordKind::Finite => a.without(SAFETY),
        }
    }
}

/// A formula at earlier positions at fixed distances.
fn back(a: Classes) -> Classes {
    a.without(STUTTER_INVARIANT | NO_PAST)
}
