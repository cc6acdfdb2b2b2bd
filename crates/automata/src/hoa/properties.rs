//! The claimed properties of a header, checked where that is cheap. A false claim is a warning; no
//! algorithm relies on claims.

use std::cell::LazyCell;

use kermode_base::Diagnostic;

use super::Automaton;
use super::body::StateItem;
use super::condition_name::is_right_name;
use super::header::Header;
use crate::name::Name;
use crate::tgba::TgbaStatistics;

/// The false claims.
pub(super) fn false_claims(
    header: &Header,
    states: &[StateItem],
    automaton: &Automaton,
) -> Vec<Diagnostic> {
    // Computed once, if a claim needs it.
    let shape = LazyCell::new(|| match automaton {
        Automaton::Tgba(tgba) => TgbaStatistics::of(tgba).ok(),
        Automaton::EmersonLei(automaton) => TgbaStatistics::of(automaton.graph()).ok(),
        Automaton::Alternating(_) => None,
    });
    let mut warnings: Vec<Diagnostic> = Vec::new();
    for property in &header.properties {
        let contradiction = match property.name.as_str() {
            name @ ("deterministic" | "complete" | "weak" | "very-weak") => {
                shape.as_ref().is_some_and(|shape| !holds(shape, name))
            }
            // Which cycles accept depends on the condition.
            "inherently-weak" if matches!(automaton, Automaton::EmersonLei(_)) => false,
            name @ "inherently-weak" => shape.as_ref().is_some_and(|shape| !holds(shape, name)),
            name => !is_written_so(states, header, name),
        };
        if contradiction {
            warnings.push(refuted(property));
        }
    }
    warnings.extend(wrong_name(header));
    warnings
}

fn refuted(property: &Name) -> Diagnostic {
    let message = format!("property `{}` does not hold", property.name);
    Diagnostic::warning(property.span.clone(), message).label("claimed here, and ignored")
}

fn holds(shape: &TgbaStatistics, name: &str) -> bool {
    match name {
        "deterministic" => shape.deterministic,
        "complete" => shape.complete,
        "weak" => shape.weak,
        "inherently-weak" => shape.inherently_weak,
        _ => shape.very_weak,
    }
}

/// Whether the text has a property, if the property is about the text.
fn is_written_so(states: &[StateItem], header: &Header, name: &str) -> bool {
    let mut edges = states.iter().flat_map(|state| &state.edges);
    let implicit = |state: &StateItem| {
        state.label.is_none() && state.edges.first().is_some_and(|edge| edge.label.is_none())
    };
    match name {
        "state-labels" => edges.all(|edge| edge.label.is_none()),
        "trans-labels" => states.iter().all(|state| state.label.is_none()),
        "implicit-labels" => {
            states.iter().all(|s| s.label.is_none()) && edges.all(|edge| edge.label.is_none())
        }
        "explicit-labels" => !states.iter().any(implicit),
        "state-acc" => edges.all(|edge| edge.marks.is_empty()),
        "trans-acc" => states.iter().all(|state| state.marks.is_empty()),
        "no-univ-branch" => {
            edges.map(|edge| &edge.targets).chain(&header.starts).all(|states| states.len() == 1)
        }
        "colored" => {
            let colours = |state: &StateItem| {
                let here = state.marks.len();
                match state.edges.is_empty() {
                    true => here == 1,
                    false => state.edges.iter().all(|edge| here + edge.marks.len() == 1),
                }
            };
            states.iter().all(colours)
        }
        _ => true,
    }
}

/// The warning for a wrong name of the acceptance condition.
fn wrong_name(header: &Header) -> Option<Diagnostic> {
    let (name, acceptance) = header.acceptance_name.as_ref().zip(header.acceptance.as_ref())?;
    let right = is_right_name(&name.name, acceptance);
    let message = format!("`{}` is not the name of this acceptance condition", name.name);
    let label = "ignored: `Acceptance:` counts";
    (!right).then(|| Diagnostic::warning(name.span.clone(), message).label(label))
}
