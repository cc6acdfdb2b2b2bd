//! The hidden command `worker`: one engine of a portfolio in a process of its own.
//!
//! It reads the question from standard input and writes the reply to standard output, before which it writes an empty line
//! when it has seen to it that it ends with its parent: from then on it may be suspended, since even a suspended process can be
//! killed. The parent watches over time and memory of all workers together; what is told here is the memory that one may
//! have alone. A signal to end makes an engine stop, and one that has its verdict and no word yet can say so.

use std::io::{self, Write};

use anyhow::Context;
use clap::Args;
use kermode::solve::{Budget, Cancellation, EngineSpec, Limits, WitnessPolicy};

use super::question::Written;
use crate::deadline::raised_by_signals;
use crate::processes::die_with;
use crate::report::print_bytes;

use crate::status::Status;

/// What a portfolio asks of `worker`.
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

    /// No word is wanted.
    #[arg(long)]
    no_word: bool,

    /// The most letters of a word.
    #[arg(long)]
    letters: usize,
}

impl Worker {
    /// The arguments of a worker.
    pub(super) fn arguments(
        engine: &EngineSpec,
        memory: Option<u64>,
        policy: WitnessPolicy,
    ) -> Vec<String> {
        let mut arguments = vec!["worker".to_owned()];
        let mut add = |key: &str, value: String| arguments.extend([key.to_owned(), value]);
        add("--parent", std::process::id().to_string());
        add("--engine", engine.to_string());
        add("--letters", policy.limit.to_string());
        if let Some(memory) = memory {
            add("--memory", memory.to_string());
        }
        if !policy.wanted {
            arguments.push("--no-word".to_owned());
        }
        arguments
    }
}

pub(crate) fn run(args: &Worker) -> anyhow::Result<Status> {
    die_with(args.parent)?;
    // A group and its parent may both be told to end: one signal more is no reason to leave without a word.
    let cancellation = Cancellation::new();
    raised_by_signals(&cancellation)?;
    print_bytes(b"\n")?;
    let question: Written =
        serde_json::from_reader(io::stdin().lock()).context("the question cannot be read")?;
    let limits = Limits { memory: args.memory, ..Limits::default() };
    let policy = WitnessPolicy { wanted: !args.no_word, limit: args.letters };
    let reply = question.ask(&args.engine, policy, &Budget::new(limits, cancellation))?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    serde_json::to_writer(&mut out, &reply)?;
    out.flush()?;
    Ok(Status::Yes)
}
