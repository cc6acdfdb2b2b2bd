//! Definitions: a conjunct `G(p <-> phi)` with `p` not in `phi` defines `p` at every position. The
//! rule replaces `p` by `phi` and removes the conjunct; `G p` and `G !p` define `p` as a constant.
//! The rule is sound on finite and infinite words and with past operators.
//!
//! Definitions may use each other: they are applied in an order in which each uses only earlier
//! ones. In a cycle of definitions, one stays a conjunct.

use rustc_hash::{FxHashMap, FxHashSet};

use super::conjuncts::Conjuncts;
use crate::operator::{BinaryOp, UnaryOp};
use crate::store::{Formula, Node, Proposition, Store};
use crate::substitution::Substitution;

/// The formula without its definitions, and the definition of each removed proposition; `None` if
/// there are no definitions. The definitions use only propositions that remain.
pub(super) fn apply_definitions(
    store: &mut Store,
    formula: Formula,
) -> Option<(Formula, Vec<(Proposition, Formula)>)> {
    let Conjuncts { now, always } = Conjuncts::of(store, formula);
    let mut defined: FxHashMap<Proposition, (usize, Formula)> = FxHashMap::default();
    for (index, &conjunct) in always.iter().enumerate() {
        if let Some((proposition, meaning)) = definition(store, conjunct) {
            defined.entry(proposition).or_insert((index, meaning));
        }
    }
    let order = without_circles(store, &defined);
    if order.is_empty() {
        return None;
    }
    let mut substitution = Substitution::default();
    let mut definitions = Vec::new();
    let mut used = FxHashSet::default();
    for proposition in order {
        let (index, meaning) = defined[&proposition];
        let meaning = substitution.apply(store, meaning);
        substitution.set(proposition, meaning);
        definitions.push((proposition, meaning));
        used.insert(index);
    }
    let mut apply = |conjunct: Formula| substitution.apply(store, conjunct);
    let now = now.into_iter().map(&mut apply).collect();
    let left = always.into_iter().enumerate().filter(|(index, _)| !used.contains(index));
    let always = left.map(|(_, conjunct)| apply(conjunct)).collect();
    Some((Conjuncts { now, always }.join(store), definitions))
}

/// The definition in a formula that holds at every position.
fn definition(store: &mut Store, body: Formula) -> Option<(Proposition, Formula)> {
    let literal = |store: &Store, formula: Formula| match store.node(formula) {
        Node::Proposition(p) => Some((p, true)),
        Node::Unary(UnaryOp::Not, a) => match store.node(a) {
            Node::Proposition(p) => Some((p, false)),
            _ => None,
        },
        _ => None,
    };
    if let Some((p, value)) = literal(store, body) {
        return Some((p, store.constant(value)));
    }
    let Node::Binary(op @ (BinaryOp::Iff | BinaryOp::Xor), a, b) = store.node(body) else {
        return None;
    };
    for (name, meaning) in [(a, b), (b, a)] {
        let Some((p, positive)) = literal(store, name) else { continue };
        if !store.propositions(meaning).contains(&p) {
            let same = positive == (op == BinaryOp::Iff);
            return Some((p, if same { meaning } else { store.not(meaning) }));
        }
    }
    None
}

/// The defined propositions, each after those that its definition uses; all but one of each cycle.
fn without_circles(
    store: &Store,
    defined: &FxHashMap<Proposition, (usize, Formula)>,
) -> Vec<Proposition> {
    let mut waiting: FxHashMap<Proposition, usize> = FxHashMap::default();
    let mut users: FxHashMap<Proposition, Vec<Proposition>> = FxHashMap::default();
    for (&proposition, &(_, meaning)) in defined {
        let uses: Vec<Proposition> =
            store.propositions(meaning).into_iter().filter(|p| defined.contains_key(p)).collect();
        waiting.insert(proposition, uses.len());
        uses.into_iter().for_each(|used| users.entry(used).or_default().push(proposition));
    }
    let mut order: Vec<Proposition> =
        waiting.iter().filter(|(_, uses)| **uses == 0).map(|(&p, _)| p).collect();
    order.sort_unstable();
    let mut circles: Vec<Proposition> = waiting.keys().copied().collect();
    circles.sort_unstable();
    let mut circles = circles.into_iter();
    let mut next = 0;
    loop {
        let (settled, is_defined) = match order.get(next) {
            Some(&ready) => (ready, true),
            // Only cycles are left: one proposition stays undefined, which breaks its cycle.
            None => match circles.find(|p| !matches!(waiting[p], 0 | usize::MAX)) {
                Some(opened) => (opened, false),
                None => return order,
            },
        };
        next += usize::from(is_defined);
        if !is_defined {
            waiting.insert(settled, usize::MAX);
        }
        let mut freed = Vec::new();
        for user in users.get(&settled).into_iter().flatten() {
            if let Some(left) = waiting.get_mut(user).filter(|left| **left != usize::MAX) {
                *left -= 1;
                freed.extend((*left == 0).then_some(*user));
            }
        }
        freed.sort_unstable();
        order.extend(freed);
    }
}
