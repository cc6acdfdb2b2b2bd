//! The search for a finite word: a path to a state in which the word can end.
//!
//! Invariant: the excluded states are those whose demands include all demands of a visited state,
//! or all demands of a *core*: a set that cannot be last, and whose successors are all excluded. So
//! from an excluded state no ending is nearer than from some visited state.

use kermode_ltl::{Letter, Word};

use crate::engines::sat::mistakes::Mistake;
use crate::engines::sat::step::{OneStep, State, joined};
use crate::frame::answer::{Answer, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;
use crate::frame::problem::WitnessPolicy;
use crate::frame::witness::nonempty;

/// A state on the path.
struct Visit {
    state: State,
    /// The demands for which the word cannot end in the state.
    unending: State,
    /// The letter of the step to the next state of the path.
    letter: Letter,
}

/// Decides whether there is a finite word.
pub(super) fn search(
    mut step: OneStep,
    witness: WitnessPolicy,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Answer, Stop> {
    let (mut path, mut states) = (Vec::new(), 0);
    let found = find(&mut step, &mut path, &mut states, budget, observer);
    step.context.tell(observer);
    observer.statistic("states_met", states);
    if !found? {
        return Ok(Answer::Empty(None));
    }
    let letters = path.into_iter().map(|visit| visit.letter).chain([step.letter()]).collect();
    Ok(nonempty(witness, budget, |_| Ok(Some(Witness::Word(Word::finite(letters))))))
}

/// Whether an ending was found; then the path leads to it, and the last assignment is its letter.
fn find(
    step: &mut OneStep,
    path: &mut Vec<Visit>,
    states: &mut u64,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<bool, Stop> {
    // Excluded states matter for moves only, not for the end.
    let moves = step.context.fresh();
    let mut new = Some(step.initial());
    loop {
        budget.check()?;
        if let Some(state) = new.take() {
            *states += 1;
            if step.is_last(&state)? {
                return Ok(true);
            }
            let unending = step.core(&state);
            step.exclude(&state, &[!moves]);
            path.push(Visit { state, unending, letter: Letter::default() });
        }
        observer.progress(&|| format!("{states} states, {} on the path", path.len()));
        let Some(visit) = path.last_mut() else { return Ok(false) };
        match step.next(&visit.state, &[moves])? {
            Some(found) => {
                visit.letter = found.letter;
                new = Some(found.state);
            }
            None => {
                let mut core = step.core(&visit.state);
                if !step.context.has(Mistake::CoreIgnoresEnd) {
                    core = joined(&core, &visit.unending);
                }
                step.exclude(&core, &[!moves]);
                path.pop();
            }
        }
    }
}
