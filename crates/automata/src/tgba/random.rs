//! Random generalised Büchi automata, for tests and benchmarks.
//!
//! As in [`crate::random`], **the order in which numbers are drawn is part of the interface**.

use kermode_base::Rng;
use kermode_bdd::{Bdd, Manager, OutOfNodes, Variable};
use kermode_ltl::Proposition;

use super::graph::{Marks, State, Tgba};

/// Parameters of random automata.
#[derive(Clone, Debug)]
pub struct RandomTgba {
    /// The number of states.
    pub states: usize,
    /// The number of marks.
    pub marks: usize,
    /// The propositions of labels.
    pub propositions: Vec<Proposition>,
    /// The largest number of transitions per state.
    pub transitions: usize,
}

impl RandomTgba {
    /// Draws an automaton with labels in the manager. Of three marks a transition has one on
    /// average.
    ///
    /// # Panics
    /// When there are no states.
    pub fn draw(&self, manager: &Manager, rng: &mut Rng) -> Result<Tgba, OutOfNodes> {
        let mut automaton = Tgba::new(manager.clone(), self.propositions.clone(), self.marks);
        for index in 0..self.states {
            let state = automaton.add_state();
            if index == 0 || rng.below(4) == 0 {
                automaton.add_initial(state);
            }
        }
        for source in automaton.states() {
            for _ in 0..rng.between(0, self.transitions) {
                let target = State::from_index(rng.below(self.states));
                let label = self.draw_label(manager, rng)?;
                let marks: Marks = (0..self.marks).filter(|_| rng.below(3) == 0).collect();
                automaton.add_transition(source, target, label, marks);
            }
        }
        Ok(automaton)
    }

    /// Each proposition is positive, negative or open; with low probability the label has a second
    /// product.
    fn draw_label(&self, manager: &Manager, rng: &mut Rng) -> Result<Bdd, OutOfNodes> {
        let mut label = manager.top();
        for index in 0..self.propositions.len() {
            let variable = Variable(index as u32);
            match rng.below(4) {
                0 => label = label.and(&manager.literal(variable, true)?)?,
                1 => label = label.and(&manager.literal(variable, false)?)?,
                2 if rng.coin() => label = label.or(&manager.literal(variable, rng.coin())?)?,
                _ => {}
            }
        }
        Ok(label)
    }
}
