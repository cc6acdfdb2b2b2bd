//! The word of an accepting component: a shortest path to it and a short cycle through it. Only
//! steps that the search has taken are followed again: a state may have many more.

use kermode_automata::space::{Space, Step};
use kermode_base::BitSet;
use kermode_ltl::{Letter, Word};

use super::fair_cycle::{Leaving, MarkedGraph, fair_cycle, shortest_path};
use super::traversal::Traversal;
use crate::frame::budget::Stop;

/// A step and its label.
type Labelled<S> = (Step<<S as Space>::State>, <S as Space>::Label);

impl<S: Space> MarkedGraph for Traversal<'_, S>
where
    Stop: From<S::Stop>,
{
    type Edge = Labelled<S>;

    fn mark_count(&self) -> usize {
        self.space.mark_count()
    }

    fn leaving(&mut self, state: u32) -> Result<Vec<Leaving<Labelled<S>>>, Stop> {
        let mut cursor = self.space.steps(&self.states[state as usize])?;
        let mut leaving = Vec::with_capacity(self.touched[state as usize]);
        for _ in 0..self.touched[state as usize] {
            self.budget.check()?;
            let Some((step, label)) = self.space.next_step(&mut cursor)? else { break };
            let to = self.states.get_index_of(&step.to).expect("the search has met it") as u32;
            let marks = Some(step.marks.clone());
            leaving.push(Leaving { from: state, to, marks, edge: (step, label) });
        }
        Ok(leaving)
    }
}

impl<S: Space> Traversal<'_, S>
where
    Stop: From<S::Stop>,
{
    /// The word of a lasso whose cycle has all marks and stays in these states. The steps of the
    /// search connect these states with each other and with an initial state.
    pub fn word(&mut self, component: &[u32]) -> Result<Word, Stop> {
        let initial = self.initial()?;
        let FairLasso { prefix, cycle } = fair_lasso(self, &initial, component)?;
        Ok(Word::lasso(self.letters(&prefix)?, self.letters(&cycle)?))
    }

    fn letters(&mut self, path: &[Leaving<Labelled<S>>]) -> Result<Vec<Letter>, Stop> {
        let mut letters = Vec::with_capacity(path.len());
        for Leaving { from, edge: (step, label), .. } in path {
            self.budget.check()?;
            letters.push(self.space.letter(&self.states[*from as usize], step, label)?);
        }
        Ok(letters)
    }
}

/// A path to a component, and a cycle in it that has all marks.
pub(crate) struct FairLasso<E> {
    pub(crate) prefix: Vec<Leaving<E>>,
    pub(crate) cycle: Vec<Leaving<E>>,
}

/// A lasso from one of some initial nodes whose cycle has all marks and stays in a component, which
/// must be strongly connected, reachable and accepting.
pub(crate) fn fair_lasso<G: MarkedGraph>(
    graph: &mut G,
    initial: &[u32],
    component: &[u32],
) -> Result<FairLasso<G::Edge>, Stop> {
    let inside: BitSet = component.iter().map(|&state| state as usize).collect();
    let is_inside = |state: u32| inside.contains(state as usize);
    let (prefix, entry) = match initial.iter().copied().find(|&state| is_inside(state)) {
        Some(entry) => (Vec::new(), entry),
        None => {
            let path = shortest_path(graph, initial, &|_| true, &|edge| is_inside(edge.to))?;
            let entry = path.last().map_or(0, |last| last.to);
            (path, entry)
        }
    };
    let cycle = fair_cycle(graph, entry, &is_inside)?;
    Ok(FairLasso { prefix, cycle })
}
