//! Complete automata: a transition on every letter in every state.
//!
//! Missing letters lead to a *sink*, a state that is never left. A transition to the sink is taken
//! once, so its marks do not matter: it has those of its state, if marks are on states. The marks
//! of the sink's loop decide whether words without a run in the given automaton are accepted.

use kermode_bdd::OutOfNodes;

use super::graph::{Marks, State, Tgba};

impl Tgba {
    /// A complete automaton with the same language and at least one initial state. It has at most
    /// one more state. Without marks every run would accept, so such an automaton gets a mark on
    /// all transitions but the sink's.
    pub fn completed(&self) -> Result<Tgba, OutOfNodes> {
        if !self.initial().is_empty() && self.is_complete(|_| true)? {
            return Ok(self.clone());
        }
        let mut complete = self.with_mark_count(self.mark_count().max(1));
        if self.mark_count() == 0 {
            let marks: Marks = [0].into_iter().collect();
            self.states().for_each(|state| complete.mark_all(state, &marks));
        }
        complete.add_sink(Marks::new())?;
        Ok(complete)
    }

    /// The same automaton with further marks, which no transition has.
    pub(super) fn with_mark_count(&self, mark_count: usize) -> Tgba {
        let mut copy = self.sibling_with_states(mark_count);
        for (source, t) in self.transitions() {
            copy.add_transition(source, t.target, t.label.clone(), t.marks.clone());
        }
        self.initial().iter().for_each(|&state| copy.add_initial(state));
        copy
    }

    /// Adds a sink if some state has no transition on some letter, or if there is no initial state.
    /// The loop of the sink has these marks.
    pub(super) fn add_sink(&mut self, marks: Marks) -> Result<(), OutOfNodes> {
        let mut sink: Option<State> = None;
        for state in self.states() {
            let missing = self.letters(state)?.not()?;
            if !missing.is_bottom() {
                let marks = self.state_marks(state).unwrap_or_default();
                let sink = *sink.get_or_insert_with(|| self.add_state());
                self.add_transition(state, sink, missing, marks);
            }
        }
        if self.initial().is_empty() {
            let sink = *sink.get_or_insert_with(|| self.add_state());
            self.add_initial(sink);
        }
        if let Some(sink) = sink {
            self.add_transition(sink, sink, self.manager().top(), marks);
        }
        Ok(())
    }
}
