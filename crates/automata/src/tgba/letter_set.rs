//! The letters of a label as a set of bits, if there are few propositions. Then questions about
//! labels take a few machine instructions and no operations on decision diagrams.

use kermode_bdd::Bdd;

/// A set of letters of up to `6 + log2(WORDS)` propositions: a letter is the number whose bits are
/// the values of the propositions.
pub(super) type LetterSet<const WORDS: usize> = [u64; WORDS];

/// The numbers below 64 in which bit `i` is set.
const BIT_SET: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// The letters of a label. If there are fewer propositions, the remaining bits repeat the set.
pub(super) fn letter_set<const WORDS: usize>(label: &Bdd) -> LetterSet<WORDS> {
    label.eval_bits(|variable| match BIT_SET.get(variable.index()) {
        Some(&bits) => [bits; WORDS],
        None => std::array::from_fn(|word| match word >> (variable.index() - BIT_SET.len()) & 1 {
            1 => u64::MAX,
            _ => 0,
        }),
    })
}
