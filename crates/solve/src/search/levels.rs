//! Degeneralisation on the fly: the product with the counter of Fig. 5 of \[Cou99\].
//!
//! At level `l` the marks below `l` were seen in this round, and mark `l` is next. A step raises
//! the level by as many marks as it has in a row. The last level is that of complete rounds. States
//! there are accepting, and continue as at level 0.
//!
//! The components are unknown during the search, so levels cannot be saved as
//! [`degeneralise`](kermode_automata::tgba::degeneralise) does on a whole automaton.

use kermode_automata::space::{NextStep, Space, Step};
use kermode_base::BitSet;
use kermode_ltl::Letter;

/// A space with one mark, on all steps that leave accepting states.
pub struct Levels<S> {
    space: S,
}

impl<S: Space> Levels<S> {
    /// The levels of a space.
    pub fn new(space: S) -> Self {
        Levels { space }
    }

    /// Whether a round is complete in the state.
    pub fn is_accepting(&self, (_, level): &(S::State, usize)) -> bool {
        *level == self.space.mark_count()
    }
}

/// The level after a step with some of so many marks.
pub(crate) fn raised(level: usize, marks: &BitSet, mark_count: usize) -> usize {
    let level = if level == mark_count { 0 } else { level };
    (level..mark_count).find(|&mark| !marks.contains(mark)).unwrap_or(mark_count)
}

impl<S: Space> Space for Levels<S> {
    type State = (S::State, usize);
    type Label = (S::Label, BitSet);
    /// The level before the steps, and a cursor among them.
    type Cursor = (usize, S::Cursor);
    type Stop = S::Stop;

    fn initial(&mut self) -> Result<Vec<Self::State>, S::Stop> {
        Ok(self.space.initial()?.into_iter().map(|state| (state, 0)).collect())
    }

    fn mark_count(&self) -> usize {
        1
    }

    fn steps(&mut self, (state, level): &Self::State) -> Result<Self::Cursor, S::Stop> {
        Ok((*level, self.space.steps(state)?))
    }

    fn next_step(&mut self, (level, cursor): &mut Self::Cursor) -> NextStep<Self> {
        let Some((step, label)) = self.space.next_step(cursor)? else { return Ok(None) };
        let complete = *level == self.space.mark_count();
        let to = (step.to, raised(*level, &step.marks, self.space.mark_count()));
        let marks = complete.then_some(0).into_iter().collect();
        Ok(Some((Step { to, marks }, (label, step.marks))))
    }

    fn letter(
        &mut self,
        (from, _): &Self::State,
        step: &Step<Self::State>,
        (label, marks): &Self::Label,
    ) -> Result<Letter, S::Stop> {
        let step = Step { to: step.to.0.clone(), marks: marks.clone() };
        self.space.letter(from, &step, label)
    }

    fn describe(&self, (state, level): &Self::State) -> String {
        format!("{} at level {level}", self.space.describe(state))
    }
}
