//! The magic search of Godefroid and Holzmann \[GH93\], after the nested search of \[CVWY92\]: each
//! time the first search leaves an accepting state, a second search looks for a path back to it.
//!
//! The second search never enters a state twice, not even from different accepting states. The
//! states that it entered reach no accepting state that the first search leaves later: that state
//! would be on the path to the earlier one, and the earlier one would be on a cycle, which its own
//! second search would have found. The search stores two bits per state. It supports one mark only,
//! and it may traverse all steps of an accepting cycle long before it leaves the accepting state;
//! [`couvreur`](super::couvreur()) is measured against it.

use kermode_automata::space::Space;
use kermode_base::BitSet;

use super::levels::Levels;
use super::traversal::{Frame, Traversal};
use crate::frame::budget::Stop;

/// The states of an accepting cycle, or nothing if the space has none.
pub fn magic<S: Space>(traversal: &mut Traversal<Levels<S>>) -> Result<Option<Vec<u32>>, Stop>
where
    Stop: From<S::Stop>,
{
    let mut entered = Entered::default();
    for start in traversal.initial()? {
        if entered.first.insert(start as usize) {
            traversal.counts.rows += 1;
            let found = first_search(traversal, &mut entered, start)?;
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

fn first_search<S: Space>(
    traversal: &mut Traversal<Levels<S>>,
    entered: &mut Entered,
    start: u32,
) -> Result<Option<Vec<u32>>, Stop>
where
    Stop: From<S::Stop>,
{
    let mut path = vec![traversal.frame(start)?];
    while let Some(frame) = path.last_mut() {
        traversal.counts.rows += 1;
        if let Some(step) = traversal.advance(frame)? {
            if entered.first.insert(step.to as usize) {
                path.push(traversal.frame(step.to)?);
            }
            continue;
        }
        let state = frame.state;
        path.pop();
        if traversal.space.is_accepting(traversal.state(state)) {
            let found = second_search(traversal, &mut entered.second, state)?;
            if found.is_some() {
                return Ok(found);
            }
        }
    }
    Ok(None)
}

/// The states of a cycle through a state.
fn second_search<S: Space>(
    traversal: &mut Traversal<Levels<S>>,
    entered: &mut BitSet,
    seed: u32,
) -> Result<Option<Vec<u32>>, Stop>
where
    Stop: From<S::Stop>,
{
    let mut path = vec![traversal.frame(seed)?];
    while let Some(frame) = path.last_mut() {
        match traversal.advance(frame)? {
            None => drop(path.pop()),
            Some(step) if step.to == seed => {
                let state = |frame: &Frame<_>| frame.state;
                return Ok(Some(path.iter().map(state).collect()));
            }
            Some(step) if entered.insert(step.to as usize) => {
                path.push(traversal.frame(step.to)?);
            }
            Some(_) => {}
        }
    }
    Ok(None)
}
