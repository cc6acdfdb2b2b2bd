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
    let first = include_all(&mut both, a);
    let second = include_all(&mut both, b);
    let initial = join(both.expressions_mut(), first, second);
    both.set_initial(initial);
    both
}

fn include_all(target: &mut AlternatingAutomaton, source: &AlternatingAutomaton) -> Expression {
    let locations: Vec<Location> = source.locations().collect();
    include(target, source, &locations, |_| true)
}

/// Adds locations of another automaton, and gives that one's initial condition. The locations and the
/// expressions to keep are all that this condition leads to, or more.
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
