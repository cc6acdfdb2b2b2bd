//! Regions: the parts of an automaton in which a run must count its marks.
//!
//! If every cycle through a state has all marks, the state may simply accept: a run that returns to
//! it saw all marks. Without such states, the cycles that remain in a component are those that
//! avoid them, and for these, other states may accept in the same way. So components split into
//! *regions*: single states that accept, states on no cycle with all marks, which reject, and the
//! rest, where marks have to be counted. A run that stays in no single region for ever visits
//! accepting states infinitely often, since regions that remain without them are not connected in
//! cycles.

use kermode_base::components_of_edges;

use super::components::Components;
use super::graph::{Marks, State, Tgba};

/// What a run that stays in a region needs to be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Acceptance {
    /// It is accepted.
    Always,
    /// It is rejected.
    Never,
    /// It must see all marks infinitely often.
    Marks,
}

/// The regions of an automaton.
pub(super) struct Regions {
    /// For each state the number of its region.
    region: Vec<usize>,
    /// For each region what it accepts.
    acceptance: Vec<Acceptance>,
}

impl Regions {
    /// The coarsest regions.
    pub(super) fn of<E>(
        automaton: &Tgba,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let parts = Components::try_of(automaton, interrupt)?.members();
        let mut split = RegionSplit {
            automaton,
            place: vec![None; automaton.state_count()],
            regions: Regions { region: vec![0; automaton.state_count()], acceptance: Vec::new() },
        };
        let mut todo = parts;
        while let Some(states) = todo.pop() {
            interrupt()?;
            split.split(&states, &mut todo, interrupt)?;
        }
        Ok(split.regions)
    }

    /// The number of regions.
    pub(super) fn len(&self) -> usize {
        self.acceptance.len()
    }

    /// The region of a state.
    pub(super) fn region(&self, state: State) -> usize {
        self.region[state.index()]
    }

    /// What a run that stays in the region of a state needs.
    pub(super) fn acceptance(&self, state: State) -> Acceptance {
        self.acceptance[self.region(state)]
    }

    fn add(&mut self, states: impl IntoIterator<Item = State>, acceptance: Acceptance) {
        for state in states {
            self.region[state.index()] = self.acceptance.len();
        }
        self.acceptance.push(acceptance);
    }
}

struct RegionSplit<'a> {
    automaton: &'a Tgba,
    /// The index of each state among those that are split.
    place: Vec<Option<usize>>,
    regions: Regions,
}

/// A transition between states that are split, by their indices.
type Inner<'a> = (usize, usize, &'a Marks);

impl RegionSplit<'_> {
    /// Adds the regions of these states, or lists of states that are to be split on.
    fn split<E>(
        &mut self,
        states: &[State],
        todo: &mut Vec<Vec<State>>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        states.iter().enumerate().for_each(|(i, state)| self.place[state.index()] = Some(i));
        let inner: Vec<Inner> = self.inner(states).collect();
        let result = self.split_by(states, &inner, todo, interrupt);
        states.iter().for_each(|state| self.place[state.index()] = None);
        let (singles, rest) = result?;
        singles.into_iter().for_each(|state| self.regions.add([state], Acceptance::Always));
        if let Some(acceptance) = rest {
            self.regions.add(states.iter().copied(), acceptance);
        }
        Ok(())
    }

    fn inner<'s>(&'s self, states: &'s [State]) -> impl Iterator<Item = Inner<'s>> {
        states.iter().enumerate().flat_map(|(index, &state)| {
            let transitions = self.automaton.successors(state).iter();
            let place = |t: &State| self.place[t.index()];
            transitions.filter_map(move |t| Some((index, place(&t.target)?, &t.marks)))
        })
    }

    /// The states that always accept, after the rest was put on the list; or what all states need.
    fn split_by<E>(
        &self,
        states: &[State],
        inner: &[Inner],
        todo: &mut Vec<Vec<State>>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(Vec<State>, Option<Acceptance>), E> {
        let mut seen = Marks::new();
        inner.iter().for_each(|(_, _, marks)| seen.union_with(marks));
        if inner.is_empty() || seen.len() < self.automaton.mark_count() {
            return Ok((Vec::new(), Some(Acceptance::Never)));
        }
        let ends = |&(source, target, _): &Inner| (source, target);
        let mut rejects = vec![false; states.len()];
        for mark in 0..self.automaton.mark_count() {
            let lacks = |&&(_, _, marks): &&Inner| !marks.contains(mark);
            let edges = inner.iter().filter(lacks).map(ends);
            let component = components_of_edges(states.len(), edges, interrupt)?;
            for &(source, target, _) in inner.iter().filter(lacks) {
                rejects[source] |= component[source] == component[target];
            }
        }
        if rejects.iter().all(|&rejects| rejects) {
            return Ok((Vec::new(), Some(Acceptance::Marks)));
        }
        let stays = |&&(source, target, _): &&Inner| rejects[source] && rejects[target];
        let edges = inner.iter().filter(stays).map(ends);
        let component = components_of_edges(states.len(), edges, interrupt)?;
        let mut parts = vec![Vec::new(); states.len()];
        for (index, &state) in states.iter().enumerate().filter(|(index, _)| rejects[*index]) {
            parts[component[index]].push(state);
        }
        todo.extend(parts.into_iter().filter(|part| !part.is_empty()));
        let singles = states.iter().zip(&rejects).filter(|(_, rejects)| !**rejects);
        Ok((singles.map(|(&state, _)| state).collect(), None))
    }
}
