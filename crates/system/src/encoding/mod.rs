//! The thirty encodings of LTL formulas by symbolic automata \[RV11\]: five forms in six variable
//! orders.
//!
//! A form consists of the normal form of the formula, the precision of variables for subformulas,
//! and acceptance by states or by transitions. Of the eight combinations three are wrong: in
//! Boolean normal form negations stand before untils, and a variable that may be false although its
//! subformula holds makes `!(a U b) & a & X b` satisfiable. So a [`Form`] is one of five.

mod cardinality;
mod closure;
mod encode;
mod lexicographic;
mod names;
mod variable_graph;

pub use encode::{Atoms, Encoded, encode, encode_finite};

use std::fmt;
use std::str::FromStr;

/// An encoding of formulas as systems, with a variable order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Encoding {
    /// The form of the constraints.
    pub form: Form,
    /// The variable order for decision diagrams.
    pub order: VariableOrder,
}

/// Normal form, transition form and automaton form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `bnf/fussy/gba`: the classical encoding of \[CGH97\].
    BnfFussyGba,
    /// `nnf/fussy/gba`.
    NnfFussyGba,
    /// `nnf/sloppy/gba`.
    NnfSloppyGba,
    /// `nnf/fussy/tgba`.
    NnfFussyTgba,
    /// `nnf/sloppy/tgba`.
    NnfSloppyTgba,
}

/// A variable order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableOrder {
    /// Operands before operators, deep operands first: ours.
    Default,
    /// The variable graph in preorder.
    Naive,
    /// Lexicographic breadth-first search, the variant for perfect elimination.
    Lexp,
    /// Lexicographic breadth-first search, the variant for minimal triangulation.
    Lexm,
    /// Maximum cardinality search from a vertex of greatest degree.
    McsMax,
    /// Maximum cardinality search from a vertex of least degree.
    McsMin,
}

impl Form {
    /// Every form.
    pub const ALL: [Form; 5] = [
        Form::BnfFussyGba,
        Form::NnfFussyGba,
        Form::NnfSloppyGba,
        Form::NnfFussyTgba,
        Form::NnfSloppyTgba,
    ];

    /// The name in engine names and options.
    pub fn name(self) -> &'static str {
        match self {
            Form::BnfFussyGba => "bnf/fussy/gba",
            Form::NnfFussyGba => "nnf/fussy/gba",
            Form::NnfSloppyGba => "nnf/sloppy/gba",
            Form::NnfFussyTgba => "nnf/fussy/tgba",
            Form::NnfSloppyTgba => "nnf/sloppy/tgba",
        }
    }

    /// Whether variables imply their subformulas and need not be equivalent to them.
    pub fn is_sloppy(self) -> bool {
        matches!(self, Form::NnfSloppyGba | Form::NnfSloppyTgba)
    }

    /// Whether acceptance is on transitions.
    pub fn is_transition_based(self) -> bool {
        matches!(self, Form::NnfFussyTgba | Form::NnfSloppyTgba)
    }
}

impl VariableOrder {
    /// Every order.
    pub const ALL: [VariableOrder; 6] = [
        VariableOrder::Default,
        VariableOrder::Naive,
        VariableOrder::Lexp,
        VariableOrder::Lexm,
        VariableOrder::McsMax,
        VariableOrder::McsMin,
    ];

    /// The name in engine names and options.
    pub fn name(self) -> &'static str {
        match self {
            VariableOrder::Default => "default",
            VariableOrder::Naive => "naive",
            VariableOrder::Lexp => "lexp",
            VariableOrder::Lexm => "lexm",
            VariableOrder::McsMax => "mcs-max",
            VariableOrder::McsMin => "mcs-min",
        }
    }
}

impl Encoding {
    /// All thirty, form by form.
    pub fn all() -> impl Iterator<Item = Encoding> {
        let orders =
            |form| VariableOrder::ALL.into_iter().map(move |order| Encoding { form, order });
        Form::ALL.into_iter().flat_map(orders)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.form.name(), self.order.name())
    }
}

/// The error for an unknown name of an encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{name}` is no encoding: one is a form ({}), `/`, and an order ({})",
    Form::ALL.map(Form::name).join(", "),
    VariableOrder::ALL.map(VariableOrder::name).join(", ")
)]
pub struct UnknownEncoding {
    /// The unknown name.
    pub name: String,
}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(name: &str) -> Result<Self, UnknownEncoding> {
        let unknown = || UnknownEncoding { name: name.to_owned() };
        let (form, order) = name.rsplit_once('/').ok_or_else(unknown)?;
        let form = Form::ALL.into_iter().find(|f| f.name() == form).ok_or_else(unknown)?;
        let order =
            VariableOrder::ALL.into_iter().find(|o| o.name() == order).ok_or_else(unknown)?;
        Ok(Encoding { form, order })
    }
}
