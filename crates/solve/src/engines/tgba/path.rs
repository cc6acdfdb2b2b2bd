//! The path of a search through a numbered product, which may be as long as the graph is large.
//!
//! The last frame is at hand. A frame below is two small numbers in a list of bytes: the steps that
//! it has left, and the difference of its state to that of the frame above, as most states are
//! entered from the state that was numbered just before. So a frame takes two or three bytes.
//!
//! A number is written with its high bits first. The highest bit of a byte says that more bytes are
//! below, so that numbers are read from the end.

use crate::search::push_slowly;

/// The bits of a byte that belong to a number.
const BITS: u32 = 7;
const MORE: u8 = 1 << BITS;

/// A state on the path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) state: u32,
    /// The steps of its present batch that were not yet taken.
    pub(super) left: u32,
}

/// A path.
#[derive(Default)]
pub(super) struct Path {
    /// The last frame, if there is one.
    pub(super) last: Frame,
    pub(super) depth: usize,
    below: Vec<u8>,
}

impl Path {
    /// The memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.below.capacity()
    }

    pub(super) fn push(&mut self, frame: Frame) {
        if self.depth > 0 {
            let difference = frame.state.wrapping_sub(self.last.state) as i32;
            // The sign is the lowest bit: numbers of differences are small.
            self.write((difference << 1 ^ difference >> 31) as u32);
            self.write(self.last.left);
        }
        self.last = frame;
        self.depth += 1;
    }

    /// Removes the last frame.
    pub(super) fn pop(&mut self) {
        self.depth -= 1;
        if self.depth > 0 {
            let left = self.read();
            let number = self.read();
            let difference = number >> 1 ^ 0_u32.wrapping_sub(number & 1);
            self.last = Frame { state: self.last.state.wrapping_sub(difference), left };
        }
    }

    fn write(&mut self, number: u32) {
        let (mut shift, mut more) = (number.max(1).ilog2() / BITS * BITS, 0);
        loop {
            push_slowly(&mut self.below, (number >> shift) as u8 & (MORE - 1) | more);
            let Some(next) = shift.checked_sub(BITS) else { return };
            (shift, more) = (next, MORE);
        }
    }

    fn read(&mut self) -> u32 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.below.pop().expect("a number was written");
            number |= u32::from(byte & (MORE - 1)) << shift;
            if byte & MORE == 0 {
                return number;
            }
            shift += BITS;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kermode_base::Rng;

    /// Paths grow and shrink like a list; small and large numbers, steps forward and back.
    #[test]
    fn a_path_is_a_list_of_frames() {
        let mut random = Rng::new(7);
        let (mut path, mut list) = (Path::default(), Vec::new());
        for turn in 0..20_000 {
            if random.below(if turn < 10_000 { 3 } else { 2 }) > 0 || list.is_empty() {
                let mut number = || (random.next_u64() >> 32) as u32 >> random.below(32);
                let frame = Frame { state: number(), left: number() };
                path.push(frame);
                list.push(frame);
            } else {
                path.pop();
                list.pop();
            }
            assert_eq!(path.depth, list.len());
            assert!(list.last().is_none_or(|&last| last == path.last));
        }
        while list.pop().is_some() {
            path.pop();
            assert!(list.last().is_none_or(|&last| last == path.last));
        }
        assert!(path.below.is_empty());
    }
}
