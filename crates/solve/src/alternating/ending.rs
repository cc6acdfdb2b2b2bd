//! Finite words for searches of infinite ones: final states have a step to an end state, which has
//! a loop. Both steps have the only mark, so that with levels, too, the first step to the end state
//! is the last one of the prefix.

use std::iter::Chain;
use std::option::IntoIter as OnceOrNever;
use std::vec::IntoIter;

use kermode_automata::space::{AllSteps, NextStep, Space, Step};
use kermode_base::BitSet;
use kermode_ltl::{Letter, Word};

/// A space whose finite words continue in an end state.
pub(crate) struct Ending<S>(pub(crate) S);

/// A state, or the end state.
type Perhaps<S> = Option<<S as Space>::State>;

/// The finite word of a lasso of such a space: the prefix without the letter of the step to the end
/// state.
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
