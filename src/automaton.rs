//! Files with automata: one automaton in ALASKA's syntax, or a stream in the HOA format; the first
//! characters decide. Errors of a file are reported here. The time for reading is part of the
//! budget of a question.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use kermode::automata::{Automaton, ReadAutomaton, read_automata};
use kermode::ltl::{Store, WordKind};
use kermode::solve::{Budget, Stop};

use crate::case::{Case, Subject};
use crate::input::{ReadError, Text};
use crate::report::{self, complaint};

/// Why there is no automaton.
#[derive(Clone)]
pub(crate) enum Unread {
    /// The file has an error, which was reported.
    Bad(ReadError),
    /// The budget ended before the file was read.
    Stopped(Stop),
}

impl From<Unread> for Subject {
    fn from(unread: Unread) -> Subject {
        match unread {
            Unread::Bad(error) => Subject::Unreadable(error),
            Unread::Stopped(stop) => Subject::Stopped(stop),
        }
    }
}

/// Refuses to read standard input for several files.
pub(crate) fn refuse_repeated_stdin<'f>(
    files: impl IntoIterator<Item = &'f PathBuf>,
) -> anyhow::Result<()> {
    let from_stdin = |file: &&PathBuf| file.as_path() == Path::new("-");
    match files.into_iter().filter(from_stdin).count() {
        0 | 1 => Ok(()),
        _ => bail!("standard input is read once, so `-` can name one input only"),
    }
}

/// The error for two automata with different kinds of words, if they have.
pub(crate) fn different_words(one: (&str, WordKind), other: (&str, WordKind)) -> Option<Unread> {
    let ((name, words), (other, other_words)) = (one, other);
    let (kind, other_kind) = (words.name(), other_words.name());
    (words != other_words).then(|| {
        Unread::Bad(complaint(&anyhow!(
            "`{name}` is about {kind} words and `{other}` about {other_kind} ones"
        )))
    })
}

/// An automaton of a file, or the error in its place.
pub(crate) struct Entry {
    pub(crate) name: Option<String>,
    /// The line on which it begins.
    pub(crate) line: usize,
    pub(crate) automaton: Result<Automaton, Unread>,
}

/// The automata of a file. If the file cannot be read, there is one entry with the error.
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) entries: Vec<Entry>,
}

impl File {
    pub(crate) fn read(store: &mut Store, file: &Path, budget: &Budget) -> File {
        let name = file.display().to_string();
        let text = Text::load(None, Some(file), budget);
        let read = text.map(|text| (entries(store, &text, budget), text.name));
        let (unread, name) = match read {
            Ok((Ok(entries), name)) if !entries.is_empty() => return File { name, entries },
            Ok((Ok(_), name)) => {
                let error = complaint(&anyhow!("there is no automaton in {name}"));
                (Unread::Bad(error.in_file(&name)), name)
            }
            Ok((Err(stop), name)) => (Unread::Stopped(stop), name),
            Err(error) => match error.downcast::<Stop>() {
                Ok(stop) => (Unread::Stopped(stop), name),
                Err(error) => (Unread::Bad(complaint(&error).in_file(&name)), name),
            },
        };
        File { name, entries: vec![Entry { name: None, line: 1, automaton: Err(unread) }] }
    }

    /// The only automaton of a file that `what` takes, with the name of the file.
    pub(crate) fn only(
        store: &mut Store,
        file: &Path,
        what: &str,
        budget: &Budget,
    ) -> (String, Result<Automaton, Unread>) {
        let File { name, mut entries } = File::read(store, file, budget);
        match (entries.pop(), entries.len()) {
            (Some(entry), 0) => (name, entry.automaton),
            (_, more) => {
                let several =
                    anyhow!("`{name}` holds {} automata, and {what} one automaton", more + 1);
                let error = complaint(&several).in_file(&name);
                (name, Err(Unread::Bad(error)))
            }
        }
    }

    pub(crate) fn has_several(&self) -> bool {
        self.entries.len() > 1
    }

    /// The name of an automaton: its file, with the line where it begins if the file has several.
    pub(crate) fn label(&self, entry: &Entry) -> String {
        match self.has_several() {
            true => format!("{}:{}", self.name, entry.line),
            false => self.name.clone(),
        }
    }

    /// One case per automaton; `subject` gets its label. The cases are labelled if there are
    /// several.
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
                Err(unread) => unread.into(),
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

/// The automata of a text.
fn entries(store: &mut Store, text: &Text, budget: &Budget) -> Result<Vec<Entry>, Stop> {
    let automata = read_automata(store, &text.text, &mut || budget.check())?;
    Ok(automata.into_iter().map(|automaton| entry(text, automaton)).collect())
}

fn entry(text: &Text, read: ReadAutomaton) -> Entry {
    report::diagnostics(text.source(), &read.warnings);
    let automaton = read.automaton.map_err(|errors| {
        report::diagnostics(text.source(), &errors);
        Unread::Bad(text.first_error(&errors).unwrap_or_default())
    });
    let (line, _) = text.source().line_and_column(read.span.start);
    Entry { name: read.name, line, automaton }
}
