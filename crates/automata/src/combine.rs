//! Union and intersection: the locations of all automata, and the disjunction or conjunction of
//! their initial conditions. With an initial condition instead of an initial location, no location
//! is added.

use indexmap::IndexSet;
use kermode_ltl::Proposition;
use rustc_hash::FxBuildHasher;

use crate::alternating::{AlternatingAutomaton, Location};
use crate::expression::{Expression, Expressions};

/// The union of two languages.
///
/// # Panics
/// When one automaton accepts finite words and the other infinite ones.
pub fn union(a: &AlternatingAutomaton, b: &AlternatingAutomaton) -> AlternatingAutomaton {
    combine(&[a, b], |expressions, initial| expressions.any(initial))
}

/// The intersection of two languages.
///
/// # Panics
/// When one automaton accepts finite words and the other infinite ones.
pub fn intersection(a: &AlternatingAutomaton, b: &AlternatingAutomaton) -> AlternatingAutomaton {
    intersection_of(&[a, b])
}

/// The intersection of several languages.
///
/// # Panics
/// When there is no automaton, or when their kinds of words differ.
pub fn intersection_of(automata: &[&AlternatingAutomaton]) -> AlternatingAutomaton {
    combine(automata, |expressions, initial| expressions.all(initial))
}

fn combine(
    automata: &[&AlternatingAutomaton],
    join: impl FnOnce(&mut Expressions, Vec<Expression>) -> Expression,
) -> AlternatingAutomaton {
    let words = automata[0].words();
    assert!(automata.iter().all(|a| a.words() == words), "automata over words of one kind");
    let propositions = propositions_of(automata.iter().map(|automaton| automaton.propositions()));
    let mut combined = AlternatingAutomaton::new(words, propositions);
    let initial = automata.iter().map(|automaton| include_all(&mut combined, automaton)).collect();
    let initial = join(combined.expressions_mut(), initial);
    combined.set_initial(initial);
    combined
}

/// The propositions of several automata, each once.
pub(crate) fn propositions_of<'a>(
    automata: impl Iterator<Item = &'a [Proposition]>,
) -> Vec<Proposition> {
    automata
        .flatten()
        .copied()
        .collect::<IndexSet<Proposition, FxBuildHasher>>()
        .into_iter()
        .collect()
}

fn include_all(target: &mut AlternatingAutomaton, source: &AlternatingAutomaton) -> Expression {
    let locations: Vec<Location> = source.locations().collect();
    include(target, source, &locations, |_| true)
}

/// Adds locations of another automaton and returns its initial condition. The locations and
/// expressions to keep must include all that are reachable from that condition.
pub(crate) fn include(
    target: &mut AlternatingAutomaton,
    source: &AlternatingAutomaton,
    locations: &[Location],
    keep: impl Fn(Expression) -> bool,
) -> Expression {
    let mut moved = vec![Location::NOWHERE; source.location_count()];
    for &location in locations {
        let label = source.label(location);
        moved[location.index()] = target.add_location(label, source.is_accepting(location));
    }
    let mut copies = vec![target.initial(); source.expressions().len()];
    for (expression, term) in source.expressions().iter().filter(|&(e, _)| keep(e)) {
        let operand = |e: Expression| copies[e.index()];
        let copy = target.expressions_mut().rebuild(term, operand, |l| moved[l.index()]);
        copies[expression.index()] = copy;
    }
    for &location in locations {
        let transition = copies[source.transition(location).index()];
        target.set_transition(moved[location.index()], transition);
    }
    copies[source.initial().index()]
}
