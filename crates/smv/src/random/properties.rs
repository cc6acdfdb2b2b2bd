//! Random specifications.

use super::Construct;
use super::generator::{Generator, Scope, Uses};
use super::scope::{Expression, Place};

/// The logic of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Logic {
    Ltl,
    Ctl,
}

impl Generator<'_> {
    /// Draws a specification of the current module, or of an instance by `IN`.
    pub(super) fn property(&mut self) {
        let instances = self.scope().instances.clone();
        if instances.is_empty() || !self.in_main() || self.chance(75) {
            let index = self.in_main();
            let (section, text) = self.formula(index);
            let (name, end) = (self.property_name(), self.semicolon());
            self.item(section, format!("{name}{text}{end}"));
            return;
        }
        let (instance, module) = &instances[self.rng.below(instances.len())];
        let entries = self.modules[*module].entries.clone();
        self.scopes.push(Scope { entries, ..Scope::default() });
        let (section, text) = self.formula(false);
        self.scopes.pop();
        self.mark(Construct::PropertyContext);
        let (name, end) = (self.property_name(), self.semicolon());
        self.item(section, format!("{name}{text} IN {instance}{end}"));
    }

    fn property_name(&mut self) -> String {
        if self.chance(80) {
            return String::new();
        }
        self.mark(Construct::PropertyName);
        format!("NAME goal{} := ", self.fresh())
    }

    /// A formula with its keyword.
    fn formula(&mut self, index: bool) -> (&'static str, String) {
        self.uses = Uses::default();
        let state = Place { index, ..Place::STATE };
        let step = Place { index, ..Place::STEP };
        match self.rng.below(12) {
            0..=1 => {
                self.mark(Construct::InvarspecSection);
                let at = self.rng.choose(&[state, step, step, Place { index, ..Place::INPUT }]);
                let text = self.boolean(at, 2).text;
                if self.uses.next {
                    self.mark(Construct::InvarspecNext);
                }
                if self.uses.input {
                    self.mark(Construct::InvarspecInput);
                }
                ("INVARSPEC", text)
            }
            2..=6 => {
                self.mark(Construct::LtlspecSection);
                let at = self.rng.choose(&[state, state, step]);
                let at = Place { ltl: true, ..at };
                let text = self.temporal(Logic::Ltl, at, 2).text;
                if self.uses.next {
                    self.mark(Construct::NextInLtl);
                }
                if self.uses.input {
                    self.mark(Construct::InputInLtl);
                }
                ("LTLSPEC", text)
            }
            7..=10 => {
                let text = self.temporal(Logic::Ctl, state, 2).text;
                if self.chance(25) {
                    self.mark(Construct::SpecSection);
                    return ("SPEC", text);
                }
                self.mark(Construct::CtlspecSection);
                ("CTLSPEC", text)
            }
            _ => {
                let (word, construct) = self
                    .rng
                    .choose(&[("MIN", Construct::ComputeMin), ("MAX", Construct::ComputeMax)]);
                self.mark(construct);
                let from = self.boolean(state, 1);
                let depth = self.rng.below(2);
                let to = self.temporal(Logic::Ctl, state, depth);
                ("COMPUTE", format!("{word} [{}, {}]", from.text, to.text))
            }
        }
    }

    /// A formula over boolean expressions.
    fn temporal(&mut self, logic: Logic, at: Place, depth: usize) -> Expression {
        if depth == 0 {
            return self.boolean(at, 1);
        }
        let below = depth - 1;
        match self.rng.below(10) {
            0 => {
                self.mark(Construct::Not);
                let operand = self.temporal(logic, at, below);
                if matches!(operand.level, 11 | 12) {
                    self.mark(Construct::NotBeforePrefix);
                    return Expression::new(format!("!{}", operand.text), operand.level);
                }
                Expression::new(format!("!{}", operand.at(2)), 2)
            }
            1..=2 => {
                let (operator, level, construct) = self.rng.choose(&[
                    ("&", 14, Construct::And),
                    ("|", 15, Construct::Or),
                    ("xor", 15, Construct::Xor),
                    ("xnor", 15, Construct::Xnor),
                    ("<->", 17, Construct::Iff),
                    ("->", 18, Construct::Implies),
                ]);
                self.mark(construct);
                let left = self.temporal(logic, at, below);
                let right = self.temporal(logic, at, below);
                if level == 18 {
                    return Expression::new(format!("{} -> {}", left.at(17), right.at(18)), 18);
                }
                Expression::binary(&left, operator, &right, level)
            }
            _ if logic == Logic::Ltl => self.ltl(at, below),
            _ => self.ctl(at, below),
        }
    }

    /// Small bounds of a temporal operator.
    fn bounds(&mut self) -> (i64, i64) {
        let first = self.number(0, 2);
        (first, first + self.number(0, 2))
    }

    fn ltl(&mut self, at: Place, depth: usize) -> Expression {
        let binary = [
            ("U", Construct::LtlUntil),
            ("V", Construct::LtlRelease),
            ("S", Construct::LtlSince),
            ("T", Construct::LtlTriggered),
        ];
        let bounded = [
            ("F", Construct::BoundedEventually),
            ("G", Construct::BoundedGlobally),
            ("O", Construct::BoundedOnce),
            ("H", Construct::BoundedHistorically),
        ];
        let unary = [
            ("X", Construct::LtlNext),
            ("F", Construct::LtlEventually),
            ("G", Construct::LtlGlobally),
            ("G", Construct::LtlGlobally),
            ("Y", Construct::LtlYesterday),
            ("Z", Construct::LtlWeakYesterday),
            ("O", Construct::LtlOnce),
            ("H", Construct::LtlHistorically),
        ];
        match self.rng.below(10) {
            0..=3 => {
                let (operator, construct) = self.rng.choose(&binary);
                self.mark(construct);
                let left = self.temporal(Logic::Ltl, at, depth);
                let right = self.temporal(Logic::Ltl, at, depth);
                Expression::binary(&left, operator, &right, 13)
            }
            4..=5 => {
                let (operator, construct) = self.rng.choose(&bounded);
                self.mark(construct);
                let (low, high) = self.bounds();
                let operand = self.temporal(Logic::Ltl, at, depth);
                Expression::new(format!("{operator} [{low},{high}] {}", operand.at(12)), 12)
            }
            _ => {
                let (operator, construct) = self.rng.choose(&unary);
                self.mark(construct);
                let operand = self.temporal(Logic::Ltl, at, depth);
                Expression::new(format!("{operator} {}", operand.at(12)), 12)
            }
        }
    }

    fn ctl(&mut self, at: Place, depth: usize) -> Expression {
        let unary = [
            ("EX", Construct::CtlExistsNext),
            ("AX", Construct::CtlAllNext),
            ("EF", Construct::CtlExistsEventually),
            ("AF", Construct::CtlAllEventually),
            ("EG", Construct::CtlExistsGlobally),
            ("AG", Construct::CtlAllGlobally),
        ];
        let bounded = [
            ("EBF", Construct::CtlExistsBoundedEventually),
            ("ABF", Construct::CtlAllBoundedEventually),
            ("EBG", Construct::CtlExistsBoundedGlobally),
            ("ABG", Construct::CtlAllBoundedGlobally),
        ];
        match self.rng.below(10) {
            0..=3 => {
                let all = self.rng.coin();
                let path = if all { "A" } else { "E" };
                let left = self.temporal(Logic::Ctl, at, depth).at(15);
                let right = self.temporal(Logic::Ctl, at, depth).at(15);
                if self.rng.coin() {
                    self.mark(if all { Construct::CtlAllUntil } else { Construct::CtlExistsUntil });
                    return Expression::new(format!("{path} [{left} U {right}]"), 11);
                }
                self.mark(if all {
                    Construct::CtlAllBoundedUntil
                } else {
                    Construct::CtlExistsBoundedUntil
                });
                let (low, high) = self.bounds();
                Expression::new(format!("{path} [{left} BU {low}..{high} {right}]"), 11)
            }
            4..=5 => {
                let (operator, construct) = self.rng.choose(&bounded);
                self.mark(construct);
                let (low, high) = self.bounds();
                let operand = self.temporal(Logic::Ctl, at, depth);
                Expression::new(format!("{operator} {low}..{high} {}", operand.at(11)), 11)
            }
            _ => {
                let (operator, construct) = self.rng.choose(&unary);
                self.mark(construct);
                let operand = self.temporal(Logic::Ctl, at, depth);
                Expression::new(format!("{operator} {}", operand.at(11)), 11)
            }
        }
    }
}
