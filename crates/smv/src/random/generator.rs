//! The state of a drawing: random numbers, scopes, and what the current item uses.

use std::collections::BTreeSet;

use kermode_base::Rng;

use super::instances::Signature;
use super::parameters::Parameter;
use super::scope::{Entry, Expression, Place, Role, Type};
use super::{Construct, ModelShape, RandomItem, RandomModel, RandomModule};

/// What an expression reads.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Uses {
    /// The greatest rank of a variable.
    pub rank: usize,
    /// Whether it reads an input.
    pub input: bool,
    /// Whether it contains `next`.
    pub next: bool,
}

/// A module that is being drawn.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub name: String,
    pub entries: Vec<Entry>,
    pub items: Vec<RandomItem>,
    /// The rank of the newest variable.
    pub rank: usize,
    /// The number of names that were made up.
    pub names: usize,
    /// Instances with the index of their module.
    pub instances: Vec<(String, usize)>,
    /// DEFINEs of constant integers.
    pub constants: Vec<(String, i64)>,
    pub parameters: Vec<(String, Parameter)>,
    /// The bits of its variables.
    pub bits: usize,
    /// The bits that each step may choose: those of inputs and of free variables.
    pub free_bits: usize,
    /// How deep in the hierarchy; `main` is 0.
    pub depth: usize,
    /// Whether it is instantiated as a process.
    pub process: bool,
    /// Whether the order of its items matters.
    pub ordered: bool,
}

/// Draws one model.
pub(super) struct Generator<'a> {
    pub rng: &'a mut Rng,
    pub shape: ModelShape,
    /// The constructs of the current item.
    pub used: BTreeSet<Construct>,
    /// What the current expression reads.
    pub uses: Uses,
    /// The modules that are being drawn, the innermost last.
    pub scopes: Vec<Scope>,
    /// The modules that are finished.
    pub modules: Vec<Signature>,
    /// The declared symbolic constants.
    pub symbols: Vec<&'static str>,
    /// Whether the model has processes.
    pub processes: bool,
    /// The number of modules that were begun.
    pub begun: usize,
}

impl<'a> Generator<'a> {
    /// A generator that has drawn nothing.
    pub(super) fn new(rng: &'a mut Rng, shape: &ModelShape) -> Self {
        let shape = shape.clone();
        Generator {
            rng,
            shape,
            used: BTreeSet::new(),
            uses: Uses::default(),
            scopes: Vec::new(),
            modules: Vec::new(),
            symbols: Vec::new(),
            processes: false,
            begun: 0,
        }
    }

    /// The whole model.
    pub(super) fn model(mut self) -> RandomModel {
        self.processes = self.chance(14);
        self.scopes.push(Scope {
            name: "main".to_string(),
            process: self.processes,
            ..Scope::default()
        });
        self.main();
        let main = self.scopes.pop().expect("main is being drawn");
        let mut modules: Vec<RandomModule> = Vec::new();
        let main = RandomModule { header: "MODULE main".to_string(), items: main.items };
        if self.rng.coin() {
            modules.push(main);
            modules.extend(self.modules.into_iter().map(|signature| signature.module));
        } else {
            modules.extend(self.modules.into_iter().map(|signature| signature.module));
            modules.push(main);
        }
        RandomModel { modules, carriage_returns: self.rng.below(20) == 0 }
    }

    /// True with a probability in percent.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.rng.below(100) < percent
    }

    /// Marks a construct as used by the current item.
    pub(super) fn mark(&mut self, construct: Construct) {
        self.used.insert(construct);
    }

    /// The module that is being drawn.
    pub(super) fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("a module is being drawn")
    }

    /// Whether the module that is being drawn is `main`.
    pub(super) fn in_main(&self) -> bool {
        self.scopes.len() == 1
    }

    /// Whether a step may choose that many bits more. If so, they are counted. Steps with many
    /// choices would make explicit exploration slow.
    pub(super) fn may_choose(&mut self, bits: usize) -> bool {
        let most = if self.in_main() { 7 } else { 2 };
        let scope = self.scope();
        if scope.free_bits + bits > most {
            return false;
        }
        scope.free_bits += bits;
        true
    }

    /// Ends the current item.
    pub(super) fn item(&mut self, section: &'static str, text: impl Into<String>) {
        let constructs = std::mem::take(&mut self.used);
        let item = RandomItem { section, text: text.into(), constructs };
        self.scope().items.push(item);
    }

    /// The names that a place allows and a test admits.
    pub(super) fn visible(&mut self, at: Place, admits: &dyn Fn(&Entry) -> bool) -> Vec<Entry> {
        self.scope()
            .entries
            .iter()
            .filter(|entry| {
                let limit = if entry.next { at.limit.min(at.next_limit) } else { at.limit };
                (at.inputs || !entry.input)
                    && (!entry.next || at.next && !at.ltl)
                    && (!at.body || !entry.parameter || !entry.text.contains('.'))
                    && entry.rank < limit
            })
            .filter(|entry| admits(entry))
            .cloned()
            .collect()
    }

    /// A name of a type that the test admits, or an element of an array of such a type.
    pub(super) fn name(&mut self, at: Place, admits: &dyn Fn(&Type) -> bool) -> Option<Expression> {
        let entries = self.visible(at, &|entry| !entry.set && admits(entry.ty.base()));
        if entries.is_empty() {
            return None;
        }
        let entry = &entries[self.rng.below(entries.len())];
        Some(self.read(entry, at))
    }

    /// A variable of a type that the test admits, which is certainly not constant.
    pub(super) fn variable_name(
        &mut self,
        at: Place,
        admits: &dyn Fn(&Type) -> bool,
    ) -> Option<Expression> {
        let entries = self.visible(at, &|entry| {
            !matches!(entry.role, Role::Value | Role::Target)
                && entry.ty.bits() > 0
                && admits(&entry.ty)
        });
        if entries.is_empty() {
            return None;
        }
        let entry = &entries[self.rng.below(entries.len())];
        Some(self.read(entry, at))
    }

    /// The value of a name, with indices for an array.
    pub(super) fn read(&mut self, entry: &Entry, at: Place) -> Expression {
        self.note(entry);
        let mut text = entry.text.clone();
        let plain = !text.contains(['.', '"', '[']) && entry.role != Role::Value;
        if plain && entry.role != Role::Target && text != "running" && self.chance(4) {
            self.mark(Construct::SelfComponent);
            text = format!("self.{text}");
        }
        let mut ty = &entry.ty;
        let mut depth = 0;
        while let Type::Array(low, high, element) = ty {
            let constant = at.ltl && *entry.ty.base() == Type::Boolean;
            let variable = self.index(*low, *high, Place { index: at.index && !constant, ..at });
            if variable.1 {
                if entry.array_define {
                    self.mark(Construct::ArrayDefineIndex);
                }
                if at.below_next {
                    self.mark(Construct::NextOfElement);
                }
            }
            text = format!("{text}[{}]", variable.0);
            ty = element;
            depth += 1;
        }
        if depth > 1 {
            self.mark(Construct::NestedIndex);
        }
        let (low, high) = ty.interval().unwrap_or((0, 0));
        Expression::integer(text, 1, low, high)
    }

    /// Notes that a name is read.
    pub(super) fn note(&mut self, entry: &Entry) {
        self.uses.rank = self.uses.rank.max(entry.rank);
        self.uses.input |= entry.input;
        self.uses.next |= entry.next;
        if entry.text == "running" {
            self.mark(Construct::Running);
        } else if entry.text.ends_with(".running") {
            self.mark(Construct::RunningOfInstance);
        }
        let path = entry.text.starts_with('u') || entry.text.starts_with("owner");
        match entry.text.matches(['.']).count() {
            1 if path => self.mark(Construct::InstancePath),
            n if n > 1 && path => self.mark(Construct::DeepPath),
            _ => {}
        }
    }

    /// An index between bounds, and whether it is variable.
    fn index(&mut self, low: i64, high: i64, at: Place) -> (String, bool) {
        let constants: Vec<String> = self
            .scope()
            .constants
            .iter()
            .filter(|(_, value)| (low..=high).contains(value))
            .map(|(name, _)| name.clone())
            .collect();
        if !constants.is_empty() && self.chance(25) {
            self.mark(Construct::DefineIndex);
            return (constants[self.rng.below(constants.len())].clone(), false);
        }
        if !at.index || self.chance(45) {
            self.mark(Construct::ConstantIndex);
            let value = self.number(low, high);
            return (value.to_string(), false);
        }
        // Indices of indices are mostly constant, so that expressions stay small.
        let at = Place { index: self.chance(15), ..at };
        if low <= 0 && high >= 1 && self.chance(35) {
            self.mark(Construct::WordIndex);
            let width = if high >= 3 { 1 + self.rng.below(2) } else { 1 };
            let word = super::scope::Word { signed: false, width };
            return (self.word(word, at, 1).text, true);
        }
        let before = self.uses.next;
        self.uses.next = false;
        let index = self.integer(at, 1);
        let index = self.fit(index, low, high);
        if self.uses.next {
            self.mark(Construct::NextIndex);
        }
        self.uses.next |= before;
        self.mark(Construct::IntegerIndex);
        (index.text, true)
    }

    /// An integer between bounds.
    pub(super) fn number(&mut self, low: i64, high: i64) -> i64 {
        low + self.rng.below((high - low + 1) as usize) as i64
    }

    /// An expression below `next`, if the place allows it.
    pub(super) fn next_of(
        &mut self,
        at: Place,
        depth: usize,
        make: &mut dyn FnMut(&mut Self, Place, usize) -> Expression,
    ) -> Expression {
        let operand = if at.ltl {
            let variables = self.visible(at.below_next(), &|entry| {
                entry.role == Role::State && entry.ty == Type::Boolean
            });
            if variables.is_empty() {
                return make(self, Place { next: false, ..at }, depth);
            }
            let variable = &variables[self.rng.below(variables.len())];
            self.read(variable, at.below_next())
        } else {
            make(self, at.below_next(), depth)
        };
        self.uses.next = true;
        let simple = operand.level == 1 && !operand.text.contains(['(', ' ']);
        self.mark(if simple { Construct::NextOfVariable } else { Construct::NextOfExpression });
        Expression { text: format!("next({})", operand.text), level: 1, ..operand }
    }

    /// A conditional or a `case` between expressions of one type.
    pub(super) fn choice(
        &mut self,
        at: Place,
        depth: usize,
        conditional: Construct,
        case: Construct,
        make: &mut dyn FnMut(&mut Self) -> Expression,
    ) -> Expression {
        let depth = depth.saturating_sub(1);
        let first = make(self);
        let second = make(self);
        let (low, high) = (first.low.min(second.low), first.high.max(second.high));
        let condition = self.boolean(at, depth);
        if self.rng.coin() {
            self.mark(conditional);
            let text = format!("{} ? {} : {}", condition.at(15), first.text, second.at(16));
            return Expression::integer(text, 16, low, high);
        }
        self.mark(case);
        if self.chance(25) {
            self.mark(Construct::CaseWithoutDefault);
            let text = format!(
                "case {} : {}; !{} : {}; esac",
                condition.text,
                first.text,
                condition.at(1),
                second.text
            );
            return Expression::integer(text, 1, low, high);
        }
        if self.rng.coin() {
            let text =
                format!("case {} : {}; TRUE : {}; esac", condition.text, first.text, second.text);
            return Expression::integer(text, 1, low, high);
        }
        let third = make(self);
        let other = self.boolean(at, 0);
        let text = format!(
            "case {} : {}; {} : {}; TRUE : {}; esac",
            condition.text, first.text, other.text, third.text, second.text
        );
        Expression::integer(text, 1, low.min(third.low), high.max(third.high))
    }

    /// The expression, now and then in parentheses that it does not need.
    pub(super) fn parenthesised(&mut self, expression: Expression) -> Expression {
        if self.rng.below(25) > 0 {
            return expression;
        }
        self.mark(Construct::RedundantParentheses);
        Expression { text: format!("({})", expression.text), level: 1, ..expression }
    }
}
