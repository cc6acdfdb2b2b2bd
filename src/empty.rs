//! `empty`: is the language of an automaton empty? With `--and` and `--not` it is what other automata leave of that
//! language. Files are read first, and what is wrong with any of them is said before the first verdict.

use std::path::Path;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use kermode::automata::{AlternatingAutomaton, Difference, alaska};
use kermode::ltl::Store;
use kermode::solve::{ENGINES, EngineInfo, EngineSpec};

use crate::args::{Empty, Solving};
use crate::case::{Case, Subject};
use crate::input::{ReadError, Text};
use crate::question::Question;
use crate::report::{self, kind_name};
use crate::session::Session;
use crate::status::Status;

pub(crate) fn run(args: &Empty) -> anyhow::Result<Status> {
    let engine = engine_for_automata(&args.solving)?;
    let all = args.files.iter().chain(&args.and).chain(&args.not);
    if all.filter(|file| *file == Path::new("-")).count() > 1 {
        bail!("standard input holds one automaton, so that `-` can stand for one only");
    }
    let (store, others) = Others::read(args);
    let case = |file| others.case(file, store.clone(), args.files.len() > 1);
    let inputs: Vec<(Store, Case)> = args.files.iter().map(|file| case(file)).collect();
    let session = Session::new(Question::Empty, engine, &args.solving, args.output)?;
    match others.error() {
        Some(error) => session.refuse(Some(&error)),
        None => session.decide_all(inputs.iter().map(|(store, case)| (store, case)), Status::Yes),
    }
}

/// The engine that was asked for, or the first that takes automata.
fn engine_for_automata(solving: &Solving) -> anyhow::Result<EngineSpec> {
    let able: Vec<&EngineInfo> = ENGINES.iter().filter(|engine| engine.accepts.automata).collect();
    let names: Vec<&str> = able.iter().map(|engine| engine.name).collect();
    match (&solving.engine, able.first()) {
        (Some(engine), _) if engine.info().accepts.automata => Ok(engine.clone()),
        (None, Some(first)) => Ok(EngineSpec::of(first)),
        (Some(engine), Some(_)) => {
            bail!("engine {engine} takes no automata; those that do: {}", names.join(", "))
        }
        (_, None) => bail!("no engine takes automata"),
    }
}

/// What a file holds. All that is wrong with it was reported.
struct File {
    name: String,
    automaton: Result<Arc<AlternatingAutomaton>, ReadError>,
}

impl File {
    fn read(store: &mut Store, file: &Path) -> File {
        match Text::load(None, Some(file)) {
            Ok(text) => File { automaton: automaton(store, &text).map(Arc::new), name: text.name },
            Err(error) => {
                File { name: file.display().to_string(), automaton: Err(complaint(&error)) }
            }
        }
    }
}

/// The automaton of a text.
fn automaton(store: &mut Store, text: &Text) -> Result<AlternatingAutomaton, ReadError> {
    alaska::read(store, &text.text).map_err(|errors| {
        report::diagnostics(text.source(), &errors);
        text.first_error(&errors).unwrap_or_default()
    })
}

/// Reports an error that has no place in a text.
fn complaint(error: &anyhow::Error) -> ReadError {
    report::usage_error(error);
    ReadError { message: format!("{error:#}"), place: None, help: None }
}

/// The files that all others are compared with. Propositions are the same if they have the same name: these come
/// first in every store.
struct Others {
    and: Vec<File>,
    not: Vec<File>,
}

impl Others {
    fn read(args: &Empty) -> (Store, Others) {
        let mut store = Store::new();
        let and = args.and.iter().map(|file| File::read(&mut store, file)).collect();
        let not = args.not.iter().map(|file| File::read(&mut store, file)).collect();
        (store, Others { and, not })
    }

    fn files(&self) -> impl Iterator<Item = &File> {
        self.and.iter().chain(&self.not)
    }

    /// What is wrong with the first that cannot be read.
    fn error(&self) -> Option<ReadError> {
        let of_file = |file: &File| {
            let error = file.automaton.as_ref().err()?.clone();
            match error.place {
                Some(_) => {
                    let message = format!("`{}`: {}", file.name, error.message);
                    Some(ReadError { message, ..error })
                }
                None => Some(error),
            }
        };
        self.files().find_map(of_file)
    }

    /// What is asked about a file, and its propositions.
    fn case(&self, file: &Path, mut store: Store, several: bool) -> (Store, Case) {
        let File { name, automaton } = File::read(&mut store, file);
        let subject = match automaton.and_then(|automaton| self.difference(&name, automaton)) {
            Ok(difference) => Subject::Automata(difference),
            Err(error) => Subject::Unreadable(error),
        };
        let label = several.then(|| name.clone());
        let names = |files: &[File]| files.iter().map(|file| file.name.clone()).collect();
        let (and, not) = (names(&self.and), names(&self.not));
        (store, Case { label, file: Some(name), and, not, ..Case::single(Vec::new(), subject) })
    }

    /// What the others leave of an automaton's language. All must be about words of one kind.
    fn difference(
        &self,
        name: &str,
        automaton: Arc<AlternatingAutomaton>,
    ) -> Result<Difference, ReadError> {
        for File { name: other, automaton: read } in self.files() {
            match read {
                Ok(read) if read.words() != automaton.words() => {
                    let [kind, other_kind] = [automaton.words(), read.words()].map(kind_name);
                    return Err(complaint(&anyhow!(
                        "`{name}` is about {kind} words and `{other}` about {other_kind} ones"
                    )));
                }
                _ => {}
            }
        }
        let readable = |files: &'_ [File]| -> Vec<Arc<AlternatingAutomaton>> {
            files.iter().filter_map(|file| file.automaton.clone().ok()).collect()
        };
        let both = readable(&self.and).into_iter().fold(Difference::of(automaton), Difference::and);
        Ok(readable(&self.not).into_iter().fold(both, Difference::not))
    }
}
