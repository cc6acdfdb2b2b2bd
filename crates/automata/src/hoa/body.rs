//! The body of an automaton: states, each with the edges that leave it.

use std::ops::Range;

use kermode_base::Diagnostic;

use super::header::another_begins;
use super::label::{Label, read_optional_label};
use super::lex::Token;
use super::reader::{Number, Reader};
use crate::name::Name;

/// A state as written.
#[derive(Clone, Debug)]
pub(super) struct StateItem {
    pub(super) number: Number,
    pub(super) label: Option<Label>,
    pub(super) name: Option<Name>,
    pub(super) marks: Vec<Number>,
    pub(super) edges: Vec<ParsedEdge>,
}

/// An edge as written; it leads to all of its targets.
#[derive(Clone, Debug)]
pub(super) struct ParsedEdge {
    pub(super) label: Option<Label>,
    pub(super) targets: Vec<Number>,
    pub(super) marks: Vec<Number>,
    pub(super) span: Range<usize>,
}

/// Reads the states up to `--END--`, which is not consumed.
pub(super) fn read_body(reader: &mut Reader) -> Result<Vec<StateItem>, Diagnostic> {
    let mut states = Vec::new();
    loop {
        match reader.token.clone() {
            Token::Header(name) if reader.slice(&name) == "State" => {
                reader.advance()?;
                states.push(read_state(reader)?);
            }
            Token::End => return Ok(states),
            _ => return Err(unexpected(reader, !states.is_empty())),
        }
    }
}

fn unexpected(reader: &Reader, behind_state: bool) -> Diagnostic {
    if matches!(&reader.token, Token::Header(name) if reader.slice(name) == "HOA") {
        return another_begins(reader.span.clone());
    }
    let expected = match behind_state {
        true => "an edge, `State:` or `--END--`",
        false => "`State:` or `--END--`",
    };
    let error = reader.unexpected(expected);
    match reader.token {
        Token::Sign('{') => error.help("acceptance sets stand behind the target, once"),
        Token::Header(_) => error.help("header items stand before `--BODY--`"),
        _ => error,
    }
}

/// Reads a state from after `State:`.
fn read_state(reader: &mut Reader) -> Result<StateItem, Diagnostic> {
    let label = read_optional_label(reader)?;
    let number = reader.number("the number of a state")?;
    let name = match reader.token {
        Token::Text(_) => Some(reader.text("the name of the state")?),
        _ => None,
    };
    let marks = reader.marks()?;
    let mut edges = Vec::new();
    while reader.is('[') || reader.token == Token::Integer {
        edges.push(read_edge(reader)?);
    }
    Ok(StateItem { number, label, name, marks, edges })
}

fn read_edge(reader: &mut Reader) -> Result<ParsedEdge, Diagnostic> {
    let start = reader.span.start;
    let label = read_optional_label(reader)?;
    let targets = reader.conjunction()?;
    let end = targets.last().map_or(start, |target| target.span.end);
    Ok(ParsedEdge { label, targets, marks: reader.marks()?, span: start..end })
}
