//! `empty`: is the language of an automaton empty? `--and` and `--not` intersect it with other
//! automata and subtract them. All files are read first, and their errors are reported before the
//! first verdict.

use std::path::{Path, PathBuf};

use kermode::automata::{Automaton, Difference};
use kermode::ltl::Store;
use kermode::solve::{Budget, Question};

use crate::args::Empty;
use crate::automaton::{File, Unread, different_words, refuse_repeated_stdin};
use crate::case::{Case, Subject};
use crate::input::ReadError;
use crate::session::Session;
use crate::solver::Answerer;
use crate::status::Status;

pub(crate) fn run(args: &Empty) -> anyhow::Result<Status> {
    let session = Session::new(Question::Empty, &args.solving, args.output)?;
    let budget = session.budget();
    let solver = session.read(&budget, || Answerer::for_automata(&args.solving, &budget))?;
    refuse_repeated_stdin(args.files.iter().chain(&args.and).chain(&args.not))?;
    let (store, others) = Others::read(&args.and, &args.not, &session);
    let several = args.files.len() > 1;
    let cases = |file: &PathBuf| others.cases(file, store.clone(), several, &session.budget());
    let files: Vec<(Store, Vec<Case>)> = args.files.iter().map(cases).collect();
    let cases = files.iter().flat_map(|(store, cases)| cases.iter().map(move |case| (store, case)));
    let cases: Vec<(&Store, &Case)> = cases.collect();
    match others.error() {
        Some(error) => session.refuse(Some(&error)),
        None => session.decide_all(&solver, cases.into_iter(), Status::Yes),
    }
}

/// An automaton of `--and` or `--not`, or the error of its file, which was reported.
struct Other {
    name: String,
    automaton: Result<Automaton, Unread>,
}

impl Other {
    /// Reads the only automaton of a file.
    fn read(store: &mut Store, file: &Path, budget: &Budget) -> Other {
        let (name, automaton) = File::only(store, file, "`--and` and `--not` take", budget);
        Other { name, automaton }
    }
}

/// The automata of `--and` and `--not`. Propositions are identified by name, and those of these
/// automata come first in every store.
struct Others {
    and: Vec<Other>,
    not: Vec<Other>,
}

impl Others {
    fn read(and: &[PathBuf], not: &[PathBuf], session: &Session) -> (Store, Others) {
        let mut store = Store::new();
        let mut read = |file: &PathBuf| Other::read(&mut store, file, &session.budget());
        let and = and.iter().map(&mut read).collect();
        let not = not.iter().map(&mut read).collect();
        (store, Others { and, not })
    }

    fn all(&self) -> impl Iterator<Item = &Other> {
        self.and.iter().chain(&self.not)
    }

    /// The first error of these files.
    fn error(&self) -> Option<ReadError> {
        let of_other = |other: &Other| match &other.automaton {
            Err(Unread::Bad(error)) => Some(error.clone()),
            _ => None,
        };
        self.all().find_map(of_other)
    }

    /// The cases of a file, and the store with their propositions.
    fn cases(
        &self,
        file: &Path,
        mut store: Store,
        several_files: bool,
        budget: &Budget,
    ) -> (Store, Vec<Case>) {
        let file = File::read(&mut store, file, budget);
        let subject = |name: &str, automaton| match self.difference(name, automaton) {
            Ok(difference) => Subject::Automata(vec![difference]),
            Err(unread) => unread.into(),
        };
        let names = |others: &[Other]| others.iter().map(|other| other.name.clone()).collect();
        let left = Some(budget.left());
        let case = |case| Case { and: names(&self.and), not: names(&self.not), left, ..case };
        (store, file.into_cases(several_files, subject).into_iter().map(case).collect())
    }

    /// The language of an automaton, intersected with those of `--and` and without those of
    /// `--not`. All automata must have words of the same kind.
    fn difference(&self, name: &str, automaton: Automaton) -> Result<Difference, Unread> {
        let words = automaton.words();
        let mut difference = Difference::of(automaton);
        for (index, Other { name: other, automaton: read }) in self.all().enumerate() {
            let read = read.clone()?;
            if let Some(error) = different_words((name, words), (other, read.words())) {
                return Err(error);
            }
            difference = match index < self.and.len() {
                true => difference.and(read),
                false => difference.not(read),
            };
        }
        Ok(difference)
    }
}
