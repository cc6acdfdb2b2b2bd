//! The command: what was typed (`args`) is turned once into ready objects (`input`, `decide`), the
//! library answers, and `report` shows it.

mod args;
mod convert;
mod decide;
mod engines;
mod eval;
mod input;
mod progress;
mod report;
mod status;
mod table;

use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use kermode::solve::{Cancellation, panic_message};

use args::{Cli, Command};
use decide::Question;
use status::Status;

fn main() -> ExitCode {
    let cli = Cli::parse();
    // A panic is a bug and is reported as one, by whoever catches it.
    std::panic::set_hook(Box::new(|_| {}));
    match std::panic::catch_unwind(|| run(cli)) {
        Ok(Ok(status)) => status.into(),
        Ok(Err(error)) if is_broken_pipe(&error) => ExitCode::SUCCESS,
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
        Command::Sat(args) => decide::single(&args, Question::Sat, &ended_by_signals()?),
        Command::Valid(args) => decide::single(&args, Question::Valid, &ended_by_signals()?),
        Command::Equiv(args) => decide::pair(&args, Question::Equiv, &ended_by_signals()?),
        Command::Implies(args) => decide::pair(&args, Question::Implies, &ended_by_signals()?),
        Command::Eval(args) => eval::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Engines(args) => engines::run(&args),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "kermode", &mut io::stdout());
            Ok(Status::Yes)
        }
        Command::Man { folder } => man(folder.as_deref()),
    }
}

fn man(folder: Option<&Path>) -> anyhow::Result<Status> {
    match folder {
        Some(folder) => clap_mangen::generate_to(Cli::command(), folder)?,
        None => clap_mangen::Man::new(Cli::command()).render(&mut io::stdout())?,
    }
    Ok(Status::Yes)
}

/// A flag that the first interrupt raises, so that work ends with `unknown (cancelled)`; the second one
/// ends the process at once.
fn ended_by_signals() -> io::Result<Cancellation> {
    let cancellation = Cancellation::new();
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        let exit = i32::from(u8::from(Status::Unknown));
        signal_hook::flag::register_conditional_shutdown(signal, exit, cancellation.flag())?;
        signal_hook::flag::register(signal, cancellation.flag())?;
    }
    Ok(cancellation)
}

/// Whoever reads our output has seen enough.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(broken)
}
