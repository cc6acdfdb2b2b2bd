//! Antichains: upward-closed sets, represented by their minimal elements.
//!
//! Elements are numbers of states that a table owns. They are stored in buckets by size, with the
//! signatures in an array of their own: a search for an element below a state skips all larger
//! ones, and rejects the others eight at a time. On counters, whose antichains grow to tens of
//! thousands, that scan took three quarters of the time when signatures and elements were stored in
//! pairs.

/// The queries of an antichain about its elements.
pub trait Elements {
    /// The size of an element: at most the size of every element above it.
    fn size(&self, element: u32) -> usize;
    /// Whether an element is strictly smaller than those above it, except for equivalent ones.
    fn sizes_are_strict(&self) -> bool {
        true
    }
    /// A filter: the signature of an element is a subset of the signature of every element above
    /// it.
    fn signature(&self, element: u32) -> u64;
    /// Whether the first is below the second or equal to it.
    fn is_below(&self, small: u32, large: u32) -> bool;
}

/// Elements of one size.
#[derive(Clone, Debug, Default)]
struct Bucket {
    signatures: Vec<u64>,
    elements: Vec<u32>,
}

/// How many signatures are compared together.
const TOGETHER: usize = 8;

impl Bucket {
    /// The first accepted element whose signature is a subset of this one.
    fn find(&self, signature: u64, accept: impl Fn(u32) -> bool) -> Option<u32> {
        let fits = |other: &u64| other & !signature == 0;
        for (place, chunk) in self.signatures.chunks(TOGETHER).enumerate() {
            if !chunk.iter().fold(false, |any, other| any | fits(other)) {
                continue;
            }
            let elements = &self.elements[place * TOGETHER..];
            let mut candidates = chunk.iter().zip(elements).filter(|(other, _)| fits(other));
            if let Some((_, &element)) = candidates.find(|(_, element)| accept(**element)) {
                return Some(element);
            }
        }
        None
    }

    /// Removes the accepted elements whose signature is a superset of this one.
    fn take_above(&mut self, signature: u64, accept: impl Fn(u32) -> bool, taken: &mut Vec<u32>) {
        let mut place = 0;
        while let Some(&other) = self.signatures.get(place) {
            let element = self.elements[place];
            if signature & !other == 0 && accept(element) {
                taken.push(element);
                self.signatures.swap_remove(place);
                self.elements.swap_remove(place);
            } else {
                place += 1;
            }
        }
    }

    fn push(&mut self, signature: u64, element: u32) {
        self.signatures.push(signature);
        self.elements.push(element);
    }

    fn pop(&mut self) -> Option<u32> {
        self.signatures.pop();
        self.elements.pop()
    }
}

/// Elements of which none is below another.
#[derive(Clone, Debug, Default)]
pub struct Antichain {
    by_size: Vec<Bucket>,
    len: usize,
}

impl Antichain {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements, smaller ones first.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.by_size.iter().flat_map(|bucket| bucket.elements.iter().copied())
    }

    /// An element below this one or equal to it.
    pub fn below(&self, element: u32, elements: &impl Elements) -> Option<u32> {
        let signature = elements.signature(element);
        let mut buckets = self.by_size.iter().take(elements.size(element) + 1);
        buckets.find_map(|bucket| {
            bucket.find(signature, |candidate| elements.is_below(candidate, element))
        })
    }

    /// Adds an element without elements below it, and removes those above it.
    pub fn insert(&mut self, element: u32, elements: &impl Elements) -> Vec<u32> {
        let (size, signature) = (elements.size(element), elements.signature(element));
        let mut above = Vec::new();
        let first = size + usize::from(elements.sizes_are_strict());
        for bucket in self.by_size.iter_mut().skip(first) {
            let is_above = |candidate| elements.is_below(element, candidate);
            bucket.take_above(signature, is_above, &mut above);
        }
        if self.by_size.len() <= size {
            self.by_size.resize(size + 1, Bucket::default());
        }
        self.by_size[size].push(signature, element);
        self.len = self.len + 1 - above.len();
        above
    }

    /// Removes one of the smallest elements, the newest of them, as an antichain of its own.
    pub fn take_smallest(&mut self, elements: &impl Elements) -> Antichain {
        let mut part = Antichain::default();
        if let Some(element) = self.by_size.iter_mut().find_map(Bucket::pop) {
            self.len -= 1;
            part.insert(element, elements);
        }
        part
    }

    /// Whether this antichain has an element below each element of the other one.
    pub fn includes<E>(
        &self,
        other: &Antichain,
        elements: &impl Elements,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        for element in other.iter() {
            interrupt()?;
            if self.below(element, elements).is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use kermode_base::Rng;

    use super::*;

    /// Bit masks, ordered by inclusion.
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
