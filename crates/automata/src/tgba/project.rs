//! Projection: the words of an automaton restricted to some of their propositions. A letter is read
//! if it is read with some values of the hidden propositions. This removes the propositions that an
//! elimination has added, such as those for past operators.

use indexmap::IndexSet;
use kermode_bdd::{OutOfNodes, Variable};
use kermode_ltl::Proposition;
use rustc_hash::FxBuildHasher;

use super::graph::Tgba;

impl Tgba {
    /// The automaton without the hidden propositions, with labels in the same manager. States have
    /// no names, because names may mention hidden propositions.
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

    /// The same automaton over another list of propositions. `variable` maps the variables of
    /// labels to places of this list. States keep their names.
    pub(crate) fn with_propositions(
        &self,
        propositions: Vec<Proposition>,
        variable: impl Fn(Variable) -> Variable,
    ) -> Result<Tgba, OutOfNodes> {
        let mut renamed = Tgba::new(self.manager().clone(), propositions, self.mark_count());
        renamed.include(self, |label| label.copy_renamed(self.manager(), &variable))?;
        Ok(renamed)
    }
}
