//! Where the parts of a state of the product are in a vector of bits: the state of the model, then
//! the level of degeneralisation, then the number of the property's node.
//!
//! Level and node are in one word: the last word of the model's state, if it has bits left for
//! them, or a word of their own. The number of nodes is not known in advance, so a search that runs
//! out of numbers begins again with a word of their own.

/// The least number of bits for nodes in the last word of the model's state.
const LEAST_NODE_BITS: usize = 6;
const WORD: usize = u32::BITS as usize;

/// The parts of a vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// The words that the model's state is in.
    pub(super) state_words: usize,
    /// The word of level and node, and the first bits of both.
    word: usize,
    level_shift: usize,
    node_shift: usize,
}

impl Layout {
    /// The layout for states of so many bits and for levels up to this one. If it is wide, level
    /// and node have a word of their own.
    pub(super) fn new(state_bits: usize, last_level: usize, is_wide: bool) -> Layout {
        let state_words = state_bits.div_ceil(WORD);
        let level_bits = (usize::BITS - last_level.leading_zeros()) as usize;
        let used = state_bits - state_words.saturating_sub(1) * WORD;
        let shares = !is_wide && state_words > 0 && used + level_bits + LEAST_NODE_BITS <= WORD;
        let (word, level_shift) = if shares { (state_words - 1, used) } else { (state_words, 0) };
        Layout { state_words, word, level_shift, node_shift: level_shift + level_bits }
    }

    /// The number of words.
    pub(super) fn width(&self) -> usize {
        self.word + 1
    }

    /// Whether a node has a number that the layout can store.
    pub(super) fn fits(&self, node: u32) -> bool {
        self.node_shift < WORD && u64::from(node) < 1 << (WORD - self.node_shift)
    }

    /// Writes level and node behind a state of the model, whose other bits are zero.
    #[inline]
    pub(super) fn write(&self, vector: &mut Vec<u32>, state: &[u32], level: usize, node: u32) {
        let both = (level as u32) << self.level_shift | node << self.node_shift;
        // A vector has a few words: a loop is faster than a call that copies them.
        vector.extend((0..self.width()).map(|place| {
            let word = state.get(place).copied().unwrap_or(0);
            if place == self.word { word | both } else { word }
        }));
    }

    pub(super) fn node(&self, vector: &[u32]) -> u32 {
        vector[self.word] >> self.node_shift
    }

    pub(super) fn level(&self, vector: &[u32]) -> usize {
        let above = vector[self.word] >> self.level_shift;
        (above & ((1 << (self.node_shift - self.level_shift)) - 1)) as usize
    }

    /// Writes the state of the model alone.
    pub(super) fn state(&self, vector: &[u32], state: &mut Vec<u32>) {
        state.clear();
        state.extend_from_slice(&vector[..self.state_words]);
        if self.word < self.state_words {
            state[self.word] &= (1 << self.level_shift) - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_they_were_written() {
        for (bits, last_level, is_wide) in [
            (0, 0, false),
            (5, 0, false),
            (5, 3, true),
            (30, 0, false),
            (32, 2, false),
            (70, 9, false),
        ] {
            let layout = Layout::new(bits, last_level, is_wide);
            let mut state = vec![0_u32; bits.div_ceil(32)];
            (0..bits).step_by(3).for_each(|bit| state[bit / 32] |= 1 << (bit % 32));
            for (level, node) in [(0, 0), (last_level, 63), (last_level / 2, 17)] {
                assert!(layout.fits(node));
                let (mut vector, mut read) = (vec![7], Vec::new());
                layout.write(&mut vector, &state, level, node);
                let vector = &vector[1..];
                layout.state(vector, &mut read);
                assert_eq!(vector.len(), layout.width());
                assert_eq!((layout.level(vector), layout.node(vector)), (level, node));
                assert_eq!(read, state);
            }
        }
        assert!(!Layout::new(5, 0, false).fits(1 << 27));
        assert!(Layout::new(5, 0, true).fits(1 << 27));
    }
}
