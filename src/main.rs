//! The command: arguments (`args`) become values (`input`, `decide`), the library answers, and
//! `report` prints.

mod args;
mod automaton;
mod bench;
mod case;
mod certificate;
mod check;
mod contains;
mod convert;
mod cores;
mod deadline;
mod decide;
mod empty;
mod engines;
mod eval;
mod generate;
mod help;
mod hidden;
mod input;
mod membership;
mod model;
mod model_source;
mod operate;
mod portfolio;
mod progress;
mod report;
mod rules;
mod session;
mod solver;
mod status;
mod translate;
mod verify;

use std::io;
use std::panic::UnwindSafe;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::{CommandFactory, Parser};
use kermode::solve::{Question, panic_message};

use args::{Cli, Command};
use hidden::Hidden;
use status::Status;

/// The status that shells give to a process ended by a closed pipe. It is not an answer.
const BROKEN_PIPE: u8 = 128 + 13;

fn main() -> ExitCode {
    match Hidden::typed() {
        Some(hidden) => exit_code(|| hidden.run()),
        None => exit_code(|| match Cli::try_parse() {
            Ok(cli) => run(cli),
            Err(error) => report::parsing_ended(&error),
        }),
    }
}

fn exit_code(work: impl FnOnce() -> anyhow::Result<Status> + UnwindSafe) -> ExitCode {
    // The code that catches a panic reports it as a bug.
    std::panic::set_hook(Box::new(|_| {}));
    match std::panic::catch_unwind(work) {
        Ok(Ok(status)) => status.into(),
        Ok(Err(error)) if is_broken_pipe(&error) => ExitCode::from(BROKEN_PIPE),
        Ok(Err(error)) => {
            report::usage_error(&error);
            Status::Bad.into()
        }
        Err(panic) => {
            report::panicked(&panic_message(&*panic));
            Status::Internal.into()
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<Status> {
    match cli.command {
        Command::Sat(args) => decide::satisfiable(&args),
        Command::Valid(args) => decide::single(&args, Question::Valid, None),
        Command::Equiv(args) => decide::pair(&args, Question::Equiv),
        Command::Implies(args) => decide::pair(&args, Question::Implies),
        Command::Empty(args) => empty::run(&args),
        Command::Contains(args) => contains::run(&args),
        Command::Automaton(args) => operate::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Translate(args) => translate::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Model(args) => model::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Gen(args) => generate::run(&args),
        Command::Bench(command) => bench::run(&command),
        Command::Rules(args) => rules::run(&args),
        Command::Engines(args) => engines::run(&args),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "kermode", &mut script);
            report::print_bytes(&script)?;
            Ok(Status::Yes)
        }
        Command::Man { folder } => man(folder.as_deref()),
    }
}

fn man(folder: Option<&Path>) -> anyhow::Result<Status> {
    match folder {
        Some(folder) => {
            let cannot = || format!("cannot write manual pages into `{}`", folder.display());
            std::fs::create_dir_all(folder).with_context(cannot)?;
            clap_mangen::generate_to(Cli::command(), folder).with_context(cannot)?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            report::print_bytes(&page)?;
        }
    }
    Ok(Status::Yes)
}

/// Whether the reader of standard output has closed it.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(broken)
}
