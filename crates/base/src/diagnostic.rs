//! Diagnostics: an error or warning about a text, its place, and how to fix it.
//!
//! A [`Diagnostic`] has a range of bytes. [`Source::render`] turns it into file, line, column, the
//! line itself and a caret. It shows a window of the line around the caret, because formulas of ten
//! megabytes may be on one line. If a preprocessor made the text, a [`LineMap`] tells from which
//! file and line each part came.

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

/// A place in a text from which on the lines belong to another file, or are numbered anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineDirective {
    /// The first byte of the next line of the text.
    pub offset: usize,
    /// The number of that line.
    pub line: usize,
    /// The file of that line; the same as before if there is none.
    pub file: Option<String>,
}

/// The files and lines from which a preprocessor made a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineMap {
    directives: Vec<LineDirective>,
}

impl LineMap {
    /// Adds a directive behind those that are there.
    pub fn push(&mut self, directive: LineDirective) {
        debug_assert!(self.directives.last().is_none_or(|last| last.offset <= directive.offset));
        self.directives.push(directive);
    }

    /// The directives, in the order of the text.
    pub fn directives(&self) -> &[LineDirective] {
        &self.directives
    }

    /// The file, if a directive names it, and the line of a byte that is in a line of the text.
    fn file_and_line(
        &self,
        byte: usize,
        line: usize,
        line_of: impl Fn(usize) -> usize,
    ) -> (Option<&str>, usize) {
        let count = self.directives.partition_point(|directive| directive.offset <= byte);
        let before = &self.directives[..count];
        let Some(last) = before.last() else { return (None, line) };
        let file = before.iter().rev().find_map(|directive| directive.file.as_deref());
        (file, last.line + (line - line_of(last.offset)))
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
        self.render_mapped(diagnostics, &LineMap::default())
    }

    /// Several diagnostics as text, with the files and lines from which a preprocessor made the
    /// source.
    pub fn render_mapped(&self, diagnostics: &[Diagnostic], map: &LineMap) -> Vec<String> {
        let lines = LineStarts::of(self.text);
        let render = |diagnostic: &Diagnostic| {
            let (name, line) = self.place(diagnostic.span.start, map, &lines);
            Source { name, text: self.text }.render_at(diagnostic, line)
        };
        diagnostics.iter().map(render).collect()
    }

    /// The file and the line of a byte of a source that a preprocessor made.
    pub fn file_and_line<'s>(&'s self, byte: usize, map: &'s LineMap) -> (&'s str, usize) {
        self.place(byte, map, &LineStarts::of(self.text))
    }

    fn place<'s>(&'s self, byte: usize, map: &'s LineMap, lines: &LineStarts) -> (&'s str, usize) {
        let (file, line) = map.file_and_line(byte, lines.line(byte), |byte| lines.line(byte));
        (file.unwrap_or(self.name), line)
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

    #[test]
    fn directives_name_files_and_lines() {
        let text = "a\n# 7 \"part.h\"\nb\nc\n# 20\nd\n";
        let source = Source { name: "whole", text };
        let mut map = LineMap::default();
        let after = |line: &str| text.find(line).unwrap() + line.len();
        let (offset, file) = (after("\"part.h\"\n"), Some("part.h".to_owned()));
        map.push(LineDirective { offset, line: 7, file });
        map.push(LineDirective { offset: after("# 20\n"), line: 20, file: None });
        let place = |name: &str| source.file_and_line(text.find(name).unwrap(), &map);
        assert_eq!(place("a"), ("whole", 1));
        assert_eq!(place("b\n"), ("part.h", 7));
        assert_eq!(place("c\n"), ("part.h", 8));
        assert_eq!(place("d\n"), ("part.h", 20));
        let finding = Diagnostic::error(after("\nb\n")..after("\nb\n") + 1, "wrong");
        let shown = source.render_mapped(&[finding], &map).concat();
        assert!(shown.contains("part.h:8:1"), "{shown}");
    }
}
