//! Diagnostics: an error or warning about a text, its place, and how to fix it.
//!
//! A [`Diagnostic`] has a range of bytes. [`Source::render`] turns it into file, line, column, the
//! line itself and a caret. It shows a window of the line around the caret, because formulas of ten
//! megabytes may be on one line.

use std::fmt::Write as _;
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthChar;

use crate::quoting::escape_controls;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input is used, but may not mean what the user intended.
    Warning,
}

/// One diagnostic about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The problem, in a sentence without a full stop.
    pub message: String,
    /// The bytes of the text that are wrong.
    pub span: Range<usize>,
    /// The text beside the caret: what was expected there.
    pub label: String,
    /// How to fix it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Range<usize>, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            help: None,
        }
    }

    /// A warning at a place.
    pub fn warning(span: Range<usize>, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(span, message) }
    }

    /// Sets the text beside the caret.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Sets the advice how to fix it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same diagnostic for a larger text in which the present one begins at byte `offset`.
    pub fn shifted(mut self, offset: usize) -> Self {
        self.span = self.span.start + offset..self.span.end + offset;
        self
    }
}

/// A text and its name in messages: a file's path, `<argument>`, `<stdin>`.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The name in messages.
    pub name: &'a str,
    /// The whole text.
    pub text: &'a str,
}

/// How many columns of a long line are shown on each side of the caret.
const WINDOW: usize = 60;

impl Source<'_> {
    /// The line and column of a byte, both from 1, columns counted in characters.
    pub fn line_and_column(&self, byte: usize) -> (usize, usize) {
        let line = self.before(byte).bytes().filter(|&b| b == b'\n').count() + 1;
        (line, self.column(byte))
    }

    /// The column of a byte in its line.
    fn column(&self, byte: usize) -> usize {
        let before = self.before(byte);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        before[line_start..].chars().count() + 1
    }

    /// Several diagnostics as text, with one pass over the source for all of them.
    pub fn render_all(&self, diagnostics: &[Diagnostic]) -> Vec<String> {
        let lines = LineStarts::of(self.text);
        diagnostics.iter().map(|d| self.render_at(d, lines.line(d.span.start))).collect()
    }

    /// The text before a byte; a byte inside a character counts as that character's first.
    fn before(&self, byte: usize) -> &str {
        let mut end = byte.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        &self.text[..end]
    }

    /// The diagnostic as text, with styles for terminals.
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        self.render_at(diagnostic, self.line_and_column(diagnostic.span.start).0)
    }

    fn render_at(&self, diagnostic: &Diagnostic, line: usize) -> String {
        let (word, colour) = match diagnostic.severity {
            Severity::Error => ("error", AnsiColor::Red),
            Severity::Warning => ("warning", AnsiColor::Yellow),
        };
        let strong = Style::new().bold();
        let severity = strong.fg_color(Some(colour.into()));
        let frame = strong.fg_color(Some(AnsiColor::Blue.into()));
        let column = self.column(diagnostic.span.start);
        let margin = " ".repeat(line.to_string().len());
        let (shown, indent, carets) = self.excerpt(&diagnostic.span);
        let (message, name) = (on_a_line(&diagnostic.message), escape_controls(self.name));
        let mut out = String::new();
        let _ = writeln!(out, "{severity}{word}{severity:#}{strong}: {message}{strong:#}");
        let _ = writeln!(out, "{margin}{frame}-->{frame:#} {name}:{line}:{column}");
        let _ = writeln!(out, "{margin} {frame}|{frame:#}");
        let _ = writeln!(out, "{frame}{line} |{frame:#} {shown}");
        let _ = write!(
            out,
            "{margin} {frame}|{frame:#} {}{severity}{}{severity:#}",
            " ".repeat(indent),
            "^".repeat(carets),
        );
        match diagnostic.label.as_str() {
            "" => out.push('\n'),
            label => {
                let _ = writeln!(out, " {severity}{}{severity:#}", on_a_line(label));
            }
        }
        if let Some(help) = &diagnostic.help {
            let help = on_a_line(help);
            let _ = writeln!(out, "{margin} {frame}={frame:#} {strong}help{strong:#}: {help}");
        }
        out
    }

    /// The line around a span, cut to a window; the display column of the span in it; its width.
    fn excerpt(&self, span: &Range<usize>) -> (String, usize, usize) {
        let before = self.before(span.start);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let rest = &self.text[before.len()..];
        let line_end = before.len() + rest.find('\n').unwrap_or(rest.len());
        let span_end = self.before(span.end).len().clamp(before.len(), line_end);

        let mut shown = String::new();
        let head: Vec<char> = before[line_start..].chars().rev().take(WINDOW).collect();
        if head.len() < before[line_start..].chars().take(WINDOW + 1).count() {
            shown.push('…');
        }
        head.iter().rev().for_each(|&c| shown.push(printable(c)));
        let indent = width(&shown);
        let mut inside = self.text[before.len()..span_end].chars();
        let marked: String = inside.by_ref().take(WINDOW).map(printable).collect();
        let carets = width(&marked).max(1);
        shown.push_str(&marked);
        if inside.next().is_some() {
            shown.push('…');
            return (shown, indent, carets);
        }
        let mut tail = self.text[span_end..line_end].chars();
        shown.extend(tail.by_ref().take(WINDOW).map(printable));
        if tail.next().is_some() {
            shown.push('…');
        }
        (shown.trim_end().to_owned(), indent, carets)
    }
}

/// Where the lines of a text begin.
struct LineStarts(Vec<usize>);

impl LineStarts {
    fn of(text: &str) -> Self {
        let newlines = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        LineStarts(std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect())
    }

    /// The line of a byte, from 1.
    fn line(&self, byte: usize) -> usize {
        self.0.partition_point(|&start| start <= byte)
    }
}

/// Tabs and other control characters are shown as single blanks, so that the caret stays in place.
fn printable(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

/// The text on one line, without control characters that could affect a terminal.
fn on_a_line(text: &str) -> String {
    text.chars().map(printable).collect()
}

fn width(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_forgiving() {
        let source = Source { name: "x", text: "é\nb" };
        assert_eq!(source.line_and_column(0), (1, 1));
        assert_eq!(source.line_and_column(1), (1, 1));
        assert_eq!(source.line_and_column(2), (1, 2));
        assert_eq!(source.line_and_column(3), (2, 1));
        assert_eq!(source.line_and_column(100), (2, 2));
    }
}
