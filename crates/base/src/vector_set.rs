//! Sets of vectors of one length, each with a number: the states that an explicit search has met.
//!
//! The vectors are one after the other in a list of words. A table with open addressing has four
//! bytes per place: the low bits are the number of a vector, and the high bits, which the numbers
//! leave free, are bits of its hash. So most vectors are told apart without a look at them.
//!
//! Invariant: the table has `2^k` places, at most three quarters of them are full, and all numbers
//! are below `2^k - 1`.

/// The number of places of the first table, as a power of two.
const FIRST_TABLE: u32 = 10;

/// A set of vectors of words, numbered in the order of their insertion.
#[derive(Clone, Debug)]
pub struct VectorSet {
    width: usize,
    words: Vec<u32>,
    count: usize,
    /// The number of a vector plus one, and bits of its hash above; zero if the place is empty.
    places: Vec<u32>,
    /// The logarithm of the number of places.
    bits: u32,
}

impl VectorSet {
    /// The empty set of vectors with this many words.
    pub fn new(width: usize) -> Self {
        let (words, places) = (Vec::new(), vec![0; 1 << FIRST_TABLE]);
        VectorSet { width, words, count: 0, places, bits: FIRST_TABLE }
    }

    /// The number of vectors.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no vector.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The number of words of each vector.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The vector with a number.
    pub fn get(&self, number: u32) -> &[u32] {
        &self.words[number as usize * self.width..][..self.width]
    }

    /// Adds a vector; its number, and whether it is new.
    ///
    /// # Panics
    /// When there would be more than 2^31 vectors.
    pub fn insert(&mut self, vector: &[u32]) -> (u32, bool) {
        let hash = hash(vector);
        let place = match self.find(vector, hash) {
            Ok(number) => return (number, false),
            Err(place) => place,
        };
        let number = self.count as u32;
        self.words.extend_from_slice(vector);
        self.count += 1;
        self.places[place] = self.entry(hash, number);
        if self.count * 4 > self.places.len() * 3 {
            self.grow();
        }
        (number, true)
    }

    /// The number of a vector, if it is in the set.
    pub fn number(&self, vector: &[u32]) -> Option<u32> {
        self.find(vector, hash(vector)).ok()
    }

    /// The number of bytes beside the vectors.
    pub fn table_bytes(&self) -> usize {
        self.places.len() * size_of::<u32>()
    }

    /// The number of a vector, or the place where it belongs.
    fn find(&self, vector: &[u32], hash: u64) -> Result<u32, usize> {
        let (mask, numbers) = (self.places.len() - 1, self.number_mask());
        let wanted = self.tag(hash);
        let mut place = hash as usize & mask;
        loop {
            let entry = self.places[place];
            if entry == 0 {
                return Err(place);
            }
            if entry & !numbers == wanted {
                let number = (entry & numbers) - 1;
                if self.get(number) == vector {
                    return Ok(number);
                }
            }
            place = (place + 1) & mask;
        }
    }

    /// The bits of an entry that are a number.
    fn number_mask(&self) -> u32 {
        (1 << self.bits) - 1
    }

    /// The bits of an entry that are bits of the hash.
    fn tag(&self, hash: u64) -> u32 {
        (hash >> 32) as u32 & !self.number_mask()
    }

    fn entry(&self, hash: u64, number: u32) -> u32 {
        self.tag(hash) | (number + 1)
    }

    /// Doubles the table.
    fn grow(&mut self) {
        self.bits += 1;
        assert!(self.bits < u32::BITS, "there are at most 2^31 vectors");
        self.places.clear();
        self.places.resize(1 << self.bits, 0);
        let mask = self.places.len() - 1;
        for number in 0..self.count as u32 {
            let hash = hash(self.get(number));
            let mut place = hash as usize & mask;
            while self.places[place] != 0 {
                place = (place + 1) & mask;
            }
            self.places[place] = self.entry(hash, number);
        }
    }
}

/// A hash of a vector, all of whose bits depend on all words.
pub fn hash(vector: &[u32]) -> u64 {
    hash_from(0x243F_6A88_85A3_08D3, vector)
}

/// Another hash of a vector for each seed.
pub fn hash_from(seed: u64, vector: &[u32]) -> u64 {
    let mix = |hash: u64, &word: &u32| folded(hash ^ u64::from(word), 0x9E37_79B9_7F4A_7C15);
    folded(vector.iter().fold(seed, mix), 0xD6E8_FEB8_6659_FD93)
}

/// The two halves of a product, combined.
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Numbers are those of the first insertion, through many growths of the table.
    #[test]
    fn numbers_are_those_of_a_map() {
        for width in [1, 2, 5] {
            let mut random = crate::Rng::new(width as u64);
            let (mut set, mut map) = (VectorSet::new(width), HashMap::new());
            for _ in 0..30_000 {
                let vector: Vec<u32> = (0..width).map(|_| random.below(12) as u32).collect();
                let next = map.len() as u32;
                assert_eq!(set.number(&vector), map.get(&vector).copied());
                let expected = *map.entry(vector.clone()).or_insert(next);
                assert_eq!(set.insert(&vector), (expected, expected == next));
                assert_eq!(set.get(expected), vector);
            }
            assert_eq!((set.len(), set.is_empty()), (map.len(), false));
        }
    }

    /// All vectors of no words are equal.
    #[test]
    fn empty_vectors() {
        let mut set = VectorSet::new(0);
        assert_eq!(
            (set.number(&[]), set.insert(&[]), set.insert(&[])),
            (None, (0, true), (0, false))
        );
    }

    /// Vectors that differ in one bit have different places and tags.
    #[test]
    fn hashes_of_neighbours_differ() {
        let base = [0u32, 0, 0];
        let hashes: std::collections::HashSet<u32> = (0..96)
            .map(|bit| {
                let mut vector = base;
                vector[bit / 32] ^= 1 << (bit % 32);
                hash(&vector) as u32 & 0xFFFF
            })
            .collect();
        assert!(hashes.len() > 90, "{}", hashes.len());
    }
}
