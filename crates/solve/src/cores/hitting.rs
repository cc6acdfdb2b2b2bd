//! Smallest hitting sets: sets with an element of each given set.
//!
//! Depth-first search with growing bounds on the size. A node of the search takes a set that is not
//! hit yet, one with the fewest permitted elements, and tries each of them; elements that were
//! tried are not permitted in later branches, so no set is visited twice. A greedy packing of
//! disjoint sets bounds from below how many elements are still needed.

use kermode_base::BitSet;

/// Which hitting sets are wanted.
pub(super) struct Hitting<'h> {
    /// The sets that are hit.
    pub(super) sets: &'h [BitSet],
    /// Elements that are not used.
    pub(super) forbidden: BitSet,
    /// Sets that the result does not include.
    pub(super) excluded: &'h [BitSet],
}

/// Whether the bound on the size cut off a part of the search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exhausted {
    Fully,
    UpToBound,
}

/// A node of the search: the elements taken, those not permitted, and the elements of the set that
/// are still to be tried.
struct Branch {
    taken: BitSet,
    forbidden: BitSet,
    open: Vec<usize>,
}

impl Hitting<'_> {
    /// A smallest hitting set with at least `least` elements or fewer than any with that many, if
    /// there is one. The caller knows that none has fewer than `least`.
    pub(super) fn smallest<E>(
        &self,
        least: usize,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<BitSet>, E> {
        let mut bound = least;
        loop {
            match self.within(bound, interrupt)? {
                Ok(found) => return Ok(Some(found)),
                Err(Exhausted::Fully) => return Ok(None),
                Err(Exhausted::UpToBound) => bound += 1,
            }
        }
    }

    /// A hitting set with at most `bound` elements.
    fn within<E>(
        &self,
        bound: usize,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Result<BitSet, Exhausted>, E> {
        let mut exhausted = Exhausted::Fully;
        let mut stack = Vec::new();
        let mut next = Some((BitSet::new(), self.forbidden.clone()));
        loop {
            interrupt()?;
            if let Some((taken, forbidden)) = next.take() {
                if self.excluded.iter().any(|set| set.is_subset(&taken)) {
                    // Every extension of it includes the set, too.
                } else if let Some(open) = self.narrowest(&taken, &forbidden) {
                    if taken.len() + self.packing(&taken, &forbidden) > bound {
                        exhausted = Exhausted::UpToBound;
                    } else {
                        stack.push(Branch { taken, forbidden, open });
                    }
                } else {
                    return Ok(Ok(taken));
                }
            }
            let Some(branch) = stack.last_mut() else { return Ok(Err(exhausted)) };
            match branch.open.pop() {
                None => drop(stack.pop()),
                Some(element) => {
                    let (mut taken, forbidden) = (branch.taken.clone(), branch.forbidden.clone());
                    taken.insert(element);
                    branch.forbidden.insert(element);
                    next = Some((taken, forbidden));
                }
            }
        }
    }

    /// The permitted elements of the set that is not hit and has the fewest; `None` if all are hit.
    fn narrowest(&self, taken: &BitSet, forbidden: &BitSet) -> Option<Vec<usize>> {
        let unhit = self.sets.iter().filter(|set| set.is_disjoint(taken));
        let permitted = unhit.map(|set| {
            let mut permitted = set.clone();
            permitted.subtract(forbidden);
            permitted
        });
        let narrowest = permitted.min_by_key(BitSet::len)?;
        let mut elements: Vec<usize> = narrowest.iter().collect();
        // The last one is tried first: smaller elements before larger ones.
        elements.reverse();
        Some(elements)
    }

    /// The size of a family of disjoint sets that are not hit.
    fn packing(&self, taken: &BitSet, forbidden: &BitSet) -> usize {
        let (mut used, mut count) = (BitSet::new(), 0);
        for set in self.sets.iter().filter(|set| set.is_disjoint(taken)) {
            let mut permitted = set.clone();
            permitted.subtract(forbidden);
            if permitted.is_disjoint(&used) {
                used.union_with(&permitted);
                count += 1;
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use kermode_base::Rng;

    use super::*;

    fn subsets(count: usize) -> impl Iterator<Item = BitSet> {
        (0..1_u64 << count).map(BitSet::of_word)
    }

    /// Against all subsets of few elements.
    #[test]
    fn hitting_sets_are_the_smallest() {
        let mut rng = Rng::new(23);
        for _ in 0..2_000 {
            let count = rng.between(1, 7);
            let mut draw = |most: usize| -> Vec<BitSet> {
                let random = |rng: &mut Rng| BitSet::of_word(rng.below(1 << count) as u64);
                (0..rng.below(most + 1)).map(|_| random(&mut rng)).collect()
            };
            let (sets, excluded) = (draw(6), draw(3));
            let forbidden = draw(1).pop().unwrap_or_default();
            let hitting =
                Hitting { sets: &sets, forbidden: forbidden.clone(), excluded: &excluded };
            let is_wanted = |set: &BitSet| {
                sets.iter().all(|other| !other.is_disjoint(set))
                    && set.is_disjoint(&forbidden)
                    && !excluded.iter().any(|other| other.is_subset(set))
            };
            let best = subsets(count).filter(|set| is_wanted(set)).map(|set| set.len()).min();
            let Ok(found) = hitting.smallest(0, &mut || Ok::<(), Infallible>(()));
            assert_eq!(found.as_ref().map(BitSet::len), best, "{sets:?} {forbidden:?}");
            assert!(found.is_none_or(|set| is_wanted(&set)));
        }
    }
}
