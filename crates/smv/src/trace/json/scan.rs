//! A scanner for JSON that knows the place of each value.
//!
//! It reads what a trace may consist of, objects of scalars in arrays, and skips all other values.
//! Nothing recurses.

use std::ops::Range;

use kermode_base::Diagnostic;

/// The result of scanning.
pub(super) type Scan<T = ()> = Result<T, Diagnostic>;

/// A scalar. Arrays and objects are not told apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    Null,
    Boolean(bool),
    /// The text of a number.
    Number(String),
    Text(String),
    /// An array or an object.
    Other,
}

/// A member of an object: name, place of the name, value, place of the value.
pub(super) struct Member {
    pub(super) name: String,
    pub(super) name_span: Range<usize>,
    pub(super) value: Scalar,
    pub(super) value_span: Range<usize>,
}

/// A text and the place where reading goes on.
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Scanner { text, at: 0 }
    }

    /// The next byte that is no white space.
    pub(super) fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Where reading goes on.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Whether this sign comes next; it is taken then.
    pub(super) fn accept(&mut self, sign: u8) -> bool {
        let found = self.peek() == Some(sign);
        self.at += usize::from(found);
        found
    }

    /// Takes a sign.
    pub(super) fn expect(&mut self, sign: u8) -> Scan {
        match self.accept(sign) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("expected `{}`", sign as char))),
        }
    }

    /// An error at the next character.
    pub(super) fn unexpected(&mut self, expected: &str) -> Diagnostic {
        self.peek();
        let next = self.text[self.at..].chars().next();
        let (found, length) = match next {
            Some(c) => (format!("found `{c}`"), c.len_utf8()),
            None => ("the text ends".to_owned(), 0),
        };
        Diagnostic::error(self.at..self.at + length, format!("{expected}, but {found}"))
            .label("no JSON of a trace")
    }

    /// Calls `element` for each element of an array.
    pub(super) fn array(&mut self, element: &mut dyn FnMut(&mut Self) -> Scan) -> Scan {
        self.expect(b'[')?;
        if self.accept(b']') {
            return Ok(());
        }
        loop {
            element(self)?;
            if !self.accept(b',') {
                return self.expect(b']');
            }
        }
    }

    /// Calls `member` for each member of an object, with its name.
    pub(super) fn object(
        &mut self,
        member: &mut dyn FnMut(&mut Self, String, Range<usize>) -> Scan,
    ) -> Scan {
        self.expect(b'{')?;
        if self.accept(b'}') {
            return Ok(());
        }
        loop {
            let (name, span) = self.string("a name in quotation marks")?;
            self.expect(b':')?;
            member(self, name, span)?;
            if !self.accept(b',') {
                return self.expect(b'}');
            }
        }
    }

    /// An object with scalars.
    pub(super) fn members(&mut self) -> Scan<(Vec<Member>, Range<usize>)> {
        self.peek();
        let (start, mut members) = (self.at, Vec::new());
        self.object(&mut |scanner, name, name_span| {
            let (value, value_span) = scanner.value()?;
            members.push(Member { name, name_span, value, value_span });
            Ok(())
        })?;
        Ok((members, start..self.at))
    }

    /// Any value.
    pub(super) fn value(&mut self) -> Scan<(Scalar, Range<usize>)> {
        let next = self.peek();
        let start = self.at;
        let value = match next {
            Some(b'"') => Scalar::Text(self.string("a value")?.0),
            Some(b'{' | b'[') => self.skip_nested()?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ if self.word("true") => Scalar::Boolean(true),
            _ if self.word("false") => Scalar::Boolean(false),
            _ if self.word("null") => Scalar::Null,
            _ => return Err(self.unexpected("expected a value")),
        };
        Ok((value, start..self.at))
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self.text[self.at..].starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn number(&mut self) -> Scan<Scalar> {
        let start = self.at;
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        self.at += self.text.as_bytes()[start..].iter().take_while(is_part).count();
        let text = &self.text[start..self.at];
        match serde_json::from_str::<serde_json::Number>(text) {
            Ok(_) => Ok(Scalar::Number(text.to_owned())),
            Err(_) => Err(Diagnostic::error(start..self.at, format!("`{text}` is no number"))
                .label("expected an integer")),
        }
    }

    /// A string in quotation marks.
    fn string(&mut self, expected: &str) -> Scan<(String, Range<usize>)> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected(&format!("expected {expected}")));
        }
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let quoted = self.text.get(start..end + 1);
        let Some(text) = quoted.and_then(|quoted| serde_json::from_str(quoted).ok()) else {
            let line = self.text[start..].find('\n').unwrap_or(self.text.len() - start);
            return Err(Diagnostic::error(start..start + line, "this string is wrong")
                .label("a string ends with a quotation mark, on the same line, and `\\` escapes"));
        };
        self.at = end + 1;
        Ok((text, start..end + 1))
    }

    /// Skips an array or object.
    fn skip_nested(&mut self) -> Scan<Scalar> {
        let mut closing: Vec<u8> = Vec::new();
        loop {
            match self.peek() {
                Some(b'{') => closing.push(b'}'),
                Some(b'[') => closing.push(b']'),
                Some(sign @ (b'}' | b']')) if closing.last() == Some(&sign) => {
                    closing.pop();
                }
                Some(b',' | b':') if !closing.is_empty() => {}
                _ => {
                    self.value()?;
                    continue;
                }
            }
            self.at += 1;
            if closing.is_empty() {
                return Ok(Scalar::Other);
            }
        }
    }
}
