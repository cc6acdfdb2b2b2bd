//! Whole inputs: one formula per line, a requirement file, or one formula over many lines.
//!
//! In a requirement file the first line that is not a comment has the form `name: formula`. A
//! requirement continues on indented lines, or up to a line that ends in `;`. The reader reads the
//! whole file and reports all errors together. Comparisons and calls are propositions in
//! requirement files.

use std::collections::HashMap;
use std::ops::Range;

use super::{Dialect, Syntax, hints, parse_atoms};
use crate::operator::BinaryOp;
use crate::store::{Formula, Node, Store};
use kermode_base::{Diagnostic, Severity};

/// How to read a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadMode {
    /// One formula per line, or a requirement file.
    Lines,
    /// The whole text is one formula.
    Whole,
    /// The whole text is one formula, which is read as in a requirement file.
    Requirement,
}

/// The kind of a text that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// Independent formulas.
    Formulas,
    /// Named requirements, which hold together.
    Requirements,
    /// Formulas with and without names, which is an error.
    Mixture,
}

/// One formula of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name of the requirement.
    pub name: Option<String>,
    /// The number of its line, from 1.
    pub line: usize,
    /// Its place in the text.
    pub span: Range<usize>,
    /// The formula, or the index of the error in the diagnostics of the document.
    pub formula: Result<Formula, usize>,
}

/// The contents of a text, and all errors in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The kind of the text.
    pub kind: DocumentKind,
    /// Whether comparisons and calls are propositions in it.
    pub with_terms: bool,
    /// Its formulas in order.
    pub entries: Vec<Entry>,
    /// Errors and warnings, in order.
    pub diagnostics: Vec<Diagnostic>,
    /// Names that look like operators glued to a name.
    glued_names: Vec<Range<usize>>,
}

impl DocumentKind {
    /// Whether a text begins as a requirement file does.
    pub fn is_requirements(text: &str) -> bool {
        let first = lines(text).find(|(_, _, line)| !is_comment(line));
        first.is_some_and(|(_, _, line)| requirement_name(line).is_some())
    }
}

impl Document {
    /// Whether all formulas were read without errors.
    pub fn is_sound(&self) -> bool {
        self.diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error)
    }

    /// The conjunction of all formulas, not simplified; `None` if there are no formulas or if one
    /// of them has an error.
    pub fn conjunction(&self, store: &mut Store) -> Option<Formula> {
        let formulas = self.entries.iter().map(|entry| entry.formula.ok());
        let formulas: Option<Vec<Formula>> = formulas.collect();
        let both = |all, next| store.intern(Node::Binary(BinaryOp::And, all, next));
        formulas.filter(|_| self.is_sound())?.into_iter().reduce(both)
    }
}

/// Reads a text.
pub fn read_document(store: &mut Store, text: &str, syntax: Syntax, mode: ReadMode) -> Document {
    let kind = DocumentKind::Formulas;
    let with_terms = syntax.dialect == Dialect::Nusmv;
    let (entries, diagnostics, glued_names) = (Vec::new(), Vec::new(), Vec::new());
    let mut document = Document { kind, with_terms, entries, diagnostics, glued_names };
    match mode {
        ReadMode::Lines => document.add_lines(store, text, syntax),
        ReadMode::Whole | ReadMode::Requirement => {
            document.with_terms |= mode == ReadMode::Requirement;
            document.add(store, text, syntax, None, 1, 0..text.len());
        }
    }
    // A name is compared with the propositions of all lines.
    let glued_names = std::mem::take(&mut document.glued_names);
    document.diagnostics.extend(hints::glued_names(text, &glued_names, store));
    document
}

impl Document {
    fn add_lines(&mut self, store: &mut Store, text: &str, syntax: Syntax) {
        let mut names: HashMap<&str, usize> = HashMap::new();
        let (mut first, mut mixed) = (true, false);
        let mut lines = lines(text).filter(|(_, _, line)| !is_comment(line)).peekable();
        while let Some((number, span, line)) = lines.next() {
            let named = requirement_name(line);
            if std::mem::take(&mut first) && named.is_some() {
                self.kind = DocumentKind::Requirements;
                self.with_terms = true;
            }
            match (self.kind, named) {
                (DocumentKind::Formulas, None) => {
                    let span = span.start..end_of_formula(text, &span);
                    self.add(store, text, syntax, None, number, span);
                }
                (DocumentKind::Requirements, Some((name, colon))) => {
                    let place = span.start + line.find(name).unwrap_or(0);
                    let end = end_of_requirement(text, &mut lines, span.clone());
                    let body = span.start + colon + 1..end_of_formula(text, &(span.start..end));
                    self.add(store, text, syntax, Some(name), number, body);
                    if let Some(first) = names.insert(name, number) {
                        self.refuse_second(place..place + name.len(), name, first);
                    }
                }
                (kind, _) => {
                    self.diagnostics.push(mixture(kind, span));
                    mixed = true;
                }
            }
        }
        if mixed {
            self.kind = DocumentKind::Mixture;
        }
    }

    fn add(
        &mut self,
        store: &mut Store,
        text: &str,
        syntax: Syntax,
        name: Option<&str>,
        line: usize,
        span: Range<usize>,
    ) {
        let formula = match parse_atoms(store, &text[span.clone()], syntax, self.with_terms) {
            Ok((parsed, glued_names)) => {
                let names =
                    glued_names.iter().map(|name| name.start + span.start..name.end + span.start);
                self.glued_names.extend(names);
                let shifted = parsed.warnings.into_iter().map(|w| w.shifted(span.start));
                self.diagnostics.extend(shifted);
                Ok(parsed.formula)
            }
            Err(error) => {
                self.diagnostics.push(error.shifted(span.start));
                Err(self.diagnostics.len() - 1)
            }
        };
        self.entries.push(Entry { name: name.map(str::to_owned), line, span, formula });
    }
}

impl Document {
    /// Reports a requirement with the name of an earlier one.
    fn refuse_second(&mut self, place: Range<usize>, name: &str, first: usize) {
        let message = format!("requirement `{name}` is there twice");
        let label = format!("line {first} has that name already");
        if let Some(entry) = self.entries.last_mut() {
            entry.formula = Err(self.diagnostics.len());
        }
        self.diagnostics.push(Diagnostic::error(place, message).label(label));
    }
}

/// The lines of a text with their numbers and places, without line breaks.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> + Clone {
    let mut start = 0;
    text.split('\n').zip(1..).map(move |(line, number)| {
        let span = start..start + line.len();
        start = span.end + 1;
        (number, span, line)
    })
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#') || line.starts_with("--")
}

/// A line with its number and its place.
type Line<'t> = (usize, Range<usize>, &'t str);

/// The end of the requirement that begins on a line: the end of its last indented line without a
/// name of its own, or of the line that ends in `;`. Consumes these lines.
fn end_of_requirement<'t>(
    text: &str,
    lines: &mut std::iter::Peekable<impl Iterator<Item = Line<'t>> + Clone>,
    first: Range<usize>,
) -> usize {
    let mut end = first.end;
    let mut closed = ends_in_semicolon(text, &first);
    let is_new = |line: &str| requirement_name(line).is_some();
    while !closed
        && let Some((_, span, _)) =
            lines.next_if(|(_, _, line)| line.starts_with([' ', '\t']) && !is_new(line))
    {
        (end, closed) = (span.end, ends_in_semicolon(text, &span));
    }
    if !closed {
        let rest = lines.clone().take_while(|(_, _, line)| !is_new(line)).enumerate();
        let last = rest.into_iter().find(|(_, (_, span, _))| ends_in_semicolon(text, span));
        if let Some((index, (_, span, _))) = last {
            lines.nth(index);
            end = span.end;
        }
    }
    end
}

/// The end of the formula in some lines: before a final `;` and the text after it, if there is one.
fn end_of_formula(text: &str, span: &Range<usize>) -> usize {
    let line =
        text[span.clone()].rfind('\n').map_or(span.start, |newline| span.start + newline + 1);
    let last = without_comment(&text[line..span.end]);
    match last.strip_suffix(';') {
        Some(formula) => line + formula.len(),
        None => span.end,
    }
}

fn ends_in_semicolon(text: &str, line: &Range<usize>) -> bool {
    without_comment(&text[line.clone()]).ends_with(';')
}

/// A formula of a document on one line, without comments.
pub fn plain_text(formula: &str) -> String {
    let lines = formula.lines().map(|line| without_comment(line).trim());
    lines.filter(|line| !line.is_empty()).collect::<Vec<&str>>().join(" ")
}

/// A formula of a document with blanks in place of comments: places stay the same.
pub fn without_comments(formula: &str) -> String {
    let line = |line: &str| {
        let kept = without_comment(line);
        let rest = &line[kept.len()..];
        let newline = if rest.ends_with('\n') { "\n" } else { "" };
        format!("{kept}{}{newline}", " ".repeat(rest.len() - newline.len()))
    };
    formula.split_inclusive('\n').map(line).collect()
}

/// A line without its comment, which begins at the start of the line, after a blank or after `;`.
fn without_comment(line: &str) -> &str {
    let (mut quoted, mut before) = (false, ' ');
    for (at, c) in line.char_indices() {
        let begins = c == '#' || line[at..].starts_with("--");
        if begins && !quoted && (before.is_whitespace() || before == ';') {
            return line[..at].trim_end();
        }
        quoted ^= c == '"' && before != '\\';
        before = c;
    }
    line.trim_end()
}

/// The name before the formula of a line, and the position of the colon. A name consists of words
/// of letters, digits, `_`, `.` and `-`, perhaps in brackets.
fn requirement_name(line: &str) -> Option<(&str, usize)> {
    let (name, _) = line.split_once(':')?;
    let colon = name.len();
    let name = name.trim();
    let bracketed = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    let name = bracketed.unwrap_or(name).trim();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | ' ');
    let begins = name.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (begins && name.chars().all(plain)).then_some((name, colon))
}

fn mixture(kind: DocumentKind, span: Range<usize>) -> Diagnostic {
    match kind {
        DocumentKind::Formulas => {
            Diagnostic::error(span, "a named requirement among formulas without names")
                .label("the first formula of this text has no name")
                .help("name all of them, or none")
        }
        DocumentKind::Requirements | DocumentKind::Mixture => {
            Diagnostic::error(span, "a formula without a name in a requirement file")
                .label("expected `name: formula`")
                .help("name all of them, or none; `--whole` reads a formula over many lines")
        }
    }
}
