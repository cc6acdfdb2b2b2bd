//! COMPUTE: the smallest and the largest number of steps from some states to others \[CCMMH94\].
//!
//! As everywhere in CTL, states where no fair path starts are invisible: neither do they belong to
//! the two sets, nor do paths lead through them. All paths of other states count, fair or not. If
//! all reachable states are invisible, `MAX` is 0 unless one of the sets has no reachable state at
//! all; NuSMV has that exception.

use std::fmt;

use kermode_base::BitSet;

use super::{Graph, Labelling};
use crate::flat::FlatExpression;

/// A number of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// This many steps.
    Steps(usize),
    /// No path leads there, or some path never arrives.
    Infinite,
    /// There is no state to start from, or none to arrive at.
    Undefined,
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Length::Steps(steps) => write!(f, "{steps}"),
            Length::Infinite => f.write_str("infinite"),
            Length::Undefined => f.write_str("undefined"),
        }
    }
}

/// `COMPUTE MIN [from, to]`: the number of steps of a shortest path.
///
/// # Panics
/// When the formulas were not labelled.
pub fn shortest<E>(
    graph: &Graph<'_>,
    labelling: &Labelling,
    from: FlatExpression,
    to: FlatExpression,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Length, E> {
    let [from, to] = [from, to].map(|set| visible(labelling, set));
    let (mut found, mut frontier) = (from.clone(), from);
    for steps in 0.. {
        if !frontier.is_disjoint(&to) {
            return Ok(Length::Steps(steps));
        }
        if frontier.is_empty() {
            break;
        }
        let mut next = BitSet::new();
        for state in frontier.iter() {
            interrupt()?;
            let targets = graph.leaving(state).map(|edge| graph.edges[edge].target as usize);
            next.extend(targets.filter(|&target| found.insert(target)));
        }
        frontier = next;
    }
    Ok(Length::Infinite)
}

/// `COMPUTE MAX [from, to]`: the number of steps until every path has arrived.
///
/// # Panics
/// When the formulas were not labelled.
pub fn longest<E>(
    graph: &Graph<'_>,
    labelling: &Labelling,
    from: FlatExpression,
    to: FlatExpression,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Length, E> {
    let reachable = |set| labelling.states(set).is_some_and(|states| !states.is_empty());
    let is_exception = labelling.fair().is_empty() && reachable(from) && reachable(to);
    let [from, to] = [from, to].map(|set| visible(labelling, set));
    if !is_exception && (from.is_empty() || to.is_empty()) {
        return Ok(Length::Undefined);
    }
    // The states where a path of this many steps starts that does not arrive, all of them outside.
    let mut outside = labelling.fair().clone();
    outside.subtract(&to);
    for steps in 0.. {
        if outside.is_disjoint(&from) {
            return Ok(Length::Steps(steps));
        }
        let mut before = BitSet::new();
        for state in outside.iter() {
            interrupt()?;
            let mut edges = graph.leaving(state);
            if edges.any(|edge| outside.contains(graph.edges[edge].target as usize)) {
                before.insert(state);
            }
        }
        if before == outside {
            break;
        }
        outside = before;
    }
    Ok(Length::Infinite)
}

/// The states of a formula where fair paths start.
fn visible(labelling: &Labelling, formula: FlatExpression) -> BitSet {
    let mut states = labelling.states(formula).expect("a labelled formula").clone();
    states.intersect_with(labelling.fair());
    states
}
