//! A worker as its parent sees it: a process that is started, suspended, resumed, heard and ended.
//!
//! Invariant: a process that was started is reaped, at the latest when this is dropped. A worker is
//! suspended only when it is known to end with us, so that nothing is left behind even if we are
//! killed.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use kermode::solve::EngineSpec;
use kermode::solve::portfolio::wire::Reply;
use kermode::solve::processes::{self, Usage, file_with};
use rustix::process::{Pid, Signal};
use wait4::Wait4;

use super::worker::{NONEMPTY, Worker};

/// The longest complaint that is told.
const MOST_COMPLAINT: usize = 200;

#[derive(Debug)]
pub(super) struct Process {
    pub(super) engine: EngineSpec,
    /// How much CPU time it may use before it has to wait again.
    pub(super) slice: Duration,
    child: Child,
    /// Whether it was waited for; from here on its number may become another's.
    reaped: bool,
    pub(super) output: ChildStdout,
    complaints: File,
    heard: Vec<u8>,
    starved: bool,
    /// What it used when it was last looked at, and when its turn began.
    pub(super) usage: Usage,
    turn_from: Duration,
    turn_since: Instant,
    /// For how many times its slice its turn may last by the clock.
    stretch: u32,
}

/// How a worker ended.
pub(super) struct Ended {
    pub(super) engine: EngineSpec,
    pub(super) cpu: Duration,
    /// Whether it was killed since it took too much memory.
    pub(super) starved: bool,
    /// What it said, or how it failed.
    pub(super) reply: Result<Reply, String>,
}

impl Process {
    pub(super) fn start(
        engine: EngineSpec,
        slice: Duration,
        question: &str,
        memory: Option<u64>,
        stretch: u32,
    ) -> io::Result<Process> {
        let complaints = file_with("")?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(Worker::arguments(&engine, memory));
        command.stdin(file_with(question)?).stdout(Stdio::piped()).stderr(complaints.try_clone()?);
        let mut child = command.spawn()?;
        let output = child.stdout.take().ok_or_else(|| io::Error::other("there is no pipe"))?;
        let (usage, turn_from, turn_since) = (Usage::default(), Duration::ZERO, Instant::now());
        Ok(Process {
            engine,
            slice,
            child,
            reaped: false,
            output,
            complaints,
            heard: Vec::new(),
            starved: false,
            usage,
            turn_from,
            turn_since,
            stretch,
        })
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// What is gone already needs no signal.
    fn signal(&self, signal: Signal) {
        let _ = rustix::process::kill_process(self.pid(), signal);
    }

    /// Looks at what it uses. One that was killed for that has nothing for long.
    pub(super) fn look(&mut self) {
        let process = processes::process(self.pid()).filter(|_| !self.starved);
        if let Some(process) = process {
            self.usage = Usage { cpu: process.cpu, resident: process.resident };
        }
    }

    /// Whether its turn is over: by CPU time, or by the clock where the machine gives it little or
    /// somebody else has suspended it. One that knows that there is a word goes on.
    pub(super) fn is_due(&self) -> bool {
        let is_ready = !self.heard.is_empty() && !self.knows_nonempty();
        let used = self.usage.cpu.saturating_sub(self.turn_from);
        let patience = self.slice.saturating_mul(self.stretch);
        is_ready && (used >= self.slice || self.turn_since.elapsed() >= patience)
    }

    /// Whether it has said that there is a word, which it is making.
    pub(super) fn knows_nonempty(&self) -> bool {
        self.heard.starts_with(b"\n") && self.heard[1..].starts_with(NONEMPTY)
    }

    /// Makes it wait; its next turn is twice as long.
    pub(super) fn suspend(&mut self) {
        self.signal(Signal::STOP);
        self.slice = self.slice.saturating_mul(2);
    }

    /// Lets it go on.
    pub(super) fn resume(&mut self) {
        (self.turn_from, self.turn_since) = (self.usage.cpu, Instant::now());
        self.signal(Signal::CONT);
    }

    /// Tells it to come to an end.
    pub(super) fn wind_up(&self) {
        self.signal(Signal::TERM);
        self.signal(Signal::CONT);
    }

    /// Kills it since it takes too much memory.
    pub(super) fn starve(&mut self) {
        (self.starved, self.usage.resident) = (true, 0);
        self.kill();
    }

    pub(super) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Hears what it has to say, which must not be nothing, and whether that was all.
    pub(super) fn hear(&mut self) -> io::Result<bool> {
        let mut buffer = [0; 1 << 16];
        match self.output.read(&mut buffer) {
            Ok(0) => Ok(true),
            Ok(length) => {
                self.heard.extend_from_slice(&buffer[..length]);
                Ok(false)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Waits for its end, which must be near.
    pub(super) fn end(mut self) -> io::Result<Ended> {
        let used = self.child.wait4()?;
        self.reaped = true;
        let said = self.heard.trim_ascii_start();
        let reply = said.strip_prefix(NONEMPTY).unwrap_or(said);
        let reply = serde_json::from_slice(reply).map_err(|_| self.failure(used.status));
        let cpu = used.rusage.utime + used.rusage.stime;
        Ok(Ended { engine: self.engine.clone(), cpu, starved: self.starved, reply })
    }

    /// How it came to end without a reply.
    fn failure(&mut self, status: ExitStatus) -> String {
        let end = match (status.code(), status.signal()) {
            (Some(code), _) => format!("it ended with status {code}"),
            (None, Some(signal)) => format!("it was ended by signal {signal}"),
            (None, None) => "it ended".to_owned(),
        };
        let mut complaint = Vec::new();
        let read =
            self.complaints.rewind().and_then(|()| self.complaints.read_to_end(&mut complaint));
        let complaint = String::from_utf8_lossy(&complaint);
        let words: String = complaint.trim().chars().take(MOST_COMPLAINT).collect();
        match read {
            Ok(_) if !words.is_empty() => format!("{end}: {words}"),
            _ => end,
        }
    }
}

/// Nothing outlives its parent's interest.
impl Drop for Process {
    fn drop(&mut self) {
        if !self.reaped {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
