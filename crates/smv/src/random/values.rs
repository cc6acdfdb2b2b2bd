//! Random values and sets of a given type, as assignments need them.

use super::Construct;
use super::generator::Generator;
use super::scope::{Expression, Place, Type};

impl Generator<'_> {
    /// A constant of a type that is no array.
    pub(super) fn constant(&mut self, ty: &Type) -> Expression {
        match ty {
            Type::Boolean => {
                self.mark(Construct::BooleanConstant);
                Expression::new(if self.rng.coin() { "TRUE" } else { "FALSE" }, 1)
            }
            Type::Range(low, high) => {
                let value = self.number(*low, *high);
                self.integer_literal(value)
            }
            Type::Numbers(values) => {
                let value = self.rng.choose(values);
                self.integer_literal(value)
            }
            Type::Symbols(values) => Expression::new(self.rng.choose(values), 1),
            Type::Mixed(numbers, symbols) => {
                if self.rng.coin() {
                    let value = self.rng.choose(numbers);
                    self.integer_literal(value)
                } else {
                    Expression::new(self.rng.choose(symbols), 1)
                }
            }
            Type::Word(word) => self.word_literal(*word),
            Type::Array(..) => self.constant(ty.base()),
        }
    }

    /// An expression whose value is always in the type, which is no array.
    pub(super) fn value(&mut self, ty: &Type, at: Place, depth: usize) -> Expression {
        match ty {
            Type::Boolean => self.boolean(at, depth),
            Type::Range(low, high) => {
                let value = self.integer(at, depth);
                self.fit(value, *low, *high)
            }
            Type::Word(word) => self.word(*word, at, depth),
            _ => self.member(ty, at, depth),
        }
    }

    /// A value of an enumeration.
    fn member(&mut self, ty: &Type, at: Place, depth: usize) -> Expression {
        let inside = |found: &Type| match (found, ty) {
            (Type::Numbers(found), Type::Numbers(all) | Type::Mixed(all, _)) => {
                found.iter().all(|value| all.contains(value))
            }
            (Type::Symbols(found), Type::Symbols(all) | Type::Mixed(_, all)) => {
                found.iter().all(|value| all.contains(value))
            }
            _ => found == ty,
        };
        if depth == 0 {
            if self.chance(60)
                && let Some(name) = self.name(at, &inside)
            {
                return name;
            }
            return self.constant(ty);
        }
        let (conditional, case) = match ty {
            Type::Mixed(..) => (Construct::MixedConditional, Construct::SymbolCase),
            Type::Numbers(_) => (Construct::IntegerConditional, Construct::IntegerCase),
            _ => (Construct::SymbolConditional, Construct::SymbolCase),
        };
        if at.next && !at.ltl && self.chance(15) {
            return self
                .next_of(at, 0, &mut |generator, at, depth| generator.member(ty, at, depth));
        }
        self.choice(at, depth, conditional, case, &mut |generator| {
            generator.member(ty, at, depth - 1)
        })
    }

    /// A set of values that are always in the type, which is no array and no word.
    pub(super) fn set(&mut self, ty: &Type, at: Place, depth: usize) -> Expression {
        if *ty == Type::Boolean {
            self.mark(Construct::BooleanSet);
        }
        let sets = self.visible(at, &|entry| entry.set && entry.ty == *ty);
        if !sets.is_empty() && self.chance(50) {
            let entry = &sets[self.rng.below(sets.len())];
            self.note(entry);
            return Expression::new(entry.text.clone(), 1);
        }
        let below = depth.saturating_sub(1);
        match self.rng.below(10) {
            0..=1 => {
                if let Type::Range(low, high) = ty
                    && low < high
                {
                    self.mark(Construct::RangeSet);
                    let first = self.number(*low, high - 1);
                    let last = self.number(first, *high);
                    return Expression::new(format!("{first}..{last}"), 7);
                }
                self.set_literal(ty, at, below)
            }
            2 => {
                self.mark(Construct::Union);
                let left = self.set_literal(ty, at, below);
                let right = self.value(ty, at, below);
                Expression::binary(&left, "union", &right, 8)
            }
            3 => {
                self.mark(Construct::Union);
                let left = self.value(ty, at, below);
                let right = self.set_literal(ty, at, below);
                Expression::binary(&left, "union", &right, 8)
            }
            4 => {
                self.mark(Construct::ConditionalSet);
                let condition = self.boolean(at, below);
                let first = self.set_literal(ty, at, 0);
                let second = self.value(ty, at, below);
                let text = format!("{} ? {} : {}", condition.at(15), first.text, second.at(16));
                Expression::new(text, 16)
            }
            5 => {
                self.mark(Construct::CaseSet);
                let condition = self.boolean(at, below);
                let first = self.value(ty, at, below);
                let second = self.set(ty, at, 0);
                let text = format!(
                    "case {} : {}; TRUE : {}; esac",
                    condition.text, first.text, second.text
                );
                Expression::new(text, 1)
            }
            6 => {
                self.mark(Construct::SingletonSet);
                let value = self.value(ty, at, below);
                Expression::new(format!("{{{}}}", value.text), 7)
            }
            _ => self.set_literal(ty, at, below),
        }
    }

    fn set_literal(&mut self, ty: &Type, at: Place, depth: usize) -> Expression {
        self.mark(Construct::SetLiteral);
        let first = self.constant(ty);
        let second = self.value(ty, at, depth);
        let text = match self.rng.below(4) {
            0 => {
                self.mark(Construct::NestedSet);
                let third = self.constant(ty);
                format!("{{{}, {{{}, {}}}}}", first.text, second.text, third.text)
            }
            1 => {
                let third = self.constant(ty);
                format!("{{{}, {}, {}}}", first.text, second.text, third.text)
            }
            _ => format!("{{{}, {}}}", first.text, second.text),
        };
        Expression::new(text, 7)
    }
}
