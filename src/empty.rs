//! `empty`: is the language of an automaton empty? Files are read first, and what is wrong with any of them
//! is said before the first verdict.

use std::path::Path;

use anyhow::bail;
use kermode::automata::alaska;
use kermode::ltl::Store;
use kermode::solve::{ENGINES, EngineInfo, EngineSpec};

use crate::args::{Empty, Solving};
use crate::case::{Case, Subject};
use crate::input::{ReadError, Text};
use crate::question::Question;
use crate::report;
use crate::session::Session;
use crate::status::Status;

pub(crate) fn run(args: &Empty) -> anyhow::Result<Status> {
    let engine = engine_for_automata(&args.solving)?;
    let several = args.files.len() > 1;
    let inputs: Vec<(Store, Case)> = args.files.iter().map(|file| read(file, several)).collect();
    let session = Session::new(Question::Empty, engine, &args.solving, args.output)?;
    session.decide_all(inputs.iter().map(|(store, case)| (store, case)), Status::Yes)
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

/// A file and the propositions of its automaton.
fn read(file: &Path, several: bool) -> (Store, Case) {
    let mut store = Store::new();
    let (name, subject) = match Text::load(None, Some(file)) {
        Ok(text) => (text.name.clone(), automaton(&mut store, &text)),
        Err(error) => {
            report::usage_error(&error);
            let message = format!("{error:#}");
            let error = ReadError { message, place: None, help: None };
            (file.display().to_string(), Subject::Unreadable(error))
        }
    };
    let label = several.then(|| name.clone());
    (store, Case { label, file: Some(name), ..Case::single(Vec::new(), subject) })
}

/// The automaton of a text. All that is wrong with it is reported here.
fn automaton(store: &mut Store, text: &Text) -> Subject {
    match alaska::read(store, &text.text) {
        Ok(automaton) => Subject::Automaton(automaton),
        Err(errors) => {
            report::diagnostics(text.source(), &errors);
            Subject::Unreadable(text.first_error(&errors).unwrap_or_default())
        }
    }
}
