//! The word of an accepting component: a shortest way there and a short cycle through it, found breadth first along the steps
//! that the search has taken.
//!
//! From where the way ends, the cycle goes to the nearest step with a mark that is missing until none is, and then back.
//! Only steps that were taken are gone along again: a state may have many more.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use kermode_automata::lazy::Lazy;
use kermode_automata::space::Step;
use kermode_base::BitSet;
use kermode_ltl::{Letter, Word};
use rustc_hash::FxHashMap;

use super::traversal::Traversal;
use crate::frame::budget::Stop;

/// A step, where it begins by its number.
struct Along<S: Lazy> {
    from: u32,
    step: Step<S::State>,
    label: S::Label,
}

/// The step by which each state was met, nothing for those at the start.
type Before<S> = FxHashMap<u32, Option<Along<S>>>;

impl<S: Lazy> Traversal<'_, S>
where
    Stop: From<S::Stop>,
{
    /// The word of a lasso whose cycle has all marks and stays in these states. The steps of the search connect them
    /// with each other and with an initial state.
    pub fn word(&mut self, component: &[u32]) -> Result<Word, Stop> {
        let inside: BitSet = component.iter().map(|&state| state as usize).collect();
        let is_inside = |state: u32| inside.contains(state as usize);
        let initial = self.initial()?;
        let (mut prefix, mut entry) = (Vec::new(), initial.iter().copied().find(|&s| is_inside(s)));
        if entry.is_none() {
            prefix = self.path(&initial, &|_| true, &|to, _| is_inside(to))?;
            entry = prefix.last().map(|last| self.number_of(&last.step.to));
        }
        let entry = entry.expect("a path leads to the component");
        let cycle = self.cycle(entry, &is_inside)?;
        Ok(Word::lasso(self.letters(&prefix)?, self.letters(&cycle)?))
    }

    /// A cycle through a state that has all marks and stays inside.
    fn cycle(
        &mut self,
        entry: u32,
        is_inside: &dyn Fn(u32) -> bool,
    ) -> Result<Vec<Along<S>>, Stop> {
        let mut missing: BitSet = (0..self.space.mark_count()).collect();
        let (mut cycle, mut here) = (Vec::new(), entry);
        while !missing.is_empty() {
            let serves = |_, marks: &BitSet| !marks.is_disjoint(&missing);
            let path = self.path(&[here], is_inside, &serves)?;
            path.iter().for_each(|along| missing.subtract(&along.step.marks));
            here = path.last().map_or(here, |last| self.number_of(&last.step.to));
            cycle.extend(path);
        }
        if here != entry || cycle.is_empty() {
            cycle.extend(self.path(&[here], is_inside, &|to, _| to == entry)?);
        }
        Ok(cycle)
    }

    /// A shortest path from one of some states through allowed ones whose last step is wanted.
    fn path(
        &mut self,
        from: &[u32],
        is_allowed: &dyn Fn(u32) -> bool,
        is_wanted: &dyn Fn(u32, &BitSet) -> bool,
    ) -> Result<Vec<Along<S>>, Stop> {
        let mut before: Before<S> = from.iter().map(|&state| (state, None)).collect();
        let mut queue: VecDeque<u32> = from.iter().copied().collect();
        while let Some(state) = queue.pop_front() {
            let mut cursor = self.space.steps(&self.states[state as usize])?;
            for _ in 0..self.touched[state as usize] {
                self.budget.check()?;
                let Some((step, label)) = self.space.next_step(&mut cursor)? else { break };
                let to = self.number_of(&step.to);
                if !is_allowed(to) {
                    continue;
                }
                let along = Along { from: state, step, label };
                if is_wanted(to, &along.step.marks) {
                    return Ok(traced(along, before));
                }
                if let Entry::Vacant(unmet) = before.entry(to) {
                    unmet.insert(Some(along));
                    queue.push_back(to);
                }
            }
        }
        unreachable!("the steps of the search connect the component")
    }

    fn number_of(&self, state: &S::State) -> u32 {
        self.states.get_index_of(state).expect("the search has met it") as u32
    }

    fn letters(&mut self, path: &[Along<S>]) -> Result<Vec<Letter>, Stop> {
        let mut letters = Vec::with_capacity(path.len());
        for Along { from, step, label } in path {
            self.budget.check()?;
            letters.push(self.space.letter(&self.states[*from as usize], step, label)?);
        }
        Ok(letters)
    }
}

/// The path that ends with a step.
fn traced<S: Lazy>(last: Along<S>, mut before: Before<S>) -> Vec<Along<S>> {
    let mut path = vec![last];
    while let Some(Some(along)) = before.remove(&path[path.len() - 1].from) {
        path.push(along);
    }
    path.reverse();
    path
}
