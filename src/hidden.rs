//! Commands that Kermode runs itself. They are separate from all others because setting up the
//! whole command line takes a millisecond, which would be charged to the tool.

use std::ffi::OsString;

use clap::{Args, Parser};

use crate::portfolio::worker;
use crate::status::Status;

#[derive(Debug, Parser)]
pub(crate) enum Hidden {
    /// Limits itself and becomes a tool.
    Limited(Limited),
    /// Kills the runs of a runner that was killed.
    Guard {
        /// The prefix of the marks of all runs.
        mark: String,
    },
    /// Answers with one engine of a portfolio.
    Worker(worker::Worker),
}

/// The arguments of `limited`.
#[derive(Debug, Args)]
pub(crate) struct Limited {
    /// CPU time of the process, in whole seconds.
    #[arg(long)]
    cpu: u64,

    /// Its address space, in bytes.
    #[arg(long)]
    memory: u64,

    /// The process that must not end before this one.
    #[arg(long)]
    parent: i32,

    /// The tool and its arguments.
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

impl Hidden {
    /// The hidden command, if one was given.
    pub(crate) fn typed() -> Option<Hidden> {
        let first = std::env::args_os().nth(1)?;
        let hidden = ["limited", "guard", "worker"].iter().any(|name| first == *name);
        hidden.then(Hidden::parse)
    }

    pub(crate) fn run(self) -> anyhow::Result<Status> {
        match self {
            Hidden::Limited(Limited { cpu, memory, parent, command }) => {
                match (kermode_bench::Limited { cpu, memory, parent, command }).become_tool()? {}
            }
            Hidden::Guard { mark } => {
                kermode_bench::guard(&mark)?;
                Ok(Status::Yes)
            }
            Hidden::Worker(args) => worker::run(&args),
        }
    }
}
