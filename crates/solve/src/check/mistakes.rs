//! Deliberate mistakes in reading specifications that are automata: tests plant them, and show that
//! each is found.
//!
//! A trace is replayed on the automaton that was read, so replay cannot find these mistakes: only
//! a comparison with another reader can.

use kermode_automata::Automaton;
#[cfg(test)]
use kermode_automata::{AlternatingAutomaton, Location, Tgba};

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(test), allow(dead_code, reason = "only tests plant mistakes"))]
pub(super) enum Mistake {
    /// "No path" is read as "every path", and the other way round.
    PolarityIsSwapped,
    /// Acceptance is lost: transitions have no marks to collect, all locations are accepting.
    AcceptanceIsDropped,
    /// The last letter of a finite word is not read.
    LastLetterIsLost,
    /// All propositions of an automaton are bound to the expression of the first one.
    AtomsAreMixedUp,
    /// Only the first automaton of a text becomes a property.
    OnlyTheFirst,
}

#[cfg(test)]
thread_local! {
    static PLANTED: std::cell::Cell<Option<Mistake>> =
        const { std::cell::Cell::new(None) };
}

/// Plants a mistake in this thread, or removes it.
#[cfg(test)]
pub(super) fn plant(mistake: Option<Mistake>) {
    PLANTED.set(mistake);
}

/// Whether a mistake is planted in this thread.
#[cfg(test)]
pub(super) fn is_planted(mistake: Mistake) -> bool {
    PLANTED.get() == Some(mistake)
}

/// Mistakes are planted by tests only.
#[cfg(not(test))]
pub(super) fn is_planted(_: Mistake) -> bool {
    false
}

/// The automaton as it is read.
#[cfg(not(test))]
pub(super) fn as_read(automaton: Automaton) -> Automaton {
    automaton
}

/// The automaton as it is read, with the planted mistake.
#[cfg(test)]
pub(super) fn as_read(automaton: Automaton) -> Automaton {
    match automaton {
        Automaton::Tgba(graph) if is_planted(Mistake::AcceptanceIsDropped) => {
            without_marks(&graph).into()
        }
        Automaton::EmersonLei(both) if is_planted(Mistake::AcceptanceIsDropped) => {
            without_marks(both.graph()).into()
        }
        Automaton::Alternating(all) if is_planted(Mistake::AcceptanceIsDropped) => {
            relocated(&all, |_| true).into()
        }
        Automaton::Alternating(all) if is_planted(Mistake::LastLetterIsLost) => {
            without_last_letter(&all).into()
        }
        automaton => automaton,
    }
}

/// The graph in which every infinite run is accepting.
#[cfg(test)]
fn without_marks(graph: &Tgba) -> Tgba {
    let mut result = graph.sibling(0);
    for _ in graph.states() {
        result.add_state();
    }
    for (source, transition) in graph.transitions() {
        let (target, label) = (transition.target, transition.label.clone());
        result.add_transition(source, target, label, Default::default());
    }
    graph.initial().iter().for_each(|&state| result.add_initial(state));
    result
}

/// The automaton with other accepting locations.
#[cfg(test)]
fn relocated(
    automaton: &AlternatingAutomaton,
    is_accepting: impl Fn(Location) -> bool,
) -> AlternatingAutomaton {
    let propositions = automaton.propositions().to_vec();
    let mut result = AlternatingAutomaton::new(automaton.words(), propositions);
    *result.expressions_mut() = automaton.expressions().clone();
    for location in automaton.locations() {
        let copy = result.add_location(automaton.label(location), is_accepting(location));
        result.set_transition(copy, automaton.transition(location));
    }
    result.set_initial(automaton.initial());
    result
}

/// The automaton of the words that are accepted without their last letter: an accepting location
/// may read it and go to an end.
#[cfg(test)]
fn without_last_letter(automaton: &AlternatingAutomaton) -> AlternatingAutomaton {
    let mut result = relocated(automaton, |_| false);
    let end = result.add_location("end", true);
    let end = result.expressions_mut().location(end);
    for location in automaton.locations().filter(|&location| automaton.is_accepting(location)) {
        let ends = result.expressions_mut().or(automaton.transition(location), end);
        result.set_transition(location, ends);
    }
    result
}
