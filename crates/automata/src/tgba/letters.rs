//! Automata over the same letters: to combine two automata, their labels must be in one manager,
//! over one list of propositions.

use std::borrow::Cow;

use indexmap::IndexSet;
use kermode_bdd::{CannotStart, Capacity, Manager, OutOfNodes, Variable};
use kermode_ltl::Proposition;
use rustc_hash::FxBuildHasher;

use super::graph::Tgba;

impl Tgba {
    /// Whether labels of both automata can be conjoined.
    pub fn has_letters_of(&self, other: &Tgba) -> bool {
        self.manager() == other.manager() && self.propositions() == other.propositions()
    }

    /// The same automaton over a list of propositions that includes its own, with labels in another
    /// manager.
    ///
    /// # Panics
    /// When one of its propositions is not in the list, or there are fewer variables than
    /// propositions.
    pub fn over(
        &self,
        manager: &Manager,
        propositions: &IndexSet<Proposition, FxBuildHasher>,
    ) -> Result<Tgba, OutOfNodes> {
        let place = |p| propositions.get_index_of(p).expect("the list has all propositions");
        let variables: Vec<Variable> =
            self.propositions().iter().map(|p| Variable(place(p) as u32)).collect();
        let list = propositions.iter().copied().collect();
        let mut copy = Tgba::new(manager.clone(), list, self.mark_count());
        copy.include(self, |label| label.copy_renamed(manager, |v| variables[v.index()]))?;
        Ok(copy)
    }
}

/// Two automata over the same letters, unchanged if they already are.
pub(super) fn in_common<'a, E>(
    a: &'a Tgba,
    b: &'a Tgba,
) -> Result<(Cow<'a, Tgba>, Cow<'a, Tgba>), E>
where
    E: From<OutOfNodes> + From<CannotStart>,
{
    if a.has_letters_of(b) {
        return Ok((Cow::Borrowed(a), Cow::Borrowed(b)));
    }
    let all = a.propositions().iter().chain(b.propositions());
    let propositions: IndexSet<Proposition, FxBuildHasher> = all.copied().collect();
    let [first, second] = [a, b].map(|automaton| automaton.manager().capacity());
    let manager = match a.manager() == b.manager() && propositions.len() <= first.variables {
        true => a.manager().clone(),
        false => Manager::new(Capacity {
            variables: propositions.len(),
            nodes: first.nodes.max(second.nodes),
            cache: first.cache.max(second.cache),
        })?,
    };
    let over = |automaton: &Tgba| automaton.over(&manager, &propositions);
    Ok((Cow::Owned(over(a)?), Cow::Owned(over(b)?)))
}
