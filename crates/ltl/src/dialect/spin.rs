//! SPIN's predicates. SPIN does not parse a parenthesis (or brace) without temporal operators as
//! temporal logic, but copies it into the claim, where Promela reads it. This has two consequences:
//! inside it `&&` binds tighter than `||`, unlike outside, and it may contain any Promela
//! expression.
//!
//! One pass over the text finds the outermost predicates. SPIN looks ahead at each parenthesis,
//! which is quadratic in the nesting.

use std::ops::Range;
use std::sync::LazyLock;

use super::grammar::{SPIN_PREDICATE, Table};

/// The table for the inside of a predicate.
pub(super) fn predicate_table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| Table::new(&SPIN_PREDICATE));
    &TABLE
}

/// Words that make a parenthesis temporal.
const TEMPORAL_WORDS: [&[u8]; 9] =
    [b"always", b"eventually", b"until", b"next", b"equivalent", b"c_expr", b"U", b"V", b"X"];

/// The contents of the outermost predicates, the last one first.
pub(super) fn predicates(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    // Open parentheses: the start of the contents, and whether they are temporal.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let opens = |at: usize| if bytes[at] == b')' { b'(' } else { b'{' };
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if let Some(length) = comment(rest) {
            at += length;
            continue;
        }
        let word = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        let temporal = match word {
            0 => [&b"<>"[..], b"<-", b"->", b"[]"].iter().any(|sign| rest.starts_with(sign)),
            length => TEMPORAL_WORDS.contains(&&rest[..length]),
        };
        if temporal && let Some((_, mark)) = open.last_mut() {
            *mark = true;
        }
        match rest[0] {
            b'(' | b'{' => open.push((at + 1, false)),
            b')' | b'}' => {
                let Some((start, temporal)) = open.pop() else { break };
                if bytes[start - 1] != opens(at) {
                    break;
                }
                if !temporal {
                    // Predicates inside this one are no longer outermost.
                    while found.last().is_some_and(|inner| inner.start > start) {
                        found.pop();
                    }
                    found.push(start..at);
                } else if let Some((_, mark)) = open.last_mut() {
                    *mark = true;
                }
            }
            _ => {}
        }
        at += word.max(1);
    }
    found.reverse();
    found
}

/// The parentheses of a predicate that contain more than names, constants, `!`, `&&` and `||`; each
/// is one proposition. Only the outermost ones, the last one first; `None` if this holds for the
/// predicate as a whole.
pub(super) fn opaque_parts(text: &str, predicate: Range<usize>) -> Option<Vec<Range<usize>>> {
    let bytes = &text.as_bytes()[..predicate.end];
    let mut found: Vec<Range<usize>> = Vec::new();
    // Open parentheses: the start of the contents, and whether they are opaque.
    let mut open = vec![(predicate.start, false)];
    let mut at = predicate.start;
    while at < bytes.len() {
        let (length, boolean) = token(&bytes[at..]);
        let (_, opaque) = open.last_mut()?;
        *opaque |= !boolean;
        match bytes[at] {
            b'(' => open.push((at + 1, false)),
            b')' => {
                let (start, opaque) = open.pop()?;
                if opaque {
                    while found.last().is_some_and(|inner| inner.start > start) {
                        found.pop();
                    }
                    found.push(start..at);
                }
            }
            _ => {}
        }
        at += length;
    }
    found.reverse();
    matches!(open[..], [(_, false)]).then_some(found)
}

/// A sign in a predicate that is not Promela, and its position.
pub(super) fn foreign_sign(predicate: &str) -> Option<(usize, &'static str)> {
    let signs = ["/\\", "\\/", "=>"];
    signs.iter().find_map(|sign| Some((predicate.find(sign)?, *sign)))
}

/// The length of the next token in a predicate, and whether it is part of the Boolean structure. A
/// name directly before a parenthesis is a function.
fn token(rest: &[u8]) -> (usize, bool) {
    let table = predicate_table();
    if let Some(length) = comment(rest) {
        return (length, true);
    }
    let word = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    match (word, table.longest(rest)) {
        (0, Some((sign, _))) => (sign.len(), true),
        (0, None) => (1, rest[0].is_ascii_whitespace()),
        (_, _) if rest[0].is_ascii_digit() => (word, matches!(&rest[..word], b"0" | b"1")),
        (_, _) => (word, rest.get(word) != Some(&b'(')),
    }
}

/// The length of a comment, if one begins here.
fn comment(rest: &[u8]) -> Option<usize> {
    let begins = rest.starts_with(b"#") || rest.starts_with(b"--");
    begins.then(|| rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()))
}
