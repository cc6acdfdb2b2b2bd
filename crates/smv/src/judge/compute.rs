//! COMPUTE: the smallest and the largest number of steps from some states to others \[CCMMH94\].
//!
//! All paths count, fair or not. Both sets are sets of reachable states.

use std::fmt;

use kermode_base::BitSet;

use super::Graph;

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
pub fn shortest<E>(
    graph: &Graph<'_>,
    from: &BitSet,
    to: &BitSet,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Length, E> {
    let (mut found, mut frontier) = (from.clone(), from.clone());
    for steps in 0.. {
        if !frontier.is_disjoint(to) {
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

/// `COMPUTE MAX [from, to]`: the number of steps until a path must have arrived. A path that ends
/// before that counts as if one more step led there.
pub fn longest<E>(
    graph: &Graph<'_>,
    from: &BitSet,
    to: &BitSet,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Length, E> {
    if from.is_empty() || to.is_empty() {
        return Ok(Length::Undefined);
    }
    // The states where a path of this many steps starts that does not arrive, all of them outside.
    let mut outside: BitSet = (0..graph.states.len()).filter(|&s| !to.contains(s)).collect();
    for steps in 0.. {
        if outside.is_disjoint(from) {
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
