//! The file of records: one JSON object a line, only ever appended to, whole lines at a time.
//!
//! A runner that is killed leaves at worst a torn last line, which the next one cuts off. The kernel keeps
//! what was written when a process dies; against a machine that dies, the file is synchronised about once a
//! second.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rustix::fs::FlockOperation;

use super::record::{Key, Record};

/// How much a machine that dies may forget.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// How long a lock is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// A file of records, open to be appended to, by one runner alone.
#[derive(Debug)]
pub(crate) struct Records {
    file: File,
    path: PathBuf,
    synced: Instant,
}

impl Records {
    /// Opens or makes the file, mends its end, and tells what it has.
    pub(crate) fn open(path: &Path) -> anyhow::Result<(Self, Vec<Record>)> {
        let cannot = || format!("cannot open `{}`", path.display());
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).append(true).create(true).open(path).with_context(cannot)?;
        if !is_ours(&file) {
            bail!("another campaign is writing to `{}`", path.display());
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(cannot)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        file.set_len(whole as u64).with_context(cannot)?;
        let records = parse(path, &bytes[..whole])?;
        Ok((Records { file, path: path.to_owned(), synced: Instant::now() }, records))
    }

    /// Adds a record: one write of a whole line.
    pub(crate) fn append(&mut self, record: &Record) -> anyhow::Result<()> {
        let cannot = || format!("cannot write to `{}`", self.path.display());
        let line = line_of(record)?;
        self.file.write_all(line.as_bytes()).with_context(cannot)?;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
        }
        Ok(())
    }

    /// Makes what was written outlive the machine.
    pub(crate) fn sync(&mut self) -> anyhow::Result<()> {
        self.synced = Instant::now();
        let cannot = || format!("cannot write to `{}`", self.path.display());
        self.file.sync_data().with_context(cannot)
    }
}

/// Locks the file, with some patience: a child that a killed runner had just forked holds the lock until it
/// becomes another program.
fn is_ours(file: &File) -> bool {
    let locked = || rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive).is_ok();
    let deadline = Instant::now() + PATIENCE;
    while !locked() {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}

/// A record as a line of the file.
pub(crate) fn line_of(record: &Record) -> anyhow::Result<String> {
    Ok(serde_json::to_string(record)? + "\n")
}

/// The whole lines of a file, without mending it.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Record>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    parse(path, &bytes[..whole])
}

fn parse(path: &Path, bytes: &[u8]) -> anyhow::Result<Vec<Record>> {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').enumerate();
    let record = |(index, line)| {
        serde_json::from_slice(line)
            .with_context(|| format!("{}:{}: this is no record", path.display(), index + 1))
    };
    lines.map(record).collect()
}

/// Which runs are done.
pub(crate) fn keys(records: &[Record]) -> HashSet<Key> {
    records.iter().map(Record::key).collect()
}
