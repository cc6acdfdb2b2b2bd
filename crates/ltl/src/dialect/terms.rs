//! Comparisons, arithmetic and calls as propositions: `x + 1 <= y`, `mode = landing`,
//! `preBool(init, p)`.
//!
//! The name of such a proposition is its own text with one blank around operators, so that
//! different spacing gives the same proposition. Only `=`, `<` and `<=` occur in names: other
//! comparisons are negations of these, and numbers are on the right. The scanner is a loop: it
//! counts parentheses, and copies the arguments of calls.

use super::grammar::{Meaning, Quoting, Table};
use super::hints;

/// The largest number of open parentheses in a term. Without it, looking ahead from each of many
/// parentheses would be quadratic.
const DEEPEST: usize = 64;

/// Functions among the reserved words of NuSMV.
const FUNCTIONS: [&str; 12] = [
    "abs", "bool", "count", "extend", "max", "min", "resize", "signed", "sizeof", "toint",
    "unsigned", "word1",
];

/// The comparison of a proposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// `=`
    Equal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
}

/// An atom that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Atom {
    /// The name of its proposition.
    pub(super) name: String,
    /// Whether the negation of the proposition was written.
    pub(super) negated: bool,
    /// The length of its text.
    pub(super) length: usize,
}

/// The parts of a proposition that compares two terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) left: String,
    pub(crate) comparison: Comparison,
    pub(crate) right: String,
}

/// The atom at the start of a text.
pub(super) fn atom(text: &str, table: &Table) -> Option<Atom> {
    let mut scanner = Scanner { text, at: 0, table };
    let left = scanner.term()?;
    let length = scanner.at;
    let Some((comparison, negated)) = scanner.comparison() else {
        return (left.kind == Kind::Call).then_some(Atom {
            name: left.text,
            negated: false,
            length,
        });
    };
    let right = scanner.term()?;
    let length = scanner.at;
    // A number on the left moves to the right: `3 < x` is `!(x <= 3)`.
    let swap = left.kind == Kind::Number && right.kind != Kind::Number;
    let (left, right) = if swap { (right, left) } else { (left, right) };
    let (comparison, negated) = match comparison {
        Comparison::Less if swap => (Comparison::AtMost, !negated),
        Comparison::AtMost if swap => (Comparison::Less, !negated),
        comparison => (comparison, negated),
    };
    match (left.kind, comparison, right.kind) {
        // `x = TRUE` is `x`.
        (Kind::Name | Kind::Call, Comparison::Equal, Kind::Truth(value)) => {
            Some(Atom { name: left.text, negated: negated == value, length })
        }
        (Kind::Truth(_), _, _) | (_, _, Kind::Truth(_)) => None,
        _ => {
            let name = format!("{} {} {}", left.text, comparison.sign(), right.text);
            Some(Atom { name, negated, length })
        }
    }
}

/// Whether a word denotes the last position of a finite word, in texts with atoms.
pub(super) fn is_last_position(word: &str) -> bool {
    matches!(word, "LAST" | "last")
}

/// Whether a name is the name that the reader gives to an atom.
pub(super) fn is_atom(name: &str, table: &Table) -> bool {
    atom(name, table)
        .is_some_and(|atom| !atom.negated && atom.name == name && atom.length == name.len())
}

/// The parts of a proposition whose name is a comparison.
pub(crate) fn parts(name: &str, table: &Table) -> Option<Parts> {
    let mut scanner = Scanner { text: name, at: 0, table };
    let left = scanner.term()?;
    let (comparison, negated) = scanner.comparison()?;
    let right = scanner.term()?;
    let whole = scanner.at == name.len() && !negated;
    whole.then_some(Parts { left: left.text, comparison, right: right.text })
}

/// The names of variables and constants in a term; quoted texts are not names.
pub(crate) fn names<'t>(term: &'t str, table: &Table) -> Vec<&'t str> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < term.len() {
        let rest = &term.as_bytes()[at..];
        let quoted = rest[0] == b'"';
        let length = match table.word_length(rest) {
            Some(length) => length,
            None if quoted => quoted_length(rest).unwrap_or(rest.len()),
            None => rest.iter().take_while(|b| b.is_ascii_digit()).count().max(1),
        };
        let end = (at + length..=term.len()).find(|&end| term.is_char_boundary(end));
        let end = end.unwrap_or(term.len());
        if table.word_length(rest).is_some() {
            found.push(&term[at..end]);
        }
        at = end;
    }
    found
}

impl Comparison {
    fn sign(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
        }
    }
}

/// The kind of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Name,
    Truth(bool),
    Call,
    Other,
}

struct Term {
    text: String,
    kind: Kind,
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    table: &'t Table,
}

impl Scanner<'_> {
    fn rest(&self) -> &[u8] {
        &self.text.as_bytes()[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().iter().take_while(|b| b.is_ascii_whitespace()).count();
    }

    /// A sum of products of names, numbers and calls, up to its end.
    fn term(&mut self) -> Option<Term> {
        let (mut out, mut depth, mut operands) = (String::new(), 0usize, 0usize);
        loop {
            self.skip_blanks();
            let kind = match self.rest() {
                [b'(', ..] if depth < DEEPEST => {
                    (depth, operands) = (depth + 1, operands + 1);
                    out.push('(');
                    self.at += 1;
                    continue;
                }
                [b'-', next, ..] if !matches!(next, b'-' | b'>') => {
                    out.push('-');
                    self.at += 1;
                    continue;
                }
                _ => self.operand(&mut out)?,
            };
            operands += 1;
            loop {
                let end = self.at;
                self.skip_blanks();
                let operator = match self.rest() {
                    [b')', ..] if depth > 0 => {
                        depth -= 1;
                        out.push(')');
                        self.at += 1;
                        continue;
                    }
                    [b'+', ..] => "+",
                    [b'*', ..] => "*",
                    [b'-', next, ..] if !matches!(next, b'-' | b'>') => "-",
                    [b'/', next, ..] if !matches!(next, b'\\' | b'-' | b'*') => "/",
                    [b'm', b'o', b'd', ..] if self.table.word_length(self.rest()) == Some(3) => {
                        "mod"
                    }
                    _ if depth > 0 => return None,
                    _ => {
                        self.at = end;
                        let single = operands == 1 && (kind != Kind::Number || is_number(&out));
                        let plain = single && (kind == Kind::Number || !out.starts_with('-'));
                        // Zero has one text.
                        let text = if out == "-0" { "0".to_owned() } else { out };
                        return Some(Term { text, kind: if plain { kind } else { Kind::Other } });
                    }
                };
                self.at += operator.len();
                out.extend([" ", operator, " "]);
                break;
            }
        }
    }

    /// A name, a number, a call or a quoted name.
    fn operand(&mut self, out: &mut String) -> Option<Kind> {
        let rest = self.rest();
        let first = *rest.first()?;
        if first == b'"' && self.table.grammar.quoting == Quoting::Escaped {
            let length = quoted_length(rest)?;
            out.push_str(&self.text[self.at..self.at + length]);
            self.at += length;
            return Some(Kind::Name);
        }
        if first.is_ascii_digit() {
            let digits =
                |from: usize| rest[from..].iter().take_while(|b| b.is_ascii_digit()).count();
            let mut length = digits(0);
            if rest.get(length) == Some(&b'.') && digits(length + 1) > 0 {
                length += 1 + digits(length + 1);
            }
            if rest.get(length).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') {
                return None;
            }
            out.push_str(&shortest_number(&self.text[self.at..self.at + length]));
            self.at += length;
            return Some(Kind::Number);
        }
        let length = self.table.word_length(rest)?;
        let word = &self.text[self.at..self.at + length];
        let called = rest.get(length) == Some(&b'(');
        // In `a->b`, NuSMV reads `a-` as a name, but users mean an arrow.
        if word.ends_with('-') && rest.get(length) == Some(&b'>') {
            return None;
        }
        match self.table.word(word) {
            Some(Meaning::Constant(value)) if !called => {
                out.push_str(word);
                self.at += length;
                return Some(Kind::Truth(value));
            }
            Some(Meaning::Reserved) if called && FUNCTIONS.contains(&word) => {}
            Some(_) => return None,
            None if hints::is_english_operator(word) || is_last_position(word) => return None,
            None => {}
        }
        out.push_str(word);
        self.at += length;
        match called {
            true => self.arguments(out).map(|()| Kind::Call),
            false => Some(Kind::Name),
        }
    }

    /// The arguments of a call up to its closing parenthesis, with single blanks.
    fn arguments(&mut self, out: &mut String) -> Option<()> {
        let mut depth = 0usize;
        let mut end = 0;
        for (offset, c) in self.text[self.at..].char_indices() {
            let before = out.chars().next_back();
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            match c {
                ')' | ',' if before == Some(' ') => drop(out.pop()),
                ')' | ',' => {}
                _ if before == Some(',') && !c.is_whitespace() => out.push(' '),
                _ => {}
            }
            match (c.is_whitespace(), before) {
                (true, Some(' ' | '(')) => {}
                (true, _) => out.push(' '),
                (false, _) => out.push(c),
            }
            if depth == 0 {
                end = offset + 1;
                break;
            }
        }
        self.at += end;
        (end > 0).then_some(())
    }

    /// The comparison after a term, and whether it is negated.
    fn comparison(&mut self) -> Option<(Comparison, bool)> {
        self.skip_blanks();
        let (length, comparison, negated) = match self.rest() {
            [b'!', b'=', ..] => (2, Comparison::Equal, true),
            [b'=', b'=', ..] => (2, Comparison::Equal, false),
            [b'=', b'>', ..] => return None,
            [b'=', ..] => (1, Comparison::Equal, false),
            [b'<', b'=', b'>', ..] | [b'<', b'-', b'>', ..] | [b'<', b'>', ..] => return None,
            [b'<', b'=', ..] => (2, Comparison::AtMost, false),
            [b'<', ..] => (1, Comparison::Less, false),
            [b'>', b'=', ..] => (2, Comparison::Less, true),
            [b'>', ..] => (1, Comparison::AtMost, true),
            _ => return None,
        };
        self.at += length;
        Some((comparison, negated))
    }
}

/// The same number without superfluous zeros.
fn shortest_number(digits: &str) -> String {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    match fraction {
        "" => whole.to_owned(),
        _ => format!("{whole}.{fraction}"),
    }
}

/// Whether a term is a number, perhaps with one sign.
fn is_number(term: &str) -> bool {
    let digits = term.strip_prefix('-').unwrap_or(term);
    digits.starts_with(|c: char| c.is_ascii_digit())
}

/// The length of a quoted name without backslashes.
fn quoted_length(rest: &[u8]) -> Option<usize> {
    let inside = rest.get(1..)?.iter().position(|b| matches!(b, b'"' | b'\\' | b'\n'))?;
    (rest[inside + 1] == b'"').then_some(inside + 2)
}
