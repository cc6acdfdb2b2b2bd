//! Files of the user that cannot be used.

use kermode_ltl::{Diagnostic, Source};

/// That files cannot be used, and all that is wrong with them.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{summary}")]
pub struct Unusable {
    pub(crate) summary: String,
    /// The errors with their places, rendered with styles.
    pub shown: String,
}

/// The errors of a text with their places.
pub(crate) fn shown(source: Source, wrong: &[Diagnostic]) -> String {
    source.render_all(wrong).join("\n")
}
