//! Cases, the inputs of a command. A document of formulas becomes one case per line, or one case
//! for all requirements together. An automaton is a case, together with the automata that it is
//! compared with.

use kermode::automata::alaska::{self, LocationNames};
use kermode::automata::{Automaton, Difference, hoa};
use kermode::ltl::dialect::{
    Atoms, Document, DocumentKind, Entry, plain_text, write, write_abbreviated,
};
use kermode::ltl::{BinaryOp, Dialect, Formula, Node, Store, Syntax};
use kermode::solve::question::{formula_arguments, shell_word};
use kermode::solve::{Limits, Stop};

use crate::args::Reading;
use crate::input::{ReadError, STANDARD_INPUT, Text};

/// The largest length of a displayed assumption about comparisons.
const LONGEST_ASSUMPTION: usize = 2_000;

/// One input.
pub(crate) struct Case {
    /// The name of the requirement, the line or the file, if there are several inputs.
    pub(crate) label: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) line: Option<usize>,
    /// The file with the automaton.
    pub(crate) file: Option<String>,
    /// The file with the automaton that may contain its words, and that of `--equiv`.
    pub(crate) container: Option<String>,
    pub(crate) equiv: Option<String>,
    /// The files of `--and`, and below those of `--not`.
    pub(crate) and: Vec<String>,
    pub(crate) not: Vec<String>,
    /// The formulas as the user wrote them.
    pub(crate) texts: Vec<String>,
    pub(crate) subject: Subject,
    /// The given assumptions, those about comparisons, and both as formulas.
    pub(crate) assume: Vec<String>,
    pub(crate) order: Vec<String>,
    pub(crate) assumptions: Vec<Formula>,
    /// The limits that remain after reading, if reading was part of the budget.
    pub(crate) left: Option<Limits>,
}

/// The subject of an input.
pub(crate) enum Subject {
    /// One formula, or two for a pair.
    Formulas { first: Formula, second: Option<Formula>, reading: Reading },
    /// An automaton, and the automata that it is compared with: is there a word in one of these
    /// differences?
    Automata(Vec<Difference>),
    /// The input has an error.
    Unreadable(ReadError),
    /// The budget ended before the input was read.
    Stopped(Stop),
}

impl Case {
    /// A case without a label.
    pub(crate) fn single(texts: Vec<String>, subject: Subject) -> Case {
        let (and, not) = (Vec::new(), Vec::new());
        Case {
            label: None,
            name: None,
            line: None,
            file: None,
            container: None,
            equiv: None,
            and,
            not,
            texts,
            subject,
            assume: Vec::new(),
            order: Vec::new(),
            assumptions: Vec::new(),
            left: None,
        }
    }

    /// The cases of a document; `None` if its errors leave nothing to decide. Requirements are one
    /// case unless `each` is set.
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
                Some(vec![Case::conjunction(store, &[(text, document)], reading)?])
            }
            _ => Some(Case::of_entries(text, document, reading, false).collect()),
        }
    }

    /// One case per formula of a text; `several_texts` says whether there are other texts.
    pub(crate) fn of_entries<'d>(
        text: &'d Text,
        document: &'d Document,
        reading: Reading,
        several_texts: bool,
    ) -> impl Iterator<Item = Case> + 'd {
        let entries = document.entries.iter();
        entries.map(move |entry| Case::of_entry(text, entry, document, reading, several_texts))
    }

    fn of_entry(
        text: &Text,
        entry: &Entry,
        document: &Document,
        reading: Reading,
        several_texts: bool,
    ) -> Case {
        let several = document.entries.len() > 1;
        let subject = match entry.formula {
            Ok(first) => Subject::Formulas { first, second: None, reading },
            Err(index) => {
                Subject::Unreadable(text.entry_error(&document.diagnostics[index], entry))
            }
        };
        let place = match several_texts {
            true => Some(format!("{}:{}", text.name, entry.line)),
            false => several.then(|| format!("line {}", entry.line)),
        };
        Case {
            label: entry.name.clone().or(place),
            file: several_texts.then(|| text.name.clone()),
            name: entry.name.clone(),
            line: several.then_some(entry.line),
            ..Case::single(vec![text.excerpt(entry.span.clone())], subject)
        }
    }

    /// The conjunction of all formulas of some texts, not simplified; `None` if one of them has
    /// errors.
    pub(crate) fn conjunction(
        store: &mut Store,
        inputs: &[(&Text, &Document)],
        reading: Reading,
    ) -> Option<Case> {
        let mut parts = Vec::new();
        let mut texts: Vec<String> = Vec::new();
        for (text, document) in inputs {
            parts.push(document.conjunction(store)?);
            let written = |entry: &Entry| plain_text(&text.text[entry.span.clone()]);
            texts.extend(document.entries.iter().map(written));
        }
        if texts.len() > 1 {
            texts.iter_mut().for_each(|text| *text = format!("({text})"));
        }
        let both = |all, next| store.intern(Node::Binary(BinaryOp::And, all, next));
        let first = parts.into_iter().reduce(both)?;
        let subject = Subject::Formulas { first, second: None, reading };
        Some(Case::single(vec![texts.join(" & ")], subject))
    }

    /// The formula, or the first of two.
    pub(crate) fn formula(&self) -> Option<Formula> {
        match self.subject {
            Subject::Formulas { first, .. } => Some(first),
            _ => None,
        }
    }

    /// Adds the assumptions about comparisons of one term. Returns the names of the atoms without
    /// assumptions.
    pub(crate) fn assume_order(&mut self, store: &mut Store, reading: Reading) -> Vec<String> {
        let Subject::Formulas { first, second, .. } = self.subject else { return Vec::new() };
        let mut formulas = self.assumptions.clone();
        formulas.extend([Some(first), second].into_iter().flatten());
        let Atoms { assumptions, independent } = Atoms::of(store, &formulas, reading.syntax);
        let written = |&formula: &Formula| write_abbreviated(store, formula, LONGEST_ASSUMPTION);
        self.order = assumptions.iter().map(written).collect();
        self.assumptions.extend(assumptions);
        independent
    }

    /// The arguments of a command that asks the same question.
    pub(crate) fn arguments(&self, store: &Store) -> String {
        match &self.subject {
            Subject::Formulas { reading, .. } if self.assumptions.is_empty() => {
                formula_arguments(reading.syntax(), &self.texts)
            }
            Subject::Formulas { first, second, reading } => {
                let syntax = Syntax { dialect: Dialect::Kermode, words: reading.words() };
                let written =
                    |&formula: &Formula| write(store, formula, syntax).unwrap_or_default();
                let formulas: Vec<String> =
                    [Some(first), second.as_ref()].into_iter().flatten().map(written).collect();
                let assume = |formula| format!("--assume {} ", shell_word(&written(formula)));
                let assumptions: String = self.assumptions.iter().map(assume).collect();
                assumptions + &formula_arguments(syntax, &formulas)
            }
            Subject::Automata(differences) => {
                let read = self.files().into_iter().find(|(_, file, _)| *file == STANDARD_INPUT);
                let automaton = read.and_then(|(_, _, part)| differences[0].parts().nth(part));
                let text = automaton.and_then(|automaton| here_document(store, automaton));
                self.file_arguments() + &text.unwrap_or_default()
            }
            Subject::Unreadable(_) | Subject::Stopped(_) => self.file_arguments(),
        }
    }

    /// The files with automata, each with its option and its place in the difference.
    fn files(&self) -> Vec<(&'static str, &String, usize)> {
        let others = self.equiv.iter().map(|file| ("--equiv ", file));
        let and = self.and.iter().map(|file| ("--and ", file));
        let not = self.not.iter().map(|file| ("--not ", file));
        let others = others.chain(and).chain(not).zip(1..);
        let container = self.container.iter().map(|file| ("", file, 1));
        let file = self.file.iter().map(|file| ("", file, 0));
        let others = others.map(|((option, file), part)| (option, file, part));
        container.chain(file).chain(others).collect()
    }

    fn file_arguments(&self) -> String {
        let argument = |(option, file, _): (&str, &String, usize)| match file == STANDARD_INPUT {
            true => format!("{option}-"),
            false => option.to_owned() + &shell_word(file),
        };
        self.files().into_iter().map(argument).collect::<Vec<String>>().join(" ")
    }
}

/// An automaton from standard input, as a here document of the shell.
fn here_document(store: &Store, automaton: &Automaton) -> Option<String> {
    let text = match automaton {
        Automaton::Tgba(_) | Automaton::EmersonLei(_) => hoa::write(store, automaton, None).ok()?,
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
            ..Case::single(Vec::new(), Subject::Automata(vec![difference.clone()]))
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
