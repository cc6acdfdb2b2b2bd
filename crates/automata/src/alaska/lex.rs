//! The tokens of a file, and of the expressions inside its strings.
//!
//! Strings are not copied: an expression is read in place, so that places in it are places in the
//! file. A backslash is therefore resolved once, at the end of a name: in `"'it\'s' & 0"` it
//! belongs to the name.

use std::ops::Range;

use kermode_base::Diagnostic;

use super::is_name_character;

/// What can stand in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name or a number.
    Word,
    /// A string; the range is what it holds.
    Text(Range<usize>),
    /// A single character.
    Sign(char),
    /// The end of the text.
    End,
}

/// A place in a text, up to an end.
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    end: usize,
    comments: bool,
}

impl<'t> Lexer<'t> {
    /// The start of a file.
    pub(super) fn of_file(text: &'t str) -> Self {
        Lexer { text, at: 0, end: text.len(), comments: true }
    }

    /// The start of what a string in a file holds, where there are no comments.
    pub(super) fn of_string(text: &'t str, inside: Range<usize>) -> Self {
        Lexer { text, at: inside.start, end: inside.end, comments: false }
    }

    /// A part of the text.
    pub(super) fn slice(&self, span: &Range<usize>) -> &'t str {
        &self.text[span.clone()]
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..self.end]
    }

    /// The next token and its place.
    pub(super) fn next(&mut self) -> Result<(Token, Range<usize>), Diagnostic> {
        self.skip_blanks();
        let start = self.at;
        let rest = self.rest();
        let token = match rest.chars().next() {
            None => Token::End,
            Some('"' | '\'') => Token::Text(self.string()?),
            Some(c) if is_name_character(c) => {
                self.at += rest.find(|c| !is_name_character(c)).unwrap_or(rest.len());
                Token::Word
            }
            Some(c) => {
                self.at += c.len_utf8();
                Token::Sign(c)
            }
        };
        Ok((token, start..self.at))
    }

    /// Blanks and comments.
    fn skip_blanks(&mut self) {
        loop {
            self.at = self.end - self.rest().trim_start().len();
            if !self.comments || !self.rest().starts_with('#') {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// A string in one quotation mark or in three; one ends on its line.
    fn string(&mut self) -> Result<Range<usize>, Diagnostic> {
        let open = self.at;
        let rest = self.rest();
        let quote = &rest[..1];
        let long = rest.starts_with(&quote.repeat(3));
        let marks = if long { 3 } else { 1 };
        let mut characters = rest[marks..].char_indices();
        while let Some((offset, c)) = characters.next() {
            let inside = &rest[marks + offset..];
            if inside.starts_with(&rest[..marks]) {
                self.at = open + marks + offset + marks;
                return Ok(open + marks..open + marks + offset);
            }
            match c {
                '\\' => drop(characters.next()),
                '\n' if !long => break,
                _ => {}
            }
        }
        let mark = &rest[..marks];
        let unclosed = Diagnostic::error(open..open + marks, "this string is never closed");
        Err(match long {
            true => unclosed.label(format!("expected {mark} somewhere after this")),
            false => unclosed
                .label(format!("expected {mark} on the same line"))
                .help(format!("a string over several lines is enclosed in {}", quote.repeat(3))),
        })
    }
}
