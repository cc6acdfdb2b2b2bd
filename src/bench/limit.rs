//! The hidden command `limited`: it limits itself, and then becomes the tool.
//!
//! A parent that limits a child between fork and exec needs `unsafe`; a child that limits itself does
//! not, and costs one more exec. The limits here are the kernel's and hold for a process each: a net
//! under the runner, which watches the whole group.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, bail};
use clap::Args;
use rustix::process::{Resource, Rlimit};

use crate::status::Status;
use kermode::solve::processes::die_with;

/// The most that a tool may write into one file, its output included.
const MOST_OUTPUT: u64 = 1 << 28;

/// What the runner asks of `limited`.
#[derive(Debug, Args)]
pub(crate) struct Limited {
    /// CPU time of the process, in whole seconds.
    #[arg(long)]
    pub(crate) cpu: u64,

    /// Its address space, in bytes.
    #[arg(long)]
    pub(crate) memory: u64,

    /// The process that must not end before this one.
    #[arg(long)]
    pub(crate) parent: i32,

    /// The tool and its arguments.
    #[arg(last = true, required = true)]
    pub(crate) command: Vec<OsString>,
}

/// Becomes the tool; comes back only when that fails.
pub(crate) fn run(args: &Limited) -> anyhow::Result<Status> {
    die_with(args.parent)?;
    // At the first limit on CPU time the kernel sends a signal that tells what it is for; at the second it kills.
    limit(Resource::Cpu, args.cpu, args.cpu.saturating_add(2))?;
    limit(Resource::As, args.memory, args.memory)?;
    limit(Resource::Fsize, MOST_OUTPUT, MOST_OUTPUT)?;
    limit(Resource::Core, 0, 0)?;
    let Some((program, arguments)) = args.command.split_first() else {
        bail!("there is no program to run");
    };
    let error = Command::new(program).args(arguments).exec();
    Err(error).with_context(|| format!("cannot run `{}`", program.display()))
}

/// Lowers a limit; one that is lower already stays.
fn limit(resource: Resource, soft: u64, hard: u64) -> io::Result<()> {
    let allowed = rustix::process::getrlimit(resource).maximum;
    let [current, maximum] = [soft, hard].map(|most| Some(allowed.map_or(most, |a| a.min(most))));
    rustix::process::setrlimit(resource, Rlimit { current, maximum })?;
    Ok(())
}
