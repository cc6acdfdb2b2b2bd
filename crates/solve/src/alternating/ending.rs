//! Finite words for searches that know infinite ones: from final states a step leads to the end,
//! where a loop stays. Both have the one mark there is, so that also with levels the first step to
//! the end is the last of the way there.

use std::iter::Chain;
use std::option::IntoIter as OnceOrNever;
use std::vec::IntoIter;

use kermode_automata::space::{AllSteps, NextStep, Space, Step};
use kermode_base::BitSet;
use kermode_ltl::{Letter, Word};

/// A space whose words go on behind their ends.
pub(crate) struct Ending<S>(pub(crate) S);

/// A state, or the end.
type Perhaps<S> = Option<<S as Space>::State>;

/// The finite word of a lasso of such a space, whose loop is the end: without the letter of the
/// step to it.
pub(crate) fn cut(word: &Word) -> Word {
    let letters = word.prefix();
    Word::finite(letters[..letters.len().saturating_sub(1)].to_vec())
}

impl<S: Space<Label = (), Cursor = AllSteps<<S as Space>::State>>> Space for Ending<S> {
    type State = Perhaps<S>;
    type Label = ();
    type Cursor = Chain<OnceOrNever<Step<Perhaps<S>>>, IntoIter<Step<Perhaps<S>>>>;
    type Stop = S::Stop;

    fn initial(&mut self) -> Result<Vec<Perhaps<S>>, S::Stop> {
        Ok(self.0.initial()?.into_iter().map(Some).collect())
    }

    fn mark_count(&self) -> usize {
        1
    }

    fn steps(&mut self, from: &Perhaps<S>) -> Result<Self::Cursor, S::Stop> {
        let end = Step { to: None, marks: [0].into_iter().collect() };
        let Some(state) = from else { return Ok(Some(end).into_iter().chain(Vec::new())) };
        let end = self.0.is_final(state).then_some(end);
        let on = self.0.steps(state)?;
        let on = on.map(|step| Step { to: Some(step.to), marks: BitSet::new() });
        Ok(end.into_iter().chain(on.collect::<Vec<_>>()))
    }

    fn next_step(&mut self, cursor: &mut Self::Cursor) -> NextStep<Self> {
        Ok(cursor.next().map(|step| (step, ())))
    }

    fn letter(
        &mut self,
        from: &Perhaps<S>,
        step: &Step<Perhaps<S>>,
        (): &(),
    ) -> Result<Letter, S::Stop> {
        match (from, &step.to) {
            (Some(from), Some(to)) => {
                let step = Step { to: to.clone(), marks: step.marks.clone() };
                self.0.letter(from, &step, &())
            }
            _ => Ok(Letter::default()),
        }
    }

    fn describe(&self, state: &Perhaps<S>) -> String {
        state.as_ref().map_or_else(|| "end".to_owned(), |state| self.0.describe(state))
    }
}
