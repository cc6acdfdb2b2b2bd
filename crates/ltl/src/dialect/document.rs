//! Whole inputs: one formula a line, a requirement file, or one formula over many lines.
//!
//! A requirement file is known by its first line that is not a comment being `name: formula`. Every
//! line is read, and all that is wrong with any of them is reported together.

use std::collections::HashMap;
use std::ops::Range;

use super::{Syntax, parse};
use crate::operator::BinaryOp;
use crate::store::{Formula, Node, Store};
use kermode_base::{Diagnostic, Severity};

/// How to take a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadMode {
    /// One formula a line, or a requirement file.
    Lines,
    /// All of it is one formula.
    Whole,
}

/// What a text turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// Formulas, each for itself.
    Formulas,
    /// Named requirements, meant together.
    Requirements,
    /// Formulas with and without names, which is an error.
    Mixture,
}

/// One formula of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The requirement's name.
    pub name: Option<String>,
    /// The line it stands on, from 1.
    pub line: usize,
    /// Where it stands in the text.
    pub span: Range<usize>,
    /// The formula, or the place of the error in the document's diagnostics.
    pub formula: Result<Formula, usize>,
}

/// What was read, and everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// What the text turned out to be.
    pub kind: DocumentKind,
    /// Its formulas in order.
    pub entries: Vec<Entry>,
    /// Errors and warnings in order.
    pub diagnostics: Vec<Diagnostic>,
}

impl Document {
    /// Whether every formula could be read.
    pub fn is_sound(&self) -> bool {
        self.diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error)
    }

    /// All formulas together, as they stand; nothing if one of them cannot be read, or if there is
    /// none.
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
    let mut document = Document { kind, entries: Vec::new(), diagnostics: Vec::new() };
    if mode == ReadMode::Whole {
        document.add(store, text, syntax, None, 1, 0..text.len());
        return document;
    }
    let mut names: HashMap<&str, usize> = HashMap::new();
    let (mut first, mut mixed) = (true, false);
    for (number, span, line) in lines(text).filter(|(_, _, line)| !is_comment(line)) {
        let named = requirement_name(line);
        if std::mem::take(&mut first) && named.is_some() {
            document.kind = DocumentKind::Requirements;
        }
        match (document.kind, named) {
            (DocumentKind::Formulas, None) => document.add(store, text, syntax, None, number, span),
            (DocumentKind::Requirements, Some((name, colon))) => {
                let place = span.start + (line.len() - line.trim_start().len());
                let body = span.start + colon + 1..span.end;
                document.add(store, text, syntax, Some(name), number, body);
                if let Some(first) = names.insert(name, number) {
                    document.refuse_second(place..place + name.len(), name, first);
                }
            }
            (kind, _) => {
                document.diagnostics.push(mixture(kind, span));
                mixed = true;
            }
        }
    }
    if mixed {
        document.kind = DocumentKind::Mixture;
    }
    document
}

impl Document {
    fn add(
        &mut self,
        store: &mut Store,
        text: &str,
        syntax: Syntax,
        name: Option<&str>,
        line: usize,
        span: Range<usize>,
    ) {
        let formula = match parse(store, &text[span.clone()], syntax) {
            Ok(parsed) => {
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
    /// The last requirement has a name that an earlier one has.
    fn refuse_second(&mut self, place: Range<usize>, name: &str, first: usize) {
        let message = format!("requirement `{name}` is there twice");
        let label = format!("line {first} has that name already");
        if let Some(entry) = self.entries.last_mut() {
            entry.formula = Err(self.diagnostics.len());
        }
        self.diagnostics.push(Diagnostic::error(place, message).label(label));
    }
}

/// The lines of a text with their numbers and places, without line ends.
fn lines(text: &str) -> impl Iterator<Item = (usize, Range<usize>, &str)> {
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

/// The name that a line gives to its formula, and where the colon stands.
fn requirement_name(line: &str) -> Option<(&str, usize)> {
    let (name, _) = line.split_once(':')?;
    let colon = name.len();
    let name = name.trim();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
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
