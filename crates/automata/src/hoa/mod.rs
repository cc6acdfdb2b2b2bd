//! The Hanoi omega-automata format \[BBDKKMPS15\], version 1, read and written.
//!
//! ```text
//! HOA: v1
//! States: 2
//! Start: 0
//! AP: 2 "a" "b"
//! acc-name: generalized-Buchi 2
//! Acceptance: 2 Inf(0)&Inf(1)
//! --BODY--
//! State: 0 "waits"
//! [!0] 0 {0}
//! [0&1] 1 {0 1}
//! State: 1
//! [t] 0
//! --END--
//! ```
//!
//! A text is a stream of such automata. Without universal branching an automaton becomes a
//! [`Tgba`](crate::Tgba), with it an [`AlternatingAutomaton`](crate::AlternatingAutomaton).
//! With `Fin` in its acceptance
//! condition it becomes an [`EmersonLei`](crate::EmersonLei), which may not branch universally.
//! `docs/automata.md` says more.
//!
//! `lex` makes tokens and `reader` reads them one by one; `header`, `body`, `label` and
//! `acceptance` are the parts of the grammar, `formula` what the last two share; `check` finds what
//! is wrong with what is well formed, `build` makes the automaton, `properties` doubts what the
//! header claims, and `read` puts it all together. `write` writes; `label_text` is its part for
//! labels.

mod acceptance;
mod body;
mod build;
mod check;
mod condition_name;
mod formula;
mod header;
mod label;
mod label_text;
mod lex;
mod properties;
mod read;
mod reader;
mod write;

use std::ops::Range;

use kermode_base::Diagnostic;

use crate::automaton::Automaton;

pub use read::{read, read_unless};
pub use write::{Unwritable, write};

/// An automaton and what its text says about it.
#[derive(Clone, Debug)]
pub struct Hoa {
    /// The automaton.
    pub automaton: Automaton,
    /// What it is called.
    pub name: Option<String>,
    /// Header items that have no meaning here, `tool` among them, as they were written.
    pub items: Vec<(String, String)>,
    /// The properties that the header claims.
    pub properties: Vec<String>,
    /// What is strange about the text; it was read all the same.
    pub warnings: Vec<Diagnostic>,
    /// Where the text of the automaton is.
    pub span: Range<usize>,
    /// Where its propositions are declared, in their order.
    pub proposition_places: Vec<Range<usize>>,
}
