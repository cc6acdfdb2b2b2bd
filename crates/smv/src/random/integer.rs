//! Random integer expressions, with bounds of their values.

use super::Construct;
use super::generator::Generator;
use super::scope::{Expression, Place, Type, Word};

/// Values beyond this are not computed with.
const LARGE: i64 = 300;

impl Generator<'_> {
    /// A literal, in one of its spellings.
    pub(super) fn integer_literal(&mut self, value: i64) -> Expression {
        let (text, level) = match self.rng.below(30) {
            _ if value < 0 => (value.to_string(), 2),
            0 => {
                self.mark(Construct::LeadingZeros);
                (format!("00{value}"), 1)
            }
            1 => {
                self.mark(Construct::PlusSign);
                (format!("(+{value})"), 1)
            }
            _ => (value.to_string(), 1),
        };
        Expression::integer(text, level, value, value)
    }

    /// An integer expression that never fails.
    pub(super) fn integer(&mut self, at: Place, depth: usize) -> Expression {
        if depth == 0 {
            if self.chance(85)
                && let Some(name) = self.name(at, &|ty| ty.interval().is_some())
            {
                return name;
            }
            if self.chance(70)
                && let Some(operand) = self.variable_name(at, &|ty| *ty == Type::Boolean)
            {
                self.mark(Construct::ToIntOfBoolean);
                return Expression::integer(format!("toint({})", operand.text), 1, 0, 1);
            }
            let value = self.number(-3, 7);
            return self.integer_literal(value);
        }
        let below = depth - 1;
        let expression = match self.rng.below(30) {
            0..=11 => self.arithmetic(at, below),
            12 => {
                let operand = self.integer(at, below);
                self.mark(Construct::Negate);
                let (low, high) = (-operand.high, -operand.low);
                Expression::integer(format!("-{}", operand.prefixed()), 2, low, high)
            }
            13 => {
                self.mark(Construct::Absolute);
                let operand = self.integer(at, below);
                let high = operand.low.abs().max(operand.high.abs());
                Expression::integer(format!("abs({})", operand.text), 1, 0, high)
            }
            14..=15 => self.extremum(at, below),
            16 => {
                self.mark(Construct::Count);
                let operands = 1 + self.rng.below(3);
                let texts: Vec<String> =
                    (0..operands).map(|_| self.boolean(at, below.min(1)).text).collect();
                let text = format!("count({})", texts.join(", "));
                Expression::integer(text, 1, 0, operands as i64)
            }
            17..=19 => self.cast_to_integer(at, below),
            20 if !at.body => {
                self.mark(Construct::SizeOf);
                let word = self.word_type(at);
                let operand = self.word(word, at, 0);
                let width = word.width as i64;
                Expression::integer(format!("sizeof({})", operand.text), 1, width, width)
            }
            21..=23 => self.choice(
                at,
                below,
                Construct::IntegerConditional,
                Construct::IntegerCase,
                &mut |generator| generator.integer(at, below),
            ),
            24 => self.masked_division(at, below),
            25 => {
                let operand = self.wrap_around(at);
                let text = format!("{} mod 3", operand.at(4));
                Expression::integer(text, 4, -2, 2)
            }
            26..=27 if at.next && !at.ltl => {
                self.next_of(at, below.min(1), &mut |generator, at, depth| {
                    generator.integer(at, depth)
                })
            }
            _ => self.integer(at, 0),
        };
        self.parenthesised(expression)
    }

    fn arithmetic(&mut self, at: Place, depth: usize) -> Expression {
        let left = self.integer(at, depth);
        let right = self.integer(at, depth.saturating_sub(1));
        let most = |e: &Expression| e.low.abs().max(e.high.abs());
        if most(&left) + most(&right) > LARGE {
            return left;
        }
        match self.rng.below(8) {
            0..=1 => {
                self.mark(Construct::Add);
                Expression::binary(&left, "+", &right, 5)
                    .within(left.low + right.low, left.high + right.high)
            }
            2..=3 => {
                self.mark(Construct::Subtract);
                Expression::binary(&left, "-", &right, 5)
                    .within(left.low - right.high, left.high - right.low)
            }
            4..=5 if most(&left) * most(&right) <= LARGE => {
                self.mark(Construct::Multiply);
                let products = [
                    left.low * right.low,
                    left.low * right.high,
                    left.high * right.low,
                    left.high * right.high,
                ];
                let low = products.into_iter().min().unwrap_or(0);
                let high = products.into_iter().max().unwrap_or(0);
                Expression::binary(&left, "*", &right, 4).within(low, high)
            }
            kind => {
                let nonzero = right.low > 0 || right.high < 0;
                let right = if nonzero {
                    right
                } else {
                    let divisor = self.number(1, 5);
                    let sign = if self.chance(20) { -1 } else { 1 };
                    self.integer_literal(sign * divisor)
                };
                self.quotient(&left, &right, kind % 2 == 0)
            }
        }
    }

    /// A division, or a remainder, with bounds that hold for all divisors but 0.
    fn quotient(&mut self, left: &Expression, right: &Expression, divide: bool) -> Expression {
        let most = left.low.abs().max(left.high.abs());
        if divide {
            self.mark(Construct::Divide);
            let low = if left.low >= 0 && right.low >= 0 { 0 } else { -most };
            return Expression::binary(left, "/", right, 4).within(low, most);
        }
        self.mark(Construct::Modulo);
        let rest = (right.low.abs().max(right.high.abs()) - 1).clamp(0, most);
        let low = if left.low >= 0 { 0 } else { -rest };
        let high = if left.high <= 0 { 0 } else { rest };
        Expression::binary(left, "mod", right, 4).within(low, high)
    }

    /// A division by something that may be 0, in a branch where it is not.
    fn masked_division(&mut self, at: Place, depth: usize) -> Expression {
        let left = self.integer(at, depth);
        // A constant divisor 0 would be refused even where it is masked.
        let Some(divisor) = self.variable_name(at, &|ty| ty.interval().is_some()) else {
            return left;
        };
        let divide = self.rng.coin();
        self.mark(if divide { Construct::GuardedDivision } else { Construct::GuardedModulo });
        let quotient = self.quotient(&left, &divisor, divide);
        let other = self.integer(at, 0);
        let (low, high) = (quotient.low.min(other.low), quotient.high.max(other.high));
        let text = if self.rng.coin() {
            format!("case {} = 0 : {}; TRUE : {}; esac", divisor.at(10), other.text, quotient.text)
        } else {
            format!("({} != 0 ? {} : {})", divisor.at(10), quotient.text, other.at(16))
        };
        Expression::integer(text, 1, low, high)
    }

    fn extremum(&mut self, at: Place, depth: usize) -> Expression {
        let left = self.integer(at, depth);
        let right = self.integer(at, 0);
        if self.rng.coin() {
            self.mark(Construct::Minimum);
            let text = format!("min({}, {})", left.text, right.text);
            Expression::integer(text, 1, left.low.min(right.low), left.high.min(right.high))
        } else {
            self.mark(Construct::Maximum);
            let text = format!("max({}, {})", left.text, right.text);
            Expression::integer(text, 1, left.low.max(right.low), left.high.max(right.high))
        }
    }

    fn cast_to_integer(&mut self, at: Place, depth: usize) -> Expression {
        let (operand, low, high) = match self.rng.below(4) {
            0 => {
                self.mark(Construct::ToIntOfBoolean);
                (self.boolean(at, depth), 0, 1)
            }
            1 => {
                self.mark(Construct::ToIntOfInteger);
                let operand = self.integer(at, depth);
                let (low, high) = (operand.low, operand.high);
                (operand, low, high)
            }
            kind => {
                let width = self.word_type(at).width;
                let word = Word { signed: kind == 2, width };
                let operand = self.word(word, at, depth);
                if word.signed {
                    self.mark(Construct::ToIntOfSigned);
                    (operand, -(1 << (width - 1)), (1 << (width - 1)) - 1)
                } else {
                    self.mark(Construct::ToIntOfUnsigned);
                    (operand, 0, (1 << width) - 1)
                }
            }
        };
        Expression::integer(format!("toint({})", operand.text), 1, low, high)
    }

    /// A number beyond 32 bits, computed with wrap-around; its bounds are not known.
    pub(super) fn wrap_around(&mut self, at: Place) -> Expression {
        self.mark(Construct::WrapAround);
        let operand = self.integer(at, 0);
        match self.rng.below(3) {
            0 => Expression::new(format!("2147483647 + {}", operand.at(4)), 5),
            1 => Expression::new(format!("{} * 1073741825", operand.at(4)), 4),
            _ => Expression::new(format!("-2147483647 - {}", operand.at(4)), 5),
        }
    }

    /// The expression, changed where it leaves the bounds.
    pub(super) fn fit(&mut self, e: Expression, low: i64, high: i64) -> Expression {
        if low <= e.low && e.high <= high {
            return e;
        }
        let size = high - low + 1;
        let text = match self.rng.below(6) {
            0 => {
                self.mark(Construct::Minimum);
                self.mark(Construct::Maximum);
                format!("min(max({}, {low}), {high})", e.text)
            }
            1 => {
                self.mark(Construct::IntegerCase);
                let e = e.at(10);
                format!("case {e} < {low} : {low}; {e} > {high} : {high}; TRUE : {e}; esac")
            }
            2 => {
                self.mark(Construct::IntegerConditional);
                self.mark(Construct::In);
                self.mark(Construct::RangeSet);
                let other = self.number(low, high);
                format!("({} in {low}..{high} ? {} : {other})", e.at(9), e.text)
            }
            3 => {
                self.mark(Construct::IntegerConditional);
                let other = self.number(low, high);
                let e = e.at(10);
                format!("({e} >= {low} & {e} <= {high} ? {e} : {other})")
            }
            4 => {
                self.mark(Construct::Absolute);
                self.mark(Construct::Modulo);
                self.mark(Construct::Add);
                let text = format!("abs({}) mod {size} + {low}", e.text);
                return Expression::integer(text, 5, low, high);
            }
            _ => {
                self.mark(Construct::Modulo);
                self.mark(Construct::Add);
                let inner = if e.low >= 0 {
                    format!("{} mod {size}", e.at(4))
                } else {
                    format!("({} mod {size} + {size}) mod {size}", e.at(4))
                };
                let text = if low == 0 { inner } else { format!("{inner} + {low}") };
                return Expression::integer(text, if low == 0 { 4 } else { 5 }, low, high);
            }
        };
        Expression::integer(text, 1, low, high)
    }

    /// The type of a word variable in sight, or a small one.
    pub(super) fn word_type(&mut self, at: Place) -> Word {
        let words = self.visible(at, &|entry| matches!(entry.ty.base(), Type::Word(_)));
        if !words.is_empty()
            && self.chance(80)
            && let Type::Word(word) = words[self.rng.below(words.len())].ty.base()
        {
            return *word;
        }
        Word { signed: self.rng.coin(), width: 1 + self.rng.below(4) }
    }
}
