//! A stream from a token on, and what all parts of its grammar share.

use std::ops::Range;

use kermode_base::Diagnostic;
use kermode_base::quoting::unescaped;

use super::lex::{Lexer, Token};
use crate::name::Name;

/// A number and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) value: u64,
    pub(super) span: Range<usize>,
}

/// The stream from a token on.
pub(super) struct Reader<'t> {
    lexer: Lexer<'t>,
    pub(super) token: Token,
    pub(super) span: Range<usize>,
}

impl<'t> Reader<'t> {
    /// The stream from a byte on.
    pub(super) fn new(text: &'t str, at: usize) -> Result<Self, Diagnostic> {
        let mut lexer = Lexer::new(text, at);
        let (token, span) = lexer.next()?;
        Ok(Reader { lexer, token, span })
    }

    pub(super) fn advance(&mut self) -> Result<(), Diagnostic> {
        (self.token, self.span) = self.lexer.next()?;
        Ok(())
    }

    /// The text of the present token.
    pub(super) fn found(&self) -> &'t str {
        self.lexer.slice(&self.span)
    }

    pub(super) fn slice(&self, span: &Range<usize>) -> &'t str {
        self.lexer.slice(span)
    }

    pub(super) fn unexpected(&self, expected: &str) -> Diagnostic {
        let message = match self.token {
            Token::Nothing => "the text ends too early".to_owned(),
            Token::Text(_) => "unexpected string".to_owned(),
            _ => format!("unexpected `{}`", self.found()),
        };
        Diagnostic::error(self.span.clone(), message).label(format!("expected {expected}"))
    }

    pub(super) fn is(&self, sign: char) -> bool {
        self.token == Token::Sign(sign)
    }

    pub(super) fn expect(&mut self, sign: char, expected: &str) -> Result<(), Diagnostic> {
        match self.is(sign) {
            true => self.advance(),
            false => Err(self.unexpected(expected)),
        }
    }

    /// Whether the sign stands here; then it is behind us.
    pub(super) fn takes(&mut self, sign: char) -> Result<bool, Diagnostic> {
        let there = self.is(sign);
        if there {
            self.advance()?;
        }
        Ok(there)
    }

    pub(super) fn number(&mut self, expected: &str) -> Result<Number, Diagnostic> {
        if self.token != Token::Integer {
            return Err(self.unexpected(expected));
        }
        let span = self.span.clone();
        let Ok(value) = self.found().parse() else {
            let message = format!("the number {} is too large", self.found());
            return Err(Diagnostic::error(span, message).label("expected less than 2^64"));
        };
        self.advance()?;
        Ok(Number { value, span })
    }

    /// Numbers up to something else.
    pub(super) fn numbers(&mut self) -> Result<Vec<Number>, Diagnostic> {
        let mut numbers = Vec::new();
        while self.token == Token::Integer {
            numbers.push(self.number("a number")?);
        }
        Ok(numbers)
    }

    /// A conjunction of states.
    pub(super) fn conjunction(&mut self) -> Result<Vec<Number>, Diagnostic> {
        let mut states = vec![self.number("a state")?];
        while self.takes('&')? {
            states.push(self.number("a state")?);
        }
        Ok(states)
    }

    /// The acceptance sets in braces, if they are there.
    pub(super) fn marks(&mut self) -> Result<Vec<Number>, Diagnostic> {
        if !self.takes('{')? {
            return Ok(Vec::new());
        }
        let marks = self.numbers()?;
        self.expect('}', "an acceptance set or `}`")?;
        Ok(marks)
    }

    pub(super) fn text(&mut self, expected: &str) -> Result<Name, Diagnostic> {
        let Token::Text(inside) = self.token.clone() else {
            return Err(self.unexpected(expected));
        };
        let name = Name { name: unescaped(self.slice(&inside)), span: self.span.clone() };
        self.advance()?;
        Ok(name)
    }

    pub(super) fn identifier(&mut self, expected: &str) -> Result<Name, Diagnostic> {
        if self.token != Token::Identifier {
            return Err(self.unexpected(expected));
        }
        let name = Name { name: self.found().to_owned(), span: self.span.clone() };
        self.advance()?;
        Ok(name)
    }
}
