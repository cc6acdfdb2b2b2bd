//! Complete automata: a transition on every letter in every state.
//!
//! Missing letters lead to a *sink*, a state that is never left and whose loop has no mark. Without
//! marks every run would accept, so such an automaton first gets a mark on all of its transitions.
//! A transition to the sink is taken once, so its marks do not matter: it has those of its state,
//! if marks are on states.

use kermode_bdd::OutOfNodes;

use super::graph::{Marks, State, Tgba};

impl Tgba {
    /// A complete automaton with the same language and at least one initial state. It has at most
    /// one more state.
    pub fn completed(&self) -> Result<Tgba, OutOfNodes> {
        if !self.initial().is_empty() && self.is_complete(|_| true)? {
            return Ok(self.clone());
        }
        let mark_count = self.mark_count().max(1);
        let mut complete = self.sibling_with_states(mark_count);
        let sink = complete.add_state();
        for (source, t) in self.transitions() {
            let marks: Marks =
                if self.mark_count() == 0 { [0].into_iter().collect() } else { t.marks.clone() };
            complete.add_transition(source, t.target, t.label.clone(), marks);
        }
        for state in self.states() {
            let marks = complete.state_marks(state).unwrap_or_default();
            complete.add_transition(state, sink, self.letters(state)?.not()?, marks);
        }
        complete.add_transition(sink, sink, self.manager().top(), Marks::new());
        let initial = self.initial().iter().copied();
        let first = if self.initial().is_empty() { Some(sink) } else { None };
        initial.chain(first).for_each(|state: State| complete.add_initial(state));
        Ok(complete)
    }
}
