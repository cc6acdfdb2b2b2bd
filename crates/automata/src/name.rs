//! Names in files that automata are read from.

use std::ops::Range;

/// A name and its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) name: String,
    pub(crate) span: Range<usize>,
}
