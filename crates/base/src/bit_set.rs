//! Sets of small numbers, one bit per number.
//!
//! Sets of locations, obligations and minimal models are such sets, and engines compare millions of
//! them. Most sets fit into two words, which are stored in the set itself. Invariant: the last word
//! is not zero, so equal sets have equal words.

use std::fmt;
use std::ops::Range;

use smallvec::SmallVec;

const BITS: usize = u64::BITS as usize;

/// A finite set of small numbers.
#[derive(Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitSet(SmallVec<[u64; 2]>);

impl Clone for BitSet {
    /// Copies words at once; the derived clone copies them one by one.
    fn clone(&self) -> Self {
        BitSet(SmallVec::from_slice(&self.0))
    }
}

impl BitSet {
    /// The empty set.
    pub fn new() -> Self {
        BitSet::default()
    }

    /// The numbers below 64 whose bits are set in a word.
    pub fn of_word(word: u64) -> Self {
        let words: &[u64] = if word == 0 { &[] } else { &[word] };
        BitSet(SmallVec::from_slice(words))
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set contains the element.
    #[inline]
    pub fn contains(&self, element: usize) -> bool {
        self.0.get(element / BITS).is_some_and(|word| word >> (element % BITS) & 1 == 1)
    }

    /// Adds an element and returns whether it is new.
    pub fn insert(&mut self, element: usize) -> bool {
        let (word, bit) = (element / BITS, 1 << (element % BITS));
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// Removes an element and returns whether it was present.
    pub fn remove(&mut self, element: usize) -> bool {
        let was_there = self.contains(element);
        if was_there {
            self.0[element / BITS] &= !(1 << (element % BITS));
            self.trim();
        }
        was_there
    }

    /// Whether all elements are in the other set.
    pub fn is_subset(&self, other: &BitSet) -> bool {
        self.0.len() <= other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// Whether no element is in the other set.
    pub fn is_disjoint(&self, other: &BitSet) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & b == 0)
    }

    /// Adds all elements of the other set.
    pub fn union_with(&mut self, other: &BitSet) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    /// Removes all elements that are not in the other set.
    pub fn intersect_with(&mut self, other: &BitSet) {
        self.0.truncate(other.0.len());
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
        self.trim();
    }

    /// Removes all elements of the other set.
    pub fn subtract(&mut self, other: &BitSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
        self.trim();
    }

    /// The elements that lie in a range.
    pub fn within(&self, range: Range<usize>) -> BitSet {
        let words = range.end.div_ceil(BITS).min(self.0.len());
        let mut part = BitSet(SmallVec::from_slice(&self.0[..words]));
        let before = (range.start / BITS).min(words);
        part.0[..before].fill(0);
        if let Some(first) = part.0.get_mut(before) {
            *first &= u64::MAX << (range.start % BITS);
        }
        if words * BITS > range.end {
            part.0[words - 1] &= (1 << (range.end % BITS)) - 1;
        }
        part.trim();
        part
    }

    /// The elements in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(place, &word)| {
            let rest = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
            rest.take_while(|&word| word != 0)
                .map(move |word| place * BITS + word.trailing_zeros() as usize)
        })
    }

    /// The bits, 64 elements per word, without zero words at the end.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

impl FromIterator<usize> for BitSet {
    fn from_iter<I: IntoIterator<Item = usize>>(elements: I) -> Self {
        let mut set = BitSet::new();
        set.extend(elements);
        set
    }
}

impl Extend<usize> for BitSet {
    fn extend<I: IntoIterator<Item = usize>>(&mut self, elements: I) {
        for element in elements {
            self.insert(element);
        }
    }
}

impl fmt::Debug for BitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// All pairs of subsets of a few numbers near word boundaries.
    #[test]
    fn agrees_with_sets_of_the_standard_library() {
        let numbers = [0, 1, 63, 64, 127, 128, 200];
        let sets: Vec<BTreeSet<usize>> = (0..1 << numbers.len())
            .map(|chosen| (0..7).filter(|i| chosen >> i & 1 == 1).map(|i| numbers[i]).collect())
            .collect();
        for a in &sets {
            let bits: BitSet = a.iter().copied().collect();
            assert_eq!(bits.iter().collect::<BTreeSet<_>>(), *a);
            assert_eq!((bits.len(), bits.is_empty()), (a.len(), a.is_empty()));
            for (from, to) in [0, 1, 63, 64, 65, 128, 201, 300].into_iter().flat_map(ends) {
                assert_eq!(bits.within(from..to), a.range(from..to).copied().collect());
            }
            for b in &sets {
                compare(a, &bits, b);
            }
        }
    }

    fn ends(from: usize) -> impl Iterator<Item = (usize, usize)> {
        [0, 1, 2, 63, 64, 100, 300].into_iter().map(move |length| (from, from + length))
    }

    fn compare(a: &BTreeSet<usize>, bits: &BitSet, b: &BTreeSet<usize>) {
        let other: BitSet = b.iter().copied().collect();
        assert_eq!(bits == &other, a == b);
        assert_eq!(bits.is_subset(&other), a.is_subset(b));
        assert_eq!(bits.is_disjoint(&other), a.is_disjoint(b));
        let result = |operation: fn(&mut BitSet, &BitSet)| {
            let mut result = bits.clone();
            operation(&mut result, &other);
            result
        };
        assert_eq!(result(BitSet::union_with), a.union(b).copied().collect());
        assert_eq!(result(BitSet::intersect_with), a.intersection(b).copied().collect());
        assert_eq!(result(BitSet::subtract), a.difference(b).copied().collect());
    }

    #[test]
    fn elements_come_and_go() {
        let mut set = BitSet::new();
        assert!(set.insert(300) && !set.insert(300) && set.insert(3));
        assert!(set.contains(300) && !set.contains(299) && !set.contains(3_000));
        assert!(set.remove(300) && !set.remove(300));
        assert_eq!(set, BitSet::from_iter([3]));
        assert_eq!(set.words(), [8]);
        assert_eq!(format!("{set:?}"), "{3}");
        assert_eq!((BitSet::of_word(8), BitSet::of_word(0)), (set, BitSet::new()));
    }
}
