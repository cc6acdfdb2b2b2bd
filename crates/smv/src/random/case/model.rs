//! Random models of cases.

use std::collections::BTreeSet;

use kermode_base::Rng;

use super::{RandomItem, RandomModel};
use crate::random::RandomModule;

/// The names of symbolic constants.
const SYMBOLS: [&str; 3] = ["red", "green", "blue"];

/// The most states, counted by the domains of variables.
const MOST_STATES: usize = 1_500;

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Boolean,
    /// The integers from 0 to one less than this number.
    Range(usize),
    /// The first so many symbols.
    Symbols(usize),
    /// Unsigned words of two bits.
    Word,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    State,
    Frozen,
    Input,
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    ty: Type,
    role: Role,
}

/// What an expression may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    /// Variables of the state.
    State,
    /// Inputs as well.
    Inputs,
    /// Inputs and next values as well.
    Step,
}

impl Type {
    fn text(self) -> String {
        match self {
            Type::Boolean => "boolean".to_owned(),
            Type::Range(size) => format!("0..{}", size - 1),
            Type::Symbols(count) => format!("{{{}}}", SYMBOLS[..count].join(", ")),
            Type::Word => "word[2]".to_owned(),
        }
    }

    fn size(self) -> usize {
        match self {
            Type::Boolean => 2,
            Type::Range(size) => size,
            Type::Symbols(count) => count,
            Type::Word => 4,
        }
    }

    fn constant(self, number: usize) -> String {
        match self {
            Type::Boolean => ["FALSE", "TRUE"][number].to_owned(),
            Type::Range(_) => number.to_string(),
            Type::Symbols(_) => SYMBOLS[number].to_owned(),
            Type::Word => format!("0ud2_{number}"),
        }
    }
}

/// Draws a case.
pub(super) struct Generator<'r> {
    pub(super) rng: &'r mut Rng,
    variables: Vec<Variable>,
    items: Vec<RandomItem>,
    dead_ends: Vec<String>,
    /// Conditions on states in fairness conditions and dead ends, for properties that depend on
    /// them.
    pool: Vec<String>,
}

impl<'r> Generator<'r> {
    pub(super) fn new(rng: &'r mut Rng) -> Self {
        Generator {
            rng,
            variables: Vec::new(),
            items: Vec::new(),
            dead_ends: Vec::new(),
            pool: Vec::new(),
        }
    }

    /// The model and what makes its dead ends.
    pub(super) fn finish(self) -> (RandomModel, Vec<String>) {
        let module = RandomModule { header: "MODULE main".to_owned(), items: self.items };
        (RandomModel { modules: vec![module], carriage_returns: false }, self.dead_ends)
    }

    /// True with a probability in percent.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.rng.below(100) < percent
    }

    fn item(&mut self, section: &'static str, text: String) {
        self.items.push(RandomItem { section, text, constructs: BTreeSet::new() });
    }

    pub(super) fn draw_model(&mut self) {
        self.declare();
        for number in 0..self.variables.len() {
            self.constrain(number);
        }
        if self.chance(15) {
            let condition = format!("{} | {}", self.atom(Reads::State), self.atom(Reads::State));
            self.item("INVAR", format!("{condition};"));
        }
        if self.chance(20) {
            let (guard, effect) = (self.condition(Reads::Inputs), self.condition(Reads::Step));
            self.item("TRANS", format!("({guard}) -> ({effect});"));
        }
        for _ in 0..self.rng.choose(&[0, 0, 1, 1, 2]) {
            let (first, other) = (self.atom(Reads::State), self.atom(Reads::State));
            let text = format!("!({first} & {other});");
            self.dead_ends.push(text.clone());
            self.pool.extend([first, other]);
            self.item("TRANS", text);
        }
        for _ in 0..self.rng.choose(&[0, 1, 1, 2]) {
            let condition = self.fairness_condition();
            self.item("JUSTICE", format!("{condition};"));
        }
        for _ in 0..self.rng.choose(&[0, 1, 1, 2]) {
            let (p, q) = (self.fairness_condition(), self.fairness_condition());
            self.item("COMPASSION", format!("({p}, {q});"));
        }
    }

    fn fairness_condition(&mut self) -> String {
        if self.chance(25) {
            return self.condition(Reads::Inputs);
        }
        let condition = self.condition(Reads::State);
        self.pool.push(condition.clone());
        condition
    }

    /// A condition for a property.
    pub(super) fn property_condition(&mut self, reads: Reads) -> String {
        let from_pool = if reads == Reads::State { 40 } else { 20 };
        if self.pool.is_empty() || !self.chance(from_pool) {
            return self.condition(reads);
        }
        let known = self.pool[self.rng.below(self.pool.len())].clone();
        if self.chance(30) { format!("!({known})") } else { known }
    }

    /// Draws two to five variables of the state, sometimes one of them frozen, and inputs.
    fn declare(&mut self) {
        let count = self.rng.between(2, 5);
        let mut states = 1;
        for number in 0..count {
            let ty = self.draw_type();
            states *= ty.size();
            if number >= 2 && states > MOST_STATES {
                break;
            }
            let is_frozen = number > 0 && self.chance(8);
            let role = if is_frozen { Role::Frozen } else { Role::State };
            self.declare_one(format!("x{number}"), ty, role);
        }
        for number in 0..self.rng.choose(&[0, 1, 1, 2]) {
            let ty = self.rng.choose(&[Type::Boolean, Type::Boolean, Type::Range(3)]);
            self.declare_one(format!("i{number}"), ty, Role::Input);
        }
    }

    fn draw_type(&mut self) -> Type {
        match self.rng.below(10) {
            0..4 => Type::Boolean,
            4..8 => Type::Range(self.rng.between(2, 6)),
            8 => Type::Symbols(self.rng.between(2, 3)),
            _ => Type::Word,
        }
    }

    fn declare_one(&mut self, name: String, ty: Type, role: Role) {
        let section = match role {
            Role::State => "VAR",
            Role::Frozen => "FROZENVAR",
            Role::Input => "IVAR",
        };
        self.item(section, format!("{name} : {};", ty.text()));
        self.variables.push(Variable { name, ty, role });
    }

    /// Draws the first and the next values of a variable.
    fn constrain(&mut self, number: usize) {
        let Variable { name, ty, role } = self.variables[number].clone();
        if role == Role::Input {
            return;
        }
        if self.chance(80) {
            let (first, other) = (self.constant(ty), self.constant(ty));
            let is_set = first != other && ty != Type::Word && self.chance(50);
            let value = if is_set { format!("{{{first}, {other}}}") } else { first };
            self.item("ASSIGN", format!("init({name}) := {value};"));
        }
        if role == Role::Frozen {
            return;
        }
        match self.rng.below(10) {
            0..7 => {
                let value = self.next_value(&name, ty);
                self.item("ASSIGN", format!("next({name}) := {value};"));
            }
            7..9 => {
                let guard = self.condition(Reads::Inputs);
                let effect = self.atom(Reads::Step);
                let text = format!("({guard}) ? next({name}) = {name} : ({effect});");
                self.item("TRANS", text);
            }
            _ => {}
        }
    }

    /// The right side of the next value: some branches, many of which allow to wait.
    fn next_value(&mut self, name: &str, ty: Type) -> String {
        let mut branches = String::new();
        for _ in 0..self.rng.between(0, 2) {
            let (guard, value) = (self.condition(Reads::Inputs), self.choice(name, ty));
            branches += &format!("{guard} : {value}; ");
        }
        let value = self.choice(name, ty);
        if branches.is_empty() { value } else { format!("case {branches}TRUE : {value}; esac") }
    }

    fn choice(&mut self, name: &str, ty: Type) -> String {
        let (value, other) = (self.value(ty), self.value(ty));
        match self.rng.below(8) {
            // There are no sets of words.
            _ if ty == Type::Word => value,
            0..3 if value != name => format!("{{{name}, {value}}}"),
            3 if value != other => format!("{{{value}, {other}}}"),
            4 => name.to_owned(),
            _ => value,
        }
    }

    fn constant(&mut self, ty: Type) -> String {
        let number = self.rng.below(ty.size());
        ty.constant(number)
    }

    /// A value of a type, never outside of it.
    fn value(&mut self, ty: Type) -> String {
        let same: Vec<String> = self.names(|variable| variable.ty == ty);
        if !same.is_empty() && self.chance(25) {
            return same[self.rng.below(same.len())].clone();
        }
        let is_range = |variable: &Variable| matches!(variable.ty, Type::Range(_));
        let numbers: Vec<String> = self.names(is_range);
        match ty {
            Type::Boolean if self.chance(60) => format!("({})", self.condition(Reads::Inputs)),
            Type::Range(size) if !numbers.is_empty() && self.chance(70) => {
                let number = &numbers[self.rng.below(numbers.len())];
                format!("({number} + {}) mod {size}", self.rng.between(1, size))
            }
            Type::Word if !same.is_empty() && self.chance(60) => {
                let word = &same[self.rng.below(same.len())];
                if self.rng.coin() { format!("{word} + 0ud2_1") } else { format!("!{word}") }
            }
            _ => self.constant(ty),
        }
    }

    fn names(&self, is_wanted: impl Fn(&Variable) -> bool) -> Vec<String> {
        let wanted = self.variables.iter().filter(|variable| is_wanted(variable));
        wanted.map(|variable| variable.name.clone()).collect()
    }

    /// A Boolean combination of at most two atoms.
    pub(super) fn condition(&mut self, reads: Reads) -> String {
        let first = self.atom(reads);
        match self.rng.below(8) {
            0 => format!("{first} & {}", self.atom(reads)),
            1 => format!("{first} | {}", self.atom(reads)),
            2 => format!("!({first})"),
            _ => first,
        }
    }

    /// A comparison or a Boolean variable.
    pub(super) fn atom(&mut self, reads: Reads) -> String {
        if reads == Reads::Step && self.chance(40) {
            return self.next_atom();
        }
        if self.chance(4) {
            let numbers = self.names(|v| v.role != Role::Input && matches!(v.ty, Type::Range(_)));
            if let [a, .., b] = numbers.as_slice() {
                return format!("({b} != 0 -> {a} / {b} = 1)");
            }
        }
        let may_be_input = reads != Reads::State;
        let must_be_input = may_be_input && self.chance(30);
        let has_input = self.variables.iter().any(|v| v.role == Role::Input);
        let wanted = |v: &&Variable| match v.role {
            Role::Input => may_be_input,
            Role::State | Role::Frozen => !(must_be_input && has_input),
        };
        let candidates: Vec<Variable> = self.variables.iter().filter(wanted).cloned().collect();
        let Variable { name, ty, .. } = candidates[self.rng.below(candidates.len())].clone();
        let is_twin = |v: &&Variable| v.ty == ty && v.name != name;
        let twins: Vec<&Variable> = candidates.iter().filter(is_twin).collect();
        if !twins.is_empty() && self.chance(15) {
            return format!("{name} = {}", twins[self.rng.below(twins.len())].name);
        }
        self.comparison(&name, ty)
    }

    /// A comparison with a constant that is neither true nor false for all values.
    fn comparison(&mut self, name: &str, ty: Type) -> String {
        let number = self.rng.below(ty.size());
        let constant = ty.constant(number);
        let operator = match ty {
            Type::Boolean => return format!("{}{name}", self.rng.choose(&["", "!"])),
            Type::Range(_) | Type::Word if number > 0 => {
                self.rng.choose(&["=", "=", "!=", "<", ">="])
            }
            _ => self.rng.choose(&["=", "!="]),
        };
        format!("{name} {operator} {constant}")
    }

    /// A comparison that reads a next value.
    fn next_atom(&mut self) -> String {
        let wanted = |v: &&Variable| v.role == Role::State;
        let candidates: Vec<Variable> = self.variables.iter().filter(wanted).cloned().collect();
        let Variable { name, ty, .. } = candidates[self.rng.below(candidates.len())].clone();
        match self.rng.below(3) {
            0 => format!("next({name}) = {name}"),
            1 => format!("next({name}) != {name}"),
            _ => {
                let inside = self.comparison(&name, ty);
                format!("next({inside})")
            }
        }
    }
}
