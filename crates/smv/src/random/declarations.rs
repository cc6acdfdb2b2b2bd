//! Random names, types, variables and DEFINEs.

use super::Construct;
use super::generator::{Generator, Uses};
use super::scope::{Entry, Expression, Place, Role, Type, Word};

/// The symbolic constants, none of which is used as another name.
const SYMBOLS: [&str; 10] =
    ["red", "green", "blue", "idle", "busy", "done", "on", "off", "North", "South_1"];

/// Names that look like reserved words.
const UNRESERVED: [&str; 10] =
    ["W", "R", "clock", "time", "integer", "real", "B", "Next", "true", "PRED"];

impl Generator<'_> {
    /// A number for a new name.
    pub(super) fn fresh(&mut self) -> usize {
        let scope = self.scope();
        scope.names += 1;
        scope.names
    }

    /// A new name of a scalar variable or DEFINE.
    fn fresh_name(&mut self, letter: char) -> String {
        let n = self.fresh();
        let (construct, name) = match self.rng.below(40) {
            0 => (Construct::QuotedName, format!("\"q {n}\"")),
            1 => (Construct::DashName, format!("{letter}-{n}")),
            2 => (Construct::DollarName, format!("{letter}${n}")),
            3 => (Construct::HashName, format!("_{letter}#{n}")),
            4 => (Construct::CompositeName, format!("{letter}{n}.b")),
            5 => (Construct::NumberedName, format!("{letter}{n}.7")),
            6 => (Construct::IndexedName, format!("{letter}{n}[3]")),
            7 | 8 => {
                let name = self.rng.choose(&UNRESERVED);
                let scope = self.scope();
                if scope.names > 40 || scope.entries.iter().any(|entry| entry.text == name) {
                    return format!("{letter}{n}");
                }
                (Construct::UnreservedName, name.to_string())
            }
            _ => return format!("{letter}{n}"),
        };
        self.mark(construct);
        name
    }

    /// Distinct symbolic constants.
    fn symbols(&mut self, count: usize) -> Vec<&'static str> {
        let mut chosen: Vec<&'static str> = Vec::new();
        while chosen.len() < count {
            let symbol = self.rng.choose(&SYMBOLS);
            if !chosen.contains(&symbol) {
                chosen.push(symbol);
            }
        }
        for symbol in &chosen {
            if !self.symbols.contains(symbol) {
                self.symbols.push(symbol);
            }
        }
        chosen
    }

    /// Distinct integers.
    fn numbers(&mut self, count: usize) -> Vec<i64> {
        let mut chosen: Vec<i64> = Vec::new();
        while chosen.len() < count {
            let value = self.number(-4, 9);
            if !chosen.contains(&value) {
                chosen.push(value);
            }
        }
        chosen
    }

    /// A type that is no array, and its text.
    pub(super) fn scalar_type(&mut self) -> (Type, String) {
        match self.rng.below(20) {
            0..=5 => {
                self.mark(Construct::BooleanVariable);
                (Type::Boolean, "boolean".to_string())
            }
            6..=11 => self.range_type(),
            12..=13 => {
                self.mark(Construct::SymbolicEnumeration);
                let count = 2 + self.rng.below(3);
                let symbols = self.symbols(count);
                let text = format!("{{{}}}", symbols.join(", "));
                (Type::Symbols(symbols), text)
            }
            14 => {
                self.mark(Construct::IntegerEnumeration);
                let count = 2 + self.rng.below(3);
                let numbers = self.numbers(count);
                let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
                (Type::Numbers(numbers), format!("{{{}}}", texts.join(", ")))
            }
            15 => {
                self.mark(Construct::MixedEnumeration);
                let count = 1 + self.rng.below(2);
                let numbers = self.numbers(count);
                let symbols = self.symbols(count);
                let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
                let text = format!("{{{}, {}}}", symbols.join(", "), texts.join(", "));
                (Type::Mixed(numbers, symbols), text)
            }
            _ => self.word_declaration(),
        }
    }

    fn range_type(&mut self) -> (Type, String) {
        self.mark(Construct::RangeVariable);
        let low = if self.chance(30) { self.number(-3, 2) } else { 0 };
        let high = low + 1 + self.number(0, 6);
        if low < 0 {
            self.mark(Construct::NegativeRange);
        }
        let mut text = format!("{low}..{high}");
        if self.chance(25) {
            let used = std::mem::take(&mut self.used);
            let offset = self.number(-1, 1);
            let name = self.integer_constant(high - offset);
            self.used.extend(used);
            self.mark(Construct::RangeOfDefines);
            text = match offset {
                0 => format!("{low}..{name}"),
                1 => format!("{low} .. {name} + 1"),
                _ => format!("{low}..{name} -1"),
            };
        }
        (Type::Range(low, high), text)
    }

    /// A DEFINE of an integer constant.
    pub(super) fn integer_constant(&mut self, value: i64) -> String {
        let name = format!("N{}", self.fresh());
        self.mark(Construct::DefineSection);
        self.item("DEFINE", format!("{name} := {value};"));
        let entry =
            Entry { role: Role::Value, ..Entry::state(name.clone(), Type::Range(value, value), 0) };
        self.scope().entries.push(entry);
        self.scope().constants.push((name.clone(), value));
        name
    }

    fn word_declaration(&mut self) -> (Type, String) {
        let width = 1 + self.rng.below(4);
        let mut width_text = width.to_string();
        if self.chance(20) {
            let used = std::mem::take(&mut self.used);
            let constant = self.integer_constant(width as i64 - 1);
            self.used.extend(used);
            self.mark(Construct::WidthOfDefine);
            width_text = format!("{constant} + 1");
        }
        let (signed, prefix, construct) = match self.rng.below(8) {
            0..=2 => (true, "signed word", Construct::SignedWordVariable),
            3..=4 => (false, "unsigned word", Construct::UnsignedWordVariable),
            5 => (false, "Word", Construct::OldWordVariable),
            _ => (false, "word", Construct::WordVariable),
        };
        self.mark(construct);
        (Type::Word(Word { signed, width }), format!("{prefix}[{width_text}]"))
    }

    fn array_type(&mut self) -> (Type, String) {
        self.mark(Construct::ArrayVariable);
        let low = self.rng.choose(&[-1, 0, 0, 0, 1]);
        let high = low + 1 + self.number(0, 1);
        if low < 0 {
            self.mark(Construct::NegativeArrayBounds);
        }
        let (element, text) = match self.rng.below(6) {
            0 => {
                self.mark(Construct::NestedArray);
                let inner = self.rng.below(2) as i64;
                let element = Type::Array(inner, inner + 1, Box::new(Type::Boolean));
                (element, format!("array {inner}..{} of boolean", inner + 1))
            }
            1 => {
                self.mark(Construct::WordArray);
                let word = Word { signed: self.rng.coin(), width: 2 };
                let text = if word.signed { "signed word[2]" } else { "word[2]" };
                (Type::Word(word), text.to_string())
            }
            2 | 3 => (Type::Boolean, "boolean".to_string()),
            4 => {
                let symbols = self.symbols(2);
                let text = format!("{{{}}}", symbols.join(", "));
                (Type::Symbols(symbols), text)
            }
            _ => (Type::Range(0, 2), "0..2".to_string()),
        };
        (Type::Array(low, high, Box::new(element)), format!("array {low}..{high} of {text}"))
    }

    /// Declares a state variable or a frozen one, or two arrays of one type.
    pub(super) fn variable(&mut self) {
        let frozen = self.chance(8);
        let array = self.chance(18);
        let (ty, text) = if array { self.array_type() } else { self.scalar_type() };
        let (section, role) = if frozen {
            self.mark(Construct::FrozenVariable);
            ("FROZENVAR", Role::Frozen)
        } else {
            ("VAR", Role::State)
        };
        let twins = array && self.chance(35);
        let used = self.used.clone();
        for _ in 0..if twins { 2 } else { 1 } {
            self.used = used.clone();
            let name = if array { format!("a{}", self.fresh()) } else { self.fresh_name('x') };
            self.item(section, format!("{name} : {text};"));
            let scope = self.scope();
            scope.rank += 1;
            scope.bits += ty.bits();
            let entry = Entry { role, own: true, ..Entry::state(name, ty.clone(), scope.rank) };
            scope.entries.push(entry);
        }
    }

    /// Declares a variable of one value, or an array without elements.
    pub(super) fn odd_variable(&mut self) {
        if self.chance(30) {
            self.mark(Construct::EmptyArray);
            let n = self.fresh();
            self.item("VAR", format!("e{n} : array 2..1 of boolean;"));
            return;
        }
        self.mark(Construct::OneValueVariable);
        let (ty, text) = if self.rng.coin() {
            let symbols = self.symbols(1);
            let text = format!("{{{}}}", symbols[0]);
            (Type::Symbols(symbols), text)
        } else {
            let value = self.number(-1, 4);
            (Type::Range(value, value), format!("{value}..{value}"))
        };
        let name = format!("k{}", self.fresh());
        self.item("VAR", format!("{name} : {text};"));
        let entry = Entry { role: Role::Value, ..Entry::state(name, ty, 0) };
        self.scope().entries.push(entry);
    }

    /// Declares an input.
    pub(super) fn input(&mut self) {
        if !self.may_choose(1) {
            return;
        }
        self.mark(Construct::InputVariable);
        if !self.in_main() {
            self.mark(Construct::ModuleInput);
        }
        let (ty, text) = if self.rng.coin() {
            (Type::Boolean, "boolean".to_string())
        } else {
            self.scalar_type()
        };
        let name = self.fresh_name('i');
        self.item("IVAR", format!("{name} : {text};"));
        self.scope().free_bits += ty.bits() - 1;
        let entry = Entry { role: Role::Input, input: true, ..Entry::state(name, ty, 0) };
        self.scope().entries.push(entry);
    }

    /// Declares symbolic constants.
    pub(super) fn constants(&mut self) {
        self.mark(Construct::ConstantsSection);
        let count = 1 + self.rng.below(3);
        let symbols = self.symbols(count);
        self.item("CONSTANTS", format!("{};", symbols.join(", ")));
    }

    /// Declares a DEFINE.
    pub(super) fn define(&mut self) {
        self.uses = Uses::default();
        let kind = self.rng.below(20);
        if kind < 4 {
            return self.array_define();
        }
        if kind == 4 {
            return self.failing_define();
        }
        let at = match kind {
            5..=6 => Place::STEP,
            7..=8 => Place::INPUT,
            _ => Place::STATE,
        };
        let at = Place { body: true, ..at };
        let set = (9..=10).contains(&kind);
        let depth = 1 + self.rng.below(self.shape.depth);
        let (ty, body) = if set {
            self.mark(Construct::SetDefine);
            let ty = match self.rng.below(4) {
                0 => Type::Boolean,
                1 => Type::Range(0, 2),
                _ => self.some_type(),
            };
            let body = self.set(&ty, at, 1);
            (ty, body)
        } else {
            self.typed(at, depth)
        };
        let name = self.fresh_name('d');
        self.mark(Construct::DefineSection);
        if self.uses.next {
            self.mark(Construct::NextDefine);
        }
        if self.uses.input {
            self.mark(Construct::InputDefine);
        }
        self.item("DEFINE", format!("{name} := {};", body.text));
        let Uses { rank, input, next } = self.uses;
        let entry = Entry { role: Role::Value, input, next, set, ..Entry::state(name, ty, rank) };
        self.scope().entries.push(entry);
    }

    /// The type of a variable in sight that is no array and no word, or a small range.
    pub(super) fn some_type(&mut self) -> Type {
        let entries = self.visible(Place::STATE, &|entry| {
            entry.role == Role::State && !matches!(entry.ty, Type::Array(..) | Type::Word(_))
        });
        if entries.is_empty() {
            return Type::Range(0, 2);
        }
        entries[self.rng.below(entries.len())].ty.clone()
    }

    /// An expression of some type.
    pub(super) fn typed(&mut self, at: Place, depth: usize) -> (Type, Expression) {
        match self.rng.below(6) {
            0..=1 => (Type::Boolean, self.boolean(at, depth)),
            2..=3 => {
                let body = self.integer(at, depth);
                (Type::Range(body.low, body.high), body)
            }
            4 => {
                let word = self.word_type(at);
                (Type::Word(word), self.word(word, at, depth))
            }
            _ => {
                let ty = self.some_type();
                if let Type::Mixed(..) = ty {
                    // A constant would be an integer or a symbol.
                    return match self.name(at, &|found| *found == ty) {
                        Some(name) => (ty, name),
                        None => (Type::Boolean, self.boolean(at, depth)),
                    };
                }
                let body = self.value(&ty, at, depth.min(2));
                (ty, body)
            }
        }
    }

    fn array_define(&mut self) {
        let size = 2 + self.rng.below(3);
        let (element, bodies) = self.elements(size);
        let mut ty = Type::Array(0, size as i64 - 1, Box::new(element));
        let mut text = format!("[{}]", bodies.join(", "));
        if self.chance(35) {
            self.mark(Construct::MatrixDefine);
            let rows = 2;
            text = format!("[{}]", vec![text; rows].join(", "));
            ty = Type::Array(0, rows as i64 - 1, Box::new(ty));
        } else {
            self.mark(Construct::ArrayDefine);
        }
        let section = if self.chance(35) {
            self.mark(Construct::MdefineSection);
            "MDEFINE"
        } else {
            "DEFINE"
        };
        let name = format!("m{}", self.fresh());
        self.item(section, format!("{name} := {text};"));
        let Uses { rank, input, next } = self.uses;
        let entry = Entry {
            role: Role::Value,
            input,
            next,
            array_define: true,
            ..Entry::state(name, ty, rank)
        };
        self.scope().entries.push(entry);
    }

    /// The elements of an array DEFINE, and their type.
    fn elements(&mut self, size: usize) -> (Type, Vec<String>) {
        let at = Place { body: true, ..Place::STATE };
        match self.rng.below(4) {
            0 => {
                let bodies = (0..size).map(|_| self.boolean(at, 1).text).collect();
                (Type::Boolean, bodies)
            }
            1 => {
                let word = self.word_type(at);
                (Type::Word(word), (0..size).map(|_| self.word(word, at, 1).text).collect())
            }
            _ => {
                let mut bodies = Vec::new();
                let (mut low, mut high) = (i64::MAX, i64::MIN);
                for _ in 0..size {
                    let body = self.integer(at, 1);
                    low = low.min(body.low);
                    high = high.max(body.high);
                    bodies.push(body.text);
                }
                (Type::Range(low, high), bodies)
            }
        }
    }

    /// A DEFINE whose value is a failure; nothing uses it.
    fn failing_define(&mut self) {
        let number = self.variable_name(Place::STATE, &|ty| ty.interval().is_some());
        let flag = self.variable_name(Place::STATE, &|ty| *ty == Type::Boolean);
        let body = match (number, flag) {
            (Some(number), _) if self.rng.coin() => format!("3 mod {}", number.text),
            (_, Some(flag)) => format!("case {} : 1; esac", flag.text),
            (Some(number), None) => format!("{} / {}", number.text, number.text),
            (None, None) => return,
        };
        self.mark(Construct::FailingUnusedDefine);
        let name = format!("f{}", self.fresh());
        self.item("DEFINE", format!("{name} := {body};"));
    }
}
