//! Sets of vectors of one length, each with a number: the states that an explicit search has met.
//!
//! The vectors are one after the other in chunks of words, which are never moved once they are
//! full. A table with open addressing has four bytes per place: the low bits are the number of a
//! vector, and the high bits, which the numbers leave free, are bits of its hash. So most vectors
//! are told apart without a look at them.
//!
//! The table grows by a half, so its size is any number of places, and the place of a hash is the
//! product of its low half and that number, divided by `2^32`.
//!
//! Invariant: at most three quarters of the places are full, and all numbers are below `2^k - 1`,
//! where `2^k` is the least power of two that is not below the number of places.

/// The number of places of the first table.
const FIRST_TABLE: usize = 1 << 10;
/// The number of vectors of a chunk, as a power of two.
const CHUNK: u32 = 14;

/// A set of vectors of words, numbered in the order of their insertion.
#[derive(Clone, Debug)]
pub struct VectorSet {
    width: usize,
    chunks: Vec<Vec<u32>>,
    count: usize,
    /// The number of a vector plus one, and bits of its hash above; zero if the place is empty.
    places: Vec<u32>,
    /// The bits of an entry that are a number.
    number_mask: u32,
}

/// What [`VectorSet::numbers`] says of vectors that are not in the set.
pub const UNKNOWN: u32 = u32::MAX;

impl VectorSet {
    /// The empty set of vectors with this many words.
    pub fn new(width: usize) -> Self {
        let places = vec![0; FIRST_TABLE];
        let number_mask = number_mask(places.len());
        VectorSet { width, chunks: Vec::new(), count: 0, places, number_mask }
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
    #[inline]
    pub fn get(&self, number: u32) -> &[u32] {
        let place = (number & ((1 << CHUNK) - 1)) as usize;
        &self.chunks[(number >> CHUNK) as usize][place * self.width..][..self.width]
    }

    /// Adds a vector; its number, and whether it is new.
    ///
    /// # Panics
    /// When there would be more than about 10^9 vectors.
    pub fn insert(&mut self, vector: &[u32]) -> (u32, bool) {
        let hash = hash(vector);
        let place = match self.find(vector, hash) {
            Ok(number) => return (number, false),
            Err(place) => place,
        };
        let number = self.count as u32;
        self.push(vector);
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

    /// Writes the numbers of vectors, which are one after the other, or [`UNKNOWN`]. That is
    /// faster than one by one: the processor waits for several parts of the table at once.
    pub fn numbers(&self, vectors: &[u32], numbers: &mut Vec<u32>) {
        numbers.clear();
        if self.width == 0 {
            return;
        }
        // The first entry is read for all vectors before any is compared.
        let mut first = [(0_u64, 0_u32); 16];
        for group in vectors.chunks(16 * self.width) {
            let vectors = group.chunks_exact(self.width);
            for (first, vector) in first.iter_mut().zip(vectors.clone()) {
                let hash = hash(vector);
                *first = (hash, self.places[self.place(hash)]);
            }
            for (&(hash, entry), vector) in first.iter().zip(vectors) {
                let found = if entry == 0 { None } else { self.find(vector, hash).ok() };
                numbers.push(found.unwrap_or(UNKNOWN));
            }
        }
    }

    /// The number of bytes beside the vectors.
    pub fn table_bytes(&self) -> usize {
        let room = self.chunks.iter().map(|chunk| chunk.capacity() - chunk.len()).sum::<usize>();
        (self.places.len() + room) * size_of::<u32>()
            + self.chunks.capacity() * size_of::<Vec<u32>>()
    }

    fn push(&mut self, vector: &[u32]) {
        let chunk = self.count >> CHUNK;
        if chunk == self.chunks.len() {
            // The first chunk grows, so that small sets are small.
            let room = if chunk == 0 { 0 } else { self.width << CHUNK };
            self.chunks.push(Vec::with_capacity(room));
        }
        self.chunks[chunk].extend_from_slice(vector);
    }

    /// Where the search for a hash begins.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        ((hash & 0xFFFF_FFFF) as usize * self.places.len()) >> 32
    }

    /// The number of a vector, or the place where it belongs.
    fn find(&self, vector: &[u32], hash: u64) -> Result<u32, usize> {
        let numbers = self.number_mask;
        let wanted = self.tag(hash);
        let mut place = self.place(hash);
        loop {
            let entry = self.places[place];
            if entry == 0 {
                return Err(place);
            }
            if entry & !numbers == wanted {
                let number = (entry & numbers) - 1;
                if same(self.get(number), vector) {
                    return Ok(number);
                }
            }
            place += 1;
            if place == self.places.len() {
                place = 0;
            }
        }
    }

    /// The bits of an entry that are bits of the hash.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        (hash >> 32) as u32 & !self.number_mask
    }

    #[inline]
    fn entry(&self, hash: u64, number: u32) -> u32 {
        self.tag(hash) | (number + 1)
    }

    /// Makes the table larger by a half.
    fn grow(&mut self) {
        let size = self.places.len() + self.places.len() / 2;
        self.number_mask = number_mask(size);
        // The old table is not needed: it goes before the new one comes.
        self.places = Vec::new();
        self.places = vec![0; size];
        for number in 0..self.count as u32 {
            let hash = hash(self.get(number));
            let mut place = self.place(hash);
            while self.places[place] != 0 {
                place = if place + 1 == size { 0 } else { place + 1 };
            }
            self.places[place] = self.entry(hash, number);
        }
    }
}

/// The bits of the numbers in a table with so many places.
fn number_mask(places: usize) -> u32 {
    let bits = places.next_power_of_two().trailing_zeros();
    assert!(bits < u32::BITS, "there are at most 2^31 places");
    (1 << bits) - 1
}

/// Whether two short vectors of one length are equal.
#[inline]
pub fn same(a: &[u32], b: &[u32]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

/// A hash of a vector, all of whose bits depend on all words.
#[inline]
pub fn hash(vector: &[u32]) -> u64 {
    hash_from(0x243F_6A88_85A3_08D3, vector)
}

/// Another hash of a vector for each seed.
#[inline]
pub fn hash_from(seed: u64, vector: &[u32]) -> u64 {
    let mix = |hash: u64, &word: &u32| folded(hash ^ u64::from(word), 0x9E37_79B9_7F4A_7C15);
    folded(vector.iter().fold(seed, mix), 0xD6E8_FEB8_6659_FD93)
}

/// The two halves of a product, combined.
#[inline]
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
            let vectors: Vec<Vec<u32>> =
                (0..100).map(|_| (0..width).map(|_| random.below(13) as u32).collect()).collect();
            let mut numbers = Vec::new();
            set.numbers(&vectors.concat(), &mut numbers);
            let expected = vectors.iter().map(|vector| set.number(vector).unwrap_or(UNKNOWN));
            assert_eq!(numbers, expected.collect::<Vec<_>>());
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
