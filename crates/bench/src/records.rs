//! The file of records: one JSON object per line, appended to in whole lines.
//!
//! A killed runner leaves at worst an incomplete last line, which the next runner removes. It
//! removes nothing that does not look like the beginning of a record, because the file may have
//! been named by mistake. The kernel keeps what was written when a process dies; to survive a crash
//! of the machine, the file is synchronised about once a second.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rustix::fs::FlockOperation;

use crate::record::{Key, Record};

/// The longest time between two synchronisations.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// How long to wait for a lock.
const PATIENCE: Duration = Duration::from_secs(2);

/// What every record begins with.
const BEGINNING: &[u8] = b"{\"input\":\"";

/// A file of records, open for appending by one runner alone.
#[derive(Debug)]
pub(crate) struct Records {
    file: File,
    path: PathBuf,
    synced: Instant,
}

impl Records {
    /// Opens or creates the file, repairs its end, and returns its records.
    pub(crate) fn open(path: &Path) -> anyhow::Result<(Self, Vec<Record>)> {
        let cannot = || format!("cannot open `{}`", path.display());
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).append(true).create(true).open(path).with_context(cannot)?;
        if !file.metadata().with_context(cannot)?.is_file() {
            bail!("`{}` is no file that keeps what is written to it", path.display());
        }
        if !is_ours(&file) {
            bail!("another campaign is writing to `{}`", path.display());
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(cannot)?;
        let (whole, torn) = bytes.split_at(whole_lines(&bytes));
        let records = parse(path, whole)?;
        if !(torn.starts_with(BEGINNING) || BEGINNING.starts_with(torn)) {
            bail!("the last line of `{}` is no part of a record", path.display());
        }
        file.set_len(whole.len() as u64).with_context(cannot)?;
        Ok((Records { file, path: path.to_owned(), synced: Instant::now() }, records))
    }

    /// Appends a record as one write of a whole line. An incomplete write on a full disk is undone
    /// at once, before another worker appends.
    pub(crate) fn append(&mut self, record: &Record) -> anyhow::Result<()> {
        let cannot = || format!("cannot write to `{}`", self.path.display());
        let line = line_of(record)?;
        let length = self.file.metadata().with_context(cannot)?.len();
        let written = self.file.write_all(line.as_bytes());
        written.inspect_err(|_| drop(self.file.set_len(length))).with_context(cannot)?;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
        }
        Ok(())
    }

    /// Synchronises the file and its folder.
    pub(crate) fn sync(&mut self) -> anyhow::Result<()> {
        self.synced = Instant::now();
        let cannot = || format!("cannot write to `{}`", self.path.display());
        self.file.sync_data().with_context(cannot)?;
        let (ours, there) = (self.file.metadata(), std::fs::metadata(&self.path));
        if ours.with_context(cannot)?.ino() != there.with_context(cannot)?.ino() {
            bail!("`{}` is another file than the records were written to", self.path.display());
        }
        Ok(())
    }
}

/// How many bytes the whole lines have.
fn whole_lines(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)
}

/// Locks the file. Waits a little, because a child that a killed runner has just forked holds the
/// lock until it becomes another program.
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
    parse(path, &bytes[..whole_lines(&bytes)])
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Outcome;
    use crate::report::tests::run;

    #[test]
    fn only_torn_records_are_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let line = line_of(&run("a", "t", Outcome::Crash, 1.0).record).expect("a line");
        for torn in ["", "{", &line[..9], &line[..60], &line[..line.len() - 1]] {
            std::fs::write(&path, line.clone() + torn).expect("a file");
            let (_, records) = Records::open(&path).expect("records");
            assert_eq!(records.len(), 1, "{torn}");
            assert_eq!(std::fs::read_to_string(&path).expect("the file"), line);
        }
        for other in ["notes", "{}", "[limits]\ncpu = 1", &format!("{line}notes")] {
            std::fs::write(&path, other).expect("a file");
            assert!(Records::open(&path).is_err(), "{other}");
            assert_eq!(std::fs::read_to_string(&path).expect("the file"), other);
        }
    }

    #[test]
    fn what_keeps_nothing_is_refused() {
        assert!(Records::open(Path::new("/dev/full")).is_err());
    }

    #[test]
    fn a_file_that_was_replaced_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("records");
        let (mut records, _) = Records::open(&path).expect("records");
        records.append(&run("a", "t", Outcome::Crash, 1.0).record).expect("a record");
        records.sync().expect("it is there");
        std::fs::rename(&path, folder.path().join("elsewhere")).expect("a file");
        assert!(records.sync().is_err());
        std::fs::write(&path, "").expect("a file");
        assert!(records.sync().is_err());
    }
}
