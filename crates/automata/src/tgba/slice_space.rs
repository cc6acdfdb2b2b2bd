//! The complement by slices as a state space on demand, so that inclusion is decided on the product
//! with another automaton without writing the complement out.

use kermode_bdd::{Bdd, Literal, OutOfNodes, Variable};
use kermode_ltl::{Letter, Proposition};

use super::graph::Marks;
use super::slices::{Slice, SliceComplement};
use crate::on_letter::{LetterKnowledge, OnLetter, letter_of, literals_of};
use crate::space::{NextStep, Space, Step};

/// A cursor among the steps of a slice.
pub struct SliceCursor {
    from: Slice,
    /// The next class of letters.
    class: usize,
    /// What is known of the letter.
    known: Bdd,
    /// The letters and the remaining steps of the present class.
    steps: (Bdd, Vec<(Slice, bool)>),
}

impl SliceComplement {
    fn cursor(&self, from: &Slice, known: Bdd) -> SliceCursor {
        let nothing = self.automaton().manager().bottom();
        SliceCursor { from: from.clone(), class: 0, known, steps: (nothing, Vec::new()) }
    }
}

impl Space for &SliceComplement {
    type State = Slice;
    type Label = Bdd;
    type Cursor = SliceCursor;
    type Stop = OutOfNodes;

    fn initial(&mut self) -> Result<Vec<Slice>, OutOfNodes> {
        Ok(self.initial_slices())
    }

    fn mark_count(&self) -> usize {
        1
    }

    fn steps(&mut self, from: &Slice) -> Result<SliceCursor, OutOfNodes> {
        Ok(self.cursor(from, self.automaton().manager().top()))
    }

    fn next_step(&mut self, cursor: &mut SliceCursor) -> NextStep<Self> {
        loop {
            if let Some((to, marked)) = cursor.steps.1.pop() {
                let marks: Marks = marked.then_some(0).into_iter().collect();
                return Ok(Some((Step { to, marks }, cursor.steps.0.clone())));
            }
            let Some(class) = self.classes().get(cursor.class) else { return Ok(None) };
            let letters = class.and(&cursor.known)?;
            if !letters.is_bottom() {
                cursor.steps = (letters, self.steps_on_class(&cursor.from, cursor.class));
            }
            cursor.class += 1;
        }
    }

    fn letter(&mut self, _: &Slice, _: &Step<Slice>, label: &Bdd) -> Result<Letter, OutOfNodes> {
        let cube = label.pick_cube().expect("no label is false");
        Ok(letter_of(&literals_of(&cube, self.automaton().propositions())))
    }

    fn describe(&self, state: &Slice) -> String {
        state.to_string()
    }
}

impl OnLetter for &SliceComplement {
    fn steps_on(
        &mut self,
        from: &Slice,
        known: &LetterKnowledge,
    ) -> Result<SliceCursor, OutOfNodes> {
        let literal = |(index, &proposition): (usize, &Proposition)| {
            let variable = Variable(index as u32);
            known.value(proposition).map(|positive| Literal { variable, positive })
        };
        let propositions = self.automaton().propositions().iter().enumerate();
        let known = self.automaton().manager().cube(&propositions.filter_map(literal).collect())?;
        Ok(self.cursor(from, known))
    }
}
