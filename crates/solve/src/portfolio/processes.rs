//! Processes as `/proc` shows them, what they use, and helpers for the processes that we start.
//!
//! A run consists of its leader, the leader's process group, all descendants of its members, and
//! their orphans. A tool may start processes in groups of their own (`timeout` does), and their
//! parents may end before them: the runner adopts such *strays*. It recognises them by the mark
//! that every run has in its environment, or because they were seen as members before; a process
//! that has ended shows no mark any more.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::time::Duration;

use rustix::fs::MemfdFlags;
use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::{
    Pid, Signal, getpid, getppid, kill_process, kill_process_group, set_parent_process_death_signal,
};

/// The variable that holds the mark of a run.
pub const MARK: &str = "KERMODE_RUN";

/// One process, from `/proc/PID/stat`.
#[derive(Clone, Copy, Debug)]
pub struct Process {
    /// Its number.
    pub pid: Pid,
    /// The process that started or adopted it.
    parent: Option<Pid>,
    /// The group it is in.
    pub group: Pid,
    /// Whether it has ended and was not reaped yet.
    pub ended: bool,
    /// Its CPU time and that of the children it has waited for.
    pub cpu: Duration,
    /// Its resident memory, in bytes.
    pub resident: u64,
}

/// The present use of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    /// CPU time.
    pub cpu: Duration,
    /// Resident memory, in bytes.
    pub resident: u64,
}

/// All processes. Those that end meanwhile are left out.
pub fn processes() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(positive).filter_map(process).collect()
}

/// The total use of some of the processes.
pub fn usage(processes: &[Process], members: &HashSet<Pid>) -> Usage {
    let members = processes.iter().filter(|process| members.contains(&process.pid));
    members.fold(Usage::default(), |sum, member| Usage {
        cpu: sum.cpu + member.cpu,
        resident: sum.resident + member.resident,
    })
}

/// The processes of a run; `known` are those that were seen before.
pub fn members(
    processes: &[Process],
    leader: Pid,
    mark: &str,
    known: &HashSet<Pid>,
) -> HashSet<Pid> {
    let own = getpid();
    let is_known = |pid: Pid| pid == leader || known.contains(&pid) || has_mark(pid, mark);
    let stray = |process: &Process| process.parent == Some(own) && is_known(process.pid);
    let belongs = |process: &&Process| process.group == leader || stray(process);
    let mut members: HashSet<Pid> =
        processes.iter().filter(belongs).map(|process| process.pid).collect();
    loop {
        let child = |process: &&Process| process.parent.is_some_and(|pid| members.contains(&pid));
        let more: Vec<Pid> = processes
            .iter()
            .filter(child)
            .map(|process| process.pid)
            .filter(|pid| !members.contains(pid))
            .collect();
        if more.is_empty() {
            return members;
        }
        members.extend(more);
    }
}

/// Whether a process was started with a mark that has this prefix. A process that has ended shows
/// no mark.
pub fn has_mark(pid: Pid, mark: &str) -> bool {
    let Ok(environment) = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())) else {
        return false;
    };
    let wanted = format!("{MARK}={mark}");
    environment.split(|&byte| byte == 0).any(|variable| variable.starts_with(wanted.as_bytes()))
}

/// Kills a process together with its group, unless that is our own. A process that forks and ends
/// repeatedly is gone before a signal arrives, but its group is not. Returns whether there was
/// anything to kill.
pub fn kill_with_group(process: &Process) -> bool {
    let of_ours = rustix::process::getpgrp() == process.group;
    let group = !of_ours && kill_process_group(process.group, Signal::KILL).is_ok();
    kill_process(process.pid, Signal::KILL).is_ok() || group
}

/// Our own children, adopted ones included.
pub fn children() -> Vec<Pid> {
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return Vec::new() };
    let lists = threads.flatten().map(|thread| fs::read_to_string(thread.path().join("children")));
    let lists: String = lists.flatten().collect();
    let pids = lists.split_ascii_whitespace().filter_map(|pid| pid.parse().ok());
    pids.filter_map(positive).collect()
}

/// One process, if it exists.
pub fn process(pid: Pid) -> Option<Process> {
    let path = format!("/proc/{}/stat", pid.as_raw_nonzero());
    parse(pid, &fs::read_to_string(path).ok()?)
}

/// Reads a line of `proc_pid_stat(5)`. The name of the program may contain blanks and parentheses,
/// so the fields are counted from its end, where the third one, the state, begins.
fn parse(pid: Pid, stat: &str) -> Option<Process> {
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).copied();
    let count = |number: usize| field(number)?.parse::<u64>().ok();
    let ticks: u64 = (14..=17).map(count).sum::<Option<u64>>()?;
    let pid_of = |number: usize| positive(field(number)?.parse().ok()?);
    Some(Process {
        pid,
        parent: pid_of(4),
        // A process that was reaped during reading has the group -1.
        group: pid_of(5)?,
        ended: matches!(field(3)?, "Z" | "X"),
        cpu: Duration::from_secs_f64(ticks as f64 / clock_ticks_per_second() as f64),
        resident: count(24)? * page_size() as u64,
    })
}

/// Makes this process end with its parent, even if that has ended already.
pub fn die_with(parent: i32) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    match getppid() == positive(parent) {
        true => Ok(()),
        false => Err(io::Error::other("the process that began this one has ended")),
    }
}

/// A file in memory, positioned at its beginning. Unlike a pipe it needs no process at the other
/// end.
pub fn file_with(text: &str) -> io::Result<File> {
    let mut file = File::from(rustix::fs::memfd_create("kermode", MemfdFlags::CLOEXEC)?);
    file.write_all(text.as_bytes())?;
    file.rewind()?;
    Ok(file)
}

/// `Pid::from_raw` must not see negative numbers.
fn positive(pid: i32) -> Option<Pid> {
    Pid::from_raw(pid.max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_programs_may_hold_anything() {
        let numbers = "1 77 1 0 -1 0 0 0 0 0 100 50 25 25 20 0 1 0 5 1000 3 0";
        let stat = format!("77 (a) b (c) S {numbers}");
        let process = parse(Pid::from_raw(77).unwrap(), &stat).unwrap();
        assert_eq!(process.group.as_raw_nonzero().get(), 77);
        assert_eq!(process.resident, 3 * page_size() as u64);
        assert_eq!(process.cpu.as_secs(), 200 / clock_ticks_per_second());
        assert!(!process.ended);
    }

    #[test]
    fn one_that_is_gone_is_left_out() {
        let numbers = "0 -1 -1 0 -1 0 0 0 0 0 100 50 25 25 20 0 1 0 5 0 0 0";
        assert!(parse(Pid::from_raw(77).unwrap(), &format!("77 (gone) X {numbers}")).is_none());
    }

    #[test]
    fn we_are_among_the_processes() {
        let own = rustix::process::getpid();
        assert!(processes().iter().any(|process| process.pid == own && process.resident > 0));
    }
}
