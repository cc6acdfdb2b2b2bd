//! Spaces that give their steps on partly known letters, for products; explicit automata among
//! them, and the product with one word.

use kermode_bdd::{Bdd, Cube, IrredundantCover, Literal, OutOfNodes, Variable};
use kermode_ltl::{Letter, Proposition, Word};

use crate::space::{NextStep, Space, Step};
use crate::tgba::{State, Tgba};

/// Propositions with the values that they must have.
pub type Literals = Vec<(Proposition, bool)>;

/// Partial knowledge of a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LetterKnowledge {
    /// The whole letter.
    Letter(Letter),
    /// These literals; all other propositions are open.
    Literals(Literals),
}

impl LetterKnowledge {
    /// The value of a proposition, if it is known.
    pub fn value(&self, proposition: Proposition) -> Option<bool> {
        match self {
            LetterKnowledge::Letter(letter) => Some(letter.contains(proposition)),
            LetterKnowledge::Literals(literals) => value(literals, proposition),
        }
    }

    /// The knowledge together with these literals, which do not contradict it.
    pub(crate) fn with(&self, more: &Literals) -> LetterKnowledge {
        match self {
            LetterKnowledge::Letter(_) => self.clone(),
            LetterKnowledge::Literals(literals) => {
                LetterKnowledge::Literals(joined(literals, more))
            }
        }
    }
}

fn value(literals: &Literals, proposition: Proposition) -> Option<bool> {
    literals.iter().find(|literal| literal.0 == proposition).map(|literal| literal.1)
}

/// The union of two lists of literals that do not contradict each other.
pub(crate) fn joined(literals: &Literals, more: &Literals) -> Literals {
    let new = more.iter().filter(|literal| value(literals, literal.0).is_none());
    literals.iter().chain(new).copied().collect()
}

/// A space that gives its steps on partly known letters, for products.
pub trait OnLetter: Space {
    /// The cursor before the first step of a state on such a letter. The labels of these steps
    /// include the known literals.
    fn steps_on(
        &mut self,
        from: &Self::State,
        known: &LetterKnowledge,
    ) -> Result<Self::Cursor, Self::Stop>;
}

/// A space that gives all letters of a step, as a sum of products.
pub trait Letters: Space {
    /// A cursor among the products.
    type Products;

    /// The cursor before the first product.
    fn products(
        &mut self,
        from: &Self::State,
        step: &Step<Self::State>,
        label: &Self::Label,
    ) -> Result<Self::Products, Self::Stop>;

    /// The next product; advances the cursor.
    fn next_product(
        &mut self,
        products: &mut Self::Products,
    ) -> Result<Option<Literals>, Self::Stop>;
}

/// The transitions of a state from an index on, optionally only those whose labels intersect a
/// function.
#[derive(Clone, Debug)]
pub struct TransitionCursor {
    state: State,
    next: usize,
    known: Option<Bdd>,
}

impl Space for &Tgba {
    type State = State;
    type Label = Bdd;
    type Cursor = TransitionCursor;
    type Stop = OutOfNodes;

    fn initial(&mut self) -> Result<Vec<State>, OutOfNodes> {
        Ok(Tgba::initial(self).to_vec())
    }

    fn mark_count(&self) -> usize {
        Tgba::mark_count(self)
    }

    fn steps(&mut self, &state: &State) -> Result<TransitionCursor, OutOfNodes> {
        Ok(TransitionCursor { state, next: 0, known: None })
    }

    fn next_step(&mut self, cursor: &mut TransitionCursor) -> NextStep<Self> {
        while let Some(transition) = self.successors(cursor.state).get(cursor.next) {
            cursor.next += 1;
            let label = match &cursor.known {
                None => transition.label.clone(),
                Some(known) => transition.label.and(known)?,
            };
            if !label.is_bottom() {
                let step = Step { to: transition.target, marks: transition.marks.clone() };
                return Ok(Some((step, label)));
            }
        }
        Ok(None)
    }

    fn letter(&mut self, _: &State, _: &Step<State>, label: &Bdd) -> Result<Letter, OutOfNodes> {
        let cube = label.pick_cube().expect("no label is false");
        Ok(letter_of(&literals_of(&cube, self.propositions())))
    }

    fn describe(&self, state: &State) -> String {
        self.name(*state).map_or_else(|| state.index().to_string(), str::to_owned)
    }
}

impl OnLetter for &Tgba {
    fn steps_on(
        &mut self,
        &state: &State,
        known: &LetterKnowledge,
    ) -> Result<TransitionCursor, OutOfNodes> {
        let literal = |(index, &proposition): (usize, &Proposition)| {
            let variable = Variable(index as u32);
            known.value(proposition).map(|positive| Literal { variable, positive })
        };
        let known = self.propositions().iter().enumerate().filter_map(literal).collect();
        Ok(TransitionCursor { state, next: 0, known: Some(self.manager().cube(&known)?) })
    }
}

impl Letters for &Tgba {
    type Products = IrredundantCover;

    fn products(
        &mut self,
        _: &State,
        _: &Step<State>,
        label: &Bdd,
    ) -> Result<IrredundantCover, OutOfNodes> {
        Ok(label.each_cube_of_a_cover())
    }

    fn next_product(
        &mut self,
        products: &mut IrredundantCover,
    ) -> Result<Option<Literals>, OutOfNodes> {
        let cube = products.next_cube::<OutOfNodes>(&mut || Ok(()))?;
        Ok(cube.map(|cube| literals_of(&cube, self.propositions())))
    }
}

/// A letter with these literals, in which no other proposition holds.
pub(crate) fn letter_of(literals: &Literals) -> Letter {
    literals.iter().filter(|literal| literal.1).map(|literal| literal.0).collect()
}

/// The literals of a cube whose variable `i` is the proposition `i` of a list.
pub(crate) fn literals_of(cube: &Cube, propositions: &[Proposition]) -> Literals {
    let literals = cube.literals().iter();
    literals.map(|literal| (propositions[literal.variable.index()], literal.positive)).collect()
}

/// A space that reads one word: its product with a lasso. The word is accepted if the product is
/// not empty.
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

impl<S: OnLetter> Space for Along<'_, S> {
    type State = (S::State, usize);
    type Label = ();
    /// The position in the word after the step, and a cursor among the steps.
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
        let letter = LetterKnowledge::Letter(self.word.letters()[*position].clone());
        Ok(Some((after, self.space.steps_on(state, &letter)?)))
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
