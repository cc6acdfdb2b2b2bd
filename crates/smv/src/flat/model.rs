//! The flat model.

use rustc_hash::FxHashMap;

use super::expression::{FlatExpression, FlatExpressions};
use super::types::Domain;
use super::value::{Symbol, Value, Word};
use crate::syntax::{
    AssignmentKind, ConstraintKind, PropertyKind, Span, VariableKind, WordLiteral, word_literal,
};

/// A variable of some [`FlatModel`], by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

impl VariableId {
    /// The index in [`FlatModel::variables`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A scalar variable of some instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlatVariable {
    /// Its full name, such as `m.a[3]`.
    pub name: String,
    /// When it may change.
    pub kind: VariableKind,
    /// Its values: at least two.
    pub domain: Domain,
    /// Where it is declared.
    pub span: Span,
}

/// A named expression of some instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its full name.
    pub name: String,
    /// What it stands for. It may be a set, and may contain `next` and inputs.
    pub body: FlatExpression,
    /// Where it is declared.
    pub span: Span,
}

/// A condition of `INIT`, `INVAR`, `TRANS` or `FAIRNESS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// Which of them.
    pub kind: ConstraintKind,
    /// The condition.
    pub condition: FlatExpression,
    /// Where it is written.
    pub span: Span,
}

/// The assignments of one variable and kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Current, initial or next value.
    pub kind: AssignmentKind,
    /// The variable.
    pub variable: VariableId,
    /// The value, possibly a set, one of whose elements is chosen. In a model with processes, the
    /// next value depends on the process that runs, and a variable keeps its value in the steps of
    /// other processes.
    pub value: FlatExpression,
    /// The right sides as they are written: one, or one per process.
    pub assigned: Vec<Assigned>,
}

/// The right side of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assigned {
    /// The value.
    pub value: FlatExpression,
    /// Where it is written.
    pub span: Span,
    /// The process that assigns it, by the index of the instance.
    pub process: u32,
}

/// A specification in some instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Which logic.
    pub kind: PropertyKind,
    /// The identifier after `NAME`, with the path of the instance.
    pub name: Option<String>,
    /// The path of the instance; empty for `main`.
    pub instance: String,
    /// The formula; of COMPUTE two; of PSLSPEC none.
    pub operands: Vec<FlatExpression>,
    /// The text of the formula.
    pub span: Span,
    /// The keyword.
    pub keyword: Span,
}

/// The variables and definitions of a model in the order in which NuSMV shows them in traces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// All variables, in the order of their declarations.
    pub variables: Vec<VariableId>,
    /// The definitions, with the elements of arrays that are written out, the variables with one
    /// value, and `running` of all processes.
    pub definitions: Vec<Definition>,
}

/// A model without modules, arrays and processes.
#[derive(Clone, Debug, Default)]
pub struct FlatModel {
    /// The owner of all expressions.
    pub expressions: FlatExpressions,
    /// The names of symbolic constants, by the number of the [`Symbol`].
    pub symbols: Vec<String>,
    /// The variables: those of an instance at the place of its declaration.
    pub variables: Vec<FlatVariable>,
    /// The definitions that denote scalars or sets, in the order of variables. Variables with one
    /// value are among them.
    pub definitions: Vec<Definition>,
    /// The conditions.
    pub constraints: Vec<Constraint>,
    /// The assignments.
    pub assignments: Vec<Assignment>,
    /// The pairs of compassion conditions, with the place of the pair.
    pub compassion: Vec<(FlatExpression, FlatExpression, Span)>,
    /// The specifications, by line and then by instance.
    pub properties: Vec<Property>,
    /// The input variable that selects the running process, if there are processes.
    pub process_selector: Option<VariableId>,
    /// The variable that is true exactly in the dead ends, if these have loops: see
    /// [`dead_loops`](crate::dead_loops).
    pub dead_loop: Option<VariableId>,
    /// Where terms that may fail are written; one list has each place once.
    pub failure_places: FxHashMap<FlatExpression, Vec<Span>>,
    /// The variables and definitions in the order of NuSMV's traces.
    pub listing: Listing,
    /// The paths of all instances and the names of their modules; `main` first, with an empty path.
    pub instances: Vec<(String, String)>,
}

impl FlatModel {
    /// The name of a symbolic constant.
    pub fn symbol(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol.0 as usize]
    }

    /// A variable.
    pub fn variable(&self, variable: VariableId) -> &FlatVariable {
        &self.variables[variable.index()]
    }

    /// A value as it is written in SMV.
    pub fn show(&self, value: Value) -> String {
        match value {
            Value::Boolean(true) => "TRUE".to_owned(),
            Value::Boolean(false) => "FALSE".to_owned(),
            Value::Integer(value) => value.to_string(),
            Value::Symbol(symbol) => self.symbol(symbol).to_owned(),
            Value::Word(word) => word.to_string(),
        }
    }

    /// The value of a domain that a text denotes, if it denotes one. Word literals may have any
    /// base.
    pub fn read_value(&self, domain: &Domain, text: &str) -> Option<Value> {
        let value = match domain {
            Domain::Boolean => match text {
                "TRUE" => Value::Boolean(true),
                "FALSE" => Value::Boolean(false),
                _ => return None,
            },
            Domain::Range(..) => {
                let starts_well = text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
                Value::Integer(text.parse().ok().filter(|_| starts_well)?)
            }
            Domain::Enumeration(values) => *values.iter().find(|&&value| match value {
                Value::Symbol(symbol) => self.symbol(symbol) == text,
                value => self.show(value) == text,
            })?,
            Domain::Word { .. } => {
                let (minus, digits) = match text.strip_prefix('-') {
                    Some(digits) => (true, digits),
                    None => (false, text),
                };
                let WordLiteral { width, signed, bits } = word_literal(digits)?;
                let mask = u64::MAX >> (64 - width);
                let bits = if minus { bits.wrapping_neg() & mask } else { bits };
                Value::Word(Word { bits, width, signed })
            }
        };
        domain.code(value).map(|_| value)
    }
}
