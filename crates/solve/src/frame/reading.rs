//! Reads files and standard input under a budget. A pipe may stay silent or never end.
//!
//! Files are opened without waiting for a writer, and a read starts only when data is available. So
//! each wait is short, and the budget is checked between two waits.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::frame::budget::{Budget, Stop};

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadStop {
    /// It cannot be read.
    #[error(transparent)]
    Failed(#[from] io::Error),
    /// The budget ended first.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// The number of bytes per read.
const CHUNK: usize = 1 << 16;
/// The length of one wait for data.
const WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 10_000_000 };

/// The bytes of a file, which may be a pipe or a device.
pub fn read_file(path: &Path, budget: &Budget) -> Result<Vec<u8>, ReadStop> {
    let without_waiting = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    let mut file: File = OpenOptions::new().read(true).custom_flags(without_waiting).open(path)?;
    read_all(&mut file, budget)
}

/// The bytes of standard input.
pub fn read_standard_input(budget: &Budget) -> Result<Vec<u8>, ReadStop> {
    read_all(&mut io::stdin().lock(), budget)
}

fn read_all(input: &mut (impl Read + AsFd), budget: &Budget) -> Result<Vec<u8>, ReadStop> {
    let (mut bytes, mut chunk) = (Vec::new(), vec![0; CHUNK]);
    loop {
        budget.check()?;
        if !is_ready(input)? {
            continue;
        }
        match input.read(&mut chunk) {
            Ok(0) => return Ok(bytes),
            Ok(length) => bytes.extend_from_slice(&chunk[..length]),
            Err(error) if is_passing(&error) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Waits shortly for data or the end of the input.
fn is_ready(input: &impl AsFd) -> io::Result<bool> {
    let mut fds = [PollFd::new(input, PollFlags::IN)];
    match rustix::event::poll(&mut fds, Some(&WAIT)) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::frame::budget::{Cancellation, Limits};

    #[test]
    fn what_never_ends_is_ended_by_the_budget() {
        let within = |limits| {
            let budget = Budget::new(limits, Cancellation::new());
            match read_file(Path::new("/dev/zero"), &budget) {
                Err(ReadStop::Stopped(stop)) => stop,
                read => panic!("{:?}", read.map(|bytes| bytes.len())),
            }
        };
        let wall = Some(Duration::from_millis(20));
        assert_eq!(within(Limits { wall, ..Limits::default() }), Stop::Timeout);
        let cpu = Some(Duration::from_millis(20));
        assert_eq!(within(Limits { cpu, ..Limits::default() }), Stop::Timeout);
        let memory = Some(1);
        assert_eq!(within(Limits { memory, ..Limits::default() }), Stop::Memory);
    }

    #[test]
    fn what_ends_is_read_whole() {
        let file = std::env::current_exe().expect("this program");
        let read = read_file(&file, &Budget::unlimited()).expect("bytes");
        assert_eq!(read, std::fs::read(&file).expect("bytes"));
        let folder = read_file(Path::new("/"), &Budget::unlimited());
        assert!(matches!(folder, Err(ReadStop::Failed(_))), "{folder:?}");
    }
}
