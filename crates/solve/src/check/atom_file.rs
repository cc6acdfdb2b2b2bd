//! Files that say what propositions mean: one definition per line.
//!
//! ```text
//! # Requests and grants of the arbiter.
//! req := client.state = waiting
//! "both busy" := a.busy & b.busy
//! ```
//!
//! A line has a name, `:=` or `:`, and a Boolean expression of SMV. Names with other characters
//! than those of identifiers are quoted. Lines that begin with `#` or `--` are comments, and a
//! semicolon may end a definition. Expressions are read later, with the model.

use std::ops::Range;

use kermode_base::quoting::unescaped;
use kermode_base::{Diagnostic, Source};

/// The meaning of a proposition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) name: String,
    /// The place of the name.
    pub(super) name_place: Range<usize>,
    /// The place of the expression.
    pub(super) place: Range<usize>,
}

/// Reads all definitions of a text.
pub(super) fn read_definitions(text: &str) -> Result<Vec<Definition>, Vec<Diagnostic>> {
    let (mut definitions, mut errors) = (Vec::<Definition>::new(), Vec::new());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = trimmed(text, start..start + line.len());
        start += line.len();
        let begins = |mark: &str| text[content.clone()].starts_with(mark);
        if content.is_empty() || begins("#") || begins("--") {
            continue;
        }
        match definition(text, content) {
            Ok(new) => match definitions.iter().find(|known| known.name == new.name) {
                Some(known) => errors.push(twice(text, &new, known)),
                None => definitions.push(new),
            },
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(definitions) } else { Err(errors) }
}

/// The warning for a definition of something that no text mentions.
pub(super) fn unused(definition: &Definition) -> Diagnostic {
    let Definition { name, name_place, .. } = definition;
    Diagnostic::warning(name_place.clone(), format!("`{name}` is defined and not used"))
        .label("no automaton or formula has this proposition")
}

/// The part of a range without blanks around it.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}

/// The definition in a line that is not empty.
fn definition(text: &str, line: Range<usize>) -> Result<Definition, Diagnostic> {
    let (name, after) = name(text, &line)?;
    let rest = trimmed(text, after..line.end);
    let sign = [":=", ":"].into_iter().find(|sign| text[rest.clone()].starts_with(sign));
    let Some(sign) = sign else {
        let end = rest.start + text[rest.clone()].chars().next().map_or(0, char::len_utf8);
        return Err(Diagnostic::error(rest.start..end, "expected `:=` after the name")
            .label("a definition is `name := expression`")
            .help("names with other characters than letters, digits, `_`, `.`, `$` and `#` are quoted"));
    };
    let mut place = trimmed(text, rest.start + sign.len()..line.end);
    if text[place.clone()].ends_with(';') {
        place = trimmed(text, place.start..place.end - 1);
    }
    if place.is_empty() {
        return Err(Diagnostic::error(place, "an expression is missing")
            .label("expected a Boolean expression of the model"));
    }
    let inside = &text[name.clone()];
    let quoted = inside.strip_prefix('"').and_then(|inside| inside.strip_suffix('"'));
    let plain = quoted.map_or_else(|| inside.to_owned(), unescaped);
    Ok(Definition { name: plain, name_place: name, place })
}

/// The place of the name at the beginning of a line, and where it ends.
fn name(text: &str, line: &Range<usize>) -> Result<(Range<usize>, usize), Diagnostic> {
    let content = &text[line.clone()];
    let length = match content.starts_with('"') {
        true => quoted_length(content).ok_or_else(|| {
            Diagnostic::error(line.start..line.start + 1, "the quotation mark is not closed")
                .label("expected another one in this line")
        })?,
        false => content.find(|c: char| !is_name_character(c)).unwrap_or(content.len()),
    };
    if length == 0 {
        let end = line.start + content.chars().next().map_or(0, char::len_utf8);
        return Err(Diagnostic::error(line.start..end, "expected the name of a proposition")
            .label("a definition is `name := expression`"));
    }
    Ok((line.start..line.start + length, line.start + length))
}

/// The length of the string at the beginning, with its quotation marks.
fn quoted_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return Some(at + 1),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}

fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '#' | '-' | '\\' | '[' | ']')
}

fn twice(text: &str, new: &Definition, known: &Definition) -> Diagnostic {
    let (line, _) = Source { name: "", text }.line_and_column(known.name_place.start);
    Diagnostic::error(new.name_place.clone(), format!("`{}` is defined twice", new.name))
        .label(format!("line {line} defines it, too"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definitions of a text, as pairs.
    fn pairs(text: &str) -> Vec<(String, &str)> {
        let definitions = read_definitions(text).expect("definitions");
        definitions.into_iter().map(|d| (d.name, &text[d.place])).collect()
    }

    #[test]
    fn definitions_are_lines() {
        let text = "# first\n  a := x = 1;\n\n-- second\nb.c: y & \"z\"\r\n\"two words\" :=! z \n";
        let expected = [("a", "x = 1"), ("b.c", "y & \"z\""), ("two words", "! z")];
        assert_eq!(pairs(text), expected.map(|(name, text)| (name.to_owned(), text)));
        assert_eq!(pairs(r#""say \"a\\\"" := b"#), [(r#"say "a\""#.to_owned(), "b")]);
        assert_eq!(pairs(""), []);
    }

    #[test]
    fn each_wrong_line_has_an_error_at_its_place() {
        let text = "a = b\n:= c\nd :=\n\"e := f\nü := ;\nx := y\nx : z\n";
        let errors = read_definitions(text).expect_err("errors");
        let shown: Vec<(usize, &str)> =
            errors.iter().map(|error| (error.span.start, error.message.as_str())).collect();
        let expected = [
            (2, "expected `:=` after the name"),
            (6, "expected the name of a proposition"),
            (15, "an expression is missing"),
            (16, "the quotation mark is not closed"),
            (30, "an expression is missing"),
            (39, "`x` is defined twice"),
        ];
        assert_eq!(shown, expected);
    }
}
