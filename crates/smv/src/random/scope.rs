//! Types, names in scope, places of expressions, and expressions with their level.

/// The type of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Boolean,
    /// The integers from the first to the second.
    Range(i64, i64),
    /// Enumerated integers.
    Numbers(Vec<i64>),
    Symbols(Vec<&'static str>),
    Mixed(Vec<i64>, Vec<&'static str>),
    Word(Word),
    /// Bounds and the type of elements.
    Array(i64, i64, Box<Type>),
}

/// The type of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub signed: bool,
    pub width: usize,
}

impl Type {
    /// The bits of a variable.
    pub(super) fn bits(&self) -> usize {
        let values = match self {
            Type::Boolean => 2,
            Type::Range(low, high) => (high - low + 1) as usize,
            Type::Numbers(values) => values.len(),
            Type::Symbols(values) => values.len(),
            Type::Mixed(numbers, symbols) => numbers.len() + symbols.len(),
            Type::Word(word) => return word.width,
            Type::Array(low, high, element) => {
                return (high - low + 1).max(0) as usize * element.bits();
            }
        };
        values.next_power_of_two().trailing_zeros() as usize
    }

    /// The least and the greatest value, if all values are integers.
    pub(super) fn interval(&self) -> Option<(i64, i64)> {
        match self {
            Type::Range(low, high) => Some((*low, *high)),
            Type::Numbers(values) => Some((*values.iter().min()?, *values.iter().max()?)),
            _ => None,
        }
    }

    /// The type as it is declared.
    pub(super) fn text(&self) -> String {
        match self {
            Type::Boolean => "boolean".to_string(),
            Type::Range(low, high) => format!("{low}..{high}"),
            Type::Numbers(values) => {
                let texts: Vec<String> = values.iter().map(i64::to_string).collect();
                format!("{{{}}}", texts.join(", "))
            }
            Type::Symbols(values) => format!("{{{}}}", values.join(", ")),
            Type::Mixed(numbers, symbols) => {
                let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
                format!("{{{}, {}}}", texts.join(", "), symbols.join(", "))
            }
            Type::Word(word) if word.signed => format!("signed word[{}]", word.width),
            Type::Word(word) => format!("word[{}]", word.width),
            Type::Array(low, high, element) => format!("array {low}..{high} of {}", element.text()),
        }
    }

    /// The type of the elements of the elements of an array, down to no array.
    pub(super) fn base(&self) -> &Type {
        match self {
            Type::Array(_, _, element) => element.base(),
            other => other,
        }
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    State,
    Frozen,
    Input,
    /// A DEFINE, a parameter, or a variable of one value.
    Value,
    /// A parameter that the module assigns.
    Target,
}

/// A name in scope.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub text: String,
    pub ty: Type,
    pub role: Role,
    /// Variables depend on the current, initial or next values of variables of smaller rank only.
    pub rank: usize,
    /// Whether it reads an input.
    pub input: bool,
    /// Whether it contains `next`.
    pub next: bool,
    /// Whether it is a set of values of the type.
    pub set: bool,
    /// Whether it is a variable that nothing assigns.
    pub free: bool,
    /// Whether it is an array DEFINE.
    pub array_define: bool,
    /// Whether it is a variable of the module itself, not of an instance.
    pub own: bool,
    /// Whether its next value is assigned elsewhere.
    pub next_assigned: bool,
    /// Whether it is a parameter, of the module itself or of an instance.
    pub parameter: bool,
}

impl Entry {
    /// A state variable.
    pub(super) fn state(text: String, ty: Type, rank: usize) -> Self {
        Entry {
            text,
            ty,
            role: Role::State,
            rank,
            input: false,
            next: false,
            set: false,
            free: false,
            array_define: false,
            own: false,
            next_assigned: false,
            parameter: false,
        }
    }
}

/// What the place of an expression allows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub inputs: bool,
    pub next: bool,
    /// Ranks of readable current values are below this.
    pub limit: usize,
    /// Ranks of readable next values are below this.
    pub next_limit: usize,
    /// Whether indices may be variable.
    pub index: bool,
    /// Whether the expression is below `next`.
    pub below_next: bool,
    /// Whether the expression is the body of a DEFINE or an actual parameter. NuSMV crashes on
    /// `sizeof` and on the parameters of other instances there.
    pub body: bool,
    /// Whether the expression is a part of an LTL formula. NuSMV takes `next` of variables only
    /// there, and no boolean elements with a variable index.
    pub ltl: bool,
}

impl Place {
    /// Conditions on states: nothing but current values, of any variable.
    pub(super) const STATE: Place = Place {
        inputs: false,
        next: false,
        limit: usize::MAX,
        next_limit: 0,
        index: true,
        below_next: false,
        body: false,
        ltl: false,
    };

    /// Conditions on steps.
    pub(super) const STEP: Place =
        Place { inputs: true, next: true, next_limit: usize::MAX, ..Place::STATE };

    /// Conditions on states that may read inputs.
    pub(super) const INPUT: Place = Place { inputs: true, ..Place::STATE };

    /// The same place below `next`.
    pub(super) fn below_next(self) -> Place {
        Place { limit: self.next_limit, next: false, inputs: false, below_next: true, ..self }
    }
}

/// An expression with the level of its outermost operator, and what is known about its value.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub text: String,
    /// The tightness of the outermost operator: names are 1, `->` is 18.
    pub level: u8,
    /// Bounds of the value, of integers.
    pub low: i64,
    pub high: i64,
}

impl Expression {
    /// An expression that is no integer.
    pub(super) fn new(text: impl Into<String>, level: u8) -> Self {
        Expression { text: text.into(), level, low: 0, high: 0 }
    }

    /// An integer with its bounds.
    pub(super) fn integer(text: impl Into<String>, level: u8, low: i64, high: i64) -> Self {
        Expression { text: text.into(), level, low, high }
    }

    /// The text as an operand that may have this level at most.
    pub(super) fn at(&self, level: u8) -> String {
        if self.level <= level { self.text.clone() } else { format!("({})", self.text) }
    }

    /// The text as the operand of a prefix, which must not begin with a minus sign.
    pub(super) fn prefixed(&self) -> String {
        if self.text.starts_with('-') { format!("({})", self.text) } else { self.at(2) }
    }

    /// A binary operator that associates to the left.
    pub(super) fn binary(left: &Expression, operator: &str, right: &Expression, level: u8) -> Self {
        Expression::new(format!("{} {operator} {}", left.at(level), right.at(level - 1)), level)
    }

    /// The same text with bounds.
    pub(super) fn within(self, low: i64, high: i64) -> Self {
        Expression { low, high, ..self }
    }
}
