//! Commands that Kermode gives to itself. They are apart from all others because setting up the whole command
//! line takes a millisecond, which would be counted as the tool's.

use clap::Parser;

use crate::bench::{guard, limit};
use crate::portfolio::worker;
use crate::status::Status;

#[derive(Debug, Parser)]
pub(crate) enum Hidden {
    /// Limits itself and becomes a tool.
    Limited(limit::Limited),
    /// Kills the runs of a runner that was killed.
    Guard(guard::Guarded),
    /// Answers with one engine of a portfolio.
    Worker(worker::Worker),
}

impl Hidden {
    /// The hidden command, if one was given.
    pub(crate) fn typed() -> Option<Hidden> {
        let first = std::env::args_os().nth(1)?;
        let hidden = ["limited", "guard", "worker"].iter().any(|name| first == *name);
        hidden.then(Hidden::parse)
    }

    pub(crate) fn run(&self) -> anyhow::Result<Status> {
        match self {
            Hidden::Limited(args) => limit::run(args),
            Hidden::Guard(args) => guard::run(args),
            Hidden::Worker(args) => worker::run(args),
        }
    }
}
