//! Circuits on bit vectors: sums, products, quotients, shifts and comparisons.
//!
//! A vector has its least significant bit first. Operands of one circuit have the same width, which
//! is at least 1, unless a function says otherwise. Results wrap at that width. A *signed* vector
//! is in two's complement. Constant bits simplify the circuits while they are built.

use kermode_system::{Expression, Graph};

/// A number as a vector; bits beyond the 64th repeat its sign.
pub(crate) fn constant(graph: &mut Graph, number: i64, width: usize) -> Vec<Expression> {
    (0..width).map(|place| graph.constant(number >> place.min(63) & 1 == 1)).collect()
}

/// The vector with this width: cut, or extended by zeros or by copies of the highest bit.
pub(crate) fn resize(
    graph: &mut Graph,
    bits: &[Expression],
    width: usize,
    signed: bool,
) -> Vec<Expression> {
    let fill = match bits.last() {
        Some(&sign) if signed => sign,
        _ => graph.constant(false),
    };
    let kept = bits.iter().copied().take(width);
    kept.chain(std::iter::repeat_n(fill, width.saturating_sub(bits.len()))).collect()
}

/// The complement of each bit.
pub(crate) fn complement(graph: &mut Graph, bits: &[Expression]) -> Vec<Expression> {
    bits.iter().map(|&bit| graph.not(bit)).collect()
}

/// `a + b + carry`.
fn add_with_carry(
    graph: &mut Graph,
    a: &[Expression],
    b: &[Expression],
    mut carry: Expression,
) -> Vec<Expression> {
    let mut sum = Vec::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let either = graph.xor(a, b);
        sum.push(graph.xor(either, carry));
        let (both, any) = (graph.and(a, b), graph.or(a, b));
        let passed = graph.and(any, carry);
        carry = graph.or(both, passed);
    }
    sum
}

/// `a + b`.
pub(crate) fn add(graph: &mut Graph, a: &[Expression], b: &[Expression]) -> Vec<Expression> {
    let carry = graph.constant(false);
    add_with_carry(graph, a, b, carry)
}

/// `a - b`.
pub(crate) fn subtract(graph: &mut Graph, a: &[Expression], b: &[Expression]) -> Vec<Expression> {
    let (carry, b) = (graph.constant(true), complement(graph, b));
    add_with_carry(graph, a, &b, carry)
}

/// `-a`.
pub(crate) fn negate(graph: &mut Graph, a: &[Expression]) -> Vec<Expression> {
    let zero = constant(graph, 0, a.len());
    subtract(graph, &zero, a)
}

/// `a * b`. The result is right for signed and for unsigned vectors.
pub(crate) fn multiply(graph: &mut Graph, a: &[Expression], b: &[Expression]) -> Vec<Expression> {
    let width = a.len();
    let mut product = constant(graph, 0, width);
    for (place, &bit) in b.iter().enumerate() {
        let addend: Vec<Expression> =
            a[..width - place].iter().map(|&other| graph.and(other, bit)).collect();
        let high = add(graph, &product[place..], &addend);
        product.splice(place.., high);
    }
    product
}

/// The quotient and the remainder of two unsigned vectors. Of a division by zero the quotient has
/// ones only, and the remainder is the dividend.
fn divide_unsigned(
    graph: &mut Graph,
    a: &[Expression],
    b: &[Expression],
) -> (Vec<Expression>, Vec<Expression>) {
    let width = a.len();
    let divisor = resize(graph, b, width + 1, false);
    let mut quotient = constant(graph, 0, width);
    let mut remainder = constant(graph, 0, width + 1);
    for place in (0..width).rev() {
        remainder.pop();
        remainder.insert(0, a[place]);
        let below = less(graph, &remainder, &divisor, false);
        quotient[place] = graph.not(below);
        let reduced = subtract(graph, &remainder, &divisor);
        remainder = choose(graph, below, &remainder, &reduced);
    }
    remainder.pop();
    (quotient, remainder)
}

/// The quotient, rounded towards zero, and the remainder, with the sign of the dividend. They mean
/// nothing if the divisor is zero.
pub(crate) fn divide(
    graph: &mut Graph,
    a: &[Expression],
    b: &[Expression],
    signed: bool,
) -> (Vec<Expression>, Vec<Expression>) {
    let (Some(&sign_a), Some(&sign_b), true) = (a.last(), b.last(), signed) else {
        return divide_unsigned(graph, a, b);
    };
    let (a, b) = (negate_if(graph, sign_a, a), negate_if(graph, sign_b, b));
    let (quotient, remainder) = divide_unsigned(graph, &a, &b);
    let sign = graph.xor(sign_a, sign_b);
    (negate_if(graph, sign, &quotient), negate_if(graph, sign_a, &remainder))
}

/// `-a` if the condition holds, else `a`.
fn negate_if(graph: &mut Graph, condition: Expression, a: &[Expression]) -> Vec<Expression> {
    let negated = negate(graph, a);
    choose(graph, condition, &negated, a)
}

/// `yes` if the condition holds, else `no`, bit by bit.
pub(crate) fn choose(
    graph: &mut Graph,
    condition: Expression,
    yes: &[Expression],
    no: &[Expression],
) -> Vec<Expression> {
    yes.iter().zip(no).map(|(&yes, &no)| graph.if_then_else(condition, yes, no)).collect()
}

/// Whether `a < b`.
pub(crate) fn less(
    graph: &mut Graph,
    a: &[Expression],
    b: &[Expression],
    signed: bool,
) -> Expression {
    let mut less = graph.constant(false);
    for place in 0..a.len() {
        // The highest bit of a signed vector counts negatively.
        let is_sign = signed && place + 1 == a.len();
        let (low, high) = if is_sign { (b[place], a[place]) } else { (a[place], b[place]) };
        let (same, zero) = (graph.iff(low, high), graph.not(low));
        let (kept, decided) = (graph.and(same, less), graph.and(zero, high));
        less = graph.or(decided, kept);
    }
    less
}

/// Whether `a = b`.
pub(crate) fn equal(graph: &mut Graph, a: &[Expression], b: &[Expression]) -> Expression {
    let same: Vec<Expression> = a.iter().zip(b).map(|(&a, &b)| graph.iff(a, b)).collect();
    graph.all(same)
}

/// Whether some bit is 1.
pub(crate) fn is_not_zero(graph: &mut Graph, bits: &[Expression]) -> Expression {
    graph.any(bits.iter().copied())
}

/// The direction of a shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shift {
    /// Towards the most significant bit.
    Left,
    /// Towards the least significant bit.
    Right,
}

/// `a` shifted by an unsigned amount of any width. The new bits are `fill`.
pub(crate) fn shift(
    graph: &mut Graph,
    direction: Shift,
    a: &[Expression],
    amount: &[Expression],
    fill: Expression,
) -> Vec<Expression> {
    let width = a.len();
    let mut shifted = a.to_vec();
    for (place, &bit) in amount.iter().enumerate() {
        let distance = u32::try_from(place).ok().and_then(|place| 1_usize.checked_shl(place));
        let distance = distance.unwrap_or(width).min(width);
        let new = std::iter::repeat_n(fill, distance);
        let moved: Vec<Expression> = match direction {
            Shift::Left => new.chain(shifted[..width - distance].iter().copied()).collect(),
            Shift::Right => shifted[distance..].iter().copied().chain(new).collect(),
        };
        shifted = choose(graph, bit, &moved, &shifted);
    }
    shifted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs of numbers of this width, with the vectors that hold them.
    fn pairs(width: usize) -> impl Iterator<Item = (u64, u64)> {
        let numbers = 1 << width;
        (0..numbers).flat_map(move |a| (0..numbers).map(move |b| (a, b)))
    }

    /// The number in the bits of a circuit whose inputs are constants.
    fn number(graph: &Graph, bits: &[Expression]) -> u64 {
        let value = |&bit: &Expression| match graph.term(bit) {
            kermode_system::Term::Constant(value) => u64::from(value),
            other => panic!("not a constant: {other:?}"),
        };
        bits.iter().enumerate().map(|(place, bit)| value(bit) << place).sum()
    }

    fn signed(number: u64, width: usize) -> i64 {
        let number = number as i64;
        if number >> (width - 1) & 1 == 1 { number - (1 << width) } else { number }
    }

    #[test]
    fn circuits_agree_with_arithmetic_on_all_small_numbers() {
        for width in 1..=4 {
            let mask = (1 << width) - 1;
            for (m, n) in pairs(width) {
                let graph = &mut Graph::new();
                let [a, b] = [m, n].map(|number| constant(graph, number as i64, width));
                let (i, j) = (signed(m, width), signed(n, width));
                let of = |graph: &Graph, bits: Vec<Expression>| number(graph, &bits);
                let sum = add(graph, &a, &b);
                assert_eq!(of(graph, sum), (m + n) & mask);
                let difference = subtract(graph, &a, &b);
                assert_eq!(of(graph, difference), m.wrapping_sub(n) & mask);
                let product = multiply(graph, &a, &b);
                assert_eq!(of(graph, product), (m * n) & mask);
                let negated = negate(graph, &a);
                assert_eq!(of(graph, negated), m.wrapping_neg() & mask);
                let lesses = [less(graph, &a, &b, false), less(graph, &a, &b, true)];
                let equality = equal(graph, &a, &b);
                let nonzero = is_not_zero(graph, &a);
                assert_eq!(number(graph, &lesses), u64::from(m < n) | u64::from(i < j) << 1);
                assert_eq!(number(graph, &[equality, nonzero]) & 1, u64::from(m == n));
                assert_eq!(number(graph, &[nonzero]), u64::from(m != 0));
                let bounded = graph.at_most(&a, n);
                assert_eq!(number(graph, &[bounded]), u64::from(m <= n));
                if let Some(expected) = m.checked_div(n) {
                    let (quotient, remainder) = divide(graph, &a, &b, false);
                    assert_eq!((of(graph, quotient), of(graph, remainder)), (expected, m % n));
                    let (quotient, remainder) = divide(graph, &a, &b, true);
                    assert_eq!(of(graph, quotient), (i / j) as u64 & mask);
                    assert_eq!(of(graph, remainder), (i % j) as u64 & mask);
                }
                let zero = graph.constant(false);
                let left = shift(graph, Shift::Left, &a, &b, zero);
                assert_eq!(of(graph, left), (m << n) & mask);
                let right = shift(graph, Shift::Right, &a, &b, zero);
                assert_eq!(of(graph, right), m >> n);
                let right = shift(graph, Shift::Right, &a, &b, a[width - 1]);
                assert_eq!(of(graph, right), (i >> n) as u64 & mask);
            }
        }
    }

    /// The same circuits with variables as inputs, so that no constant simplifies them.
    #[test]
    fn circuits_of_variables_agree_with_circuits_of_constants() {
        let width = 3;
        let graph = &mut Graph::new();
        let mut bit = || {
            let variable = graph.variable("bit");
            graph.current(variable)
        };
        let [a, b]: [Vec<Expression>; 2] = [(); 2].map(|()| (0..width).map(|_| bit()).collect());
        let mut roots = [add(graph, &a, &b), multiply(graph, &a, &b)].concat();
        let (quotient, remainder) = divide(graph, &a, &b, true);
        roots.extend([quotient, remainder].concat());
        roots.extend(shift(graph, Shift::Right, &a, &b, a[width - 1]));
        let below = kermode_system::Below::of(graph, &roots);
        for (m, n) in pairs(width).filter(|&(_, n)| n != 0) {
            let bits = m | n << width;
            let values = graph.values(&below, |v| bits >> v.index() & 1, |_| 0);
            let result = |place: usize| -> u64 {
                let bits = roots[place * width..][..width].iter().enumerate();
                bits.map(|(place, &bit)| (values[below.position(bit)] & 1) << place).sum()
            };
            let (i, j) = (signed(m, width), signed(n, width));
            let expected = [(m + n) & 7, (m * n) & 7, (i / j) as u64 & 7, (i % j) as u64 & 7];
            assert_eq!([0, 1, 2, 3].map(result), expected, "{i} and {j}");
            assert_eq!(result(4), (i >> n) as u64 & 7);
        }
    }

    #[test]
    fn wide_vectors_are_right() {
        let graph = &mut Graph::new();
        let (m, n) = (0xDEAD_BEEF_0123_4567_u64, 0x9E37_79B9_7F4A_7C15_u64);
        let [a, b] = [m, n].map(|number| constant(graph, number as i64, 64));
        let product = multiply(graph, &a, &b);
        assert_eq!(number(graph, &product), m.wrapping_mul(n));
        let (quotient, remainder) = divide(graph, &a, &b, false);
        assert_eq!((number(graph, &quotient), number(graph, &remainder)), (m / n, m % n));
        let amount = constant(graph, 64, 7);
        let zero = graph.constant(false);
        let shifted = shift(graph, Shift::Left, &a, &amount, zero);
        assert_eq!(number(graph, &shifted), 0);
    }
}
