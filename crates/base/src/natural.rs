//! Natural numbers of any size: exact counts of states and models.
//!
//! A number is stored in base 2^64, the least significant digit first. Invariant: the last digit is
//! not zero, so zero has no digits and equal numbers have equal digits.

use std::cmp::Ordering;
use std::fmt;

/// A natural number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Natural(Vec<u64>);

/// The largest power of ten that fits into a digit, and its exponent.
const TEN_TO: (u64, usize) = (10_000_000_000_000_000_000, 19);

impl Natural {
    /// Zero.
    pub const ZERO: Natural = Natural(Vec::new());

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a number.
    pub fn add(&mut self, other: &Natural) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut carry = false;
        for (place, digit) in self.0.iter_mut().enumerate() {
            let addend = other.0.get(place).copied().unwrap_or(0);
            let (sum, first) = digit.overflowing_add(addend);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (*digit, carry) = (sum, first || second);
        }
        self.0.extend(carry.then_some(1));
    }

    /// The number multiplied by two to a power.
    #[must_use]
    pub fn times_two_to(&self, power: usize) -> Natural {
        if self.is_zero() {
            return Natural::ZERO;
        }
        let mut digits = vec![0; power / 64];
        let shift = power % 64;
        let mut carry = 0;
        for &digit in &self.0 {
            digits.push(digit << shift | carry);
            carry = if shift == 0 { 0 } else { digit >> (64 - shift) };
        }
        digits.extend((carry > 0).then_some(carry));
        Natural(digits)
    }

    /// The difference, if it is not negative.
    #[must_use]
    pub fn minus(&self, other: &Natural) -> Option<Natural> {
        let mut digits = self.0.clone();
        let mut borrow = false;
        for place in 0..digits.len().max(other.0.len()) {
            let subtrahend = other.0.get(place).copied().unwrap_or(0);
            let digit = digits.get_mut(place)?;
            let (difference, first) = digit.overflowing_sub(subtrahend);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            (*digit, borrow) = (difference, first || second);
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        (!borrow).then_some(Natural(digits))
    }

    /// Divides by a digit, and returns the remainder.
    fn divide(&mut self, divisor: u64) -> u64 {
        let mut remainder = 0;
        for digit in self.0.iter_mut().rev() {
            let dividend = u128::from(remainder) << 64 | u128::from(*digit);
            *digit = (dividend / u128::from(divisor)) as u64;
            remainder = (dividend % u128::from(divisor)) as u64;
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        remainder
    }
}

impl From<u64> for Natural {
    fn from(number: u64) -> Natural {
        Natural((number > 0).then_some(number).into_iter().collect())
    }
}

impl From<u128> for Natural {
    fn from(number: u128) -> Natural {
        let mut low = Natural::from(number as u64);
        low.add(&Natural::from((number >> 64) as u64).times_two_to(64));
        low
    }
}

impl TryFrom<&Natural> for u128 {
    type Error = TooLarge;

    fn try_from(number: &Natural) -> Result<u128, TooLarge> {
        match *number.0 {
            [] => Ok(0),
            [low] => Ok(u128::from(low)),
            [low, high] => Ok(u128::from(high) << 64 | u128::from(low)),
            _ => Err(TooLarge),
        }
    }
}

impl TryFrom<&Natural> for u64 {
    type Error = TooLarge;

    fn try_from(number: &Natural) -> Result<u64, TooLarge> {
        match *number.0 {
            [] => Ok(0),
            [low] => Ok(low),
            _ => Err(TooLarge),
        }
    }
}

/// The number does not fit into the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the number is too large")]
pub struct TooLarge;

impl Ord for Natural {
    fn cmp(&self, other: &Natural) -> Ordering {
        let by_digits = || self.0.iter().rev().cmp(other.0.iter().rev());
        self.0.len().cmp(&other.0.len()).then_with(by_digits)
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Natural) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut rest, mut parts) = (self.clone(), Vec::new());
        while !rest.is_zero() {
            parts.push(rest.divide(TEN_TO.0));
        }
        let mut text = parts.pop().unwrap_or(0).to_string();
        for part in parts.into_iter().rev() {
            text.push_str(&format!("{part:0width$}", width = TEN_TO.1));
        }
        f.pad_integral(true, "", &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn powers_of_two() {
        let one = Natural::from(1u64);
        assert_eq!(Natural::ZERO.to_string(), "0");
        assert_eq!(Natural::ZERO.times_two_to(1000), Natural::ZERO);
        assert_eq!(one.times_two_to(64).to_string(), "18446744073709551616");
        assert_eq!(one.times_two_to(128).to_string(), "340282366920938463463374607431768211456");
        let large = one.times_two_to(200).to_string();
        assert_eq!(large, "1606938044258990275541962092341162602522202993782792835301376");
        assert_eq!(u128::try_from(&one.times_two_to(128)), Err(TooLarge));
        assert_eq!(u64::try_from(&one.times_two_to(63)), Ok(1 << 63));
        assert_eq!(format!("{:>4}|{one:<3}|", Natural::from(10u64)), "  10|1  |");
    }

    #[test]
    fn random_numbers_agree_with_128_bits() {
        let mut rng = Rng::new(7);
        for _ in 0..2_000 {
            let mut draw = || {
                let digits = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
                digits >> (1 + rng.below(127))
            };
            let (a, b) = (draw(), draw());
            let [one, other] = [a, b].map(Natural::from);
            let mut sum = one.clone();
            sum.add(&other);
            assert_eq!(sum.to_string(), (a + b).to_string());
            assert_eq!(u128::try_from(&sum), Ok(a + b));
            assert_eq!(one.cmp(&other), a.cmp(&b));
            assert_eq!(one.minus(&other), a.checked_sub(b).map(Natural::from));
            assert_eq!(one.times_two_to(1), Natural::from(2 * a));
            assert_eq!(sum.minus(&other), Some(one));
        }
    }
}
