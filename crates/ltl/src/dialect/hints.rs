//! Hints for common mistakes: operators glued to names, operators of another dialect, comparisons
//! in a plain formula, names that a dialect cannot have.

use std::ops::Range;

use super::Dialect;
use super::grammar::{Grammar, Meaning, Quoting, Table};
use crate::operator::{BinaryOp, UnaryOp};
use crate::store::Store;
use kermode_base::Diagnostic;

/// A word that begins with a digit and is not a constant.
pub(super) fn number(text: &str, start: usize, grammar: &Grammar) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(start..start + text.len(), format!("`{text}` is not a proposition"));
    match (text, grammar.spelling(Meaning::Constant(text == "1"))) {
        ("0" | "1", Some(constant)) => {
            diagnostic.label("numbers are not constants here").help(format!("write `{constant}`"))
        }
        _ => {
            let diagnostic = diagnostic.label("a name does not begin with a digit");
            match quoted(text, grammar) {
                Some(quoted) => diagnostic.help(format!("quote it: `{quoted}`")),
                None => diagnostic,
            }
        }
    }
}

/// A word that a dialect reserves for a purpose outside of formulas.
pub(super) fn reserved(word: &str, start: usize, table: &Table) -> Diagnostic {
    let grammar = table.grammar;
    let message = format!("`{word}` is a reserved word of {}", grammar.name);
    let diagnostic = Diagnostic::error(start..start + word.len(), message)
        .label("no operator of linear temporal logic, and no name");
    if let Some(help) = english(word, table) {
        return diagnostic.help(help);
    }
    match quoted(word, grammar) {
        // In SPIN, parentheses do not make a reserved word a name.
        Some(quoted) if grammar.quoting != Quoting::Predicate => {
            diagnostic.help(format!("quote it if it is a proposition: `{quoted}`"))
        }
        _ => diagnostic,
    }
}

fn quoted(name: &str, grammar: &Grammar) -> Option<String> {
    match grammar.quoting {
        Quoting::None => None,
        Quoting::Escaped | Quoting::Plain => Some(format!("\"{name}\"")),
        Quoting::Braces => Some(format!("{{{name}}}")),
        Quoting::Predicate => Some(format!("({name})")),
    }
}

/// A character that begins no token of the dialect.
pub(super) fn unknown_sign(text: &str, start: usize, grammar: &Grammar) -> Diagnostic {
    let rest = &text[start..];
    let first = rest.chars().next().unwrap_or('\0');
    if grammar.quoting == Quoting::Predicate
        && let Some(diagnostic) = capital_name(rest, start)
    {
        return diagnostic;
    }
    let foreign = [Dialect::Kermode, Dialect::Spot]
        .iter()
        .find_map(|dialect| dialect.table().longest(rest.as_bytes()));
    let end = start + foreign.map_or(first.len_utf8(), |(sign, _)| sign.len());
    let shown = match first {
        '\'' => first.to_string(),
        _ => first.escape_debug().to_string(),
    };
    match (first, foreign) {
        ('>', _) if text[..start].ends_with('-') => {
            Diagnostic::error(start - 1..end, "the `-` of this arrow belongs to the name before it")
                .label(format!("{} allows `-` in names", grammar.name))
                .help("put a blank before `->`")
        }
        ('=' | '<' | '>', None) => comparison(start..end, grammar),
        (_, Some((sign, meaning))) => {
            Diagnostic::error(start..end, format!("{} does not have `{sign}`", grammar.name))
                .label("not an operator here")
                .help(instead(meaning, grammar))
        }
        (';', None) => {
            Diagnostic::error(start..end, "a formula does not end in `;`").label("remove this")
        }
        ('"', None) => {
            Diagnostic::error(start..end, format!("{} has no quoted names", grammar.name))
        }
        _ => Diagnostic::error(start..end, format!("`{shown}` has no place in a formula"))
            .label("expected a proposition, an operator or a parenthesis"),
    }
}

/// A word that is not a name in SPIN because of its first letter.
fn capital_name(rest: &str, start: usize) -> Option<Diagnostic> {
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let word = &rest[..end];
    let operator = Dialect::Kermode.table().word(word).is_some();
    (!word.is_empty() && !operator).then(|| {
        Diagnostic::error(start..start + end, format!("`{word}` is not a name in SPIN"))
            .label("names begin with a small letter")
            .help(format!("put it in parentheses: `({word})`"))
    })
}

/// `=` and other comparisons.
pub(super) fn comparison(span: Range<usize>, grammar: &Grammar) -> Diagnostic {
    let example = if grammar.quoting == Quoting::Predicate { "x == 1" } else { "x = 1" };
    let quote = match quoted(example, grammar) {
        Some(quoted) => format!(
            "; a comparison is a proposition if it is quoted (`{quoted}`), and as it stands in \
             requirement files and with `--syntax nusmv`"
        ),
        None => String::new(),
    };
    Diagnostic::error(span, "a plain formula compares nothing")
        .label("propositions are true or false, they have no values")
        .help(format!("write `<->` to say that two formulas agree{quote}"))
}

/// A sign of temporal logic in a SPIN predicate, which must be a Promela expression.
pub(super) fn not_promela((offset, sign): (usize, &str), start: usize) -> Diagnostic {
    let at = start + offset;
    Diagnostic::error(at..at + sign.len(), format!("Promela does not have `{sign}`"))
        .label("SPIN leaves a parenthesis without temporal operators to Promela")
        .help("write `!`, `&&` and `||` inside of it")
}

/// What to write in a dialect for a meaning that it spells differently or lacks.
fn instead(meaning: Meaning, grammar: &Grammar) -> String {
    if let Some(spelling) = grammar.spelling(meaning) {
        return format!("write `{spelling}`");
    }
    let spelling = |meaning| grammar.spelling(meaning).unwrap_or("?");
    let (and, or) =
        (spelling(Meaning::Infix(BinaryOp::And)), spelling(Meaning::Infix(BinaryOp::Or)));
    let (release, iff) =
        (spelling(Meaning::Infix(BinaryOp::Release)), spelling(Meaning::Infix(BinaryOp::Iff)));
    match meaning {
        Meaning::Infix(BinaryOp::WeakUntil) => format!("`a W b` is `b {release} (a {or} b)`"),
        Meaning::Infix(BinaryOp::StrongRelease) => format!("`a M b` is `b U (a {and} b)`"),
        Meaning::Infix(BinaryOp::Xor) => format!("`a ^ b` is `!(a {iff} b)`"),
        Meaning::Prefix(UnaryOp::WeakNext) => "`N a` is `!X !a`".to_owned(),
        _ => format!("{} has nothing like it", grammar.name),
    }
}

/// Help for a word in the place of an operator: `found` comes directly after the word `before`.
pub(super) fn misplaced_word(before: &str, found: &str, table: &Table) -> Option<String> {
    let is_prefix = |text: &str| matches!(table.word(text), Some(Meaning::Prefix(_)));
    let letters =
        |word: &str| word.len() > 1 && word.chars().all(|c| is_prefix(c.encode_utf8(&mut [0; 4])));
    if letters(before) {
        let apart: Vec<String> = before.chars().map(String::from).collect();
        return Some(format!(
            "operators are whole words: `{before}` is a name, write `{}`",
            apart.join(" ")
        ));
    }
    if let Some(help) = lacks(before, table).or_else(|| lacks(found, table)) {
        return Some(help);
    }
    let (first, rest) = found.split_at(found.chars().next().map_or(0, char::len_utf8));
    match table.word(first) {
        Some(Meaning::Infix(_)) if !rest.is_empty() => {
            Some(format!("operators are whole words: write `{first} {rest}`"))
        }
        _ => None,
    }
}

/// English names of operators and their meanings.
const ENGLISH: [(&str, Meaning); 14] = [
    ("always", Meaning::Prefix(UnaryOp::Globally)),
    ("globally", Meaning::Prefix(UnaryOp::Globally)),
    ("eventually", Meaning::Prefix(UnaryOp::Finally)),
    ("finally", Meaning::Prefix(UnaryOp::Finally)),
    ("next", Meaning::Prefix(UnaryOp::Next)),
    ("until", Meaning::Infix(BinaryOp::Until)),
    ("unless", Meaning::Infix(BinaryOp::WeakUntil)),
    ("release", Meaning::Infix(BinaryOp::Release)),
    ("releases", Meaning::Infix(BinaryOp::Release)),
    ("since", Meaning::Infix(BinaryOp::Since)),
    ("once", Meaning::Prefix(UnaryOp::Once)),
    ("historically", Meaning::Prefix(UnaryOp::Historically)),
    ("implies", Meaning::Infix(BinaryOp::Implies)),
    ("iff", Meaning::Infix(BinaryOp::Iff)),
];

/// Whether a word is an English name of an operator.
pub(super) fn is_english_operator(word: &str) -> bool {
    ENGLISH.iter().any(|(english, _)| *english == word)
}

/// Help for an English name of an operator, if the dialect does not have this word.
pub(super) fn english(text: &str, table: &Table) -> Option<String> {
    let (_, meaning) = ENGLISH.iter().find(|(english, _)| *english == text)?;
    let is_known = !matches!(table.word(text), None | Some(Meaning::Reserved));
    (!is_known)
        .then(|| format!("`{text}` is no operator here: {}", instead(*meaning, table.grammar)))
}

/// Help for a text that is an operator in another dialect.
pub(super) fn lacks(text: &str, table: &Table) -> Option<String> {
    if let Some(help) = english(text, table) {
        return Some(help);
    }
    let name = table.grammar.name;
    match (Dialect::Kermode.table().word(text), table.word(text)) {
        (Some(meaning @ (Meaning::Infix(_) | Meaning::Prefix(_))), None) => {
            Some(format!("{name} does not have `{text}`: {}", instead(meaning, table.grammar)))
        }
        _ => None,
    }
}

const PREFIX_LETTERS: &[u8] = b"XFGNYZOH";

/// The number of letters at the start of a name that look like prefix operators glued to the rest.
pub(super) fn glued_operators(name: &[u8]) -> usize {
    let letters = name.iter().take_while(|b| PREFIX_LETTERS.contains(b)).count();
    if letters < name.len() { letters } else { 0 }
}

/// Warnings about names such as `Xu` in a formula that also has `u`, and `GFa`.
pub(super) fn glued_names(text: &str, names: &[Range<usize>], store: &Store) -> Vec<Diagnostic> {
    let mut warned: Vec<&str> = Vec::new();
    let mut warnings = Vec::new();
    for span in names {
        let name = &text[span.clone()];
        let letters = glued_operators(name.as_bytes());
        let known = (1..=letters).rev().find(|&n| store.find_proposition(&name[n..]).is_some());
        let glued = match known {
            Some(n) => n,
            None if letters > 1 && name[letters..].len() == 1 => letters,
            None => continue,
        };
        if warned.contains(&name) {
            continue;
        }
        warned.push(name);
        let apart: Vec<&str> = name[..glued].split("").filter(|s| !s.is_empty()).collect();
        let meant = format!("{} {}", apart.join(" "), &name[glued..]);
        warnings.push(
            Diagnostic::warning(span.clone(), format!("`{name}` is read as one proposition"))
                .label("operators are whole words here")
                .help(format!("write `{meant}` if that is meant, or use `--syntax spot`")),
        );
    }
    warnings
}
