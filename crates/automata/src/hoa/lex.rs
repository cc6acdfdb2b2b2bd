//! The tokens of a stream of automata. Blanks and comments, which nest, may stand between any two.

use std::ops::Range;

use kermode_base::Diagnostic;

/// A token of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// The name of a header item or `State`, and the colon right after it. The range is the name.
    Header(Range<usize>),
    Identifier,
    /// The name of an alias, with its `@`.
    Alias,
    Integer,
    /// A string; the range is its contents.
    Text(Range<usize>),
    /// A single character.
    Sign(char),
    /// `--BODY--`, `--END--`, `--ABORT--`.
    Body,
    End,
    Abort,
    /// The end of the stream.
    Nothing,
}

/// The separators between the parts of a stream.
const SEPARATORS: [(&str, Token); 3] =
    [("--BODY--", Token::Body), ("--END--", Token::End), ("--ABORT--", Token::Abort)];

/// A place in a stream.
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str, at: usize) -> Self {
        Lexer { text, at }
    }

    /// A part of the text.
    pub(super) fn slice(&self, span: &Range<usize>) -> &'t str {
        &self.text[span.clone()]
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The next token and its place.
    pub(super) fn next(&mut self) -> Result<(Token, Range<usize>), Diagnostic> {
        self.skip_blanks()?;
        let start = self.at;
        let token = match self.rest().chars().next() {
            None => Token::Nothing,
            Some('"') => Token::Text(self.string()?),
            Some('@') => {
                self.at += 1;
                self.take_while(is_name_character);
                Token::Alias
            }
            Some(c) if c.is_ascii_digit() => {
                self.take_while(|c| c.is_ascii_digit());
                Token::Integer
            }
            Some(c) if is_name_character(c) && c != '-' && c != '.' => self.word(),
            Some(c) => self.separator(c),
        };
        Ok((token, start..self.at))
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) {
        self.at += self.rest().find(|c| !wanted(c)).unwrap_or(self.rest().len());
    }

    /// An identifier, or a header's name with its colon.
    fn word(&mut self) -> Token {
        let start = self.at;
        self.take_while(is_name_character);
        let name = start..self.at;
        match self.rest().starts_with(':') {
            true => {
                self.at += 1;
                Token::Header(name)
            }
            false => Token::Identifier,
        }
    }

    fn separator(&mut self, c: char) -> Token {
        let found = SEPARATORS.iter().find(|(text, _)| self.rest().starts_with(text));
        let (length, token) = match found {
            Some((text, token)) => (text.len(), token.clone()),
            None => (c.len_utf8(), Token::Sign(c)),
        };
        self.at += length;
        token
    }

    /// Blanks and comments.
    fn skip_blanks(&mut self) -> Result<(), Diagnostic> {
        loop {
            self.at = self.text.len() - self.rest().trim_start().len();
            if !self.rest().starts_with("/*") {
                return Ok(());
            }
            self.skip_comment()?;
        }
    }

    /// A comment with those inside of it.
    fn skip_comment(&mut self) -> Result<(), Diagnostic> {
        let (open, mut depth) = (self.at, 0usize);
        loop {
            let Some(mark) = self.rest().find(['*', '/']) else {
                return Err(Diagnostic::error(open..open + 2, "this comment is never closed")
                    .label("expected `*/` somewhere after this")
                    .help("comments nest: each `/*` inside needs its own `*/`"));
            };
            self.at += mark;
            match self.rest().get(..2) {
                Some("/*") => depth += 1,
                Some("*/") => depth -= 1,
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            self.at += 2;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn string(&mut self) -> Result<Range<usize>, Diagnostic> {
        let open = self.at;
        let mut characters = self.rest()[1..].char_indices();
        while let Some((offset, c)) = characters.next() {
            match c {
                '"' => {
                    self.at = open + offset + 2;
                    return Ok(open + 1..open + 1 + offset);
                }
                '\\' => drop(characters.next()),
                _ => {}
            }
        }
        Err(Diagnostic::error(open..open + 1, "this string is never closed")
            .label("expected `\"` somewhere after this"))
    }
}

/// What identifiers and aliases are made of. Dots come from version 1.1.
fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}
