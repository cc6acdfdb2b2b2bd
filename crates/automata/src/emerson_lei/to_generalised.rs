//! From an Emerson-Lei condition to a generalised Büchi condition.
//!
//! The new automaton has the states of the old one, and a copy of each region (`regions.rs`) that
//! lacks some transitions of its component. A run moves to a copy when it guesses that it stays
//! there: *from now on the transitions that the region lacks are not taken*. It may do so on one
//! transition of each cycle of the region, which is enough, since a run that stays takes it. A
//! region that is a whole component needs neither copy nor guess. The clauses of a region are its
//! marks; regions with fewer clauses than others get the missing marks on all transitions.

use kermode_base::BitSet;
use rustc_hash::FxHashMap;

use super::clauses::satisfied;
use super::condition::Condition;
use super::regions::{Region, regions};
use crate::tgba::{Marks, State, Tgba, Transition, trim};

/// The error for a condition that needs too many copies of the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the acceptance condition needs too many copies of the automaton")]
pub struct TooManyRegions;

/// An automaton with the language of a graph whose marks are the sets of a condition. Every state
/// is reachable and accepts some word.
pub fn to_generalised<E: From<TooManyRegions>>(
    graph: &Tgba,
    condition: &Condition,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let regions = regions(graph, condition, interrupt)?;
    let clauses = regions.iter().map(|region| region.clauses.len());
    let mark_count = clauses.max().unwrap_or(0).max(1);
    let mut copies = Copies { graph, mark_count, automaton: graph.sibling(mark_count) };
    copies.add_originals(&regions);
    for region in regions.iter().filter(|region| !region.whole) {
        interrupt()?;
        copies.add_copy(region);
    }
    Ok(trim(&copies.automaton))
}

struct Copies<'g> {
    graph: &'g Tgba,
    mark_count: usize,
    automaton: Tgba,
}

impl Copies<'_> {
    /// Adds the states of the automaton. Only whole regions have marks.
    fn add_originals(&mut self, regions: &[Region]) {
        for state in self.graph.states() {
            let copy = self.automaton.add_state();
            if let Some(name) = self.graph.name(state) {
                self.automaton.set_name(copy, name);
            }
        }
        let whole = regions.iter().filter(|region| region.whole);
        let region_of: FxHashMap<State, &Region> = whole
            .flat_map(|region| region.states.iter().map(move |&state| (state, region)))
            .collect();
        for (source, transition) in self.graph.transitions() {
            let region = region_of.get(&source);
            let region = region.filter(|r| r.states.binary_search(&transition.target).is_ok());
            let marks = region.map_or(Marks::new(), |region| self.marks(region, transition));
            let label = transition.label.clone();
            self.automaton.add_transition(source, transition.target, label, marks);
        }
        self.graph.initial().iter().for_each(|&state| self.automaton.add_initial(state));
    }

    fn marks(&self, region: &Region, transition: &Transition) -> Marks {
        let mut marks = satisfied(&region.clauses, &transition.marks);
        marks.extend(region.clauses.len()..self.mark_count);
        marks
    }

    /// Adds a copy of a region, and the transitions that lead there.
    fn add_copy(&mut self, region: &Region) {
        let copies: FxHashMap<State, State> =
            region.states.iter().map(|&state| (state, self.automaton.add_state())).collect();
        let transition =
            |&(state, place): &(State, usize)| (state, &self.graph.successors(state)[place]);
        let inner: Vec<(State, &Transition)> = region.inner.iter().map(transition).collect();
        let order = finished_first(&region.states, &inner);
        for (source, transition) in inner {
            let marks = self.marks(region, transition);
            let (label, target) = (transition.label.clone(), copies[&transition.target]);
            self.automaton.add_transition(copies[&source], target, label.clone(), marks);
            // A search that leaves a state last has no cycle without such a transition.
            if order[&source] <= order[&transition.target] {
                self.automaton.add_transition(source, target, label, Marks::new());
            }
        }
    }
}

/// For each state the time when a depth-first search along the transitions leaves it. Every cycle
/// has a transition to a state that is left at the same time or later.
fn finished_first(states: &[State], inner: &[(State, &Transition)]) -> FxHashMap<State, usize> {
    let successors = |state: State| {
        let begin = inner.partition_point(|(source, _)| *source < state);
        let end = inner.partition_point(|(source, _)| *source <= state);
        &inner[begin..end]
    };
    let mut times: FxHashMap<State, usize> = FxHashMap::default();
    let mut seen: BitSet = states.iter().take(1).map(|state| state.index()).collect();
    let mut path: Vec<(State, usize)> = states.iter().take(1).map(|&state| (state, 0)).collect();
    while let Some((state, next)) = path.last_mut() {
        match successors(*state).get(*next) {
            Some((_, transition)) => {
                *next += 1;
                if seen.insert(transition.target.index()) {
                    path.push((transition.target, 0));
                }
            }
            None => {
                times.insert(*state, times.len());
                path.pop();
            }
        }
    }
    times
}
