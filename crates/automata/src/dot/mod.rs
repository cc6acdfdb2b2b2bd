//! Automata as pictures for Graphviz.
//!
//! - an alternating automaton: [`to_dot`]
//! - the parts of a picture: [`OPENING`], [`beginning`], [`escape`]

mod alternating;
mod direction;
mod label;
mod picture;

pub(crate) use label::{LabelLines, small_cover};
pub(crate) use picture::{EdgeLine, Picture, StateStyle, shown_names};

pub use alternating::to_dot;
pub use picture::{BEGINNING, OPENING, beginning, escape};
