//! The hidden command `limited`: it limits itself, and then becomes the tool.
//!
//! A parent that limits a child between fork and exec needs `unsafe`; a child that limits itself
//! does not, at the cost of one more exec. These limits are the kernel's and hold for single
//! processes: a safety net under the runner, which watches the whole group.

use std::convert::Infallible;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, bail};
use kermode_solve::processes::die_with;
use rustix::process::{Resource, Rlimit};

/// The largest file that a tool may write, its output included.
const MOST_OUTPUT: u64 = 1 << 28;

/// The arguments of `limited`.
#[derive(Clone, Debug)]
pub struct Limited {
    /// CPU time of the process, in whole seconds.
    pub cpu: u64,

    /// Its address space, in bytes.
    pub memory: u64,

    /// The process that must not end before this one.
    pub parent: i32,

    /// The tool and its arguments.
    pub command: Vec<OsString>,
}

impl Limited {
    /// The command-line arguments of this command.
    pub(crate) fn arguments(self) -> impl Iterator<Item = OsString> {
        let [cpu, memory] = [self.cpu, self.memory].map(|limit| limit.to_string());
        let parent = self.parent.to_string();
        let own = ["limited", "--cpu", &cpu, "--memory", &memory, "--parent", &parent, "--"];
        own.map(OsString::from).into_iter().chain(self.command)
    }

    /// Becomes the tool; returns only if that fails.
    pub fn become_tool(&self) -> anyhow::Result<Infallible> {
        die_with(self.parent)?;
        // At the first limit on CPU time the kernel sends a signal that names the cause; at the
        // second it kills.
        limit(Resource::Cpu, self.cpu, self.cpu.saturating_add(2))?;
        limit(Resource::As, self.memory, self.memory)?;
        limit(Resource::Fsize, MOST_OUTPUT, MOST_OUTPUT)?;
        limit(Resource::Core, 0, 0)?;
        let Some((program, arguments)) = self.command.split_first() else {
            bail!("there is no program to run");
        };
        let error = Command::new(program).args(arguments).exec();
        Err(error).with_context(|| format!("cannot run `{}`", program.display()))
    }
}

/// Lowers a limit; a lower one stays.
fn limit(resource: Resource, soft: u64, hard: u64) -> io::Result<()> {
    let allowed = rustix::process::getrlimit(resource).maximum;
    let [current, maximum] = [soft, hard].map(|most| Some(allowed.map_or(most, |a| a.min(most))));
    rustix::process::setrlimit(resource, Rlimit { current, maximum })?;
    Ok(())
}
