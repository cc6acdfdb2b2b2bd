//! Joins the parts of a campaign.

use std::collections::HashMap;
use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::record::{Key, Record};
use crate::records;

/// Records by their keys, in the order of their arrival.
#[derive(Default)]
pub(crate) struct Joined {
    records: Vec<(PathBuf, Record)>,
    places: HashMap<Key, usize>,
}

/// The records of several files, joined, as lines. The same record may come twice; two that
/// contradict each other are an error.
pub fn merged(parts: &[PathBuf]) -> anyhow::Result<String> {
    Joined::read(parts)?.lines()
}

impl Joined {
    /// Reads all parts.
    pub(crate) fn read(parts: &[PathBuf]) -> anyhow::Result<Self> {
        let mut joined = Joined::default();
        for part in parts {
            records::read(part)?.into_iter().try_for_each(|record| joined.add(part, record))?;
        }
        Ok(joined)
    }

    pub(crate) fn into_records(self) -> impl Iterator<Item = Record> {
        self.records.into_iter().map(|(_, record)| record)
    }

    /// Adds a record. The same one may come twice; another about the same run may not.
    fn add(&mut self, part: &Path, record: Record) -> anyhow::Result<()> {
        let place = *self.places.entry(record.key()).or_insert(self.records.len());
        match self.records.get(place) {
            None => self.records.push((part.to_owned(), record)),
            Some((_, known)) if *known == record => {}
            Some((other, _)) => bail!(
                "`{}` and `{}` contradict each other about input `{}`, tool `{}`, repetition {}",
                other.display(),
                part.display(),
                record.input,
                record.tool,
                record.repetition
            ),
        }
        Ok(())
    }

    fn lines(&self) -> anyhow::Result<String> {
        self.records.iter().map(|(_, record)| records::line_of(record)).collect()
    }
}

/// Writes a file atomically: a reader sees the whole text or the old file. A link stays a link, and
/// a target that is not a regular file, such as `/dev/stdout`, is written to and not replaced.
pub fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    let cannot = || format!("cannot write `{}`", path.display());
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        return std::fs::write(path, text).with_context(cannot);
    }
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let readable = Permissions::from_mode(0o644);
    let mut builder = tempfile::Builder::new();
    let mut file = builder.permissions(readable).tempfile_in(folder).with_context(cannot)?;
    file.write_all(text.as_bytes()).with_context(cannot)?;
    file.as_file().sync_all().with_context(cannot)?;
    file.persist(path).with_context(cannot)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link, device] = ["file", "link", "device"].map(|name| folder.path().join(name));
        std::fs::write(&file, "before").expect("a file");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        write_whole(&link, "after").expect("it can be written");
        assert_eq!(std::fs::read_to_string(&file).expect("the file"), "after");
        assert!(link.is_symlink());
        std::os::unix::fs::symlink("/dev/null", &device).expect("a link");
        write_whole(&device, "gone").expect("it can be written");
        assert!(device.is_symlink() && !device.is_file());
        assert!(write_whole(folder.path(), "text").is_err());
    }
}
