//! Random word expressions and the spellings of word literals.

use super::Construct;
use super::generator::Generator;
use super::scope::{Expression, Place, Type, Word};

impl Generator<'_> {
    /// A literal with random bits.
    pub(super) fn word_literal(&mut self, word: Word) -> Expression {
        let bits = self.rng.next_u64() >> (64 - word.width);
        self.word_constant(word, bits)
    }

    /// The literal with these bits, in one of its spellings.
    pub(super) fn word_constant(&mut self, word: Word, bits: u64) -> Expression {
        let Word { signed, width } = word;
        let sign = if signed {
            self.mark(Construct::SignedLiteral);
            "s"
        } else if self.rng.coin() {
            self.mark(Construct::UnsignedLiteral);
            "u"
        } else {
            ""
        };
        let (base, bits_per_digit, construct) = self.rng.choose(&[
            ('b', 1, Construct::BinaryLiteral),
            ('o', 3, Construct::OctalLiteral),
            ('d', 0, Construct::DecimalLiteral),
            ('h', 4, Construct::HexLiteral),
        ]);
        self.mark(construct);
        let negative = base == 'd' && signed && bits >> (width - 1) == 1;
        let magnitude = if negative {
            self.mark(Construct::NegativeLiteral);
            // The bits of 2^width - bits; the greatest magnitude 2^(width-1) is allowed.
            bits.wrapping_neg() & (u64::MAX >> (64 - width))
        } else {
            bits
        };
        let mut digits = match base {
            'b' => format!("{magnitude:b}"),
            'o' => format!("{magnitude:o}"),
            'd' => format!("{magnitude}"),
            _ if self.rng.coin() => format!("{magnitude:x}"),
            _ => format!("{magnitude:X}"),
        };
        let mut width_text = width.to_string();
        if bits_per_digit > 0 && width % bits_per_digit == 0 && self.chance(40) {
            let count = width / bits_per_digit;
            digits = format!("{digits:0>count$}");
            if self.rng.coin() {
                self.mark(Construct::LiteralWithoutWidth);
                width_text.clear();
            }
        }
        if digits.len() > 1 && self.chance(15) {
            self.mark(Construct::LiteralUnderscore);
            let place = 1 + self.rng.below(digits.len() - 1);
            digits.insert(place, '_');
        }
        let base = if self.chance(8) {
            self.mark(Construct::UpperCaseLiteral);
            base.to_ascii_uppercase()
        } else {
            base
        };
        let minus = if negative { "-" } else { "" };
        let text = format!("{minus}0{sign}{base}{width_text}_{digits}");
        Expression::new(text, if negative { 2 } else { 1 })
    }

    /// An expression of a word type that never fails.
    pub(super) fn word(&mut self, word: Word, at: Place, depth: usize) -> Expression {
        if depth == 0 {
            return self.word_leaf(word, at);
        }
        let below = depth - 1;
        let expression = match self.rng.below(36) {
            0..=8 => self.word_arithmetic(word, at, below),
            9..=14 => self.bitwise(word, at, below),
            15..=17 => self.shift(word, at, below),
            18..=20 => self.choice(
                at,
                below,
                Construct::WordConditional,
                Construct::WordCase,
                &mut |generator| generator.word(word, at, below),
            ),
            21 => {
                let (name, construct) = self
                    .rng
                    .choose(&[("min", Construct::WordMinimum), ("max", Construct::WordMaximum)]);
                self.mark(construct);
                let left = self.word(word, at, below);
                let right = self.word(word, at, 0);
                Expression::new(format!("{name}({}, {})", left.text, right.text), 1)
            }
            22..=28 => self.other_width(word, at, below),
            29..=30 => self.constant_from_integer(word),
            31..=32 if at.next && !at.ltl => {
                self.next_of(at, below.min(1), &mut |generator, at, depth| {
                    generator.word(word, at, depth)
                })
            }
            _ => self.word_leaf(word, at),
        };
        self.parenthesised(expression)
    }

    fn word_leaf(&mut self, word: Word, at: Place) -> Expression {
        if self.chance(75) {
            if let Some(name) = self.name(at, &|ty| *ty == Type::Word(word)) {
                return name;
            }
            if self.chance(80)
                && let Some(cast) = self.cast_name(word, at)
            {
                return cast;
            }
        }
        self.word_literal(word)
    }

    /// A variable of any word type, brought to the type.
    fn cast_name(&mut self, word: Word, at: Place) -> Option<Expression> {
        let names = self.visible(at, &|entry| matches!(entry.ty, Type::Word(_)) && !entry.set);
        if names.is_empty() {
            return None;
        }
        let entry = &names[self.rng.below(names.len())];
        let Type::Word(found) = entry.ty else { return None };
        let name = self.read(entry, at);
        Some(self.cast(name, found, word, at))
    }

    /// A word expression brought to another type.
    fn cast(&mut self, operand: Expression, found: Word, word: Word, at: Place) -> Expression {
        let mut text = operand;
        if found.width < word.width && self.rng.coin() {
            self.mark(if found.signed {
                Construct::ExtendSigned
            } else {
                Construct::ExtendUnsigned
            });
            text =
                Expression::new(format!("extend({}, {})", text.text, word.width - found.width), 1);
        } else if found.width > word.width && (self.rng.coin() || word.width == 1) {
            // NuSMV computes `resize` of a signed constant to one bit wrongly.
            let low = self.rng.below(found.width - word.width + 1);
            let high = low + word.width - 1;
            return self.select(text, (high, low), word, at);
        } else if found.width != word.width {
            self.mark(if found.signed {
                Construct::ResizeSigned
            } else {
                Construct::ResizeUnsigned
            });
            text = Expression::new(format!("resize({}, {})", text.text, word.width), 1);
        }
        if found.signed == word.signed {
            text
        } else if word.signed {
            self.mark(Construct::SignedCast);
            Expression::new(format!("signed({})", text.text), 1)
        } else {
            self.mark(Construct::UnsignedCast);
            Expression::new(format!("unsigned({})", text.text), 1)
        }
    }

    /// Some bits of a word.
    fn select(
        &mut self,
        operand: Expression,
        (high, low): (usize, usize),
        word: Word,
        at: Place,
    ) -> Expression {
        self.mark(Construct::BitSelection);
        if operand.level > 1 {
            self.mark(Construct::BitSelectionOfExpression);
        }
        let constants = &self.scope().constants;
        let constant = constants.iter().find(|(_, value)| *value == high as i64);
        let constant = constant.map(|(name, _)| name.clone());
        // NuSMV crashes on such a bound in a DEFINE outside of main.
        let high = match constant {
            Some(name) if self.in_main() || !at.body => {
                self.mark(Construct::BitSelectionOfDefine);
                name
            }
            _ => high.to_string(),
        };
        let text = format!("{}[{high}:{low}]", operand.at(1));
        if word.signed {
            self.mark(Construct::SignedCast);
            return Expression::new(format!("signed({text})"), 1);
        }
        Expression::new(text, 1)
    }

    fn word_arithmetic(&mut self, word: Word, at: Place, depth: usize) -> Expression {
        let left = self.word(word, at, depth);
        let (unsigned, signed, operator, level) = self.rng.choose(&[
            (Construct::UnsignedAdd, Construct::SignedAdd, "+", 5),
            (Construct::UnsignedAdd, Construct::SignedAdd, "+", 5),
            (Construct::UnsignedSubtract, Construct::SignedSubtract, "-", 5),
            (Construct::UnsignedMultiply, Construct::SignedMultiply, "*", 4),
            (Construct::UnsignedDivide, Construct::SignedDivide, "/", 4),
            (Construct::UnsignedModulo, Construct::SignedModulo, "mod", 4),
            (Construct::UnsignedNegate, Construct::SignedNegate, "", 2),
        ]);
        self.mark(if word.signed { signed } else { unsigned });
        if level == 2 {
            return Expression::new(format!("-{}", left.prefixed()), 2);
        }
        if operator != "/" && operator != "mod" {
            let right = self.word(word, at, depth.saturating_sub(1));
            return Expression::binary(&left, operator, &right, level);
        }
        // A constant divisor 0 would be refused even where it is masked.
        let variable = self.variable_name(at, &|ty| *ty == Type::Word(word));
        let Some(divisor) = variable.filter(|_| self.rng.coin()) else {
            let bits = (self.rng.next_u64() >> (64 - word.width)).max(1);
            let divisor = self.word_constant(word, bits);
            return Expression::binary(&left, operator, &divisor, level);
        };
        self.mark(Construct::GuardedWordDivision);
        let zero = self.word_constant(word, 0);
        let other = self.word(word, at, 0);
        let quotient = Expression::binary(&left, operator, &divisor, level);
        let text = if self.rng.coin() {
            self.mark(Construct::WordConditional);
            format!("({} != {} ? {} : {})", divisor.at(10), zero.text, quotient.text, other.at(16))
        } else {
            self.mark(Construct::WordCase);
            let zero = format!("{} = {}", divisor.at(10), zero.text);
            format!("case {zero} : {}; TRUE : {}; esac", other.text, quotient.text)
        };
        Expression::new(text, 1)
    }

    fn bitwise(&mut self, word: Word, at: Place, depth: usize) -> Expression {
        let (construct, operator, level) = self.rng.choose(&[
            (Construct::WordNot, "!", 2),
            (Construct::WordAnd, "&", 14),
            (Construct::WordOr, "|", 15),
            (Construct::WordXor, "xor", 15),
            (Construct::WordXnor, "xnor", 15),
            (Construct::WordIff, "<->", 17),
            (Construct::WordImplies, "->", 18),
        ]);
        self.mark(construct);
        let left = self.word(word, at, depth);
        if level == 2 {
            return Expression::new(format!("!{}", left.at(2)), 2);
        }
        let right = self.word(word, at, depth.saturating_sub(1));
        if level == 18 {
            return Expression::new(format!("{} -> {}", left.at(17), right.at(18)), 18);
        }
        Expression::binary(&left, operator, &right, level)
    }

    fn shift(&mut self, word: Word, at: Place, depth: usize) -> Expression {
        let left = self.word(word, at, depth);
        let width = word.width as i64;
        let (operator, construct) = match (self.rng.coin(), word.signed) {
            (true, _) => ("<<", Construct::ShiftLeft),
            (false, true) => (">>", Construct::ShiftRightSigned),
            (false, false) => (">>", Construct::ShiftRight),
        };
        match self.rng.below(4) {
            0 => {
                self.mark(construct);
                let amount = self.number(0, width);
                let amount = self.integer_literal(amount);
                Expression::binary(&left, operator, &amount, 6)
            }
            1 => {
                // NuSMV refuses constants that are too large, also in branches never taken.
                let Some(amount) = self.variable_name(at, &|ty| ty.interval().is_some()) else {
                    return left;
                };
                self.mark(construct);
                let amount = self.fit(amount, 0, width);
                Expression::binary(&left, operator, &amount, 6)
            }
            2 => {
                self.mark(construct);
                self.mark(Construct::ShiftByWord);
                let amount_width = if width >= 3 { 1 + self.rng.below(2) } else { 1 };
                let amount =
                    self.word(Word { signed: false, width: amount_width }, at, depth.min(1));
                Expression::binary(&left, operator, &amount, 6)
            }
            _ => {
                // A constant that is too large would be refused even where it is masked.
                let Some(amount) = self.variable_name(at, &|ty| ty.interval().is_some()) else {
                    return left;
                };
                self.mark(construct);
                self.mark(Construct::GuardedShift);
                self.mark(Construct::WordConditional);
                let guard = format!("{} >= 0 & {} <= {width}", amount.at(10), amount.at(10));
                let shifted = Expression::binary(&left, operator, &amount, 6);
                let other = self.word(word, at, 0);
                Expression::new(format!("({guard} ? {} : {})", shifted.text, other.at(16)), 1)
            }
        }
    }

    /// A word made from words of other types.
    fn other_width(&mut self, word: Word, at: Place, depth: usize) -> Expression {
        let Word { signed, width } = word;
        match self.rng.below(6) {
            0 | 1 if width > 1 => {
                self.mark(Construct::Concatenation);
                let high = 1 + self.rng.below(width - 1);
                let left_signed = self.chance(30);
                let left = self.word(Word { signed: left_signed, width: high }, at, depth);
                let right_signed = self.chance(30);
                let right =
                    self.word(Word { signed: right_signed, width: width - high }, at, depth);
                let joined = Expression::binary(&left, "::", &right, 3);
                self.cast(joined, Word { signed: false, width }, word, at)
            }
            0 | 1 if !signed => {
                self.mark(Construct::Word1);
                let operand = self.boolean(at, depth);
                Expression::new(format!("word1({})", operand.text), 1)
            }
            2 => {
                let operand = self.word(Word { signed: !signed, width }, at, depth);
                self.cast(operand, Word { signed: !signed, width }, word, at)
            }
            3 if width > 1 => {
                let found = Word { signed, width: 1 + self.rng.below(width - 1) };
                let operand = self.word(found, at, depth);
                self.cast(operand, found, word, at)
            }
            _ => {
                let found = Word { signed: self.rng.coin(), width: width + 1 + self.rng.below(2) };
                let operand = self.word(found, at, depth);
                self.cast(operand, found, word, at)
            }
        }
    }

    fn constant_from_integer(&mut self, word: Word) -> Expression {
        let width = word.width as u32;
        let (name, low, high) = if word.signed {
            self.mark(Construct::SignedConstant);
            ("swconst", -(1i64 << (width - 1)), (1i64 << (width - 1)) - 1)
        } else {
            self.mark(Construct::UnsignedConstant);
            ("uwconst", -1, (1i64 << width) - 1)
        };
        let value = self.number(low, high);
        Expression::new(format!("{name}({value}, {width})"), 1)
    }
}
