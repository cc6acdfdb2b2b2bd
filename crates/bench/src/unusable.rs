//! Files of the user that cannot be used.

use kermode_ltl::{Diagnostic, Source};

/// That files cannot be used, and all that is wrong with them.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{summary}")]
pub struct Unusable {
    pub(crate) summary: String,
    /// What is wrong and where, for people, with styles.
    pub shown: String,
}

/// What is wrong with a text and where, for people.
pub(crate) fn shown(source: Source, wrong: &[Diagnostic]) -> String {
    source.render_all(wrong).join("\n")
}
