//! Random boolean expressions.

use super::Construct;
use super::generator::Generator;
use super::scope::{Expression, Place, Type, Word};

impl Generator<'_> {
    /// A boolean expression that never fails.
    pub(super) fn boolean(&mut self, at: Place, depth: usize) -> Expression {
        if depth == 0 {
            return self.boolean_leaf(at);
        }
        let below = depth - 1;
        let expression = match self.rng.below(34) {
            0..=1 => {
                self.mark(Construct::Not);
                let operand = self.boolean(at, below);
                Expression::new(format!("!{}", operand.at(2)), 2)
            }
            kind @ 2..=10 => self.connective(at, below, kind - 2),
            11..=13 => self.integer_comparison(at, below),
            14..=17 => self.word_comparison(at, below),
            18..=19 => self.symbol_comparison(at),
            20..=21 => self.membership(at, below),
            22..=23 => self.choice(
                at,
                below,
                Construct::BooleanConditional,
                Construct::BooleanCase,
                &mut |generator| generator.boolean(at, below),
            ),
            24 => self.bool_cast(at, below),
            25..=28 => self.masked(at, below),
            29 => self.wrap_around_comparison(at),
            30..=32 if at.next => self.next_of(at, below.min(1), &mut |generator, at, depth| {
                generator.boolean(at, depth)
            }),
            _ => self.boolean_leaf(at),
        };
        self.parenthesised(expression)
    }

    /// A boolean name, a constant, or a comparison of a name with a constant.
    fn boolean_leaf(&mut self, at: Place) -> Expression {
        match self.rng.below(20) {
            0..=10 => {
                if let Some(name) = self.name(at, &|ty| *ty == Type::Boolean) {
                    return name;
                }
            }
            11 => {
                self.mark(Construct::BooleanConstant);
                return Expression::new(if self.rng.coin() { "TRUE" } else { "FALSE" }, 1);
            }
            12..=14 => return self.symbol_comparison(at),
            15..=16
                if !self
                    .visible(at, &|entry| matches!(entry.ty.base(), Type::Word(_)))
                    .is_empty() =>
            {
                return self.word_comparison(at, 0);
            }
            _ => {}
        }
        let integers = self.visible(at, &|entry| entry.ty.base().interval().is_some());
        if integers.is_empty()
            && let Some(name) = self.name(at, &|ty| *ty == Type::Boolean)
        {
            return name;
        }
        self.integer_comparison(at, 0)
    }

    fn connective(&mut self, at: Place, depth: usize, kind: usize) -> Expression {
        let (construct, operator, level) = [
            (Construct::And, "&", 14),
            (Construct::Or, "|", 15),
            (Construct::Xor, "xor", 15),
            (Construct::Xnor, "xnor", 15),
            (Construct::Iff, "<->", 17),
            (Construct::BooleanEqual, "=", 10),
            (Construct::BooleanNotEqual, "!=", 10),
            (Construct::Implies, "->", 18),
            (Construct::Or, "|", 15),
        ][kind];
        self.mark(construct);
        let left = self.boolean(at, depth);
        let right = self.boolean(at, depth);
        if operator == "->" {
            return Expression::new(format!("{} -> {}", left.at(17), right.at(18)), 18);
        }
        Expression::binary(&left, operator, &right, level)
    }

    fn integer_comparison(&mut self, at: Place, depth: usize) -> Expression {
        let left = self.integer(at, depth);
        let right = if depth > 0 && self.rng.coin() {
            self.integer(at, depth - 1)
        } else if self.chance(12) {
            self.mark(Construct::OutsideDomain);
            let value = left.high + 1 + self.number(0, 3);
            Expression::integer(value.to_string(), 1, value, value)
        } else {
            let value = self.number(left.low, left.high);
            self.integer_literal(value)
        };
        let (construct, operator) = self.rng.choose(&[
            (Construct::IntegerEqual, "="),
            (Construct::IntegerNotEqual, "!="),
            (Construct::IntegerLess, "<"),
            (Construct::IntegerLessEqual, "<="),
            (Construct::IntegerGreater, ">"),
            (Construct::IntegerGreaterEqual, ">="),
        ]);
        self.mark(construct);
        Expression::binary(&left, operator, &right, 10)
    }

    fn word_comparison(&mut self, at: Place, depth: usize) -> Expression {
        let word = self.word_type(at);
        let left = self.word(word, at, depth);
        let right = self.word(word, at, depth.saturating_sub(1));
        if depth > 0 && self.chance(8) {
            return self.wide_comparison(word, &left);
        }
        let (unsigned, signed, operator) = self.rng.choose(&[
            (Construct::WordEqual, Construct::WordEqual, "="),
            (Construct::WordNotEqual, Construct::WordNotEqual, "!="),
            (Construct::UnsignedLess, Construct::SignedLess, "<"),
            (Construct::UnsignedLessEqual, Construct::SignedLessEqual, "<="),
            (Construct::UnsignedGreater, Construct::SignedGreater, ">"),
            (Construct::UnsignedGreaterEqual, Construct::SignedGreaterEqual, ">="),
        ]);
        self.mark(if word.signed { signed } else { unsigned });
        Expression::binary(&left, operator, &right, 10)
    }

    /// A comparison of more than 32 bits.
    fn wide_comparison(&mut self, word: Word, operand: &Expression) -> Expression {
        self.mark(Construct::WideWord);
        let width = self.rng.choose(&[33, 48, 63, 64]);
        let wide = Word { signed: word.signed, width };
        self.mark(if word.signed { Construct::ExtendSigned } else { Construct::ExtendUnsigned });
        let extended =
            Expression::new(format!("extend({}, {})", operand.text, width - word.width), 1);
        let limit = self.word_literal(wide);
        let operator = self.rng.choose(&["<", ">=", "!="]);
        Expression::binary(&extended, operator, &limit, 10)
    }

    fn symbol_comparison(&mut self, at: Place) -> Expression {
        let operator = self.rng.choose(&["=", "!="]);
        let mixed = |ty: &Type| matches!(ty, Type::Mixed(..));
        let symbolic = |ty: &Type| matches!(ty, Type::Symbols(..));
        let left = if self.chance(60) { self.name(at, &symbolic) } else { self.name(at, &mixed) };
        let Some(left) = left.or_else(|| self.name(at, &|ty| symbolic(ty) || mixed(ty))) else {
            return self.boolean_leaf(at);
        };
        let stem = left.text.trim_start_matches("self.");
        let stem = stem.split('[').next().unwrap_or(stem).to_string();
        let is_mixed = !self
            .visible(at, &|entry| {
                entry.text.split('[').next() == Some(&stem) && mixed(entry.ty.base())
            })
            .is_empty();
        let constant = self.rng.below(self.symbols.len());
        let symbol = Expression::new(self.symbols[constant], 1);
        let right = if is_mixed {
            match self.rng.below(6) {
                0..=1 => {
                    self.mark(Construct::MixedWithInteger);
                    self.integer(at, 0)
                }
                2 => match self.name(at, &mixed) {
                    Some(name) => {
                        self.mark(Construct::MixedWithMixed);
                        name
                    }
                    None => symbol,
                },
                3 => match self.name(at, &symbolic) {
                    Some(name) => {
                        self.mark(Construct::MixedWithSymbol);
                        name
                    }
                    None => symbol,
                },
                _ => {
                    self.mark(Construct::MixedWithSymbol);
                    symbol
                }
            }
        } else {
            self.mark(if operator == "=" {
                Construct::SymbolEqual
            } else {
                Construct::SymbolNotEqual
            });
            if self.chance(30) { self.name(at, &symbolic).unwrap_or(symbol) } else { symbol }
        };
        Expression::binary(&left, operator, &right, 10)
    }

    fn membership(&mut self, at: Place, depth: usize) -> Expression {
        self.mark(Construct::In);
        match self.rng.below(6) {
            0 => {
                self.mark(Construct::BooleanIn);
                let left = self.boolean(at, depth);
                let right = self.set(&Type::Boolean, at, depth);
                Expression::binary(&left, "in", &right, 9)
            }
            1 => {
                self.mark(Construct::SubsetIn);
                let range = Type::Range(-2, 6);
                let left = self.set(&range, at, depth);
                let right = self.set(&range, at, depth);
                Expression::binary(&left, "in", &right, 9)
            }
            2 if !self.symbols.is_empty() => {
                let ty = Type::Symbols(self.symbols.clone());
                let left = self.value(&ty, at, 0);
                let right = self.set(&ty, at, depth);
                Expression::binary(&left, "in", &right, 9)
            }
            _ => {
                let left = self.integer(at, depth);
                let right =
                    self.set(&Type::Range(left.low, left.high.max(left.low + 1)), at, depth);
                Expression::binary(&left, "in", &right, 9)
            }
        }
    }

    fn bool_cast(&mut self, at: Place, depth: usize) -> Expression {
        let operand = if self.rng.coin() {
            self.mark(Construct::BoolOfInteger);
            self.integer(at, depth)
        } else {
            self.mark(Construct::BoolOfWord);
            self.word(Word { signed: false, width: 1 }, at, depth)
        };
        Expression::new(format!("bool({})", operand.text), 1)
    }

    /// A subexpression that may fail, where its failure is masked.
    fn masked(&mut self, at: Place, depth: usize) -> Expression {
        let (guard, failing) = match self.rng.below(5) {
            0 | 1 => {
                // A constant divisor 0 would be refused even where it is masked.
                let Some(divisor) = self.variable_name(at, &|ty| ty.interval().is_some()) else {
                    return self.boolean_leaf(at);
                };
                let dividend = self.integer(at, depth);
                let (operator, construct) = if self.rng.coin() {
                    ("/", Construct::GuardedDivision)
                } else {
                    ("mod", Construct::GuardedModulo)
                };
                self.mark(construct);
                let quotient = Expression::binary(&dividend, operator, &divisor, 4);
                let limit = self.number(-2, 3);
                let zero = Expression::new("0", 1);
                let failing =
                    Expression::binary(&quotient, "<", &Expression::new(limit.to_string(), 2), 10);
                (Expression::binary(&divisor, "!=", &zero, 10), failing)
            }
            2 => {
                self.mark(Construct::GuardedCase);
                let Some(guard) = self.variable_name(at, &|ty| *ty == Type::Boolean) else {
                    return self.boolean_leaf(at);
                };
                let value = self.boolean(at, depth);
                let failing =
                    Expression::new(format!("case {} : {}; esac", guard.text, value.text), 1);
                (guard, failing)
            }
            3 => match self.masked_index(at) {
                Some(parts) => parts,
                None => return self.boolean_leaf(at),
            },
            _ => {
                let word = self.word_type(at);
                let Some(divisor) = self.variable_name(at, &|ty| *ty == Type::Word(word)) else {
                    return self.boolean_leaf(at);
                };
                let dividend = self.word(word, at, depth);
                self.mark(Construct::GuardedWordDivision);
                let zero = self.word_constant(word, 0);
                let operator = self.rng.choose(&["/", "mod"]);
                let quotient = Expression::binary(&dividend, operator, &divisor, 4);
                let limit = self.word_literal(word);
                let failing = Expression::binary(&quotient, "<=", &limit, 10);
                (Expression::binary(&divisor, "!=", &zero, 10), failing)
            }
        };
        let text = match self.rng.below(5) {
            0 => {
                return Expression::new(format!("{} -> {}", guard.at(17), failing.at(18)), 18);
            }
            1 => {
                self.mark(Construct::BooleanConditional);
                let other = self.boolean(at, 0);
                format!("{} ? {} : {}", guard.at(15), failing.text, other.at(16))
            }
            2 => {
                self.mark(Construct::BooleanCase);
                let other = self.boolean(at, 0);
                let text =
                    format!("case {} : {}; TRUE : {}; esac", guard.text, failing.text, other.text);
                return Expression::new(text, 1);
            }
            3 => {
                self.mark(Construct::GuardAfterwards);
                return Expression::new(format!("{} | !{}", failing.at(15), guard.at(2)), 15);
            }
            _ => return Expression::new(format!("({} & {})", guard.at(14), failing.at(13)), 1),
        };
        Expression::new(text, 16)
    }

    /// An element whose index may be out of bounds, with the condition that it is not.
    fn masked_index(&mut self, at: Place) -> Option<(Expression, Expression)> {
        if !at.index || at.ltl {
            return None;
        }
        let arrays = self.visible(at, &|entry| {
            matches!(&entry.ty, Type::Array(_, _, element)
                if **element == Type::Boolean || element.interval().is_some())
        });
        if arrays.is_empty() {
            return None;
        }
        // A constant index out of bounds would be refused even where it is masked.
        let mut index = self.variable_name(at, &|ty| ty.interval().is_some())?;
        let array = &arrays[self.rng.below(arrays.len())];
        self.note(array);
        let Type::Array(low, high, element) = &array.ty else { return None };
        self.mark(Construct::GuardedIndex);
        if self.rng.coin() {
            self.mark(Construct::Add);
            index = Expression::new(format!("{} + 1", index.text), 5);
        }
        let guard =
            Expression::new(format!("{} >= {low} & {} <= {high}", index.at(10), index.at(10)), 14);
        let read = Expression::new(format!("{}[{}]", array.text, index.text), 1);
        let failing = match element.interval() {
            None => read,
            Some((low, high)) => {
                let value = self.number(low, high);
                Expression::binary(&read, ">=", &Expression::new(value.to_string(), 2), 10)
            }
        };
        Some((guard, failing))
    }

    /// A comparison of a number beyond 32 bits, which is computed with wrap-around.
    fn wrap_around_comparison(&mut self, at: Place) -> Expression {
        let left = self.wrap_around(at);
        let limit = self.number(-3, 3);
        let operator = self.rng.choose(&["<", ">=", "!="]);
        let right = Expression::new(limit.to_string(), 2);
        Expression::binary(&left, operator, &right, 10)
    }
}
