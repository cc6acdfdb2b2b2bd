//! The magic search of Godefroid and Holzmann \[GH93\], after the nested search of \[CVWY92\]: each
//! time the first search leaves an accepting state, a second search looks for a path back to it.
//!
//! The second search never enters a state twice, not even from different accepting states. The
//! states that it entered reach no accepting state that the first search leaves later: that state
//! would be on the path to the earlier one, and the earlier one would be on a cycle, which its own
//! second search would have found. The search stores two bits per state. It supports one mark only,
//! and it may traverse all steps of an accepting cycle long before it leaves the accepting state;
//! [`couvreur`](super::couvreur()) is measured against it.

use kermode_base::BitSet;

use super::graph::SearchGraph;
use crate::frame::budget::Stop;

/// The states of an accepting cycle, or nothing if the graph has none. It has one mark, on all
/// steps that leave accepting states.
pub fn magic<G: SearchGraph>(graph: &mut G) -> Result<Option<Vec<u32>>, Stop> {
    let mut entered = Entered::default();
    while let Some(start) = graph.next_initial()? {
        if entered.first.insert(start as usize) {
            graph.counts().rows += 1;
            let found = first_search(graph, &mut entered, start)?;
            if found.is_some() {
                return Ok(found);
            }
        }
    }
    Ok(None)
}

/// The states that each search has entered.
#[derive(Default)]
struct Entered {
    first: BitSet,
    second: BitSet,
}

impl Entered {
    fn bytes(&self) -> usize {
        (self.first.words().len() + self.second.words().len()) * size_of::<u64>()
    }
}

fn first_search<G: SearchGraph>(
    graph: &mut G,
    entered: &mut Entered,
    start: u32,
) -> Result<Option<Vec<u32>>, Stop> {
    graph.enter(start)?;
    while graph.depth() > 0 {
        graph.counts().rows += 1;
        if let Some(step) = graph.advance()? {
            if entered.first.insert(step.to as usize) {
                graph.enter(step.to)?;
                let depth = graph.depth();
                graph.counts().deepest(depth);
            }
            continue;
        }
        let state = graph.last();
        graph.leave();
        if graph.is_accepting(state) {
            let found = second_search(graph, &mut entered.second, state)?;
            if found.is_some() {
                return Ok(found);
            }
        }
    }
    graph.counts().bytes = entered.bytes() as u64;
    Ok(None)
}

/// The states of a cycle through a state. The path of the first search is below that of the second.
fn second_search<G: SearchGraph>(
    graph: &mut G,
    entered: &mut BitSet,
    seed: u32,
) -> Result<Option<Vec<u32>>, Stop> {
    let first = graph.depth();
    graph.enter(seed)?;
    while graph.depth() > first {
        match graph.advance()? {
            None => graph.leave(),
            Some(step) if step.to == seed => return Ok(Some(path_above(graph, first))),
            Some(step) if entered.insert(step.to as usize) => graph.enter(step.to)?,
            Some(_) => {}
        }
    }
    Ok(None)
}

/// Removes the end of the path, and returns its states.
fn path_above<G: SearchGraph>(graph: &mut G, depth: usize) -> Vec<u32> {
    let mut path = Vec::with_capacity(graph.depth() - depth);
    while graph.depth() > depth {
        path.push(graph.last());
        graph.leave();
    }
    path.reverse();
    path
}
