//! Splits a text into tokens.
//!
//! One table maps the spelling of each identifier to its meaning: a reserved word, a name, or a
//! constant that replaces it. So an identifier costs one look-up, and its text is copied only when
//! it is seen for the first time. Characters that form no token are reported here and become a
//! token [`Kind::Bad`], at which the parser gives up without a second message.

use kermode_base::{Diagnostic, LineDirective, Severity};
use rustc_hash::FxHashMap;

use super::definitions::{self, ReadOptions};
use super::hints;
use super::literals;
use super::token::{Kind, Reserved, Sign, Token};
use super::tree::{File, Span};

/// The number of errors after which the rest of a text is not read.
const ERROR_LIMIT: usize = 20;

/// What an identifier stands for.
#[derive(Clone, Copy)]
enum Meaning {
    /// A reserved word or a name.
    Token(Kind),
    /// A constant, with a minus sign if `negative`.
    Constant { negative: bool, kind: Kind },
}

/// The reader of tokens.
pub(super) struct Lexer<'t> {
    pub(super) text: &'t str,
    at: usize,
    meanings: FxHashMap<&'t str, Meaning>,
    /// A token that follows the present one without text of its own.
    pending: Option<Token>,
    pub(super) diagnostics: Vec<Diagnostic>,
    errors: usize,
}

/// Whether an identifier may begin with a byte.
pub(super) fn begins_identifier(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Whether an identifier may continue with a byte.
pub(super) fn continues_identifier(byte: u8) -> bool {
    IDENTIFIER[byte as usize]
}

/// The bytes with which an identifier may continue.
static IDENTIFIER: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'#' | b'-');
        byte += 1;
    }
    table
};

impl<'t> Lexer<'t> {
    /// A reader at the beginning of a text. Definitions that are not well formed are reported.
    pub(super) fn new(text: &'t str, options: &'t ReadOptions, file: &mut File) -> Self {
        let words = Reserved::ALL.iter().map(|&(word, text)| (text, Kind::Reserved(word)));
        let meanings = words.map(|(text, kind)| (text, Meaning::Token(kind))).collect();
        let (diagnostics, pending) = (Vec::new(), None);
        let mut lexer = Lexer { text, at: 0, meanings, pending, diagnostics, errors: 0 };
        for (name, value) in &options.definitions {
            match definitions::read(name, value, file) {
                Ok((negative, kind)) => {
                    lexer.meanings.insert(name, Meaning::Constant { negative, kind });
                }
                Err(error) => lexer.report(Diagnostic::error(0..0, error.to_string())),
            }
        }
        lexer
    }

    /// Adds a finding. After too many errors, the rest of the text is not read.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if self.gave_up() {
            return;
        }
        let place = diagnostic.span.clone();
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        self.diagnostics.push(diagnostic);
        if self.gave_up() {
            let message = format!("the text has more than {} errors", ERROR_LIMIT - 1);
            let label = "the text behind this place is not read";
            self.diagnostics.push(Diagnostic::error(place, message).label(label));
            self.at = self.text.len();
            self.pending = None;
        }
    }

    /// Whether there were too many errors.
    pub(super) fn gave_up(&self) -> bool {
        self.errors >= ERROR_LIMIT
    }

    /// Whether there was an error.
    pub(super) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The byte at a place; 0 behind the end.
    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// The next token.
    pub(super) fn next(&mut self, file: &mut File) -> Token {
        if let Some(token) = self.pending.take() {
            return token;
        }
        self.skip_blanks(file);
        let start = self.at;
        let Some(&byte) = self.text.as_bytes().get(start) else {
            return Token { kind: Kind::End, span: Span::new(start, start) };
        };
        let kind = match byte {
            _ if begins_identifier(byte) => self.identifier(file),
            b'0'..=b'9' => self.number(file),
            b'"' => self.quoted(file),
            _ => self.sign(byte),
        };
        Token { kind, span: Span::new(start, self.at) }
    }

    fn skip_blanks(&mut self, file: &mut File) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0c => self.at += 1,
                b'-' if self.byte(self.at + 1) == b'-' => self.skip_line(),
                b'/' if self.text[self.at..].starts_with("/--") => self.skip_block_comment(),
                b'#' => self.directive(file),
                _ => break,
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    }

    fn skip_block_comment(&mut self) {
        let start = self.at;
        match self.text[start + 3..].find("--/") {
            Some(length) => self.at = start + 3 + length + 3,
            None => {
                self.at = self.text.len();
                let error = Diagnostic::error(start..start + 3, "this comment is not closed")
                    .label("it begins here and reaches to the end of the text")
                    .help("close it by `--/`, or begin a comment of one line by `--`");
                self.report(error);
            }
        }
    }

    /// A line directive such as `# 12 "model.smv"`: the next line is line 12 of that file.
    fn directive(&mut self, file: &mut File) {
        let start = self.at;
        let at_line_start = start == 0 || self.byte(start - 1) == b'\n';
        self.skip_line();
        let text = &self.text[start + 1..self.at];
        let line = text.strip_prefix(' ').unwrap_or("");
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        match line[..digits].parse() {
            Ok(number) if at_line_start => {
                let mut quoted = line[digits..].split('"');
                let name = quoted.nth(1).map(|name| name.to_owned());
                let offset = (self.at + 1).min(self.text.len());
                file.lines.push(LineDirective { offset, line: number, file: name });
            }
            _ => {
                let word = text.split_ascii_whitespace().next().unwrap_or("");
                let end = start + self.text[start..self.at].trim_end().len();
                self.report(hints::preprocessor(start..end, word, at_line_start));
            }
        }
    }

    fn identifier(&mut self, file: &mut File) -> Kind {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let mut end = start + 1;
        while end < bytes.len() && continues_identifier(bytes[end]) {
            end += 1;
        }
        self.at = end;
        let text = &self.text[start..end];
        match bytes.get(end) {
            Some(b'>') if bytes[end - 1] == b'-' => self.report(hints::arrow(text, start)),
            Some(b'~') if matches!(text, "X" | "Y") => {
                self.at = end + 1;
                self.report(hints::timed_operator(&self.text[start..self.at], start));
                return Kind::Bad;
            }
            Some(b'\'') if text == "f" || text == "F" => {
                let rest = &bytes[end + 1..];
                let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'/';
                self.at = end + 1 + rest.iter().take_while(|byte| is_part(byte)).count();
                self.report(hints::real(&self.text[start..self.at], start));
                return Kind::Bad;
            }
            _ => {}
        }
        self.meaning(text, start, file)
    }

    /// The meaning of an identifier, which becomes a name if it is new.
    fn meaning(&mut self, text: &'t str, start: usize, file: &mut File) -> Kind {
        match self.meanings.get(text) {
            Some(&Meaning::Token(kind)) => kind,
            Some(&Meaning::Constant { negative: false, kind }) => kind,
            Some(&Meaning::Constant { negative: true, kind }) => {
                self.pending = Some(Token { kind, span: Span::new(start, self.at) });
                Kind::Sign(Sign::Minus)
            }
            None => {
                let kind = Kind::Name(file.names.intern(text));
                self.meanings.insert(text, Meaning::Token(kind));
                kind
            }
        }
    }

    fn quoted(&mut self, file: &mut File) -> Kind {
        let start = self.at;
        let inside = &self.text.as_bytes()[start + 1..];
        let end = inside.iter().position(|&byte| byte == b'"');
        match end {
            Some(length) => {
                self.at = start + length + 2;
                let text = &self.text[start..self.at];
                match text.char_indices().find(|(_, c)| !c.is_ascii()) {
                    Some((at, c)) => {
                        self.report(hints::character(c, start + at));
                        Kind::Bad
                    }
                    None => self.meaning(text, start, file),
                }
            }
            None => {
                // The rest of the text may be fine: only the line is skipped.
                self.skip_line();
                let error = Diagnostic::error(start..start + 1, "this quoted name is not closed")
                    .label("it begins here")
                    .help("close it by `\"`");
                self.report(error);
                Kind::Bad
            }
        }
    }

    fn number(&mut self, file: &mut File) -> Kind {
        let start = self.at;
        let (length, result) = literals::read(&self.text[start..]);
        self.at += length;
        match result {
            Ok(literals::Literal::Integer(value)) => Kind::Integer(value),
            Ok(literals::Literal::Word(word)) => {
                file.words.push(word);
                Kind::WordLiteral(file.words.len() as u32 - 1)
            }
            Err(diagnostic) => {
                self.report(diagnostic.shifted(start));
                Kind::Bad
            }
        }
    }

    fn sign(&mut self, first: u8) -> Kind {
        let next = self.byte(self.at + 1);
        let sign = match (first, next) {
            (b':', b'=') => Sign::Assign,
            (b':', b':') => Sign::Concatenate,
            (b':', _) => Sign::Colon,
            (b';', _) => Sign::Semicolon,
            (b',', _) => Sign::Comma,
            (b'.', b'.') => Sign::Range,
            (b'.', _) => Sign::Dot,
            (b'(', _) => Sign::Open,
            (b')', _) => Sign::Close,
            (b'[', _) => Sign::OpenBracket,
            (b']', _) => Sign::CloseBracket,
            (b'{', _) => Sign::OpenBrace,
            (b'}', _) => Sign::CloseBrace,
            (b'?', _) => Sign::Question,
            (b'!', b'=') => Sign::NotEqual,
            (b'!', _) => Sign::Not,
            (b'&', _) => Sign::And,
            (b'|', _) => Sign::Or,
            (b'-', b'>') => Sign::Implies,
            (b'-', _) => Sign::Minus,
            (b'=', _) => Sign::Equal,
            (b'<', b'-') if self.byte(self.at + 2) == b'>' => Sign::Iff,
            (b'<', b'<') | (b'>', b'>') if self.byte(self.at + 2) == first => {
                return self.unknown(3);
            }
            (b'<', b'<') => Sign::ShiftLeft,
            (b'<', b'=') => Sign::LessEqual,
            (b'<', _) => Sign::Less,
            (b'>', b'>') => Sign::ShiftRight,
            (b'>', b'=') => Sign::GreaterEqual,
            (b'>', _) => Sign::Greater,
            (b'+', _) => Sign::Plus,
            (b'*', _) => Sign::Times,
            (b'/', _) => Sign::Divide,
            _ => {
                let length = self.text[self.at..].chars().next().map_or(1, char::len_utf8);
                return self.unknown(length);
            }
        };
        self.at += sign.text().len();
        Kind::Sign(sign)
    }

    /// Reports characters that form no token.
    fn unknown(&mut self, length: usize) -> Kind {
        let start = self.at;
        let rest = &self.text[start..];
        self.at += length;
        let error = match rest.chars().next() {
            Some('@') => {
                let is_part = |byte: &u8| continues_identifier(*byte) || *byte == b'~';
                self.at += rest.bytes().skip(1).take_while(is_part).count();
                hints::timed_operator(&self.text[start..self.at], start)
            }
            Some(c) if length == c.len_utf8() => hints::character(c, start),
            _ => hints::triple_shift(&rest[..length], start),
        };
        self.report(error);
        Kind::Bad
    }

    /// The text from `start`, where a token begins, up to the semicolon that ends a property of
    /// PSL. Semicolons in braces belong to the property.
    pub(super) fn skip_property(&mut self, start: u32, file: &mut File) -> Span {
        (self.at, self.pending) = (start as usize, None);
        let (mut depth, mut end) = (0_usize, self.at);
        loop {
            self.skip_blanks(file);
            match self.text.as_bytes().get(self.at) {
                None => break,
                Some(b';') if depth == 0 => break,
                Some(b'{') => depth += 1,
                Some(b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += self.text[self.at..].chars().next().map_or(1, char::len_utf8);
            end = self.at;
        }
        Span::new(start as usize, end)
    }
}
