//! The header of an automaton, item by item. Items come in any order after `HOA:`; most may occur
//! once. An unknown item is kept if its name begins with a small letter. A capital means that it
//! may change the meaning, so it is refused.

use std::ops::Range;

use kermode_base::Diagnostic;

use super::acceptance::{AcceptanceItem, read_acceptance};
use super::label::{Label, read_label};
use super::lex::Token;
use super::reader::{Number, Reader};
use crate::name::Name;

/// The supported versions.
const VERSIONS: [&str; 2] = ["v1", "v1.1"];

/// What stands in a header.
#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    /// The place of `HOA:`.
    pub(super) span: Range<usize>,
    pub(super) states: Option<Number>,
    pub(super) starts: Vec<Vec<Number>>,
    pub(super) propositions: Option<Vec<Name>>,
    pub(super) aliases: Vec<(Range<usize>, Label)>,
    pub(super) acceptance: Option<AcceptanceItem>,
    pub(super) acceptance_name: Option<Name>,
    pub(super) name: Option<Name>,
    pub(super) properties: Vec<Name>,
    /// Items that are kept unchanged: `tool:`, and unknown ones.
    pub(super) others: Vec<(String, String)>,
    tool: Option<Range<usize>>,
}

/// Reads a header including `--BODY--`.
pub(super) fn read_header(reader: &mut Reader) -> Result<Header, Diagnostic> {
    let mut header = Header { span: reader.span.clone(), ..Header::default() };
    match &reader.token {
        Token::Header(name) if reader.slice(name) == "HOA" => reader.advance()?,
        _ => return Err(reader.unexpected("`HOA:`, with which an automaton begins")),
    }
    read_version(reader)?;
    loop {
        match reader.token.clone() {
            Token::Header(name) => {
                let span = reader.span.clone();
                reader.advance()?;
                header.item(reader, name, span)?;
            }
            Token::Body => {
                reader.advance()?;
                return Ok(header);
            }
            _ => return Err(reader.unexpected("a header item or `--BODY--`")),
        }
    }
}

fn read_version(reader: &mut Reader) -> Result<(), Diagnostic> {
    let version = reader.identifier("the version of the format, `v1`")?;
    match VERSIONS.contains(&version.name.as_str()) {
        true => Ok(()),
        false => {
            let message = format!("version `{}` of the HOA format is not known", version.name);
            let label = format!("expected {}", VERSIONS.map(|v| format!("`{v}`")).join(" or "));
            Err(Diagnostic::error(version.span, message).label(label))
        }
    }
}

impl Header {
    /// An item from behind its colon; `span` is its name and the colon.
    fn item(
        &mut self,
        reader: &mut Reader,
        name: Range<usize>,
        span: Range<usize>,
    ) -> Result<(), Diagnostic> {
        let name = reader.slice(&name);
        let repeated = match name {
            "States" => self.states.replace(reader.number("the number of states")?).is_some(),
            "AP" => self.propositions.replace(read_propositions(reader)?).is_some(),
            "Acceptance" => self.acceptance.replace(read_acceptance(reader)?).is_some(),
            "acc-name" => self.acceptance_name.replace(read_name(reader)?).is_some(),
            "name" => self.name.replace(reader.text("a name in quotes")?).is_some(),
            "tool" => {
                self.keep(reader, name)?;
                self.tool.replace(span.clone()).is_some()
            }
            "HOA" => return Err(another_begins(span)),
            _ => {
                self.repeatable(reader, name, &span)?;
                false
            }
        };
        match repeated {
            true => {
                Err(Diagnostic::error(span, format!("`{name}:` is there twice"))
                    .label("one is enough"))
            }
            false => Ok(()),
        }
    }

    /// An item that may occur several times.
    fn repeatable(
        &mut self,
        reader: &mut Reader,
        name: &str,
        span: &Range<usize>,
    ) -> Result<(), Diagnostic> {
        match name {
            "Start" => self.starts.push(reader.conjunction()?),
            "Alias" => {
                let alias = reader.span.clone();
                if reader.token != Token::Alias {
                    return Err(reader.unexpected("the name of an alias, such as `@a`"));
                }
                reader.advance()?;
                self.aliases.push((alias, read_label(reader)?));
            }
            "properties" => {
                while matches!(reader.token, Token::Identifier | Token::Sign('!')) {
                    self.properties.push(read_property(reader)?);
                }
            }
            _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                let message = format!("header item `{name}:` is not known");
                return Err(Diagnostic::error(span.clone(), message)
                    .label("its capital says that it may change the meaning")
                    .help("other items are kept if their names begin with a small letter"));
            }
            _ => self.keep(reader, name)?,
        }
        Ok(())
    }

    /// Keeps the text up to the next item.
    fn keep(&mut self, reader: &mut Reader, name: &str) -> Result<(), Diagnostic> {
        let mut content: Vec<&str> = Vec::new();
        while !matches!(
            reader.token,
            Token::Header(_) | Token::Body | Token::End | Token::Abort | Token::Nothing
        ) {
            content.push(reader.found());
            reader.advance()?;
        }
        self.others.push((name.to_owned(), content.join(" ")));
        Ok(())
    }
}

/// A property; version 1.1 has negated ones.
fn read_property(reader: &mut Reader) -> Result<Name, Diagnostic> {
    let start = reader.span.start;
    let negated = reader.takes('!')?;
    let property = reader.identifier("a property")?;
    let name = format!("{}{}", if negated { "!" } else { "" }, property.name);
    Ok(Name { name, span: start..property.span.end })
}

fn read_propositions(reader: &mut Reader) -> Result<Vec<Name>, Diagnostic> {
    let count = reader.number("the number of propositions")?;
    let mut names = Vec::new();
    while matches!(reader.token, Token::Text(_)) {
        names.push(reader.text("a proposition in quotes")?);
    }
    match names.len() as u64 == count.value {
        true => Ok(names),
        false => {
            let message =
                format!("{} propositions are declared, {} named", count.value, names.len());
            Err(Diagnostic::error(count.span, message)
                .label("expected as many names in quotes as this says"))
        }
    }
}

/// The name of an acceptance condition with its parameters, such as `generalized-Buchi 2`.
fn read_name(reader: &mut Reader) -> Result<Name, Diagnostic> {
    let mut name = reader.identifier("the name of an acceptance condition")?;
    while matches!(reader.token, Token::Identifier | Token::Integer) {
        name.name = format!("{} {}", name.name, reader.found());
        name.span.end = reader.span.end;
        reader.advance()?;
    }
    Ok(name)
}

/// The error for an automaton that begins before the end of another.
pub(super) fn another_begins(span: Range<usize>) -> Diagnostic {
    Diagnostic::error(span, "another automaton begins here")
        .label("expected `--END--` of the one before")
}
