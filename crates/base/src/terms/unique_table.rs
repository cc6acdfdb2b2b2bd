//! The table behind hash-consing: nodes in a vector, and an index that finds them by content.
//!
//! Cache misses in this table dominate the time of building terms. Two measures keep them few.
//! One-byte *tags* of the hashes are stored apart from the slots: most searches for a new node end
//! in the tags, which are small. And a node is first searched in the *line* of slots that belongs
//! to its younger operand: terms are built from operands that were built just before, so terms
//! built one after the other lie side by side. If that line is full, the search continues at the
//! slot of the hash. Nodes are never removed, so a free slot ends a search.
//! `docs/results/performance.md` has the measurements.

/// The outermost operator of a term, over the indices of its operands.
pub trait Packed: Copy + Eq {
    /// The node as three numbers (operator, operands), different for different nodes.
    fn packed(self) -> (u64, u32, u32);
}

/// Nodes with one index each, numbered from 0 in order of insertion.
#[derive(Clone, Debug)]
pub struct UniqueTable<N> {
    nodes: Vec<N>,
    /// 0 for a free slot, otherwise a part of the node's hash. The length is a power of two, and at
    /// least half of the slots are free.
    tags: Vec<u8>,
    /// The index of the slot's node.
    places: Vec<u32>,
}

const FEWEST_SLOTS: usize = 64;
/// Slots per line.
const LINE: usize = 8;

/// The result of a search.
enum Lookup {
    Node(u32),
    Free(usize),
}

impl<N> Default for UniqueTable<N> {
    fn default() -> Self {
        UniqueTable { nodes: Vec::new(), tags: Vec::new(), places: Vec::new() }
    }
}

impl<N: Packed> UniqueTable<N> {
    /// The nodes by index.
    pub fn nodes(&self) -> &[N] {
        &self.nodes
    }

    /// The number of bytes that the table has allocated.
    pub fn memory(&self) -> usize {
        let slot = size_of::<u8>() + size_of::<u32>();
        self.nodes.capacity() * size_of::<N>() + self.tags.len() * slot
    }

    /// Reserves space for so many more nodes.
    pub fn reserve(&mut self, more: usize) {
        let slots = ((self.nodes.len() + more) * 2 + 1).next_power_of_two().max(FEWEST_SLOTS);
        if slots > self.tags.len() {
            self.nodes.reserve(more);
            self.index_anew(slots);
        }
    }

    /// The index of a node. A new node is added.
    ///
    /// # Panics
    /// When there are 2^32 nodes already.
    pub fn insert(&mut self, node: N) -> u32 {
        if self.nodes.len() * 2 >= self.tags.len() {
            self.reserve(1);
        }
        let key = Key::of(node);
        match self.search(key, |place| self.nodes[place as usize] == node) {
            Lookup::Node(place) => place,
            Lookup::Free(slot) => {
                let place = u32::try_from(self.nodes.len());
                let place = place.expect("there are at most 2^32 terms");
                self.nodes.push(node);
                self.tags[slot] = key.tag;
                self.places[slot] = place;
                place
            }
        }
    }

    /// The index of a node, if the table has it.
    pub fn find(&self, node: N) -> Option<u32> {
        if self.nodes.is_empty() {
            return None;
        }
        match self.search(Key::of(node), |place| self.nodes[place as usize] == node) {
            Lookup::Node(place) => Some(place),
            Lookup::Free(_) => None,
        }
    }

    fn search(&self, key: Key, is_node: impl Fn(u32) -> bool) -> Lookup {
        let mask = self.tags.len() - 1;
        let line = key.line & mask;
        let anywhere =
            (0..).map(|step: usize| key.hash.wrapping_add(step.wrapping_mul(key.stride)) & mask);
        for slot in (line..line + LINE).chain(anywhere) {
            let tag = self.tags[slot];
            if tag == 0 {
                return Lookup::Free(slot);
            }
            if tag == key.tag && is_node(self.places[slot]) {
                return Lookup::Node(self.places[slot]);
            }
        }
        unreachable!("half of the slots are free")
    }

    fn index_anew(&mut self, slots: usize) {
        self.tags = vec![0; slots];
        self.places = vec![0; slots];
        for place in 0..self.nodes.len() {
            let key = Key::of(self.nodes[place]);
            if let Lookup::Free(slot) = self.search(key, |_| false) {
                self.tags[slot] = key.tag;
                self.places[slot] = place as u32;
            }
        }
    }
}

/// The slots where a node is searched.
#[derive(Clone, Copy)]
struct Key {
    tag: u8,
    hash: usize,
    /// Odd, so that the probe sequence visits all slots. Full lines lie side by side; a stride of
    /// one slot would walk through all of them.
    stride: usize,
    /// The first slot of the line of the younger operand. There are two slots for each node, so
    /// four operands share a line.
    line: usize,
}

impl Key {
    fn of(node: impl Packed) -> Key {
        let (kind, first, second) = node.packed();
        let operands = u64::from(first) << 32 | u64::from(second);
        let hash = fold(fold(operands ^ 0x9e37_79b9_7f4a_7c15) ^ kind);
        let tag = ((hash >> 56) as u8).max(1);
        let line = (first.max(second) as usize / 4).wrapping_mul(LINE);
        Key { tag, hash: hash as usize, stride: (hash >> 32) as usize | 1, line }
    }
}

fn fold(x: u64) -> u64 {
    let product = u128::from(x) * 0xa3b1_9535_4a39_b70d;
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Pair(u32, u32);

    impl Packed for Pair {
        fn packed(self) -> (u64, u32, u32) {
            (0, self.0, self.1)
        }
    }

    /// Equal nodes have one index and different nodes have different ones, while the table grows.
    #[test]
    fn places_are_those_of_first_insertions() {
        let mut rng = Rng::new(1);
        let (mut table, mut expected) = (UniqueTable::default(), Vec::new());
        assert_eq!(table.find(Pair(0, 0)), None);
        for _ in 0..3_000 {
            let node = Pair(rng.below(40) as u32, rng.below(40) as u32);
            let place = expected.iter().position(|&known| known == node);
            assert_eq!(table.find(node), place.map(|place| place as u32));
            let place = place.unwrap_or(expected.len());
            if place == expected.len() {
                expected.push(node);
            }
            assert_eq!(table.insert(node), place as u32);
            assert_eq!(table.nodes(), expected);
        }
    }
}
