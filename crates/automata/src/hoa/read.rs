//! From a stream of texts to automata. After an error in one automaton the reader continues after
//! its end, or where another begins.

use std::convert::Infallible;

use kermode_base::{Diagnostic, Source};
use kermode_ltl::Store;
use rustc_hash::FxHashSet;

use super::Hoa;
use super::acceptance::{Acceptance, AcceptanceItem};
use super::body::{StateItem, read_body};
use super::build::{Checked, NoRoom, Unbuilt};
use super::check::check;
use super::header::{Header, read_header};
use super::lex::Token;
use super::properties::false_claims;
use super::reader::{Number, Reader};

/// Reads all automata of a text. Their propositions become propositions of the store. One that ends
/// in `--ABORT--` is left out.
pub fn read(store: &mut Store, text: &str) -> Vec<Result<Hoa, Vec<Diagnostic>>> {
    match read_unless(store, text, &mut || Ok::<(), Infallible>(())) {
        Ok(automata) => automata,
    }
}

/// The same with an `interrupt` callback whose error is passed on: building labels may take long.
pub fn read_unless<E>(
    store: &mut Store,
    text: &str,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<Result<Hoa, Vec<Diagnostic>>>, E> {
    let mut automata = Vec::new();
    let mut at = 0;
    while at < text.len() {
        interrupt()?;
        match next(text, at) {
            Ok(Next::Nothing) => break,
            Ok(Next::Aborted(end)) => at = end,
            Ok(Next::Automaton { header, states, end }) => {
                let read = assemble(store, text, &header, &states, interrupt)?;
                automata.push(read.map(|hoa| Hoa { span: header.span.start..end, ..hoa }));
                at = end;
            }
            Err(error) => {
                at = behind(text, at, error.span.start);
                automata.push(Err(vec![error]));
            }
        }
    }
    Ok(automata)
}

/// What comes next in a stream, and where that ends.
enum Next {
    Automaton { header: Box<Header>, states: Vec<StateItem>, end: usize },
    Aborted(usize),
    Nothing,
}

fn next(text: &str, at: usize) -> Result<Next, Diagnostic> {
    let mut reader = Reader::new(text, at)?;
    if reader.token == Token::Nothing {
        return Ok(Next::Nothing);
    }
    let parts = read_header(&mut reader).and_then(|header| {
        let states = read_body(&mut reader)?;
        Ok((Box::new(header), states))
    });
    match parts {
        Ok((header, states)) => Ok(Next::Automaton { header, states, end: reader.span.end }),
        Err(_) if reader.token == Token::Abort => Ok(Next::Aborted(reader.span.end)),
        Err(error) => Err(error),
    }
}

/// The end of the automaton that begins at a byte and has an error: after its end, or before the
/// next one.
fn behind(text: &str, begin: usize, error: usize) -> usize {
    const NEXT: &str = "HOA:";
    let rest = &text[error..];
    if error > begin && rest.starts_with(NEXT) {
        return error;
    }
    let ends = ["--END--", "--ABORT--"].into_iter();
    let ends = ends.filter_map(|end| Some(rest.find(end)? + end.len()));
    let another = rest.find(&format!("\n{NEXT}")).map(|at| at + 1);
    error + ends.chain(another).min().unwrap_or(rest.len())
}

fn assemble<E>(
    store: &mut Store,
    text: &str,
    header: &Header,
    states: &[StateItem],
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Result<Hoa, Vec<Diagnostic>>, E> {
    let acceptance = match sound_acceptance(text, header, states) {
        Ok(acceptance) => acceptance,
        Err(errors) => return Ok(Err(errors)),
    };
    let checked = Checked { text, header, states, acceptance: &acceptance };
    let automaton = match checked.build(store, interrupt) {
        Ok(automaton) => automaton,
        Err(Unbuilt::NoRoom(error)) => return Ok(Err(vec![no_room(header, &error)])),
        Err(Unbuilt::Stopped(stop)) => return Err(stop),
    };
    let mut warnings = false_claims(header, states, &automaton);
    warnings.extend(undefined(header, states));
    warnings.sort_by_key(|warning| warning.span.start);
    let places = header.propositions.iter().flatten();
    Ok(Ok(Hoa {
        automaton,
        name: header.name.as_ref().map(|name| name.name.clone()),
        items: header.others.clone(),
        properties: header.properties.iter().map(|property| property.name.clone()).collect(),
        warnings,
        span: header.span.clone(),
        proposition_places: places.map(|name| name.span.clone()).collect(),
    }))
}

/// The acceptance condition, if nothing is wrong with the text.
fn sound_acceptance(
    text: &str,
    header: &Header,
    states: &[StateItem],
) -> Result<Acceptance, Vec<Diagnostic>> {
    let mut errors = check(text, header, states);
    let acceptance = header.acceptance.as_ref().map(AcceptanceItem::acceptance).transpose();
    errors.extend(alternation_with_fin(text, header, states));
    match acceptance {
        Ok(acceptance) if errors.is_empty() => return Ok(acceptance.unwrap_or_default()),
        Ok(_) => {}
        Err(error) => errors.push(error),
    }
    Err(errors)
}

/// The error for `Fin` in an automaton with universal branching.
fn alternation_with_fin(text: &str, header: &Header, states: &[StateItem]) -> Option<Diagnostic> {
    let fin = header.acceptance.as_ref()?.first_fin()?;
    let targets = states.iter().flat_map(|state| &state.edges).map(|edge| &edge.targets);
    let branches = |targets: &&Vec<Number>| targets.iter().any(|t| t.value != targets[0].value);
    let universal = targets.chain(&header.starts).find(branches)?;
    let (line, _) = Source { name: "", text }.line_and_column(universal[0].span.start);
    let message = "`Fin` is not supported in automata with universal branching";
    let help = format!("line {line} branches to several states; such automata have `Inf` only");
    Some(Diagnostic::error(fin, message).label("expected `Inf`, `t` or `f`").help(help))
}

fn no_room(header: &Header, error: &NoRoom) -> Diagnostic {
    let message = format!("the labels cannot be read: {error}");
    Diagnostic::error(header.span.clone(), message)
        .label("of this automaton")
        .help("how large labels become depends on the order of `AP:`; another one may help")
}

/// A warning about the first state that is used but not described: it has no edges.
fn undefined(header: &Header, states: &[StateItem]) -> Option<Diagnostic> {
    let defined: FxHashSet<u64> = states.iter().map(|state| state.number.value).collect();
    let targets = states.iter().flat_map(|state| &state.edges).flat_map(|edge| &edge.targets);
    let mut used = header.starts.iter().flatten().chain(targets);
    let missing = used.find(|state| !defined.contains(&state.value))?;
    let message = format!("state {} is not described", missing.value);
    Some(Diagnostic::warning(missing.span.clone(), message).label("taken as one without edges"))
}
