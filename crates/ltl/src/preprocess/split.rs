//! Splitting: conjuncts without common propositions are decided separately. The rule is sound on
//! infinite words only: on finite words the parts would have to agree on a length.
//!
//! Each part keeps its own lasso. The length of a common loop is the least common multiple of the
//! loops, which can be very large, so [`join`] has a limit.

use rustc_hash::FxHashMap;

use super::conjuncts::Conjuncts;
use crate::store::{Formula, Node, Store, Subformulas};
use crate::word::{Letter, Word};

/// The parts of a formula; there is at least one.
pub(super) fn split(store: &mut Store, formula: Formula) -> Vec<Formula> {
    let conjuncts = Conjuncts::of(store, formula);
    let all: Vec<Formula> = conjuncts.now.iter().chain(&conjuncts.always).copied().collect();
    let groups = groups(store, &all);
    let count = groups.iter().max().map_or(0, |&last| last + 1);
    if count < 2 {
        return vec![formula];
    }
    let mut parts: Vec<Conjuncts> = vec![Conjuncts::default(); count];
    let (now, always) = groups.split_at(conjuncts.now.len());
    conjuncts.now.iter().zip(now).for_each(|(&a, &group)| parts[group].now.push(a));
    conjuncts.always.iter().zip(always).for_each(|(&a, &group)| parts[group].always.push(a));
    parts.into_iter().map(|part| part.join(store)).collect()
}

/// For each conjunct the index of its part, in order of first appearance.
fn groups(store: &Store, conjuncts: &[Formula]) -> Vec<usize> {
    let subformulas = Subformulas::of(store, conjuncts);
    let mut sets = DisjointSets::new(subformulas.len());
    for (position, formula) in subformulas.iter().enumerate() {
        for operand in store.node(formula).operands() {
            // Constants occur in many conjuncts and connect nothing.
            if !matches!(store.node(operand), Node::Constant(_)) {
                sets.union(position, subformulas.position(operand));
            }
        }
    }
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    let group = |&conjunct: &Formula| {
        let root = sets.find(subformulas.position(conjunct));
        let next = numbers.len();
        *numbers.entry(root).or_insert(next)
    };
    conjuncts.iter().map(group).collect()
}

struct DisjointSets(Vec<usize>);

impl DisjointSets {
    fn new(length: usize) -> Self {
        DisjointSets((0..length).collect())
    }

    fn find(&mut self, mut element: usize) -> usize {
        while self.0[element] != element {
            self.0[element] = self.0[self.0[element]];
            element = self.0[element];
        }
        element
    }

    fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// A lasso with the propositions of all given lassos; `None` if it has more than `limit` letters.
pub(super) fn join(words: &[Word], limit: usize) -> Option<Word> {
    let prefix = words.iter().map(|word| word.prefix().len()).max()?;
    let mut cycle = 1usize;
    for word in words {
        let length = word.cycle().len();
        cycle = (cycle / gcd(cycle, length)).checked_mul(length)?;
        if prefix.checked_add(cycle)? > limit {
            return None;
        }
    }
    let letter = |position: usize| -> Letter {
        words.iter().flat_map(|word| letter_at(word, position).iter()).collect()
    };
    Some(Word::from_letters((0..prefix + cycle).map(letter).collect(), Some(prefix)))
}

fn letter_at(word: &Word, position: usize) -> &Letter {
    let start = word.prefix().len();
    match position < start {
        true => &word.letters()[position],
        false => &word.cycle()[(position - start) % word.cycle().len()],
    }
}

fn gcd(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
