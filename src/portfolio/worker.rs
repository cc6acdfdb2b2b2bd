//! The hidden command `worker`: one engine of a portfolio in a process of its own.
//!
//! It reads the question from standard input and writes the reply to standard output. First it
//! arranges to end with its parent, and writes an empty line to report that. From then on it may be
//! suspended, because even a suspended process can be killed. If it knows that there is a word
//! before the word is built, it writes a line that says so. The parent limits the time and memory
//! of all workers together; the memory limit here is that of one worker. A signal to end stops the
//! engine, and an engine with a verdict but without a word can still report the verdict.

use std::io::{self, Write};

use anyhow::Context;
use clap::Args;
use kermode::solve::portfolio::wire::WrittenProblem;
use kermode::solve::processes::die_with;
use kermode::solve::{Budget, Cancellation, EngineSpec, Limits};

use crate::deadline::raised_by_signals;
use crate::report::print_bytes;

use crate::status::Status;

/// The line of a worker that knows that there is a word.
pub(super) const NONEMPTY: &[u8] = b"nonempty\n";

/// The arguments of `worker`.
#[derive(Debug, Args)]
pub(crate) struct Worker {
    /// The process that must not end before this one.
    #[arg(long)]
    parent: i32,

    #[arg(long)]
    engine: EngineSpec,

    /// Its memory, in bytes.
    #[arg(long)]
    memory: Option<u64>,
}

impl Worker {
    /// The arguments of a worker.
    pub(super) fn arguments(engine: &EngineSpec, memory: Option<u64>) -> Vec<String> {
        let mut arguments = vec!["worker".to_owned()];
        let mut add = |key: &str, value: String| arguments.extend([key.to_owned(), value]);
        add("--parent", std::process::id().to_string());
        add("--engine", engine.to_string());
        if let Some(memory) = memory {
            add("--memory", memory.to_string());
        }
        arguments
    }
}

pub(crate) fn run(args: &Worker) -> anyhow::Result<Status> {
    die_with(args.parent)?;
    // A process group and its parent may both get a signal, so a second signal does not end the
    // worker without a reply.
    let cancellation = Cancellation::new();
    raised_by_signals(&cancellation)?;
    print_bytes(b"\n")?;
    let question: WrittenProblem =
        serde_json::from_reader(io::stdin().lock()).context("the question cannot be read")?;
    let limits = Limits { memory: args.memory, ..Limits::default() };
    // If the parent has closed the pipe, it ends this process.
    let budget = Budget::new(limits, cancellation).listened_to(|| drop(print_bytes(NONEMPTY)));
    let reply = question.ask(&args.engine, &budget)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    serde_json::to_writer(&mut out, &reply)?;
    out.flush()?;
    Ok(Status::Yes)
}
