//! The syntax tree: modules, their items, and expressions in one arena per file.
//!
//! The nodes of an expression are contiguous in [`File::nodes`], operands first, and its root is
//! the last one. So every pass over an expression is a loop over a range of nodes, and nothing
//! recurses, however deep the nesting. Parentheses leave no node.
//!
//! The tree says what is written and nothing more: names are not resolved, and types not checked.

use std::ops::Range;
use std::sync::Arc;

use kermode_base::LineMap;
use rustc_hash::FxHashMap;

/// A range of bytes of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to `end`, which is excluded.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, end: end as u32 }
    }

    /// The range of bytes, as diagnostics have it.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// From the beginning of this span to the end of another.
    pub fn to(self, end: Span) -> Span {
        Span { start: self.start, end: end.end }
    }
}

/// An interned name of a [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(u32);

/// The distinct names of a file.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<Arc<str>>,
    places: FxHashMap<Arc<str>, Name>,
}

impl Names {
    /// The name with this text.
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(&name) = self.places.get(text) {
            return name;
        }
        let name = Name(self.texts.len() as u32);
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.places.insert(text, name);
        name
    }

    /// The name with this text, if it is known.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.places.get(text).copied()
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

/// The index of a node in [`File::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The index as a number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range of [`File::lists`]: the operands of a node with any number of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    /// The index of the first operand.
    pub start: u32,
    /// The number of operands.
    pub len: u32,
}

/// The outermost operator of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// `TRUE` or `FALSE`.
    Boolean(bool),
    /// A literal from 0 to 2147483647.
    Integer(u32),
    /// A word literal, by its index in [`File::words`].
    Word(u32),
    /// A name, also one in quotation marks, which belong to it.
    Name(Name),
    /// `self`.
    SelfInstance,
    /// `e.name` or `e.7`; a number is a name that consists of its digits.
    Component(NodeId, Name),
    /// `e[i]`.
    Index(NodeId, NodeId),
    /// `e[high : low]`.
    Bits(NodeId, NodeId, NodeId),
    /// `low..high` with signed literals.
    Range(i32, i32),
    /// `{e, ..}`: at least one element.
    Set(List),
    /// `[e, ..]`, only in the bodies of DEFINEs: at least one element.
    Array(List),
    /// `count(e, ..)`.
    Count(List),
    /// `case c : e; .. esac`: conditions and values in turns, at least one of each.
    Case(List),
    /// An operator or function with one operand, without bounds.
    Unary(UnaryOperator, NodeId),
    /// A temporal operator with bounds in [`File::bounds`]: `F [a,b] e`, `EBF a..b e`.
    BoundedUnary(UnaryOperator, NodeId, u32),
    /// An operator or function with two operands, without bounds.
    Binary(BinaryOperator, NodeId, NodeId),
    /// `A [p BU a..b q]` or `E [p BU a..b q]`, with bounds in [`File::bounds`]. The operator is
    /// [`BinaryOperator::AllUntil`] or [`BinaryOperator::ExistsUntil`].
    BoundedBinary(BinaryOperator, NodeId, NodeId, u32),
    /// `c ? t : e`.
    Conditional(NodeId, NodeId, NodeId),
    /// An expression with a syntax error that was reported.
    Error,
}

/// Operators and functions with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnaryOperator {
    /// `!`
    Not,
    /// `-`
    Minus,
    /// `next(e)`
    Next,
    /// `bool(e)`
    Bool,
    /// `toint(e)`
    ToInt,
    /// `word1(e)`
    Word1,
    /// `signed(e)`
    Signed,
    /// `unsigned(e)`
    Unsigned,
    /// `abs(e)`
    Abs,
    /// `sizeof(e)`
    SizeOf,
    /// `X`
    LtlNext,
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
    /// `EF`, `EBF`
    ExistsEventually,
    /// `AF`, `ABF`
    AllEventually,
    /// `EG`, `EBG`
    ExistsGlobally,
    /// `AG`, `ABG`
    AllGlobally,
}

/// Operators and functions with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinaryOperator {
    /// `&`
    And,
    /// `|`
    Or,
    /// `xor`
    Xor,
    /// `xnor`
    Xnor,
    /// `->`
    Implies,
    /// `<->`
    Iff,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `mod`
    Modulo,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `::`
    Concatenate,
    /// `union`
    Union,
    /// `in`
    In,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
    /// `extend(w, n)`
    Extend,
    /// `resize(w, n)`
    Resize,
    /// `uwconst(v, n)`
    UnsignedConstant,
    /// `swconst(v, n)`
    SignedConstant,
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

/// A word literal whose value fits its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WordLiteral {
    /// The number of bits, from 1 to 64.
    pub width: u8,
    /// Whether it is signed.
    pub signed: bool,
    /// The bits; those above the width are 0.
    pub bits: u64,
}

/// An expression: a range of nodes, of which the last one is its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The first node.
    pub first: NodeId,
    /// The root.
    pub root: NodeId,
}

/// A name that is declared, with its suffixes: `a`, `a.b`, `c[3]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The whole text without blanks, such as `a.b[3]`.
    pub name: Name,
    /// Where it is written.
    pub span: Span,
    /// The name as an expression, if it has suffixes.
    pub path: Option<Expression>,
}

/// When a variable may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// `VAR`
    State,
    /// `IVAR`
    Input,
    /// `FROZENVAR`
    Frozen,
}

/// The type of a declared name.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeSyntax {
    /// The bounds of `array low..high of`, the outermost first.
    pub dimensions: Vec<(Expression, Expression)>,
    /// The type of the elements.
    pub base: BaseType,
    /// Where the type is written.
    pub span: Span,
}

/// A type that is no array.
#[derive(Clone, Debug, PartialEq)]
pub enum BaseType {
    /// `boolean`
    Boolean,
    /// `{v, ..}`
    Enumeration(Vec<(EnumerationValue, Span)>),
    /// `low..high`
    Range(Expression, Expression),
    /// `word[width]`, `unsigned word[width]`, `signed word[width]`
    Word {
        /// Whether it is signed.
        signed: bool,
        /// The number of bits.
        width: Expression,
    },
    /// `module(actual, ..)`, `process module(actual, ..)`
    Instance {
        /// The module.
        module: Name,
        /// Where its name is written.
        module_span: Span,
        /// The actual parameters.
        actuals: Vec<Expression>,
        /// Whether it is a process.
        process: bool,
    },
    /// A type that was refused; the error was reported.
    Refused,
}

/// A value of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnumerationValue {
    /// A symbolic constant.
    Symbol(Name),
    /// An integer.
    Integer(i32),
}

/// The kinds of constraints with one expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConstraintKind {
    /// `INIT`
    Init,
    /// `INVAR`
    Invar,
    /// `TRANS`
    Trans,
    /// `FAIRNESS`, `JUSTICE`
    Justice,
}

/// The kinds of assignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignmentKind {
    /// `x := e`
    Current,
    /// `init(x) := e`
    Init,
    /// `next(x) := e`
    Next,
}

/// The kinds of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PropertyKind {
    /// `SPEC`, `CTLSPEC`
    Ctl,
    /// `LTLSPEC`
    Ltl,
    /// `INVARSPEC`
    Invariant,
    /// `COMPUTE MIN [s, f]`
    ComputeMin,
    /// `COMPUTE MAX [s, f]`
    ComputeMax,
    /// `PSLSPEC`, whose text is skipped
    Psl,
}

impl PropertyKind {
    /// The keyword before the property.
    pub fn keyword(self) -> &'static str {
        match self {
            PropertyKind::Ctl => "CTLSPEC",
            PropertyKind::Ltl => "LTLSPEC",
            PropertyKind::Invariant => "INVARSPEC",
            PropertyKind::ComputeMin | PropertyKind::ComputeMax => "COMPUTE",
            PropertyKind::Psl => "PSLSPEC",
        }
    }
}

/// One element of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// An element of `VAR`, `IVAR` or `FROZENVAR`.
    Variable {
        /// When it may change.
        kind: VariableKind,
        /// Its name.
        declaration: Declaration,
        /// Its type, or the module of the instance.
        ty: TypeSyntax,
    },
    /// An element of `DEFINE` or `MDEFINE`.
    Define {
        /// Its name.
        declaration: Declaration,
        /// What it stands for.
        body: Expression,
        /// The keyword of the section.
        section: Span,
    },
    /// `CONSTANTS a, b;`
    Constants(Vec<(Name, Span)>),
    /// An element of `ASSIGN`.
    Assignment {
        /// Current, initial or next value.
        kind: AssignmentKind,
        /// The variable, as an expression.
        target: Expression,
        /// The right side.
        value: Expression,
    },
    /// `INIT`, `INVAR`, `TRANS`, `FAIRNESS`, `JUSTICE`.
    Constraint {
        /// Which of them.
        kind: ConstraintKind,
        /// The condition.
        condition: Expression,
    },
    /// `COMPASSION (p, q)`
    Compassion(Expression, Expression),
    /// A specification.
    Property {
        /// Which logic.
        kind: PropertyKind,
        /// The identifier after `NAME`.
        name: Option<(Name, Span)>,
        /// The instance after `IN`.
        context: Option<Expression>,
        /// The formula; of COMPUTE two; of PSLSPEC none.
        operands: Vec<Expression>,
        /// The text of the formula, without keyword, name and semicolon.
        span: Span,
        /// The keyword.
        keyword: Span,
    },
    /// `ISA m`
    Isa(Name, Span),
}

/// A module.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// Its name.
    pub name: Name,
    /// Where its name is written.
    pub span: Span,
    /// The formal parameters.
    pub parameters: Vec<(Name, Span)>,
    /// The elements of its sections, in their order.
    pub items: Vec<Item>,
}

/// The syntax tree of a text.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// All names.
    pub names: Names,
    /// The nodes of all expressions, operands first.
    pub nodes: Vec<Syntax>,
    /// Where each node is written, in the order of `nodes`.
    pub spans: Vec<Span>,
    /// The operands of nodes with any number of them.
    pub lists: Vec<NodeId>,
    /// The word literals.
    pub words: Vec<WordLiteral>,
    /// The bounds of temporal operators, the smaller one first.
    pub bounds: Vec<(u32, u32)>,
    /// The modules, in their order.
    pub modules: Vec<Module>,
    /// The files and lines from which a preprocessor made the text.
    pub lines: LineMap,
}

impl File {
    /// The outermost operator at a node.
    pub fn node(&self, node: NodeId) -> Syntax {
        self.nodes[node.index()]
    }

    /// Where a node is written.
    pub fn span(&self, node: NodeId) -> Span {
        self.spans[node.index()]
    }

    /// The operands of a list.
    pub fn list(&self, list: List) -> &[NodeId] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }
}
