//! Antichains: sets of states that are closed upwards, by their least elements.
//!
//! Elements are numbers of states that a [`States`] table owns. They stand in buckets by size, each with its
//! signature: who looks for an element below a state passes by all larger ones, and rejects most of the others by one
//! operation on words.

/// What an antichain asks about its elements.
pub(crate) trait Elements {
    /// The size: not larger than that of what is above.
    fn size(&self, element: u32) -> usize;
    /// Bits that are set in all that is above, too.
    fn signature(&self, element: u32) -> u64;
    /// Whether the first is below the second or equal to it.
    fn is_below(&self, small: u32, large: u32) -> bool;
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    signature: u64,
    element: u32,
}

/// Elements none of which is below another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Antichain {
    by_size: Vec<Vec<Entry>>,
    len: usize,
}

impl Antichain {
    /// How many elements there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.by_size.iter().flatten().map(|entry| entry.element)
    }

    /// An element below this one or equal to it.
    pub(crate) fn below(&self, element: u32, elements: &impl Elements) -> Option<u32> {
        let signature = elements.signature(element);
        let candidates = self.by_size.iter().take(elements.size(element) + 1).flatten();
        let mut candidates = candidates.filter(|entry| entry.signature & !signature == 0);
        candidates
            .find(|entry| elements.is_below(entry.element, element))
            .map(|entry| entry.element)
    }

    /// Adds an element below which there is none, and takes out those above it.
    pub(crate) fn insert(&mut self, element: u32, elements: &impl Elements) -> Vec<u32> {
        let (size, signature) = (elements.size(element), elements.signature(element));
        let mut above = Vec::new();
        for bucket in self.by_size.iter_mut().skip(size + 1) {
            bucket.retain(|entry| {
                let is_above =
                    signature & !entry.signature == 0 && elements.is_below(element, entry.element);
                if is_above {
                    above.push(entry.element);
                }
                !is_above
            });
        }
        if self.by_size.len() <= size {
            self.by_size.resize(size + 1, Vec::new());
        }
        self.by_size[size].push(Entry { signature, element });
        self.len = self.len + 1 - above.len();
        above
    }

    /// Takes out one of the smallest elements: of those the newest.
    pub(crate) fn pop_smallest(&mut self) -> Option<u32> {
        let entry = self.by_size.iter_mut().find_map(Vec::pop)?;
        self.len -= 1;
        Some(entry.element)
    }
}

#[cfg(test)]
mod tests {
    use kermode_ltl::random::Rng;

    use super::*;

    /// Sets of bits, ordered by inclusion.
    struct Masks;

    impl Elements for Masks {
        fn size(&self, element: u32) -> usize {
            element.count_ones() as usize
        }
        fn signature(&self, element: u32) -> u64 {
            u64::from(element & 7)
        }
        fn is_below(&self, small: u32, large: u32) -> bool {
            small & !large == 0
        }
    }

    #[test]
    fn the_least_of_random_sets_are_kept() {
        let mut rng = Rng::new(5);
        for _ in 0..300 {
            let sets: Vec<u32> = (0..20).map(|_| rng.below(256) as u32).collect();
            let mut antichain = Antichain::default();
            for &set in &sets {
                if antichain.below(set, &Masks).is_none() {
                    let above = antichain.insert(set, &Masks);
                    assert!(above.iter().all(|&larger| Masks.is_below(set, larger)));
                }
            }
            let least = |set: &&u32| sets.iter().all(|&x| x == **set || x & !**set != 0);
            let mut expected: Vec<u32> = sets.iter().filter(least).copied().collect();
            let mut found: Vec<u32> = antichain.iter().collect();
            expected.sort_unstable();
            expected.dedup();
            found.sort_unstable();
            assert_eq!(found, expected);
            assert_eq!(antichain.len(), expected.len());
        }
    }
}
