//! Columns of bits, a bit a position, and the operators that work on 64 positions at once.
//!
//! The unbounded temporal operators do so by the carry of an addition: every one of them is a chain
//! `v(i) = g(i) | p(i) & v(i -+ 1)` of *generate* and *propagate* bits, the recurrence by which
//! adders carry. They differ in `g`, in `p`, and in the value with which the chain begins: false
//! for least fixpoints, true for greatest ones.
//!
//! On a lasso a future chain begins at the end of the loop, whose successor is the start of the
//! loop: a first pass over the loop finds the value there (one pass is constant or the identity in
//! the value it begins with, see [`unrolling`](super::unrolling), so beginning with that of the
//! fixpoint is right), and the second pass writes the column.
//!
//! Invariant: bits beyond the last position are zero.

use crate::word::Word;

/// A bit a position.
#[derive(Clone, Debug, Default)]
pub(super) struct Column(Vec<u64>);

impl Column {
    /// The bit of a position.
    pub(super) fn get(&self, position: usize) -> bool {
        self.0[position / 64] >> (position % 64) & 1 == 1
    }

    /// Makes the bit of a position true.
    pub(super) fn set(&mut self, position: usize) {
        self.0[position / 64] |= 1 << (position % 64);
    }

    /// The bits of 64 positions.
    pub(super) fn word(&self, word: usize) -> u64 {
        self.0[word]
    }
}

/// A chain `v = generate | propagate & v'`, where `v'` is the neighbour's value and `start` stands
/// for it where the chain begins.
pub(super) struct Chain<G, P> {
    generate: G,
    propagate: P,
    start: bool,
}

/// The chain of a least fixpoint.
pub(super) fn least<G, P>(generate: G, propagate: P) -> Chain<G, P> {
    Chain { generate, propagate, start: false }
}

/// The chain of a greatest fixpoint.
pub(super) fn greatest<G, P>(generate: G, propagate: P) -> Chain<G, P> {
    Chain { generate, propagate, start: true }
}

/// How long columns are and where they go on.
pub(super) struct Frame {
    length: usize,
    loop_start: Option<usize>,
}

impl Frame {
    /// The columns over a word.
    pub(super) fn of(word: &Word) -> Self {
        Frame { length: word.len(), loop_start: word.loop_start() }
    }

    /// A column from its words, cut to the length of the word.
    pub(super) fn column(&self, word: impl FnMut(usize) -> u64) -> Column {
        self.cut(Column((0..self.words()).map(word).collect()))
    }

    fn cut(&self, mut column: Column) -> Column {
        if let Some(last) = column.0.last_mut() {
            *last &= self.last_mask();
        }
        column
    }

    fn words(&self) -> usize {
        self.length.div_ceil(64)
    }

    /// The bits of the last word that are positions.
    fn last_mask(&self) -> u64 {
        !0 >> (self.words() * 64 - self.length)
    }

    /// `X` and `N`: the bits one place down; behind the last the start of the loop, or `end`.
    pub(super) fn next(&self, a: impl Fn(usize) -> u64, end: bool) -> Column {
        let last = self.words() - 1;
        let mut column = self.column(|word| {
            let above = if word < last { a(word + 1) << 63 } else { 0 };
            a(word) >> 1 | above
        });
        let after = match self.loop_start {
            Some(start) => a(start / 64) >> (start % 64) & 1 == 1,
            None => end,
        };
        if after {
            column.set(self.length - 1);
        }
        column
    }

    /// `Y` and `Z`: the bits one place up; before the first there is `start`.
    pub(super) fn previous(&self, a: impl Fn(usize) -> u64, start: bool) -> Column {
        self.column(|word| match word {
            0 => a(0) << 1 | u64::from(start),
            _ => a(word) << 1 | a(word - 1) >> 63,
        })
    }

    /// A chain into the past, begun before position 0.
    pub(super) fn backward(
        &self,
        chain: Chain<impl Fn(usize) -> u64, impl Fn(usize) -> u64>,
    ) -> Column {
        let mut value = chain.start;
        self.column(|word| {
            let carried = carry((chain.generate)(word), (chain.propagate)(word), value);
            value = carried >> 63 == 1;
            carried
        })
    }

    /// A chain into the future, begun behind the last position.
    pub(super) fn forward(
        &self,
        chain: Chain<impl Fn(usize) -> u64, impl Fn(usize) -> u64>,
    ) -> Column {
        let mut column = Column(vec![0; self.words()]);
        let mut value = chain.start;
        if let Some(start) = self.loop_start {
            self.descend(&chain, value, start / 64, &mut column);
            value = column.get(start);
        }
        self.descend(&chain, value, 0, &mut column);
        self.cut(column)
    }

    /// Writes a future chain from the last word of the column down to the word `first`.
    fn descend(
        &self,
        chain: &Chain<impl Fn(usize) -> u64, impl Fn(usize) -> u64>,
        mut value: bool,
        first: usize,
        column: &mut Column,
    ) {
        // Beyond the last position nothing is generated and everything passes.
        let mut beyond = !self.last_mask();
        for word in (first..self.words()).rev() {
            let generate = (chain.generate)(word) & !beyond;
            let propagate = (chain.propagate)(word) | beyond;
            let carried = carry(generate.reverse_bits(), propagate.reverse_bits(), value);
            value = carried >> 63 == 1;
            column.0[word] = carried.reverse_bits();
            beyond = 0;
        }
    }
}

/// The bits `v(i) = g(i) | p(i) & v(i-1)`, with `start` for `v(-1)`: the carries out of each place
/// of the sum of `g | p` and `g`.
fn carry(generate: u64, propagate: u64, start: bool) -> u64 {
    let augend = generate | propagate;
    let (sum, first) = augend.overflowing_add(generate);
    let (sum, second) = sum.overflowing_add(u64::from(start));
    let carries_in = sum ^ augend ^ generate;
    carries_in >> 1 | u64::from(first || second) << 63
}
