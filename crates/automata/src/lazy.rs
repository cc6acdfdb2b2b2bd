//! State spaces whose steps come one by one. A state can have exponentially many; a search that ends early has not
//! paid for those it did not look at.
//!
//! Every [`Space`] is such a space, one that makes the steps of a state all at once. Steps come in the same order each time
//! they are asked for, so a search can go along its steps again without having kept them.

use std::convert::Infallible;
use std::hash::Hash;
use std::vec::IntoIter;

use kermode_bdd::Bdd;
use kermode_ltl::{Letter, Word};

use crate::space::{Space, Step};
use crate::tgba::{State, Tgba};

/// A state space that is made step by step. What is said of marks at [`Space`] holds here.
pub trait Lazy {
    /// A state.
    type State: Clone + Eq + Hash;
    /// What a step knows of its letters.
    type Label: Clone;
    /// A place among the steps of a state.
    type Cursor;
    /// Why a question may get no answer.
    type Stop;

    /// Where the words begin.
    fn initial(&mut self) -> Result<Vec<Self::State>, Self::Stop>;

    /// How many acceptance conditions there are.
    fn mark_count(&self) -> usize;

    /// The place before the first step of a state.
    fn steps(&mut self, from: &Self::State) -> Result<Self::Cursor, Self::Stop>;

    /// The next step, which the cursor passes.
    fn next_step(&mut self, cursor: &mut Self::Cursor) -> NextStep<Self>;

    /// A letter with which a state can take a step.
    fn letter(
        &mut self,
        from: &Self::State,
        step: &Step<Self::State>,
        label: &Self::Label,
    ) -> Result<Letter, Self::Stop>;

    /// The state for people.
    fn describe(&self, state: &Self::State) -> String;
}

/// A step with its label, nothing behind the last one.
pub type NextStep<S> =
    Result<Option<(Step<<S as Lazy>::State>, <S as Lazy>::Label)>, <S as Lazy>::Stop>;

/// A space that can be asked for its steps on one letter, for products with what knows the letter.
pub trait OnLetter: Lazy {
    /// The place before the first step of a state that reads the letter.
    fn steps_on(&mut self, from: &Self::State, letter: &Letter)
    -> Result<Self::Cursor, Self::Stop>;
}

impl<S: Space> Lazy for S {
    type State = S::State;
    type Label = ();
    type Cursor = IntoIter<Step<S::State>>;
    type Stop = S::Stop;

    fn initial(&mut self) -> Result<Vec<S::State>, S::Stop> {
        Space::initial(self)
    }

    fn mark_count(&self) -> usize {
        Space::mark_count(self)
    }

    fn steps(&mut self, from: &S::State) -> Result<Self::Cursor, S::Stop> {
        Ok(self.successors(from)?.into_iter())
    }

    fn next_step(&mut self, cursor: &mut Self::Cursor) -> NextStep<Self> {
        Ok(cursor.next().map(|step| (step, ())))
    }

    fn letter(
        &mut self,
        from: &S::State,
        step: &Step<S::State>,
        (): &(),
    ) -> Result<Letter, S::Stop> {
        Space::letter(self, from, step)
    }

    fn describe(&self, state: &S::State) -> String {
        Space::describe(self, state)
    }
}

/// The transitions of a state from a number on, perhaps those on one letter only.
#[derive(Clone, Debug)]
pub struct Transitions {
    state: State,
    next: usize,
    letter: Option<Letter>,
}

impl Lazy for &Tgba {
    type State = State;
    type Label = Bdd;
    type Cursor = Transitions;
    type Stop = Infallible;

    fn initial(&mut self) -> Result<Vec<State>, Infallible> {
        Ok(Tgba::initial(self).to_vec())
    }

    fn mark_count(&self) -> usize {
        Tgba::mark_count(self)
    }

    fn steps(&mut self, &state: &State) -> Result<Transitions, Infallible> {
        Ok(Transitions { state, next: 0, letter: None })
    }

    fn next_step(&mut self, cursor: &mut Transitions) -> NextStep<Self> {
        while let Some(transition) = self.successors(cursor.state).get(cursor.next) {
            cursor.next += 1;
            let reads = |letter| self.reads(&transition.label, letter);
            if cursor.letter.as_ref().is_none_or(reads) {
                let step = Step { to: transition.target, marks: transition.marks.clone() };
                return Ok(Some((step, transition.label.clone())));
            }
        }
        Ok(None)
    }

    fn letter(&mut self, _: &State, _: &Step<State>, label: &Bdd) -> Result<Letter, Infallible> {
        let cube = label.pick_cube().expect("no label is false");
        let positive = cube.literals().iter().filter(|literal| literal.positive);
        Ok(positive.map(|literal| self.propositions()[literal.variable.index()]).collect())
    }

    fn describe(&self, state: &State) -> String {
        self.name(*state).map_or_else(|| state.index().to_string(), str::to_owned)
    }
}

impl OnLetter for &Tgba {
    fn steps_on(&mut self, &state: &State, letter: &Letter) -> Result<Transitions, Infallible> {
        Ok(Transitions { state, next: 0, letter: Some(letter.clone()) })
    }
}

/// A space that reads one word: its product with a lasso. The word is accepted if the product is not empty.
pub struct Along<'w, S> {
    space: S,
    word: &'w Word,
}

impl<'w, S: OnLetter> Along<'w, S> {
    /// The product of a space and a lasso.
    pub fn new(space: S, word: &'w Word) -> Self {
        Along { space, word }
    }
}

impl<S: OnLetter> Lazy for Along<'_, S> {
    type State = (S::State, usize);
    type Label = ();
    /// The place in the word behind the steps, and a place among them.
    type Cursor = Option<(usize, S::Cursor)>;
    type Stop = S::Stop;

    fn initial(&mut self) -> Result<Vec<Self::State>, S::Stop> {
        Ok(self.space.initial()?.into_iter().map(|state| (state, 0)).collect())
    }

    fn mark_count(&self) -> usize {
        self.space.mark_count()
    }

    fn steps(&mut self, (state, position): &Self::State) -> Result<Self::Cursor, S::Stop> {
        let Some(after) = self.word.successor(*position) else { return Ok(None) };
        Ok(Some((after, self.space.steps_on(state, &self.word.letters()[*position])?)))
    }

    fn next_step(&mut self, cursor: &mut Self::Cursor) -> NextStep<Self> {
        let Some((after, cursor)) = cursor else { return Ok(None) };
        let found = self.space.next_step(cursor)?;
        Ok(found.map(|(step, _)| (Step { to: (step.to, *after), marks: step.marks }, ())))
    }

    fn letter(
        &mut self,
        (_, position): &Self::State,
        _: &Step<Self::State>,
        (): &(),
    ) -> Result<Letter, S::Stop> {
        Ok(self.word.letters()[*position].clone())
    }

    fn describe(&self, (state, position): &Self::State) -> String {
        format!("{} at {position}", self.space.describe(state))
    }
}
