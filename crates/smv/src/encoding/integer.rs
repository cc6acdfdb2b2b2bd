//! Integers as vectors in two's complement, as narrow as their values allow.
//!
//! Each integer has bounds that contain its values under all legal codes of variables, and just
//! the width that the bounds need. The sum of two numbers from 0 to 3 has bounds 0 and 6, hence
//! four bits, the highest of which is the constant 0. Results beyond 32 bits wrap around.

use kermode_system::{Expression, Graph};

use super::arithmetic;

/// An integer.
///
/// Invariant: the bounds fit 32 bits, and the width is that of the bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Integer {
    /// The bits, the least significant first; the last one is the sign.
    pub(crate) bits: Vec<Expression>,
    /// A lower bound.
    pub(crate) low: i64,
    /// An upper bound.
    pub(crate) high: i64,
}

const LEAST: i64 = i32::MIN as i64;
const MOST: i64 = i32::MAX as i64;

/// The number of bits in two's complement of all numbers within bounds.
fn width(low: i64, high: i64) -> usize {
    let bits = |number: i64| 65 - (number ^ number >> 63).leading_zeros() as usize;
    bits(low).max(bits(high))
}

impl Integer {
    /// A constant.
    pub(crate) fn constant(graph: &mut Graph, number: i32) -> Self {
        let number = i64::from(number);
        let bits = arithmetic::constant(graph, number, width(number, number));
        Integer { bits, low: number, high: number }
    }

    /// The unsigned number in some bits, plus an offset. All codes up to a last one are legal.
    pub(crate) fn from_code(
        graph: &mut Graph,
        code: &[Expression],
        offset: i32,
        last: u64,
    ) -> Self {
        let low = i64::from(offset);
        let high = low + last as i64;
        let width = width(low, high);
        let code = arithmetic::resize(graph, code, width, false);
        if low == 0 {
            return Integer { bits: code, low, high };
        }
        let offset = arithmetic::constant(graph, low, width);
        Integer { bits: arithmetic::add(graph, &code, &offset), low, high }
    }

    /// The number in a word.
    pub(crate) fn from_word(graph: &mut Graph, word: &[Expression], signed: bool) -> Self {
        let width = word.len() as u32;
        let (low, high) = if signed {
            (-1 << (width - 1), (1 << (width - 1)) - 1)
        } else {
            (0, (1 << width) - 1)
        };
        Integer::wrapped(graph, word, signed, low, high)
    }

    /// The number with these bits, whose bounds are known. It wraps around at 32 bits.
    fn wrapped(graph: &mut Graph, bits: &[Expression], signed: bool, low: i64, high: i64) -> Self {
        let turns = |number: i64| (number - LEAST) >> 32;
        let (low, high) = match turns(low) == turns(high) {
            true => (low - (turns(low) << 32), high - (turns(high) << 32)),
            false => (LEAST, MOST),
        };
        let width = width(low, high);
        let bits = match low == high {
            true => arithmetic::constant(graph, low, width),
            false => arithmetic::resize(graph, bits, width, signed),
        };
        Integer { bits, low, high }
    }

    /// The bits, extended to a width or cut.
    pub(crate) fn resized(&self, graph: &mut Graph, width: usize) -> Vec<Expression> {
        arithmetic::resize(graph, &self.bits, width, true)
    }

    /// Both with a common width, of at least so many bits.
    fn aligned(graph: &mut Graph, a: &Integer, b: &Integer, least: usize) -> [Vec<Expression>; 2] {
        let width = a.bits.len().max(b.bits.len()).max(least);
        [a.resized(graph, width), b.resized(graph, width)]
    }

    /// The bits of both for a result within bounds. More than 32 bits are never needed.
    fn operands(
        graph: &mut Graph,
        a: &Integer,
        b: &Integer,
        low: i64,
        high: i64,
    ) -> [Vec<Expression>; 2] {
        let width = width(low, high).min(32);
        [a.resized(graph, width), b.resized(graph, width)]
    }

    /// `a + b`.
    pub(crate) fn add(graph: &mut Graph, a: &Integer, b: &Integer) -> Self {
        let (low, high) = (a.low + b.low, a.high + b.high);
        let [a, b] = Integer::operands(graph, a, b, low, high);
        let sum = arithmetic::add(graph, &a, &b);
        Integer::wrapped(graph, &sum, true, low, high)
    }

    /// `a - b`.
    pub(crate) fn subtract(graph: &mut Graph, a: &Integer, b: &Integer) -> Self {
        let (low, high) = (a.low - b.high, a.high - b.low);
        let [a, b] = Integer::operands(graph, a, b, low, high);
        let difference = arithmetic::subtract(graph, &a, &b);
        Integer::wrapped(graph, &difference, true, low, high)
    }

    /// `-a`.
    pub(crate) fn negate(graph: &mut Graph, a: &Integer) -> Self {
        let zero = Integer::constant(graph, 0);
        Integer::subtract(graph, &zero, a)
    }

    /// `a * b`.
    pub(crate) fn multiply(graph: &mut Graph, a: &Integer, b: &Integer) -> Self {
        let corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
        let (low, high) = extremes(&corners);
        let (a, b) = if a.low == a.high { (b, a) } else { (a, b) };
        let [a, b] = Integer::operands(graph, a, b, low, high);
        let product = arithmetic::multiply(graph, &a, &b);
        Integer::wrapped(graph, &product, true, low, high)
    }

    /// `a / b` and `a mod b`; they mean nothing if `b` is 0.
    pub(crate) fn divide(graph: &mut Graph, a: &Integer, b: &Integer) -> (Self, Self) {
        let divisors = [b.low, b.high, -1, 1];
        let divisors = divisors.into_iter().filter(|&d| d != 0 && (b.low..=b.high).contains(&d));
        let corners: Vec<i64> = divisors.flat_map(|d| [a.low / d, a.high / d]).collect();
        let (low, high) = extremes(&corners);
        let most = (b.low.abs().max(b.high.abs()) - 1).max(0);
        let (least_rest, most_rest) = (a.low.max(-most).min(0), a.high.min(most).max(0));
        // The negative of the least number needs one more bit.
        let least = a.bits.len().max(b.bits.len()) + 1;
        let [a, b] = Integer::aligned(graph, a, b, least);
        let (quotient, remainder) = arithmetic::divide(graph, &a, &b, true);
        (
            Integer::wrapped(graph, &quotient, true, low, high),
            Integer::wrapped(graph, &remainder, true, least_rest, most_rest),
        )
    }

    /// Whether `a < b`.
    pub(crate) fn less(graph: &mut Graph, a: &Integer, b: &Integer) -> Expression {
        if a.high < b.low || b.high <= a.low {
            return graph.constant(a.high < b.low);
        }
        let [a, b] = Integer::aligned(graph, a, b, 1);
        arithmetic::less(graph, &a, &b, true)
    }

    /// Whether `a = b`.
    pub(crate) fn equal(graph: &mut Graph, a: &Integer, b: &Integer) -> Expression {
        if a.high < b.low || b.high < a.low {
            return graph.constant(false);
        }
        let [a, b] = Integer::aligned(graph, a, b, 1);
        arithmetic::equal(graph, &a, &b)
    }

    /// Whether the number is within bounds, which are included.
    pub(crate) fn is_within(&self, graph: &mut Graph, low: i32, high: i32) -> Expression {
        let [low, high] = [low, high].map(|bound| Integer::constant(graph, bound));
        let (below, above) = (Integer::less(graph, self, &low), Integer::less(graph, &high, self));
        let outside = graph.or(below, above);
        graph.not(outside)
    }

    /// `yes` if the condition holds, else `no`.
    pub(crate) fn choose(
        graph: &mut Graph,
        condition: Expression,
        yes: &Integer,
        no: &Integer,
    ) -> Self {
        let (low, high) = (yes.low.min(no.low), yes.high.max(no.high));
        let [yes, no] = Integer::aligned(graph, yes, no, 1);
        Integer { bits: arithmetic::choose(graph, condition, &yes, &no), low, high }
    }
}

/// The least and the largest of some numbers; 0 of none.
fn extremes(numbers: &[i64]) -> (i64, i64) {
    let least = numbers.iter().copied().min().unwrap_or(0);
    (least, numbers.iter().copied().max().unwrap_or(0))
}
