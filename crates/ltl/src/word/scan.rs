//! The tokens of a word, and errors about unexpected ones.

use std::ops::Range;

use kermode_base::Diagnostic;
use kermode_base::quoting::unescape;

/// Operators that do not decide what holds; longer ones before their prefixes.
const CHOICES: [&str; 10] = ["||", "|", "\\/", "^", "<->", "<=>", "->", "=>", "or", "xor"];

/// A place in a text.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    /// The start of a text.
    pub(super) fn new(text: &'a str) -> Self {
        Scanner { text, at: 0 }
    }

    /// How many bytes are read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes back to where [`Scanner::at`] was.
    pub(super) fn back(&mut self, at: usize) {
        self.at = at;
    }

    /// What is not read yet.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Goes to the next token.
    pub(super) fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Where the next token begins.
    pub(super) fn here(&mut self) -> usize {
        self.skip_blanks();
        self.at
    }

    /// Eats a token if it stands here.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    /// Consumes a word unless it is only the beginning of a longer one.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        self.skip_blanks();
        let found = self.identifier() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    /// Eats a negation.
    pub(super) fn eat_not(&mut self) -> bool {
        self.eat("!") || self.eat("~") || self.eat_word("not")
    }

    /// Eats a conjunction.
    pub(super) fn eat_and(&mut self) -> bool {
        self.eat("&&") || self.eat("&") || self.eat("/\\") || self.eat_word("and")
    }

    /// An error if the text ends here although something is open.
    pub(super) fn closes(&mut self, open: usize) -> Result<(), Diagnostic> {
        self.skip_blanks();
        match self.rest() {
            "" => Err(self.never_closed(open)),
            _ => Ok(()),
        }
    }

    /// The error for a bracket or quote without a counterpart.
    pub(super) fn never_closed(&self, open: usize) -> Diagnostic {
        let bracket = &self.text[open..open + 1];
        Diagnostic::error(open..open + 1, format!("`{bracket}` is never closed"))
    }

    /// An error unless the text ends here.
    pub(super) fn end(&mut self, expected: &str) -> Result<(), Diagnostic> {
        self.skip_blanks();
        match self.rest() {
            "" => Ok(()),
            _ => Err(self.unexpected(expected)),
        }
    }

    /// What stands here is not what was expected.
    pub(super) fn unexpected(&mut self, expected: &str) -> Diagnostic {
        let start = self.here();
        let token = self.token();
        let span = start..start + token.len();
        if CHOICES.contains(&token) {
            return not_decided(span, &format!("`{token}`"));
        }
        let message = match token {
            "" => format!("the word ends where {expected} should stand"),
            _ => format!("unexpected `{token}`"),
        };
        Diagnostic::error(span, message).label(format!("expected {expected}"))
    }

    /// What stands here, for messages: an identifier, an operator of choice or a character.
    fn token(&self) -> &'a str {
        let rest = self.rest();
        let choice = CHOICES.iter().find(|choice| rest.starts_with(**choice));
        let length = match (self.identifier(), choice) {
            ("", Some(choice)) => choice.len(),
            ("", None) => rest.chars().next().map_or(0, char::len_utf8),
            (identifier, _) => identifier.len(),
        };
        &rest[..length]
    }

    /// The identifier or number at this place, which is not consumed.
    pub(super) fn identifier(&self) -> &'a str {
        let rest = &self.text[self.at..];
        &rest[..rest.find(|c| !is_name_character(c)).unwrap_or(rest.len())]
    }

    /// A name in quotes, without them.
    pub(super) fn quoted(&mut self) -> Result<String, Diagnostic> {
        let open = self.at;
        let mut name = String::new();
        let mut characters = self.text[open + 1..].char_indices();
        while let Some((i, c)) = characters.next() {
            match c {
                '"' => {
                    self.at = open + 1 + i + 1;
                    return Ok(name);
                }
                '\\' => match characters.next() {
                    Some((_, c)) => name.push(unescape(c)),
                    None => break,
                },
                _ => name.push(c),
            }
        }
        Err(self.never_closed(open))
    }
}

fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// The error for a letter that does not decide what it mentions.
pub(super) fn not_decided(span: Range<usize>, what: &str) -> Diagnostic {
    Diagnostic::error(span, format!("{what} leaves a choice in a letter"))
        .label("expected a conjunction of literals")
        .help("a letter decides each proposition; write one word for each choice")
}
