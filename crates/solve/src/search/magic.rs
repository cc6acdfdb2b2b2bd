//! The magic search of Godefroid and Holzmann [GH93], after the nested search of [CVWY92]: each
//! time that the first search leaves an accepting state, a second one looks for a way back to it.
//!
//! The second search never enters a state twice, also not from different accepting states. What one
//! of them went through reaches no accepting state that is left later: that state would be on the
//! path to the earlier one, and the earlier one thus on a cycle, which its own second search had
//! found. Two bits a state are all it remembers. It knows one mark only, and it can have gone along
//! all steps of an accepting cycle long before it leaves the state that tells it so; with
//! [`couvreur`](super::couvreur()) beside it both can be measured.

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

/// The states that each of the searches has entered.
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
