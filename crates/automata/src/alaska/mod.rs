//! ALASKA's syntax for alternating automata (figure 1 of \[DDMR08b\]), read and written.
//!
//! ```text
//! (
//!     automaton_type = "sABW"
//!   , locations = [0,1,2]
//!   , propositions = ["a","b"]
//!   , initial_constraint = "0 | 1"
//!   , accepting_locations = [2]
//!   , transition_function = {
//!       0 : "(a & 0 & 1) | ~a | (a & b & 2)"
//!     , 1 : "b"
//!     , 2 : "b & 2"
//!     }
//! )
//! ```
//!
//! The paper prints this without the first line, the comma before `1 :` and the closing brace. The
//! text is that of Python's keyword arguments: the fields come in any order, strings are enclosed
//! in `"`, `'` or three of either, `#` begins a comment, and a comma may stand behind a last
//! element. `docs/automata.md` has the grammar. `lex` makes tokens, `fields` takes the text apart,
//! `condition` reads the strings with expressions, `read` puts an automaton together, `write`
//! writes one.

mod condition;
mod fields;
mod lex;
mod read;
mod write;

pub(crate) use read::read_with_places;

pub use read::read;
pub use write::{LocationNames, TextTooLarge, write};

/// The values of `automaton_type`.
const BUCHI: &str = "sABW";
const FINITE: &str = "sAFW";

/// What reads as a constant where it stands without quotes.
fn constant(word: &str) -> Option<bool> {
    match word {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

/// What names without quotes are made of.
fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}
