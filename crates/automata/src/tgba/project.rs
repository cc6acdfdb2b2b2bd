//! The words of an automaton, seen through a part of their propositions: a letter leads on if it
//! does with some values of the hidden ones. That is how what an elimination has added is taken
//! away again, such as the propositions that remember the past: a word of the result is one of the
//! automaton once these are added to it.

use indexmap::IndexSet;
use kermode_bdd::{OutOfNodes, Variable};
use kermode_ltl::Proposition;
use rustc_hash::FxBuildHasher;

use super::graph::Tgba;

impl Tgba {
    /// The automaton over those propositions only that are not hidden, with labels in the same
    /// manager. States have no names, which may speak of what is hidden.
    pub fn projected(&self, hidden: impl Fn(Proposition) -> bool) -> Result<Tgba, OutOfNodes> {
        let propositions = self.propositions().iter().copied();
        let kept: IndexSet<Proposition, FxBuildHasher> =
            propositions.clone().filter(|&p| !hidden(p)).collect();
        let places: Vec<Option<usize>> = propositions.map(|p| kept.get_index_of(&p)).collect();
        let gone = places.iter().enumerate().filter(|(_, place)| place.is_none());
        let gone = self.manager().variable_set(gone.map(|(index, _)| Variable(index as u32)))?;
        let renamed =
            |v: Variable| Variable(places[v.index()].expect("what is hidden is gone") as u32);
        let list = kept.iter().copied().collect();
        let mut projected = Tgba::new(self.manager().clone(), list, self.mark_count());
        projected
            .include(self, |label| label.exists(&gone)?.copy_renamed(self.manager(), renamed))?;
        projected.forget_names();
        Ok(projected)
    }
}
