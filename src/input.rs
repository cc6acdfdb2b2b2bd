//! The sources of texts: an argument, a file, or standard input.

use std::ops::Range;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use kermode::base::{Diagnostic, LineMap, Severity, Source};
use kermode::ltl::dialect::{Document, Entry, ReadMode, read_document};
use kermode::ltl::text::{self, TextError};
use kermode::ltl::{Store, Syntax, WordKind};
use kermode::solve::Budget;
use kermode::solve::reading::{self, ReadStop};

use crate::args::{Input, Reading};
use crate::report;

/// The name of standard input in messages.
pub(crate) const STANDARD_INPUT: &str = "<stdin>";

/// A text and its name in messages.
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) text: String,
    /// Whether it was an argument, which is one formula.
    argument: bool,
}

/// The error of a text that could not be read, and its place.
#[derive(Clone, Default)]
pub(crate) struct ReadError {
    pub(crate) message: String,
    /// The name of the text in messages, if there is one.
    pub(crate) file: Option<String>,
    /// Line and column, if there is a text.
    pub(crate) place: Option<(usize, usize)>,
    pub(crate) help: Option<String>,
}

impl ReadError {
    /// The same error with the name of a text.
    pub(crate) fn in_file(self, name: &str) -> ReadError {
        ReadError { file: Some(name.to_owned()), ..self }
    }
}

impl Text {
    /// The argument, or the contents of a file or of standard input (`-`). The end of the budget is
    /// an error.
    pub(crate) fn load(
        argument: Option<&str>,
        file: Option<&Path>,
        budget: &Budget,
    ) -> anyhow::Result<Text> {
        match (argument, file) {
            (Some("-"), _) => Text::of_standard_input(budget),
            (None, Some(file)) if file == Path::new("-") => Text::of_standard_input(budget),
            (Some(text), _) => Ok(Text::argument("<argument>", text)),
            (None, Some(file)) => Text::of_file(file, budget),
            (None, None) => bail!("a formula or a file is missing"),
        }
    }

    /// The text of a file.
    pub(crate) fn of_file(file: &Path, budget: &Budget) -> anyhow::Result<Text> {
        let name = file.display().to_string();
        let bytes = match reading::read_file(file, budget) {
            Err(ReadStop::Failed(source)) => {
                let name = name.clone();
                return Err(TextError::Unreadable { name, source }.into());
            }
            read => stop_or(read)?,
        };
        Text::new(name.clone(), text::decode(&name, bytes))
    }

    /// A text from an argument.
    pub(crate) fn argument(name: &str, text: &str) -> Text {
        Text { name: name.to_owned(), text: text.to_owned(), argument: true }
    }

    fn new(name: String, read: Result<String, TextError>) -> anyhow::Result<Text> {
        if let Err(TextError::NotText { shown, .. }) = &read {
            report::complain(shown);
        }
        Ok(Text { name, text: read?, argument: false })
    }

    fn of_standard_input(budget: &Budget) -> anyhow::Result<Text> {
        let bytes = stop_or(reading::read_standard_input(budget))?;
        Text::new(STANDARD_INPUT.to_owned(), text::decode(STANDARD_INPUT, bytes))
    }

    /// A part of the text, without surrounding blanks.
    pub(crate) fn excerpt(&self, span: Range<usize>) -> String {
        self.text[span].trim().to_owned()
    }

    /// A diagnostic of the text, as data for JSON.
    pub(crate) fn read_error(&self, diagnostic: &Diagnostic, line: usize) -> ReadError {
        let line_start = self.text[..diagnostic.span.start].rfind('\n').map_or(0, |at| at + 1);
        let column = self.text[line_start..diagnostic.span.start].chars().count() + 1;
        let (message, help) = (diagnostic.message.clone(), diagnostic.help.clone());
        ReadError { message, file: Some(self.name.clone()), place: Some((line, column)), help }
    }

    /// A diagnostic of an entry of the text, as data for JSON.
    pub(crate) fn entry_error(&self, diagnostic: &Diagnostic, entry: &Entry) -> ReadError {
        let before = self.text.get(entry.span.start..diagnostic.span.start).unwrap_or_default();
        self.read_error(diagnostic, entry.line + before.matches('\n').count())
    }

    /// The first error among the diagnostics, as data for JSON.
    pub(crate) fn first_error(&self, diagnostics: &[Diagnostic]) -> Option<ReadError> {
        self.first_mapped_error(diagnostics, &LineMap::default())
    }

    /// The first error in a text that a preprocessor made from other files, as data for JSON.
    pub(crate) fn first_mapped_error(
        &self,
        diagnostics: &[Diagnostic],
        lines: &LineMap,
    ) -> Option<ReadError> {
        let error = diagnostics.iter().find(|d| d.severity == Severity::Error)?;
        let source = self.source();
        let (file, line) = source.file_and_line(error.span.start, lines);
        Some(ReadError { file: Some(file.to_owned()), ..self.read_error(error, line) })
    }

    pub(crate) fn source(&self) -> Source<'_> {
        Source { name: &self.name, text: &self.text }
    }

    /// The formulas of the text. Errors are reported here.
    pub(crate) fn document(
        &self,
        store: &mut Store,
        reading: Reading,
        whole: bool,
        with_terms: bool,
    ) -> anyhow::Result<Document> {
        let mode = match whole || self.argument {
            true if with_terms => ReadMode::Requirement,
            true => ReadMode::Whole,
            false => ReadMode::Lines,
        };
        let document = read_document(store, &self.text, reading.syntax(), mode);
        report::diagnostics(self.source(), &document.diagnostics);
        if document.entries.is_empty() && document.is_sound() {
            bail!("there is no formula in {}", self.name);
        }
        Ok(document)
    }
}

impl Reading {
    pub(crate) fn words(self) -> WordKind {
        if self.finite { WordKind::Finite } else { WordKind::Infinite }
    }

    pub(crate) fn syntax(self) -> Syntax {
        Syntax { dialect: self.syntax, words: self.words() }
    }
}

/// The bytes that were read. The end of the budget is an error of its own kind.
fn stop_or(read: Result<Vec<u8>, ReadStop>) -> anyhow::Result<Vec<u8>> {
    match read {
        Err(ReadStop::Stopped(stop)) => Err(anyhow!(stop)),
        read => read.context("cannot read standard input"),
    }
}

/// The text that the input options name.
pub(crate) fn load(formula: Option<&str>, input: &Input, budget: &Budget) -> anyhow::Result<Text> {
    Text::load(formula, input.file.as_deref(), budget)
}
