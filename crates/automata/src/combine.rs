//! Union and intersection: the locations of both, and the disjunction or conjunction of their initial
//! conditions. That is where a condition instead of an initial location pays: nothing is added.

use indexmap::IndexSet;
use kermode_ltl::Proposition;
use rustc_hash::FxBuildHasher;

use crate::alternating::{AlternatingAutomaton, Location};
use crate::expression::{Expression, Expressions};

/// The words that one of two automata accepts, or both.
///
/// # Panics
/// When one is about finite words and the other about infinite ones.
pub fn union(a: &AlternatingAutomaton, b: &AlternatingAutomaton) -> AlternatingAutomaton {
    combine(a, b, Expressions::or)
}

/// The words that both automata accept.
///
/// # Panics
/// When one is about finite words and the other about infinite ones.
pub fn intersection(a: &AlternatingAutomaton, b: &AlternatingAutomaton) -> AlternatingAutomaton {
    combine(a, b, Expressions::and)
}

fn combine(
    a: &AlternatingAutomaton,
    b: &AlternatingAutomaton,
    join: impl Fn(&mut Expressions, Expression, Expression) -> Expression,
) -> AlternatingAutomaton {
    assert_eq!(a.words(), b.words(), "automata over words of one kind");
    let propositions: IndexSet<Proposition, FxBuildHasher> =
        a.propositions().iter().chain(b.propositions()).copied().collect();
    let mut both = AlternatingAutomaton::new(a.words(), propositions.into_iter().collect());
    let first = include(&mut both, a);
    let second = include(&mut both, b);
    let initial = join(both.expressions_mut(), first, second);
    both.set_initial(initial);
    both
}

/// Adds the locations of another automaton, and gives that one's initial condition.
fn include(target: &mut AlternatingAutomaton, source: &AlternatingAutomaton) -> Expression {
    let offset = target.location_count();
    for location in source.locations() {
        target.add_location(source.label(location), source.is_accepting(location));
    }
    let moved = |location: Location| Location::from_index(offset + location.index());
    let mut copies: Vec<Expression> = Vec::with_capacity(source.expressions().len());
    for (_, term) in source.expressions().iter() {
        let expressions = target.expressions_mut();
        copies.push(expressions.rebuild(term, |e| copies[e.index()], moved));
    }
    for location in source.locations() {
        target.set_transition(moved(location), copies[source.transition(location).index()]);
    }
    copies[source.initial().index()]
}
