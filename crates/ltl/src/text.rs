//! Texts: how they are read from files, and how they are shown.

use std::io;
use std::path::Path;

use kermode_base::{Diagnostic, Source};

/// Why a file has no text.
#[derive(Debug, thiserror::Error)]
pub enum TextError {
    /// It cannot be read at all.
    #[error("cannot read `{name}`")]
    Unreadable {
        /// What messages call the file.
        name: String,
        /// Why not.
        source: io::Error,
    },
    /// It has bytes that are not UTF-8.
    #[error("`{name}` is not a text")]
    NotText {
        /// What messages call the file.
        name: String,
        /// The place of the first such byte, rendered for display.
        shown: String,
    },
}

/// The text of a file.
pub fn read_file(path: &Path) -> Result<String, TextError> {
    let name = path.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => decode(&name, bytes),
        Err(source) => Err(TextError::Unreadable { name, source }),
    }
}

/// The text of some bytes, without the byte order mark that some editors write.
pub fn decode(name: &str, bytes: Vec<u8>) -> Result<String, TextError> {
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let width = char::REPLACEMENT_CHARACTER.len_utf8();
            let diagnostic =
                Diagnostic::error(at..at + width, "this byte is not UTF-8").label("expected text");
            let shown = Source { name, text: &text }.render(&diagnostic);
            Err(TextError::NotText { name: name.to_owned(), shown })
        }
    }
}

/// A text without control characters that would affect a terminal.
pub fn visible(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_order_marks_are_no_part_of_a_text() {
        let text = decode("a", "\u{feff}G a".as_bytes().to_vec());
        assert_eq!(text.expect("a text"), "G a");
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_with_their_place() {
        let Err(TextError::NotText { shown, .. }) = decode("file", b"G a\n& \xff".to_vec()) else {
            panic!("this is no text");
        };
        assert!(shown.contains("file") && shown.contains(":2:3"), "{shown}");
    }
}
