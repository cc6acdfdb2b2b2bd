//! Names that are replaced by constants, as a preprocessor does it: `-D NAME=VALUE`.

use thiserror::Error;

use super::lexer::{Lexer, begins_identifier, continues_identifier};
use super::token::{Kind, Reserved, Sign};
use super::tree::File;

/// How a text is read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Names and the constants that replace them: integers, `TRUE`, `FALSE`, symbols, words.
    pub definitions: Vec<(String, String)>,
    /// The proposition that marks the loops of dead ends, if these have loops.
    pub dead: Option<String>,
}

/// A definition that is not well formed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DefinitionError {
    /// There is no `=`.
    #[error("the definition `{0}` has no value; write `NAME=VALUE`")]
    NoValue(String),
    /// The left side is no name.
    #[error("`{0}` cannot be defined: it is no name of the SMV language")]
    NotAName(String),
    /// The left side is a reserved word.
    #[error("`{0}` cannot be defined: it is a reserved word of the SMV language")]
    ReservedWord(String),
    /// The right side is no constant.
    #[error(
        "the value `{1}` of the definition of `{0}` is no constant; \
         constants are integers, TRUE, FALSE, symbols, and words such as 0ud8_5"
    )]
    NotAConstant(String, String),
}

impl ReadOptions {
    /// Adds a definition, written as `NAME=VALUE`.
    ///
    /// # Errors
    ///
    /// If the definition is not well formed.
    pub fn define(&mut self, definition: &str) -> Result<(), DefinitionError> {
        let (name, value) = definition
            .split_once('=')
            .ok_or_else(|| DefinitionError::NoValue(definition.to_owned()))?;
        read(name, value, &mut File::default())?;
        self.definitions.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Gives each state without successor a loop, on which a new proposition is true. On all other
    /// steps it is false.
    ///
    /// # Errors
    ///
    /// If the proposition has no name of the language.
    pub fn loop_dead_ends(&mut self, name: &str) -> Result<(), DefinitionError> {
        check_name(name)?;
        self.dead = Some(name.to_owned());
        Ok(())
    }
}

/// Checks that a name can be given to something new.
fn check_name(name: &str) -> Result<(), DefinitionError> {
    let mut bytes = name.bytes();
    let is_name = bytes.next().is_some_and(begins_identifier) && bytes.all(continues_identifier);
    if !is_name {
        return Err(DefinitionError::NotAName(name.to_owned()));
    }
    if Reserved::ALL.iter().any(|&(_, text)| text == name) {
        return Err(DefinitionError::ReservedWord(name.to_owned()));
    }
    Ok(())
}

/// The token of a constant, and whether a minus sign is before it.
pub(super) fn read(
    name: &str,
    value: &str,
    file: &mut File,
) -> Result<(bool, Kind), DefinitionError> {
    check_name(name)?;
    let options = ReadOptions::default();
    let mut lexer = Lexer::new(value, &options, file);
    let first = lexer.next(file);
    let negative = first.is(Sign::Minus);
    let signed = negative || first.is(Sign::Plus);
    let constant = if signed { lexer.next(file).kind } else { first.kind };
    let is_constant = match constant {
        Kind::Integer(_) | Kind::WordLiteral(_) => true,
        Kind::Name(_) | Kind::Reserved(Reserved::True | Reserved::False) => !signed,
        _ => false,
    };
    if !is_constant || lexer.next(file).kind != Kind::End || lexer.has_errors() {
        return Err(DefinitionError::NotAConstant(name.to_owned(), value.to_owned()));
    }
    Ok((negative, constant))
}
