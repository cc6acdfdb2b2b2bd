//! The syntax tree of a text, and its reader.

mod definitions;
mod expressions;
mod foreign;
mod hints;
mod kinds;
mod lexer;
mod literals;
mod operators;
mod parser;
mod token;
pub mod tree;
mod types;
mod unexpected;

use kermode_base::{Diagnostic, LineMap, Severity};

use expressions::Place;
use lexer::Lexer;
use parser::{Failed, Parser};
use token::Kind;

pub use definitions::{DefinitionError, ReadOptions};
pub use kinds::ExpressionKind;
pub use tree::{
    AssignmentKind, BaseType, BinaryOperator, ConstraintKind, Declaration, EnumerationValue,
    Expression, File, Item, List, Module, Name, Names, NodeId, PropertyKind, Span, Syntax,
    TypeSyntax, UnaryOperator, VariableKind, WordLiteral,
};

/// What was read.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The syntax tree. It is complete if there is no error.
    pub file: File,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// Whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// Reads a model.
pub fn parse(text: &str, options: &ReadOptions) -> Parsed {
    let mut file = File::default();
    if let Some(error) = too_long(text) {
        return Parsed { file, diagnostics: vec![error] };
    }
    let lexer = Lexer::new(text, options, &mut file);
    let mut parser = Parser::new(lexer, file);
    parser.file();
    let mut diagnostics = parser.lexer.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Parsed { file: parser.file, diagnostics }
}

/// The word that a text denotes, if it is a word literal such as `0ud4_3`.
pub fn word_literal(text: &str) -> Option<WordLiteral> {
    if !text.starts_with('0') {
        return None;
    }
    match literals::read(text) {
        (length, Ok(literals::Literal::Word(word))) if length == text.len() => Some(word),
        _ => None,
    }
}

/// The files and lines from which a preprocessor made a text, also of one with errors.
pub fn line_map(text: &str) -> LineMap {
    parse(text, &ReadOptions::default()).file.lines
}

/// Reads an expression, and adds its nodes and names to a file.
///
/// # Errors
///
/// If the text is no expression of that kind. Places in the diagnostics refer to this text.
pub fn parse_expression(
    text: &str,
    kind: ExpressionKind,
    options: &ReadOptions,
    file: &mut File,
) -> Result<Expression, Vec<Diagnostic>> {
    if let Some(error) = too_long(text) {
        return Err(vec![error]);
    }
    let mut own = std::mem::take(file);
    let lines = std::mem::take(&mut own.lines);
    let lexer = Lexer::new(text, options, &mut own);
    let mut parser = Parser::new(lexer, own);
    let result = parser.expression(Place::any(kind)).and_then(|expression| {
        if parser.token.kind != Kind::End {
            return Err(parser.unexpected("the end of the expression"));
        }
        Ok(expression)
    });
    // Line directives of this text say nothing about the text of the file.
    *file = File { lines, ..parser.file };
    match result {
        Ok(expression) if !parser.lexer.has_errors() => Ok(expression),
        Ok(_) | Err(Failed) => Err(parser.lexer.diagnostics),
    }
}

/// Places are numbers of 32 bits.
fn too_long(text: &str) -> Option<Diagnostic> {
    let too_long = u32::try_from(text.len()).is_err();
    too_long.then(|| {
        Diagnostic::error(0..0, "the text is longer than 4 GiB")
            .label("texts of this length are not read")
    })
}
