//! Replaces past operators by propositions that store their values ([LPZ85]).
//!
//! A *memory* is a fresh proposition `y` with an initial value and a formula for its next value.
//! One memory per past operator is enough: it stores the value at the previous position, and the
//! recurrence of the operator gives the present value:
//!
//! | operator | becomes | `y` is | at first | next |
//! |---|---|---|---|---|
//! | `Y a` | `y` | `Y a` | false | `a` |
//! | `Z a` | `y` | `Z a` | true | `a` |
//! | `O a` | `a \| y` | `Y O a` | false | `a \| y` |
//! | `H a` | `a & y` | `Z H a` | true | `a & y` |
//! | `a S b` | `b \| (a & y)` | `Y (a S b)` | false | `b \| (a & y)` |
//! | `a T b` | `b & (a \| y)` | `Z (a T b)` | true | `b & (a \| y)` |
//!
//! Two memories with the same initial and next values are identified: beside `O a`, `Y O a` needs
//! no memory of its own. The bounded `O` and `H` are written out first. The memories are
//! constrained by their initial values and by one `G` over their laws. On infinite words the law of
//! `y` is `X y <-> next`. On finite words it is `(next -> N y) & (!next -> N !y)`, because the last
//! position has no next one. So the result has linear size and one additional `G` for all memories.
//!
//! Invariant: each word has exactly one extension by memories that obeys the laws. On it, the
//! replacement of an operator has the value of the operator at every position.

use std::convert::Infallible;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Eliminated, Fresh, Restore};
use crate::normal::{Allowance, ExpansionTooLarge, expand_node, rebuild};
use crate::operator::{BinaryOp, UnaryOp};
use crate::store::{Formula, Node, Proposition, Store};
use crate::word::WordKind;

/// A proposition that stores a value of the previous position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The fresh proposition.
    pub proposition: Proposition,
    /// Its value at the first position.
    pub initial: bool,
    /// Its value at the next position, in terms of the present one. The only memories in it are
    /// this one and earlier ones.
    pub next: Formula,
}

/// A formula whose past operators are replaced by memories, without the constraints on memories.
#[derive(Clone, Debug)]
pub struct Defined {
    /// The formula over the memories.
    pub formula: Formula,
    /// The memories, each after those it depends on.
    pub memories: Vec<Memory>,
}

/// Replaces the past operators of `root` by memories. Writing out bounded past operators adds at
/// most `limit` subformulas. Bounded future operators stay.
pub fn define_past(
    store: &mut Store,
    root: Formula,
    limit: u64,
) -> Result<Defined, ExpansionTooLarge> {
    let mut allowance = Allowance { limit, left: limit };
    let unbounded = rebuild(store, root, |store, node| match node.is_past() {
        // The past has a start on words of either kind.
        true => expand_node(store, node, WordKind::Infinite, &mut allowance),
        false => Ok(store.intern(node)),
    })?;
    Ok(define_unbounded(store, unbounded))
}

/// A formula without past operators that is satisfiable if and only if `root` is, over words of the
/// same kind. For the limit, see [`define_past`].
pub fn eliminate_past(
    store: &mut Store,
    root: Formula,
    words: WordKind,
    limit: u64,
) -> Result<Eliminated, ExpansionTooLarge> {
    let first = store.proposition_count();
    let formula = define_past(store, root, limit)?.constrained(store, words);
    let fresh = first..store.proposition_count();
    Ok(Eliminated { formula, restore: Restore { fresh, alive: None } })
}

/// Replaces the past operators of a formula that has no bounded ones.
pub(super) fn define_unbounded(store: &mut Store, root: Formula) -> Defined {
    let mut memories = Memories::new();
    let Ok(formula) =
        rebuild(store, root, |store, node| Ok::<_, Infallible>(memories.replace(store, node)));
    Defined { formula, memories: memories.list }
}

impl Defined {
    /// The formula with the constraints of its memories.
    pub fn constrained(&self, store: &mut Store, words: WordKind) -> Formula {
        self.constrained_within(store, words, None)
    }

    /// Removes the memories that are functions of the letters before: their next values have no
    /// temporal operator, and depend on letters and such memories only. `is_letter` says which
    /// propositions belong to the letters. The removed memories are in the order of dependencies.
    pub fn take_monitors(
        &mut self,
        store: &Store,
        is_letter: impl Fn(Proposition) -> bool,
    ) -> Vec<Memory> {
        let mut known: FxHashSet<Proposition> = FxHashSet::default();
        let (monitors, others) = self.memories.iter().partition(|memory: &&Memory| {
            let is_known =
                |&p: &Proposition| p == memory.proposition || is_letter(p) || known.contains(&p);
            let is_monitor = !store.subformulas(memory.next).iter().any(|part| {
                let node = store.node(part);
                node.is_temporal() || matches!(node, Node::Proposition(p) if !is_known(&p))
            });
            if is_monitor {
                known.insert(memory.proposition);
            }
            is_monitor
        });
        self.memories = others;
        monitors
    }

    /// As [`Defined::constrained`]. With `scope`, the memories obey their laws as long as it holds.
    /// It must hold from the start up to the last position that matters.
    pub(super) fn constrained_within(
        &self,
        store: &mut Store,
        words: WordKind,
        scope: Option<Formula>,
    ) -> Formula {
        let mut start = self.formula;
        let mut laws = store.constant(true);
        for memory in &self.memories {
            let first = memory.first_value(store);
            start = store.and(start, first);
            let law = memory.law(store, words);
            laws = store.and(laws, law);
        }
        if let Some(scope) = scope {
            laws = store.binary(BinaryOp::Implies, scope, laws);
        }
        let always = store.unary(UnaryOp::Globally, laws);
        store.and(start, always)
    }
}

impl Memory {
    pub(super) fn first_value(&self, store: &mut Store) -> Formula {
        let atom = store.atom(self.proposition);
        if self.initial { atom } else { store.not(atom) }
    }

    pub(super) fn law(&self, store: &mut Store, words: WordKind) -> Formula {
        let remembered = store.atom(self.proposition);
        if words == WordKind::Infinite {
            let next = store.unary(UnaryOp::Next, remembered);
            return store.binary(BinaryOp::Iff, next, self.next);
        }
        let forgotten = store.not(remembered);
        let not_next = store.not(self.next);
        let becomes_true = store.unary(UnaryOp::WeakNext, remembered);
        let becomes_false = store.unary(UnaryOp::WeakNext, forgotten);
        let rises = store.binary(BinaryOp::Implies, self.next, becomes_true);
        let falls = store.binary(BinaryOp::Implies, not_next, becomes_false);
        store.and(rises, falls)
    }
}

/// The memories built so far.
struct Memories {
    names: Fresh,
    list: Vec<Memory>,
    /// Memories by initial value and next value.
    known: FxHashMap<(bool, Formula), Formula>,
}

impl Memories {
    fn new() -> Self {
        Memories { names: Fresh::new("past"), list: Vec::new(), known: FxHashMap::default() }
    }

    /// Replaces one operator; its operands have no past operators.
    fn replace(&mut self, store: &mut Store, node: Node) -> Formula {
        match node {
            Node::Unary(UnaryOp::Yesterday, a) => self.yesterday(store, a, false),
            Node::Unary(UnaryOp::WeakYesterday, a) => self.yesterday(store, a, true),
            Node::Unary(UnaryOp::Once, a) => self.recur(store, false, |store, y| store.or(a, y)),
            Node::Unary(UnaryOp::Historically, a) => {
                self.recur(store, true, |store, y| store.and(a, y))
            }
            Node::Binary(BinaryOp::Since, a, b) => self.recur(store, false, |store, y| {
                let kept = store.and(a, y);
                store.or(b, kept)
            }),
            Node::Binary(BinaryOp::Triggered, a, b) => self.recur(store, true, |store, y| {
                let kept = store.or(a, y);
                store.and(b, kept)
            }),
            _ => {
                debug_assert!(!node.is_past(), "bounded past operators are written out before");
                store.intern(node)
            }
        }
    }

    /// The value of `a` at the previous position, and `initial` at the first position.
    fn yesterday(&mut self, store: &mut Store, a: Formula, initial: bool) -> Formula {
        if let Some(&memory) = self.known.get(&(initial, a)) {
            return memory;
        }
        let proposition = self.names.proposition(store);
        self.remember(store, Memory { proposition, initial, next: a })
    }

    /// The value that `today` computes from its own value at the previous position.
    fn recur(
        &mut self,
        store: &mut Store,
        initial: bool,
        today: impl FnOnce(&mut Store, Formula) -> Formula,
    ) -> Formula {
        let proposition = self.names.proposition(store);
        let yesterday = store.atom(proposition);
        let next = today(store, yesterday);
        self.remember(store, Memory { proposition, initial, next });
        next
    }

    fn remember(&mut self, store: &mut Store, memory: Memory) -> Formula {
        let atom = store.atom(memory.proposition);
        self.known.insert((memory.initial, memory.next), atom);
        self.list.push(memory);
        atom
    }
}
