//! One run: a process group of its own, watched, measured as a whole, and cleaned up afterwards.
//!
//! The runner adopts orphans (it is their *subreaper*), so that every process of the run ends as a
//! child of a process that is counted: the leader's `wait4` has its time and that of all children
//! it waited for. Processes that the leader left behind, in its group or as strays, are killed,
//! read from `/proc` and reaped here. A [`Watch`] checks all live runs several times a second and
//! kills those past a limit.
//!
//! Invariants: a group is only killed while its leader has not been reaped, so that its number is
//! still its own. Only the thread that began a run reaps its leader. No process is charged to two
//! runs, nor to a run that it may not belong to.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use kermode_solve::Cancellation;
use kermode_solve::processes::{self, Process, file_with};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions};
use wait4::Wait4;

use crate::guard::Guard;
use crate::record::Outcome;
use crate::workers::locked;

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
    /// Resident memory of the group, in bytes.
    pub(crate) memory: u64,
    /// Address space of each process, in bytes.
    pub(crate) address_space: u64,
}

/// The measurements of a finished run.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
    /// Peak memory, in bytes.
    pub(crate) peak: u64,
    /// The limit it exceeded.
    pub(crate) exceeded: Option<Outcome>,
}

/// A run in progress.
#[derive(Debug)]
struct Live {
    group: Pid,
    /// The mark in the environment of its processes.
    mark: String,
    started: Instant,
    limits: Limits,
    /// The largest use observed.
    seen: Mutex<Seen>,
    /// Its processes at the last check.
    known: Mutex<HashSet<Pid>>,
    /// Whether no other run was live at any time.
    alone: AtomicBool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    cpu: Duration,
    resident: u64,
    killed_for: Option<Outcome>,
    /// Whether the leader has ended; from then on its number may be reused.
    ended: bool,
}

/// Watches over all runs of a campaign.
#[derive(Debug)]
pub(crate) struct Watch {
    live: Mutex<Vec<Arc<Live>>>,
    /// How many runs were begun.
    begun: AtomicU64,
    guard: Guard,
    /// Raised when all runs must end.
    stop: Cancellation,
}

/// How often wall-clock limits and the stop flag are checked.
const TICK: Duration = Duration::from_millis(20);
/// How often `/proc` is read: minimum, maximum, and a multiple of the time that reading takes.
const LOOK: (Duration, Duration, u32) = (Duration::from_millis(60), Duration::from_millis(400), 25);

impl Watch {
    /// Starts watching, with the command `kermode` as the guard. Orphans of the runs become our
    /// children.
    pub(crate) fn new(kermode: &Path, stop: Cancellation) -> io::Result<Self> {
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let guard = Guard::start(kermode, &mark_of_runner())?;
        Ok(Watch { live: Mutex::default(), begun: AtomicU64::new(0), guard, stop })
    }

    /// Whether the campaign shall end.
    pub(crate) fn stopped(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Ends the campaign.
    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }

    /// Watches until `done`, calling `tick` now and then.
    pub(crate) fn watch(&self, done: &AtomicBool, tick: impl Fn()) {
        let (mut next_look, (least, most, factor)) = (Instant::now(), LOOK);
        while !done.load(Ordering::Relaxed) {
            let now = Instant::now();
            if self.stopped() {
                self.locked().iter().for_each(|live| live.kill(None));
            }
            if now >= next_look && self.locked().iter().any(|live| live.started + least < now) {
                self.look();
                next_look = Instant::now() + (now.elapsed() * factor).clamp(least, most);
            }
            self.locked().iter().for_each(|live| live.check());
            tick();
            std::thread::park_timeout(TICK);
        }
    }

    /// Reads the use of the live groups.
    fn look(&self) {
        let processes = processes::processes();
        for live in self.locked().iter() {
            let mut known = locked(&live.known);
            *known = processes::members(&processes, live.group, &live.mark, &known);
            let usage = processes::usage(&processes, &known);
            let mut seen = locked(&live.seen);
            seen.cpu = seen.cpu.max(usage.cpu);
            seen.resident = seen.resident.max(usage.resident);
        }
    }

    fn locked(&self) -> MutexGuard<'_, Vec<Arc<Live>>> {
        locked(&self.live)
    }

    /// Runs a command to its end, in a group of its own, with `input` as its standard input.
    pub(crate) fn run(
        &self,
        mut command: Command,
        input: &str,
        limits: Limits,
    ) -> io::Result<Ended> {
        let (stdin, stdout, stderr) = (file_with(input)?, file_with("")?, file_with("")?);
        let mark = mark_of_runner() + &self.begun.fetch_add(1, Ordering::Relaxed).to_string() + ".";
        command.process_group(0).env(processes::MARK, &mark).stdin(stdin);
        command.stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
        let (mut child, live) = self.spawn(command, mark, limits)?;
        let (group, started) = (live.group, live.started);
        let told = self.guard.begun(group);
        let waited = wait_unreaped(group);
        let wall = started.elapsed();
        locked(&live.seen).ended = true;
        live.kill_group();
        let used = child.wait4()?;
        let left_behind = reap(group) + self.reap_strays(&live);
        self.locked().retain(|other| other.group != group);
        told.and(waited).and(self.guard.gone(group))?;
        let seen = *locked(&live.seen);
        let cpu = used.rusage.utime + used.rusage.stime + left_behind;
        let (cpu, peak) = (cpu.max(seen.cpu), used.rusage.maxrss.max(seen.resident));
        let exceeded = seen.killed_for.or_else(|| limits.exceeded(cpu, wall, peak));
        let exceeded = exceeded.or_else(|| stopped_by_kernel(used.status));
        let (stdout, stderr) = (contents(stdout)?, contents(stderr)?);
        Ok(Ended { status: used.status, stdout, stderr, cpu, wall, peak, exceeded })
    }

    /// Starts a run. Every child is among the live runs as soon as it can be seen.
    fn spawn(
        &self,
        mut command: Command,
        mark: String,
        limits: Limits,
    ) -> io::Result<(Child, Arc<Live>)> {
        let mut all = self.locked();
        let started = Instant::now();
        let child = command.spawn()?;
        let (group, seen, known) = (Pid::from_child(&child), Mutex::default(), Mutex::default());
        let alone = AtomicBool::new(all.is_empty());
        all.iter().for_each(|other| other.alone.store(false, Ordering::Relaxed));
        let live = Arc::new(Live { group, mark, started, limits, seen, known, alone });
        all.push(Arc::clone(&live));
        Ok((child, live))
    }

    /// Kills and reaps processes that a run left outside of its group, and returns their CPU time.
    fn reap_strays(&self, live: &Live) -> Duration {
        let mut cpu = Duration::ZERO;
        loop {
            let strays = self.strays(live);
            if strays.is_empty() {
                return cpu;
            }
            for (process, charged) in strays {
                let stray = process.pid;
                processes::kill_with_group(&process);
                let _ = wait_unreaped(stray);
                let used = processes::process(stray).map_or(Duration::ZERO, |stray| stray.cpu);
                cpu += if is_reaped(stray) && charged { used } else { Duration::ZERO };
            }
        }
    }

    /// The adopted children that must end with a run, and whether their time is known to belong to
    /// it. A process without a mark that was never seen before cannot be attributed: it is killed
    /// when no other run is left, or reaped when it has ended by itself.
    fn strays(&self, live: &Live) -> Vec<(Process, bool)> {
        let all = self.locked();
        let is_stray =
            |pid: &Pid| !self.guard.is(*pid) && all.iter().all(|live| live.group != *pid);
        let others = || all.iter().filter(|other| other.group != live.group);
        let claim = |process: Process| {
            let ours = live.knows(&process);
            let nobodys = process.ended || others().next().is_none();
            let nobodys = nobodys && !others().any(|other| other.knows(&process));
            let charged = ours || live.alone.load(Ordering::Relaxed);
            (ours || nobodys).then_some((process, charged))
        };
        let children = processes::children().into_iter().filter(is_stray);
        children.filter_map(processes::process).filter_map(claim).collect()
    }
}

impl Live {
    /// Kills the group if it is past a limit.
    fn check(&self) {
        let seen = *locked(&self.seen);
        let exceeded = self.limits.exceeded(seen.cpu, self.started.elapsed(), seen.resident);
        if exceeded.is_some() {
            self.kill(exceeded);
        }
    }

    /// Whether a process certainly belongs to this run.
    fn knows(&self, process: &Process) -> bool {
        let seen = locked(&self.known).contains(&process.pid);
        seen || process.group == self.group || processes::has_mark(process.pid, &self.mark)
    }

    /// Kills the group; the first reason counts.
    fn kill(&self, reason: Option<Outcome>) {
        let mut seen = locked(&self.seen);
        if !seen.ended {
            seen.killed_for = seen.killed_for.or(reason);
            self.kill_group();
        }
    }

    /// Kills the group, and its leader wherever that has gone.
    fn kill_group(&self) {
        // An error means that the group has ended already.
        let _ = rustix::process::kill_process_group(self.group, Signal::KILL);
        let _ = rustix::process::kill_process(self.group, Signal::KILL);
    }
}

impl Limits {
    /// The limit that this use exceeds.
    fn exceeded(&self, cpu: Duration, wall: Duration, memory: u64) -> Option<Outcome> {
        let limits = [
            (memory > self.memory, Outcome::MemoryLimit),
            (cpu > self.cpu, Outcome::CpuLimit),
            (wall > self.wall, Outcome::WallLimit),
        ];
        limits.into_iter().find_map(|(exceeded, outcome)| exceeded.then_some(outcome))
    }
}

/// The kernel's own limit on CPU time ends a process by a signal.
fn stopped_by_kernel(status: ExitStatus) -> Option<Outcome> {
    (status.signal() == Some(Signal::XCPU.as_raw())).then_some(Outcome::CpuLimit)
}

/// What the marks of all runs of this runner begin with.
fn mark_of_runner() -> String {
    format!("{}.", std::process::id())
}

/// Waits until a process has ended, without reaping it: its number stays its own.
fn wait_unreaped(pid: Pid) -> io::Result<()> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    loop {
        match rustix::process::waitid(WaitId::Pid(pid), options) {
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
            Ok(_) => return Ok(()),
        }
    }
}

/// Reaps what the leader of a killed group left behind, and returns its CPU time.
fn reap(group: Pid) -> Duration {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    let mut cpu = Duration::ZERO;
    loop {
        match rustix::process::waitid(WaitId::Pgid(Some(group)), options) {
            Err(Errno::INTR) => {}
            Err(_) => return cpu,
            Ok(_) => {
                let processes = processes::processes();
                let ended = processes.iter().filter(|member| member.group == group && member.ended);
                cpu += ended.filter(|member| is_reaped(member.pid)).map(|member| member.cpu).sum();
            }
        }
    }
}

/// Reaps a process if it is ours and has ended.
fn is_reaped(pid: Pid) -> bool {
    matches!(rustix::process::waitpid(Some(pid), WaitOptions::NOHANG), Ok(Some(_)))
}

fn contents(mut file: File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leader_that_left_its_group_is_killed_too() {
        let mut child = Command::new("sleep").arg("60").spawn().expect("it sleeps");
        let limit = Duration::from_secs(60);
        let limits = Limits { cpu: limit, wall: limit, memory: 1 << 30, address_space: 1 << 30 };
        let live = Live {
            group: Pid::from_child(&child),
            mark: "none".to_owned(),
            started: Instant::now(),
            limits,
            seen: Mutex::default(),
            known: Mutex::default(),
            alone: AtomicBool::new(true),
        };
        live.kill(Some(Outcome::WallLimit));
        assert_eq!(child.wait().expect("it ends").signal(), Some(Signal::KILL.as_raw()));
    }
}
