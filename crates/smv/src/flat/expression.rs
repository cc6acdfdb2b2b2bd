//! Typed expressions, hash-consed.
//!
//! [`FlatExpressions`] owns them; a [`FlatExpression`] is a handle. Equal expressions have one
//! handle. Nothing is simplified: failures (a division by zero, a `case` without a true branch)
//! stay where they are written.
//!
//! Invariant: **an expression has a larger handle than its operands**.

use kermode_base::terms::{self, Dag, Handle, Packed, UniqueTable};
use rustc_hash::FxHashMap;

use super::model::VariableId;
use super::types::Type;
use super::value::Value;

/// An expression of some [`FlatExpressions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FlatExpression(u32);

impl Handle for FlatExpression {
    fn index(self) -> usize {
        self.0 as usize
    }

    fn from_index(index: usize) -> Self {
        FlatExpression(index as u32)
    }
}

/// The expressions below some roots, operands first.
pub type Below = terms::Below<FlatExpression>;

/// A constant of some [`FlatExpressions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConstantId(u32);

/// Bounds of a temporal operator: both are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The first distance.
    pub low: u32,
    /// The last distance, not smaller than the first.
    pub high: u32,
}

/// Bounds of some [`FlatExpressions`], or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoundsId(u32);

impl BoundsId {
    /// No bounds.
    pub const NONE: BoundsId = BoundsId(0);
}

/// The reason of a failure value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// No condition of a `case` is true.
    NoCase,
    /// An array index is outside of the bounds.
    OutOfBounds,
}

/// The outermost operator of an expression.
///
/// Operands of Boolean connectives are Boolean, or words of one type, on which they work bitwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlatTerm {
    /// A constant value.
    Constant(ConstantId),
    /// The set of integers from the first to the second; empty if the first is larger.
    Interval(i32, i32),
    /// The current value of a variable. Of an input: its value in the step that leaves the state.
    Variable(VariableId),
    /// The value of an expression in the next state. The operand has neither inputs nor `Next`.
    Next(FlatExpression),
    /// An operator with one operand.
    Unary(FlatUnary, FlatExpression),
    /// The bits from `high` down to `low` of a word, as an unsigned word.
    Bits {
        /// The word.
        word: FlatExpression,
        /// The highest bit.
        high: u8,
        /// The lowest bit.
        low: u8,
    },
    /// An operator with two operands.
    Binary(FlatBinary, FlatExpression, FlatExpression),
    /// The second operand if the condition is true, else the third. Either may be a set.
    IfThenElse(FlatExpression, FlatExpression, FlatExpression),
    /// No value. It has the type of the expression in which it stands, given by an example.
    Failure(FailureKind, Type),
    /// A temporal operator with one operand.
    PathUnary(PathUnary, FlatExpression, BoundsId),
    /// A temporal operator with two operands.
    PathBinary(PathBinary, FlatExpression, FlatExpression, BoundsId),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlatUnary {
    /// Negation; of a word bitwise.
    Not,
    /// The negative integer or word.
    Minus,
    /// An integer other than 0, or the bit of an unsigned word of width 1, as a Boolean value.
    /// Boolean operands stay the same.
    Bool,
    /// A Boolean value, integer or word as an integer.
    ToInt,
    /// A Boolean value as an unsigned word of width 1.
    Word1,
    /// An unsigned word as a signed word with the same bits.
    Signed,
    /// A signed word as an unsigned word with the same bits.
    Unsigned,
    /// The word with this many more bits: zeros, or copies of the sign.
    Extend(u8),
    /// The word with this width: extended, or cut. A signed word that is cut keeps its sign bit as
    /// the highest bit.
    Resize(u8),
}

/// Operators with two operands. Operands of the same type, unless it says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlatBinary {
    /// `&`
    And,
    /// `|`
    Or,
    /// `xor`
    Xor,
    /// `xnor`; the same as `<->`.
    Xnor,
    /// `->`
    Implies,
    /// `<->`
    Iff,
    /// `=` of two scalars of types that can be compared.
    Equal,
    /// `!=`
    NotEqual,
    /// `<` of integers or words.
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+` of integers (32 bits, wrapping) or words (wrapping).
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, towards zero. Fails if the divisor is 0.
    Divide,
    /// `mod`, with the sign of the dividend. Fails if the divisor is 0.
    Modulo,
    /// `<<` of a word by an integer or unsigned word. Fails if that is negative or larger than the
    /// width.
    ShiftLeft,
    /// `>>` of a word by an integer or unsigned word; copies the sign of a signed word. Fails as
    /// `<<`.
    ShiftRight,
    /// `::` of two words of any types: an unsigned word. The left one is the high part.
    Concatenate,
    /// `union` of sets or scalars: a set.
    Union,
    /// `in`: whether the left set is included in the right one. Scalars count as sets of one
    /// element.
    In,
}

/// Temporal operators with one operand. Those of LTL come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PathUnary {
    /// `X`
    Next,
    /// `F`
    Eventually,
    /// `G`
    Globally,
    /// `Y`
    Yesterday,
    /// `Z`
    WeakYesterday,
    /// `O`
    Once,
    /// `H`
    Historically,
    /// `EX`
    ExistsNext,
    /// `AX`
    AllNext,
    /// `EF`
    ExistsEventually,
    /// `AF`
    AllEventually,
    /// `EG`
    ExistsGlobally,
    /// `AG`
    AllGlobally,
}

impl PathUnary {
    /// Whether it belongs to LTL; the others belong to CTL.
    pub fn is_ltl(self) -> bool {
        self <= PathUnary::Historically
    }
}

/// Temporal operators with two operands. Those of LTL come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PathBinary {
    /// `U`
    Until,
    /// `V`
    Release,
    /// `S`
    Since,
    /// `T`
    Triggered,
    /// `E [p U q]`
    ExistsUntil,
    /// `A [p U q]`
    AllUntil,
}

impl PathBinary {
    /// Whether it belongs to LTL; the others belong to CTL.
    pub fn is_ltl(self) -> bool {
        self <= PathBinary::Triggered
    }
}

impl FlatTerm {
    /// The operands, from left to right: at most three.
    pub fn operands(self) -> impl DoubleEndedIterator<Item = FlatExpression> {
        let (a, b, c) = match self {
            FlatTerm::Constant(_)
            | FlatTerm::Interval(..)
            | FlatTerm::Variable(_)
            | FlatTerm::Failure(..) => (None, None, None),
            FlatTerm::Next(a)
            | FlatTerm::Unary(_, a)
            | FlatTerm::Bits { word: a, .. }
            | FlatTerm::PathUnary(_, a, _) => (Some(a), None, None),
            FlatTerm::Binary(_, a, b) | FlatTerm::PathBinary(_, a, b, _) => {
                (Some(a), Some(b), None)
            }
            FlatTerm::IfThenElse(a, b, c) => (Some(a), Some(b), Some(c)),
        };
        a.into_iter().chain(b).chain(c)
    }

    /// The same operator with other operands.
    pub fn map(self, mut operand: impl FnMut(FlatExpression) -> FlatExpression) -> FlatTerm {
        match self {
            FlatTerm::Constant(_)
            | FlatTerm::Interval(..)
            | FlatTerm::Variable(_)
            | FlatTerm::Failure(..) => self,
            FlatTerm::Next(a) => FlatTerm::Next(operand(a)),
            FlatTerm::Unary(operator, a) => FlatTerm::Unary(operator, operand(a)),
            FlatTerm::Bits { word, high, low } => FlatTerm::Bits { word: operand(word), high, low },
            FlatTerm::Binary(operator, a, b) => FlatTerm::Binary(operator, operand(a), operand(b)),
            FlatTerm::IfThenElse(a, b, c) => {
                FlatTerm::IfThenElse(operand(a), operand(b), operand(c))
            }
            FlatTerm::PathUnary(operator, a, bounds) => {
                FlatTerm::PathUnary(operator, operand(a), bounds)
            }
            FlatTerm::PathBinary(operator, a, b, bounds) => {
                FlatTerm::PathBinary(operator, operand(a), operand(b), bounds)
            }
        }
    }
}

impl Packed for FlatTerm {
    fn packed(self) -> (u64, u32, u32) {
        /// The kind of term, a detail of it, and a third operand.
        fn kind(kind: u64, detail: u64, third: u32) -> u64 {
            kind << 56 | detail << 32 | u64::from(third)
        }
        match self {
            FlatTerm::Constant(constant) => (kind(0, 0, 0), constant.0, 0),
            FlatTerm::Interval(low, high) => (kind(1, 0, 0), low as u32, high as u32),
            FlatTerm::Variable(variable) => (kind(2, 0, 0), variable.0, 0),
            FlatTerm::Next(a) => (kind(3, 0, 0), a.0, 0),
            FlatTerm::Unary(operator, a) => {
                let detail = match operator {
                    FlatUnary::Not => 0,
                    FlatUnary::Minus => 1,
                    FlatUnary::Bool => 2,
                    FlatUnary::ToInt => 3,
                    FlatUnary::Word1 => 4,
                    FlatUnary::Signed => 5,
                    FlatUnary::Unsigned => 6,
                    FlatUnary::Extend(bits) => 7 | u64::from(bits) << 8,
                    FlatUnary::Resize(bits) => 8 | u64::from(bits) << 8,
                };
                (kind(4, detail, 0), a.0, 0)
            }
            FlatTerm::Bits { word, high, low } => {
                (kind(5, u64::from(high) << 8 | u64::from(low), 0), word.0, 0)
            }
            FlatTerm::Binary(operator, a, b) => (kind(6, operator as u64, 0), a.0, b.0),
            FlatTerm::IfThenElse(a, b, c) => (kind(7, 0, c.0), a.0, b.0),
            FlatTerm::Failure(reason, ty) => (kind(8, reason as u64, code(ty)), 0, 0),
            FlatTerm::PathUnary(operator, a, bounds) => {
                (kind(9, operator as u64, bounds.0), a.0, 0)
            }
            FlatTerm::PathBinary(operator, a, b, bounds) => {
                (kind(10, operator as u64, bounds.0), a.0, b.0)
            }
        }
    }
}

/// A number for each type.
fn code(ty: Type) -> u32 {
    match ty {
        Type::Boolean => 0,
        Type::Integer => 1,
        Type::Symbolic => 2,
        Type::Mixed => 3,
        Type::BooleanSet => 4,
        Type::IntegerSet => 5,
        Type::SymbolicSet => 6,
        Type::MixedSet => 7,
        Type::Word { signed, width } => 8 | u32::from(signed) << 8 | u32::from(width) << 9,
    }
}

/// What occurs in an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features(u8);

impl Features {
    /// A state or frozen variable.
    pub const STATE: Features = Features(1);
    /// An input variable.
    pub const INPUT: Features = Features(2);
    /// `next`.
    pub const NEXT: Features = Features(4);
    /// A temporal operator of LTL.
    pub const LTL: Features = Features(8);
    /// A temporal operator of CTL.
    pub const CTL: Features = Features(16);
    /// An operator that may fail.
    pub const MAY_FAIL: Features = Features(32);

    /// Whether one of these occurs.
    pub fn has(self, other: Features) -> bool {
        self.0 & other.0 != 0
    }

    /// Both together.
    pub const fn with(self, other: Features) -> Features {
        Features(self.0 | other.0)
    }

    /// Whether it is constant: it has no variable.
    pub fn is_constant(self) -> bool {
        !self.has(Features::STATE.with(Features::INPUT))
    }

    /// Whether it has a temporal operator.
    pub fn is_temporal(self) -> bool {
        self.has(Features::LTL.with(Features::CTL))
    }
}

/// The owner of expressions.
#[derive(Clone, Debug, Default)]
pub struct FlatExpressions {
    table: UniqueTable<FlatTerm>,
    types: Vec<Type>,
    features: Vec<Features>,
    constants: Vec<Value>,
    constant_ids: FxHashMap<Value, ConstantId>,
    /// The first entry stands for no bounds.
    bounds: Vec<Bounds>,
    bounds_ids: FxHashMap<Bounds, BoundsId>,
}

impl Dag for FlatExpressions {
    type Handle = FlatExpression;

    fn operands(&self, expression: FlatExpression) -> impl Iterator<Item = FlatExpression> {
        self.term(expression).operands()
    }
}

impl FlatExpressions {
    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there are no expressions.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// The outermost operator of an expression.
    pub fn term(&self, expression: FlatExpression) -> FlatTerm {
        self.table.nodes()[expression.index()]
    }

    /// The type of an expression.
    pub fn ty(&self, expression: FlatExpression) -> Type {
        self.types[expression.index()]
    }

    /// What occurs in an expression.
    pub fn features(&self, expression: FlatExpression) -> Features {
        self.features[expression.index()]
    }

    /// Whether an expression is about steps, and not about states: it reads an input or the next
    /// value of a variable. As in NuSMV, `next` of a constant does not count. (Properties have no
    /// `next` of frozen variables: flattening drops it.)
    pub fn is_about_steps(&self, expression: FlatExpression) -> bool {
        let features = self.features(expression);
        let shifts = |part| match self.term(part) {
            FlatTerm::Next(operand) => self.features(operand).has(Features::STATE),
            _ => false,
        };
        features.has(Features::INPUT)
            || features.has(Features::NEXT) && Below::of(self, &[expression]).iter().any(shifts)
    }

    /// The value of a constant.
    pub fn value(&self, constant: ConstantId) -> Value {
        self.constants[constant.0 as usize]
    }

    /// The bounds of a temporal operator, if it has any.
    pub fn bounds(&self, bounds: BoundsId) -> Option<Bounds> {
        (bounds != BoundsId::NONE).then(|| self.bounds[bounds.0 as usize - 1])
    }

    /// The number for bounds.
    pub fn intern_bounds(&mut self, bounds: Bounds) -> BoundsId {
        let new = BoundsId(self.bounds.len() as u32 + 1);
        *self.bounds_ids.entry(bounds).or_insert_with(|| {
            self.bounds.push(bounds);
            new
        })
    }

    /// The constant expression of a value.
    pub fn constant(&mut self, value: Value) -> FlatExpression {
        let new = ConstantId(self.constants.len() as u32);
        let constant = *self.constant_ids.entry(value).or_insert_with(|| {
            self.constants.push(value);
            new
        });
        let ty = match value {
            Value::Boolean(_) => Type::Boolean,
            Value::Integer(_) => Type::Integer,
            Value::Symbol(_) => Type::Symbolic,
            Value::Word(word) => Type::Word { signed: word.signed, width: word.width },
        };
        self.add(FlatTerm::Constant(constant), ty, Features::default())
    }

    /// A variable of this type.
    pub fn variable(&mut self, variable: VariableId, ty: Type, is_input: bool) -> FlatExpression {
        let features = if is_input { Features::INPUT } else { Features::STATE };
        self.add(FlatTerm::Variable(variable), ty, features)
    }

    /// The expression with this outermost operator, of the type that the caller knows it has. Not
    /// for constants and variables.
    pub fn intern(&mut self, term: FlatTerm, ty: Type) -> FlatExpression {
        let own = match term {
            FlatTerm::Next(_) => Features::NEXT,
            FlatTerm::Failure(..)
            | FlatTerm::Binary(
                FlatBinary::Divide
                | FlatBinary::Modulo
                | FlatBinary::ShiftLeft
                | FlatBinary::ShiftRight,
                ..,
            ) => Features::MAY_FAIL,
            FlatTerm::PathUnary(operator, ..) if operator.is_ltl() => Features::LTL,
            FlatTerm::PathBinary(operator, ..) if operator.is_ltl() => Features::LTL,
            FlatTerm::PathUnary(..) | FlatTerm::PathBinary(..) => Features::CTL,
            _ => Features::default(),
        };
        let features = term.operands().fold(own, |all, a| all.with(self.features(a)));
        self.add(term, ty, features)
    }

    fn add(&mut self, term: FlatTerm, ty: Type, features: Features) -> FlatExpression {
        let index = self.table.insert(term) as usize;
        if index == self.types.len() {
            self.types.push(ty);
            self.features.push(features);
        }
        FlatExpression(index as u32)
    }
}
