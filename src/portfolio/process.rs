//! The parent's view of a worker: a process that is started, suspended, resumed, read and ended.
//!
//! Invariant: every started process is reaped, at the latest when its value is dropped. A worker is
//! suspended only after it has arranged to end with its parent, so no process is left behind even
//! if the parent is killed.

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

/// The largest length of a worker's error message that is shown.
const MOST_COMPLAINT: usize = 200;

#[derive(Debug)]
pub(super) struct Process {
    pub(super) engine: EngineSpec,
    /// The CPU time of one turn.
    pub(super) slice: Duration,
    child: Child,
    /// Whether it was reaped; afterwards its process number may belong to another process.
    reaped: bool,
    pub(super) output: ChildStdout,
    complaints: File,
    heard: Vec<u8>,
    starved: bool,
    /// Its use at the last measurement, and below at the start of its turn.
    pub(super) usage: Usage,
    turn_from: Duration,
    turn_since: Instant,
    /// The ratio of wall-clock time to slice after which its turn ends.
    stretch: u32,
}

/// How a worker ended.
pub(super) struct Ended {
    pub(super) engine: EngineSpec,
    pub(super) cpu: Duration,
    /// Whether it was killed because it took too much memory.
    pub(super) starved: bool,
    /// Its reply, or a description of its failure.
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

    /// Sends a signal; a process that has ended needs none.
    fn signal(&self, signal: Signal) {
        let _ = rustix::process::kill_process(self.pid(), signal);
    }

    /// Measures its use. A worker that was killed soon uses nothing.
    pub(super) fn look(&mut self) {
        let process = processes::process(self.pid()).filter(|_| !self.starved);
        if let Some(process) = process {
            self.usage = Usage { cpu: process.cpu, resident: process.resident };
        }
    }

    /// Whether its turn is over: by CPU time, or by wall-clock time if the machine is busy or
    /// another process has suspended it. The turn of a worker that knows that there is a word does
    /// not end.
    pub(super) fn is_due(&self) -> bool {
        let is_ready = !self.heard.is_empty() && !self.knows_nonempty();
        let used = self.usage.cpu.saturating_sub(self.turn_from);
        let patience = self.slice.saturating_mul(self.stretch);
        is_ready && (used >= self.slice || self.turn_since.elapsed() >= patience)
    }

    /// Whether it has reported that there is a word, which it is still building.
    pub(super) fn knows_nonempty(&self) -> bool {
        self.heard.starts_with(b"\n") && self.heard[1..].starts_with(NONEMPTY)
    }

    /// Suspends it; its next turn is twice as long.
    pub(super) fn suspend(&mut self) {
        self.signal(Signal::STOP);
        self.slice = self.slice.saturating_mul(2);
    }

    /// Resumes it.
    pub(super) fn resume(&mut self) {
        (self.turn_from, self.turn_since) = (self.usage.cpu, Instant::now());
        self.signal(Signal::CONT);
    }

    /// Sends it the signal to end.
    pub(super) fn wind_up(&self) {
        self.signal(Signal::TERM);
        self.signal(Signal::CONT);
    }

    /// Kills it because it takes too much memory.
    pub(super) fn starve(&mut self) {
        (self.starved, self.usage.resident) = (true, 0);
        self.kill();
    }

    pub(super) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Reads its output, which must be available; returns whether it was the end of it.
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

    /// Describes why it ended without a reply.
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

/// A dropped worker is killed and reaped.
impl Drop for Process {
    fn drop(&mut self) {
        if !self.reaped {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
