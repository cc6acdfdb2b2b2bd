//! Fewer accepting states.
//!
//! Only cycles matter: a state of a Büchi automaton need not accept if every cycle through it has
//! another accepting state. With fewer accepting states more states simulate each other.

use super::graph::{Marks, State, Tgba};

impl Tgba {
    /// Whether a state of an automaton with marks on states has them all.
    ///
    /// # Panics
    /// When the transitions of the state have different marks.
    pub(super) fn is_accepting(&self, state: State) -> bool {
        let marks = self.state_marks(state).expect("marks are on states");
        marks.len() == self.mark_count()
    }

    /// The same language with accepting states of which none can be left out, for an automaton with
    /// at most one mark, on states.
    pub(super) fn with_fewest_accepting<E>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Tgba, E> {
        let mut accepting: Vec<bool> = self.states().map(|s| self.is_accepting(s)).collect();
        for state in self.states() {
            if std::mem::replace(&mut accepting[state.index()], false) {
                let needed = is_on_rejecting_cycle(self, &accepting, state, interrupt)?;
                accepting[state.index()] = needed;
            }
        }
        let mut changed = self.sibling_with_states(1);
        for (source, t) in self.transitions() {
            let marks: Marks = accepting[source.index()].then_some(0).into_iter().collect();
            changed.add_transition(source, t.target, t.label.clone(), marks);
        }
        self.initial().iter().for_each(|&state| changed.add_initial(state));
        Ok(changed)
    }
}

/// Whether a state is on a cycle of states that do not accept.
fn is_on_rejecting_cycle<E>(
    automaton: &Tgba,
    accepting: &[bool],
    state: State,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    let mut reached = vec![false; automaton.state_count()];
    let mut todo = vec![state];
    while let Some(here) = todo.pop() {
        interrupt()?;
        for t in automaton.successors(here) {
            if t.target == state {
                return Ok(true);
            }
            let index = t.target.index();
            if !accepting[index] && !std::mem::replace(&mut reached[index], true) {
                todo.push(t.target);
            }
        }
    }
    Ok(false)
}
