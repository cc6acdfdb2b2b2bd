//! The hidden command `guard`: it outlives a killed runner just long enough to kill its runs.
//!
//! The kernel ends the leader of a group with its runner, but not the processes that the leader
//! forked. So the runner tells the guard, over a pipe, which groups are alive. If the pipe ends
//! before they do, the runner is dead, and the guard kills them and all processes with the runner's
//! mark.

use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use kermode_solve::processes;
use rustix::process::{Pid, Signal};

use crate::workers::locked;

/// The runner's end of the pipe.
#[derive(Debug)]
pub(crate) struct Guard {
    child: Child,
    pipe: Mutex<Option<ChildStdin>>,
}

impl Guard {
    /// Starts a guard, in a group of its own so that it does not receive interrupts.
    pub(crate) fn start(kermode: &Path, mark: &str) -> io::Result<Self> {
        let mut command = Command::new(kermode);
        command.args(["guard", mark]).stdin(Stdio::piped()).stdout(Stdio::null()).process_group(0);
        let mut child = command.spawn()?;
        let pipe = Mutex::new(child.stdin.take());
        Ok(Guard { child, pipe })
    }

    /// Whether a process is the guard.
    pub(crate) fn is(&self, pid: Pid) -> bool {
        Pid::from_child(&self.child) == pid
    }

    /// Reports that a group has begun.
    pub(crate) fn begun(&self, group: Pid) -> io::Result<()> {
        self.tell('+', group)
    }

    /// Reports that a group has ended.
    pub(crate) fn gone(&self, group: Pid) -> io::Result<()> {
        self.tell('-', group)
    }

    fn tell(&self, sign: char, group: Pid) -> io::Result<()> {
        let mut pipe = locked(&self.pipe);
        let line = format!("{sign}{}\n", group.as_raw_nonzero());
        let told = pipe.as_mut().map_or(Ok(()), |pipe| pipe.write_all(line.as_bytes()));
        // The cause is dropped: a broken pipe would look like one of our own output.
        told.map_err(|_| io::Error::other("the process that guards the runs has ended"))
    }
}

/// Closes the pipe and waits: there is nothing left to guard.
impl Drop for Guard {
    fn drop(&mut self) {
        *locked(&self.pipe) = None;
        let _ = self.child.wait();
    }
}

/// The command `kermode guard MARK`: tracks the live groups until the runner at the other end of
/// standard input ends; then kills them and all processes whose mark has this prefix.
pub fn guard(mark: &str) -> io::Result<()> {
    let mut live = HashSet::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let group = line.get(1..).and_then(|number| Pid::from_raw(number.parse().ok()?));
        match (line.starts_with('+'), group) {
            (true, Some(group)) => live.insert(group),
            (false, Some(group)) => live.remove(&group),
            (_, None) => false,
        };
    }
    for group in &live {
        let _ = rustix::process::kill_process_group(*group, Signal::KILL);
    }
    if !live.is_empty() {
        kill_marked(mark);
    }
    Ok(())
}

/// After this many checks without a find there is no process left: one that forks and ends
/// repeatedly is easily missed.
const QUIET_LOOKS: usize = 20;

/// Kills strays until none is left: one may have forked during the check.
fn kill_marked(mark: &str) {
    let mut quiet_looks = 0;
    while quiet_looks < QUIET_LOOKS {
        let mut processes = processes::processes();
        processes.retain(|process| !process.ended && processes::has_mark(process.pid, mark));
        let killed = processes.iter().filter(|process| processes::kill_with_group(process)).count();
        quiet_looks = if killed > 0 { 0 } else { quiet_looks + 1 };
        std::thread::sleep(Duration::from_millis(2));
    }
}
