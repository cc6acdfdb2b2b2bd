//! What a command is asked about: a case an input. A document of formulas becomes a case a line, or
//! one for all requirements together; a file with an automaton is a case, together with those it is
//! compared with.

use kermode::automata::alaska::{self, LocationNames};
use kermode::automata::{Automaton, Difference, hoa};
use kermode::ltl::dialect::{Document, DocumentKind, Entry};
use kermode::ltl::{Formula, Store};
use kermode::solve::question::{formula_arguments, shell_word};
use kermode::solve::{Limits, Stop};

use crate::args::Reading;
use crate::input::{ReadError, STANDARD_INPUT, Text};

/// One input.
pub(crate) struct Case {
    /// The requirement's name, the line or the file, where there are several inputs.
    pub(crate) label: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) line: Option<usize>,
    /// The file with the automaton.
    pub(crate) file: Option<String>,
    /// The files with automata that accept the word, too, and with those that do not.
    pub(crate) and: Vec<String>,
    pub(crate) not: Vec<String>,
    /// The formulas as they were written.
    pub(crate) texts: Vec<String>,
    pub(crate) subject: Subject,
    /// What its reading has left of the limits, if that was part of them.
    pub(crate) left: Option<Limits>,
}

/// What an input is about.
pub(crate) enum Subject {
    /// Formulas: one, or the two of a pair.
    Formulas { first: Formula, second: Option<Formula>, reading: Reading },
    /// An automaton, and those it is compared with.
    Automata(Difference),
    /// There is an error in it.
    Unreadable(ReadError),
    /// The budget ended before it was read.
    Stopped(Stop),
}

impl Case {
    /// A case that stands alone.
    pub(crate) fn single(texts: Vec<String>, subject: Subject) -> Case {
        let (and, not) = (Vec::new(), Vec::new());
        Case {
            label: None,
            name: None,
            line: None,
            file: None,
            and,
            not,
            texts,
            subject,
            left: None,
        }
    }

    /// The cases of a document, or nothing if its errors leave nothing to ask about: requirements
    /// are one case, unless `each` is wanted.
    pub(crate) fn of_document(
        store: &mut Store,
        text: &Text,
        document: &Document,
        reading: Reading,
        each: bool,
    ) -> Option<Vec<Case>> {
        match document.kind {
            DocumentKind::Mixture => None,
            DocumentKind::Requirements if !each => {
                Some(vec![Case::conjunction(store, text, document, reading)?])
            }
            _ => {
                let entries = document.entries.iter();
                Some(entries.map(|entry| Case::of_entry(text, entry, document, reading)).collect())
            }
        }
    }

    fn of_entry(text: &Text, entry: &Entry, document: &Document, reading: Reading) -> Case {
        let several = document.entries.len() > 1;
        let subject = match entry.formula {
            Ok(first) => Subject::Formulas { first, second: None, reading },
            Err(index) => {
                Subject::Unreadable(text.read_error(&document.diagnostics[index], entry.line))
            }
        };
        Case {
            label: entry.name.clone().or_else(|| several.then(|| format!("line {}", entry.line))),
            name: entry.name.clone(),
            line: several.then_some(entry.line),
            ..Case::single(vec![text.excerpt(entry.span.clone())], subject)
        }
    }

    /// All requirements of a file together, as they stand.
    fn conjunction(
        store: &mut Store,
        text: &Text,
        document: &Document,
        reading: Reading,
    ) -> Option<Case> {
        let first = document.conjunction(store)?;
        let written = |entry: &Entry| format!("({})", text.excerpt(entry.span.clone()));
        let texts: Vec<String> = document.entries.iter().map(written).collect();
        let subject = Subject::Formulas { first, second: None, reading };
        Some(Case::single(vec![texts.join(" & ")], subject))
    }

    /// What to type behind a command to ask about the same.
    pub(crate) fn arguments(&self, store: &Store) -> String {
        match &self.subject {
            Subject::Formulas { reading, .. } => formula_arguments(reading.syntax(), &self.texts),
            Subject::Automata(difference) => {
                let read = self.files().position(|(_, file)| file == STANDARD_INPUT);
                let automaton = read.and_then(|index| difference.parts().nth(index));
                let text = automaton.and_then(|automaton| here_document(store, automaton));
                self.file_arguments() + &text.unwrap_or_default()
            }
            Subject::Unreadable(_) | Subject::Stopped(_) => self.file_arguments(),
        }
    }

    /// The files with automata, each with the option that it belongs to.
    fn files(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let and = self.and.iter().map(|file| ("--and ", file));
        let not = self.not.iter().map(|file| ("--not ", file));
        self.file.iter().map(|file| ("", file)).chain(and).chain(not)
    }

    fn file_arguments(&self) -> String {
        let argument = |(option, file): (&str, &String)| match file == STANDARD_INPUT {
            true => format!("{option}-"),
            false => option.to_owned() + &shell_word(file),
        };
        self.files().map(argument).collect::<Vec<String>>().join(" ")
    }
}

/// An automaton that came from standard input, as the shell gives it again.
fn here_document(store: &Store, automaton: &Automaton) -> Option<String> {
    let text = match automaton {
        Automaton::Tgba(_) => hoa::write(store, automaton, None).ok()?,
        Automaton::Alternating(automaton) => {
            alaska::write(store, automaton, LocationNames::Numbers).ok()?
        }
    };
    Some(format!(" <<'END'\n{text}END"))
}

#[cfg(test)]
mod tests {
    use kermode::automata::AlternatingAutomaton;
    use kermode::ltl::WordKind;

    use super::*;

    #[test]
    fn automata_are_asked_about_again_by_their_files() {
        let store = Store::new();
        let automaton = AlternatingAutomaton::new(WordKind::Infinite, Vec::new());
        let difference = Difference::of(automaton.clone()).and(automaton.clone()).not(automaton);
        let case = |file: &str, not: &str| Case {
            file: Some(file.to_owned()),
            and: vec!["b's".to_owned()],
            not: vec![not.to_owned()],
            ..Case::single(Vec::new(), Subject::Automata(difference.clone()))
        };
        assert_eq!(case("a", "c").arguments(&store), r"'a' --and 'b'\''s' --not 'c'");
        for (file, not, start) in [
            (STANDARD_INPUT, "c", r"- --and 'b'\''s' --not 'c' <<'END'"),
            ("a", STANDARD_INPUT, r"'a' --and 'b'\''s' --not - <<'END'"),
        ] {
            let arguments = case(file, not).arguments(&store);
            assert_eq!(arguments.lines().next(), Some(start));
            assert_eq!(arguments.lines().last(), Some("END"));
        }
    }
}
