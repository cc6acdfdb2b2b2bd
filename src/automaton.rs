//! Files with automata: one in ALASKA's syntax, or a stream in the HOA format, which is known by how it begins. All that
//! is wrong with a file is reported here.

use std::convert::Infallible;
use std::path::Path;

use anyhow::anyhow;
use kermode::automata::hoa::{self, Automaton, Hoa};
use kermode::automata::{AlternatingAutomaton, accepts, alaska, tgba};
use kermode::ltl::{Diagnostic, Store, Word, WordKind};

use crate::case::{Case, Subject};
use crate::input::{ReadError, Text};
use crate::report::{self, complaint};

/// How many states a generalised Büchi automaton may get on the way to an alternating one.
const MOST_STATES: usize = 1_000_000;

/// An automaton of a file, or what is wrong with it.
pub(crate) struct Entry {
    pub(crate) name: Option<String>,
    /// The line on which it begins.
    pub(crate) line: usize,
    pub(crate) automaton: Result<Automaton, ReadError>,
}

/// The automata of a file, at least one. If it cannot be read, one that says so.
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) entries: Vec<Entry>,
}

impl File {
    pub(crate) fn read(store: &mut Store, file: &Path) -> File {
        let name = file.display().to_string();
        let loaded = Text::load(None, Some(file));
        let read = loaded.and_then(|text| Ok((entries(store, &text)?, text.name)));
        let (entries, name) = read.unwrap_or_else(|error| {
            let automaton = Err(complaint(&error));
            (vec![Entry { name: None, line: 1, automaton }], name)
        });
        File { name, entries }
    }

    pub(crate) fn has_several(&self) -> bool {
        self.entries.len() > 1
    }

    /// What an automaton is called: by its file, and by the line where it begins if that has several.
    pub(crate) fn label(&self, entry: &Entry) -> String {
        match self.has_several() {
            true => format!("{}:{}", self.name, entry.line),
            false => self.name.clone(),
        }
    }

    /// A case an automaton, about what is made of it and what it is called. Where there are several, each has a label.
    pub(crate) fn into_cases(
        self,
        several_files: bool,
        subject: impl Fn(&str, Automaton) -> Subject,
    ) -> Vec<Case> {
        let several = self.has_several();
        let labels: Vec<String> = self.entries.iter().map(|entry| self.label(entry)).collect();
        let case = |(entry, label): (Entry, String)| {
            let subject = match entry.automaton {
                Ok(automaton) => subject(&label, automaton),
                Err(error) => Subject::Unreadable(error),
            };
            Case {
                label: (several || several_files).then_some(label),
                name: entry.name,
                line: several.then_some(entry.line),
                file: Some(self.name.clone()),
                ..Case::single(Vec::new(), subject)
            }
        };
        self.entries.into_iter().zip(labels).map(case).collect()
    }
}

/// The automata of a text, at least one.
fn entries(store: &mut Store, text: &Text) -> anyhow::Result<Vec<Entry>> {
    let begins = |mark: &str| text.text.trim_start().starts_with(mark);
    if !["HOA:", "/*", "--ABORT--"].into_iter().any(begins) {
        let automaton = alaska::read(store, &text.text).map(Automaton::Alternating);
        let automaton = automaton.map_err(|errors| refused(text, &errors));
        return Ok(vec![Entry { name: None, line: 1, automaton }]);
    }
    let automata = hoa::read(store, &text.text).into_iter();
    let entries: Vec<Entry> = automata.map(|automaton| entry(text, automaton)).collect();
    match entries.is_empty() {
        true => Err(anyhow!("there is no automaton in {}", text.name)),
        false => Ok(entries),
    }
}

fn entry(text: &Text, automaton: Result<Hoa, Vec<Diagnostic>>) -> Entry {
    let line = |at| text.source().line_and_column(at).0;
    match automaton {
        Ok(hoa) => {
            report::diagnostics(text.source(), &hoa.warnings);
            let (name, line) = (hoa.name, line(hoa.span.start));
            Entry { name, line, automaton: Ok(hoa.automaton) }
        }
        Err(errors) => {
            let line = errors.first().map_or(1, |error| line(error.span.start));
            Entry { name: None, line, automaton: Err(refused(text, &errors)) }
        }
    }
}

fn refused(text: &Text, errors: &[Diagnostic]) -> ReadError {
    report::diagnostics(text.source(), errors);
    text.first_error(errors).unwrap_or_default()
}

/// The automaton for engines, which know alternating ones.
pub(crate) fn alternating(
    name: &str,
    automaton: Automaton,
) -> Result<AlternatingAutomaton, ReadError> {
    let automaton = match automaton {
        Automaton::Alternating(automaton) => return Ok(automaton),
        Automaton::Tgba(automaton) => automaton,
    };
    let mut left = MOST_STATES;
    let mut patience = || {
        left = left.checked_sub(1).ok_or(())?;
        Ok(())
    };
    tgba::to_alternating(&automaton, &mut patience).map_err(|()| {
        complaint(&anyhow!(
            "as a Büchi automaton with one set `{name}` has more than {MOST_STATES} states"
        ))
    })
}

/// About which words an automaton speaks.
pub(crate) fn words(automaton: &Automaton) -> WordKind {
    match automaton {
        Automaton::Tgba(_) => WordKind::Infinite,
        Automaton::Alternating(automaton) => automaton.words(),
    }
}

/// Whether an automaton accepts a word.
pub(crate) fn is_accepted(automaton: &Automaton, word: &Word) -> bool {
    let mut go_on = || Ok::<(), Infallible>(());
    let Ok(accepted) = match automaton {
        Automaton::Tgba(automaton) => tgba::accepts(automaton, word, &mut go_on),
        Automaton::Alternating(automaton) => accepts(automaton, word, &mut go_on),
    };
    accepted
}
