//! Columns of bits, one bit per position, and operators on 64 positions at once.
//!
//! The unbounded temporal operators use the carry of an addition: each of them is a chain `v(i) =
//! g(i) | p(i) & v(i -+ 1)` of *generate* and *propagate* bits, the recurrence of carries in an
//! adder. They differ in `g`, in `p`, and in the start value of the chain: false for least
//! fixpoints, true for greatest ones.
//!
//! On a lasso a future chain begins at the end of the loop, whose successor is the start of the
//! loop. A first pass over the loop computes the value there: one pass is constant or the identity
//! in its start value, see [`unrolling`](super::unrolling), so it may start with that of the
//! fixpoint. The second pass writes the column.
//!
//! Invariant: bits beyond the last position are zero.

use crate::word::Word;

/// One bit per position.
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

/// A chain `v = generate | propagate & v'`, where `v'` is the neighbour's value, or `start` where
/// the chain begins.
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

/// The length of columns and the start of the loop.
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

    /// `X` and `N`: the bits shifted down by one; after the last position comes the start of the
    /// loop, or `end`.
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

    /// `Y` and `Z`: the bits shifted up by one; before the first position comes `start`.
    pub(super) fn previous(&self, a: impl Fn(usize) -> u64, start: bool) -> Column {
        self.column(|word| match word {
            0 => a(0) << 1 | u64::from(start),
            _ => a(word) << 1 | a(word - 1) >> 63,
        })
    }

    /// A chain into the past, which starts before position 0.
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

    /// A chain into the future, which starts after the last position.
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
        // Beyond the last position nothing is generated and everything is propagated.
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
