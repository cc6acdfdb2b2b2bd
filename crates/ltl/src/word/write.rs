//! Words as text: ALASKA's form (figure 1 of \[DDMR08b\]) and Spot's.
//!
//! Every letter lists all propositions, those that hold and those that do not, so that reading
//! gives the same word. Names that are not plain identifiers are quoted.

use std::fmt::Write as _;

use rustc_hash::FxHashSet;

use crate::store::{Proposition, Store};
use crate::word::{Letter, Word, WordKind};
use kermode_base::quoting::quote;

/// Names that have another meaning without quotes.
const RESERVED: [&str; 11] =
    ["true", "false", "True", "False", "TRUE", "FALSE", "not", "and", "or", "xor", "cycle"];

/// ALASKA's form:
///
/// ```text
/// initial part :
/// [a, !b] [a, b]
/// omega loop :
/// [!a, b]
/// ```
///
/// A finite word, which ALASKA does not print, is `finite word :` and its letters. Letters spell
/// out `propositions` and those that hold somewhere in the word.
pub fn to_alaska(store: &Store, word: &Word, propositions: &[Proposition]) -> String {
    let propositions = mentioned(word, propositions);
    let part = |title: &str, letters: &[Letter]| {
        let letter = |letter| format!("[{}]", literals(store, letter, &propositions, ", "));
        let letters: Vec<String> = letters.iter().map(letter).collect();
        format!("{title} :\n{}\n", letters.join(" "))
    };
    match word.kind() {
        WordKind::Finite => part("finite word", word.letters()),
        WordKind::Infinite => {
            part("initial part", word.prefix()) + &part("omega loop", word.cycle())
        }
    }
}

/// Spot's form: `a & !b; a & b; cycle{!a & b}`; without `cycle` the word is finite. Letters spell
/// out `propositions` and those that hold somewhere in the word; without any they are `1`.
///
/// The empty word, which Spot does not have, is the empty text.
pub fn to_spot(store: &Store, word: &Word, propositions: &[Proposition]) -> String {
    let propositions = mentioned(word, propositions);
    let list = |letters: &[Letter]| {
        let letter = |letter| match propositions.is_empty() {
            true => "1".to_owned(),
            false => literals(store, letter, &propositions, " & "),
        };
        letters.iter().map(letter).collect::<Vec<_>>().join("; ")
    };
    let mut out = list(word.prefix());
    if word.kind() == WordKind::Infinite {
        let separator = if out.is_empty() { "" } else { "; " };
        let _ = write!(out, "{separator}cycle{{{}}}", list(word.cycle()));
    }
    out
}

/// The given propositions, then the others that hold somewhere.
fn mentioned(word: &Word, propositions: &[Proposition]) -> Vec<Proposition> {
    let held: FxHashSet<Proposition> = word.letters().iter().flat_map(Letter::iter).collect();
    let asked: FxHashSet<Proposition> = propositions.iter().copied().collect();
    let mut others: Vec<Proposition> = held.difference(&asked).copied().collect();
    others.sort_unstable();
    [propositions, &others].concat()
}

fn literals(store: &Store, letter: &Letter, all: &[Proposition], separator: &str) -> String {
    let literal = |&proposition: &Proposition| {
        let sign = if letter.contains(proposition) { "" } else { "!" };
        format!("{sign}{}", quoted_name(store.name(proposition)))
    };
    all.iter().map(literal).collect::<Vec<_>>().join(separator)
}

/// A name as written: plain, or in quotes where it would not be read as a name. That includes
/// Spot's operators: single capitals, and `F`, `G`, `X` directly before other letters.
fn quoted_name(name: &str) -> String {
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let goes_on_well = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let operator = name.starts_with(['F', 'G', 'X']) || matches!(name.as_bytes(), [b'A'..=b'Z']);
    if starts_well && goes_on_well && !operator && !RESERVED.contains(&name) {
        return name.to_owned();
    }
    quote(name)
}
