//! The synchronous product of two spaces, on the fly: a state is a pair of states, and a step is
//! one of each on a common letter. The marks of the second space are numbered after those of the
//! first. A run accepts if both of its halves do, so a product of any number of automata needs no
//! counter.
//!
//! A step of the first space has many letters. They are split into products of literals, and the
//! second space is expanded with these literals bound (the end of section 3 of \[Cou99\]), which
//! avoids its steps on other letters. A product of literals leaves some propositions open; the
//! second space chooses them freely, since the first accepts either value. So the second space may
//! be one that loses words, as long as it loses none on bound letters. The first may not.
//!
//! Invariant: the labels of the second space include the bound literals. So its letter, with the
//! propositions added that it does not mention, is a letter of the first as well.

use kermode_ltl::Letter;

use crate::on_letter::{LetterKnowledge, Letters, Literals, OnLetter, joined, letter_of};
use crate::space::{NextStep, Space, Step};

/// The product of two spaces with letters of one store.
pub struct Product<A, B> {
    first: A,
    second: B,
}

impl<A: Letters, B: OnLetter<Stop: From<A::Stop>>> Product<A, B> {
    /// The product of a space that gives its letters and a space that reads them.
    pub fn new(first: A, second: B) -> Self {
        Product { first, second }
    }

    /// Advances to the next product of literals of the first space's step, with the steps of the
    /// second space on it.
    fn next_match(&mut self, cursor: &mut Pairs<A, B>) -> Result<bool, B::Stop> {
        loop {
            if let Some(Half { products, .. }) = &mut cursor.half
                && let Some(literals) = self.first.next_product(products)?
            {
                let known = cursor.known.with(&literals);
                let steps = self.second.steps_on(&cursor.from.1, &known)?;
                cursor.matching = Some((literals, steps));
                return Ok(true);
            }
            let Some((step, label)) = self.first.next_step(&mut cursor.steps)? else {
                return Ok(false);
            };
            let products = self.first.products(&cursor.from.0, &step, &label)?;
            cursor.half = Some(Half { step, products });
        }
    }

    /// The step of the pair.
    fn joined(&self, a: &Step<A::State>, b: Step<B::State>) -> Step<(A::State, B::State)> {
        let mut marks = a.marks.clone();
        marks.extend(b.marks.iter().map(|mark| mark + self.first.mark_count()));
        Step { to: (a.to.clone(), b.to), marks }
    }

    /// The half of a step that the second space takes.
    fn second_half(&self, step: &Step<(A::State, B::State)>) -> Step<B::State> {
        let before = self.first.mark_count();
        let marks = step.marks.iter().filter_map(|mark| mark.checked_sub(before)).collect();
        Step { to: step.to.1.clone(), marks }
    }
}

/// A step of the first space, and its remaining letters.
struct Half<A: Letters> {
    step: Step<A::State>,
    products: A::Products,
}

/// A cursor among the steps of a pair.
pub struct Pairs<A: Letters, B: Space> {
    from: (A::State, B::State),
    /// Partial knowledge of all letters.
    known: LetterKnowledge,
    steps: A::Cursor,
    half: Option<Half<A>>,
    /// The current letters, and the steps of the second space on them.
    matching: Option<(Literals, B::Cursor)>,
}

impl<A: Letters, B: OnLetter<Stop: From<A::Stop>>> Space for Product<A, B> {
    type State = (A::State, B::State);
    /// The literals of the first space, and the label of the second.
    type Label = (Literals, B::Label);
    type Cursor = Pairs<A, B>;
    type Stop = B::Stop;

    fn initial(&mut self) -> Result<Vec<Self::State>, B::Stop> {
        let (first, second) = (self.first.initial()?, self.second.initial()?);
        let pairs =
            |a: &A::State| second.iter().map(|b| (a.clone(), b.clone())).collect::<Vec<_>>();
        Ok(first.iter().flat_map(pairs).collect())
    }

    fn mark_count(&self) -> usize {
        self.first.mark_count() + self.second.mark_count()
    }

    fn steps(&mut self, from: &Self::State) -> Result<Pairs<A, B>, B::Stop> {
        let (steps, known) =
            (self.first.steps(&from.0)?, LetterKnowledge::Literals(Literals::new()));
        Ok(Pairs { from: from.clone(), known, steps, half: None, matching: None })
    }

    fn next_step(&mut self, cursor: &mut Pairs<A, B>) -> NextStep<Self> {
        loop {
            if let (Some(half), Some((literals, steps))) = (&cursor.half, &mut cursor.matching)
                && let Some((step, label)) = self.second.next_step(steps)?
            {
                return Ok(Some((self.joined(&half.step, step), (literals.clone(), label))));
            }
            if !self.next_match(cursor)? {
                return Ok(None);
            }
        }
    }

    fn letter(
        &mut self,
        (_, from): &Self::State,
        step: &Step<Self::State>,
        (literals, label): &Self::Label,
    ) -> Result<Letter, B::Stop> {
        let letter = self.second.letter(from, &self.second_half(step), label)?;
        Ok(letter.iter().chain(letter_of(literals).iter()).collect())
    }

    fn describe(&self, (a, b): &Self::State) -> String {
        format!("{}, {}", self.first.describe(a), self.second.describe(b))
    }
}

impl<A: Letters + OnLetter, B: OnLetter<Stop: From<A::Stop>>> OnLetter for Product<A, B> {
    fn steps_on(
        &mut self,
        from: &Self::State,
        known: &LetterKnowledge,
    ) -> Result<Pairs<A, B>, B::Stop> {
        let (steps, known) = (self.first.steps_on(&from.0, known)?, known.clone());
        Ok(Pairs { from: from.clone(), known, steps, half: None, matching: None })
    }
}

impl<A: Letters, B: Letters + OnLetter<Stop: From<A::Stop>>> Letters for Product<A, B> {
    type Products = (Literals, B::Products);

    fn products(
        &mut self,
        (_, from): &Self::State,
        step: &Step<Self::State>,
        (literals, label): &Self::Label,
    ) -> Result<Self::Products, B::Stop> {
        let products = self.second.products(from, &self.second_half(step), label)?;
        Ok((literals.clone(), products))
    }

    fn next_product(
        &mut self,
        (literals, products): &mut Self::Products,
    ) -> Result<Option<Literals>, B::Stop> {
        let product = self.second.next_product(products)?;
        Ok(product.map(|product| joined(&product, literals)))
    }
}
