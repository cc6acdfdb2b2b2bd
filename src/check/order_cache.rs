//! Variable orders that are kept from run to run, one file per model in a folder.
//!
//! Sifting finds an order for the diagrams of a model, which takes time. The next check of the same
//! text starts with the order that the last one ended with. An order never changes a verdict, so a
//! file that is missing or damaged costs time only.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use kermode::smv::SmvModel;

use crate::report::complain;

/// The order of one model in a folder.
pub(super) struct OrderCache {
    file: PathBuf,
    /// The order in the file, as far as it is known.
    kept: Mutex<Option<String>>,
}

impl OrderCache {
    /// The place for a model with this text and these definitions.
    pub(super) fn new(folder: &Path, text: &str, definitions: &[String]) -> OrderCache {
        let mut hasher = DefaultHasher::new();
        (text, definitions).hash(&mut hasher);
        let file = folder.join(format!("{:016x}.ord", hasher.finish()));
        OrderCache { file, kept: Mutex::default() }
    }

    /// Gives the model the order that was kept, if there is one.
    pub(super) fn load(&self, model: &mut SmvModel) {
        if let Ok(order) = fs::read_to_string(&self.file) {
            // The names of another model are ignored.
            model.encoded.read_order(&order);
            *self.locked() = Some(order);
        }
    }

    /// Keeps an order. A failure is reported once.
    pub(super) fn keep(&self, order: String) {
        let mut kept = self.locked();
        if kept.as_ref() == Some(&order) {
            return;
        }
        if let Err(error) = self.write(&order) {
            let file = self.file.display();
            complain(&format!("warning: the variable order is not kept in `{file}`: {error}\n"));
        }
        *kept = Some(order);
    }

    /// Writes another file first, so that a reader never sees a part.
    fn write(&self, order: &str) -> std::io::Result<()> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        let part = self.file.with_extension(format!("{}.part", std::process::id()));
        let written = fs::write(&part, order).and_then(|()| fs::rename(&part, &self.file));
        if written.is_err() {
            let _ = fs::remove_file(&part);
        }
        written
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Option<String>> {
        self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
