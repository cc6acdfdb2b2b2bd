//! The syntax tree of a text, and its reader.

pub mod tree;

pub use tree::{
    AssignmentKind, BaseType, BinaryOperator, ConstraintKind, Declaration, EnumerationValue,
    Expression, File, Item, List, Module, Name, Names, NodeId, PropertyKind, Span, Syntax,
    TypeSyntax, UnaryOperator, VariableKind, WordLiteral,
};
