//! The search for an infinite word: strongly connected components on the fly, as in \[Cou99\].
//!
//! A component is accepting if each promise is, on some step inside, fulfilled or not requested. Of
//! the steps from a state, one is left out if another demands no more of the next position and
//! leaves no more promises pending: the other target simulates the left out one.
//!
//! When a component is complete and not accepting, no word starts in its states. The last query
//! about each of them named the demands for which all further steps are left out or lead to
//! excluded states. Any state with these demands is simulated by the state of the component, so all
//! such states are excluded.

use kermode_base::BitSet;
use kermode_ltl::{Letter, Word};
use kermode_sat::Literal;
use rustc_hash::FxHashMap;

use crate::engines::sat::mistakes::Mistake;
use crate::engines::sat::step::{Move, OneStep, State};
use crate::frame::answer::{Answer, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;
use crate::frame::problem::WitnessPolicy;
use crate::frame::witness::nonempty;
use crate::search::{FairLasso, Leaving, MarkedGraph, fair_lasso};

/// Decides whether there is an infinite word.
pub(super) fn search(
    step: OneStep,
    promises: usize,
    witness: WitnessPolicy,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Answer, Stop> {
    let (numbers, visits) = (FxHashMap::default(), Vec::new());
    let (path, open, components) = (Vec::new(), Vec::new(), Vec::new());
    let mut search =
        LassoSearch { step, promises, budget, numbers, visits, path, open, components };
    let found = search.find(observer);
    search.step.context.tell(observer);
    observer.statistic("states_met", search.visits.len() as u64);
    match found? {
        Found::Nothing => Ok(Answer::Empty(None)),
        found => Ok(nonempty(witness, budget, |_| search.word(found).map(Some))),
    }
}

/// The result of the search.
enum Found {
    Nothing,
    /// The last assignment is a letter that can be repeated for ever in the last state of the path.
    Repetition,
    /// The open states from this number on have an accepting cycle.
    Component(u32),
}

/// A state that was met.
struct Visit {
    state: State,
    /// The literal that applies what is left out for this state.
    active: Literal,
    /// The demands for which there are no further steps.
    core: State,
    edges: Vec<Edge>,
}

struct Edge {
    to: u32,
    letter: Letter,
    pending: BitSet,
}

/// A component whose states are on the path or can reach it.
struct Component {
    /// Its first state.
    first: u32,
    /// The promises that are pending on all steps inside.
    pending: BitSet,
    /// The promises that are pending on the step that leads to it.
    entry: BitSet,
}

struct LassoSearch<'c, 'b> {
    step: OneStep<'c, 'b>,
    promises: usize,
    budget: &'b Budget,
    /// The numbers of the states of open components.
    numbers: FxHashMap<State, u32>,
    visits: Vec<Visit>,
    path: Vec<u32>,
    /// The states of open components, in the order in which they were met.
    open: Vec<u32>,
    components: Vec<Component>,
}

impl LassoSearch<'_, '_> {
    fn find(&mut self, observer: &mut dyn Observer) -> Result<Found, Stop> {
        let initial = self.step.initial();
        self.visit(initial, BitSet::new());
        if self.step.is_last(&self.visits[0].state)? {
            return Ok(Found::Repetition);
        }
        while let Some(&top) = self.path.last() {
            self.budget.check()?;
            observer.progress(&|| {
                format!("{} states, {} on the path", self.visits.len(), self.path.len())
            });
            let visit = &self.visits[top as usize];
            match self.step.next(&visit.state, &[visit.active])? {
                None => {
                    let core = self.step.core(&visit.state);
                    self.visits[top as usize].core = core;
                    self.leave(top);
                }
                Some(Move { state, letter, pending }) => {
                    if let Some(found) = self.follow(top, state, letter, pending)? {
                        return Ok(found);
                    }
                }
            }
        }
        Ok(Found::Nothing)
    }

    /// Takes a step from the last state of the path.
    fn follow(
        &mut self,
        from: u32,
        state: State,
        letter: Letter,
        pending: BitSet,
    ) -> Result<Option<Found>, Stop> {
        let mut unless = self.step.fulfilments(&pending);
        unless.push(!self.visits[from as usize].active);
        self.step.exclude(&state, &unless);
        let known = self.numbers.get(&state).copied();
        let to = known.unwrap_or(self.visits.len() as u32);
        let edge = Edge { to, letter, pending: pending.clone() };
        self.visits[from as usize].edges.push(edge);
        match known {
            Some(to) => Ok(self.merge(to, pending).then_some(Found::Component(to))),
            None => {
                self.visit(state, pending);
                let is_last = self.step.is_last(&self.visits[to as usize].state)?;
                Ok(is_last.then_some(Found::Repetition))
            }
        }
    }

    fn visit(&mut self, state: State, entry: BitSet) {
        let number = self.visits.len() as u32;
        self.numbers.insert(state.clone(), number);
        let active = self.step.context.fresh();
        let core = State::default();
        self.visits.push(Visit { state, active, core, edges: Vec::new() });
        self.path.push(number);
        self.open.push(number);
        let pending = (0..self.promises).collect();
        self.components.push(Component { first: number, pending, entry });
    }

    /// Merges the components between an open state and the last one, which a step connects. Returns
    /// whether the result is accepting.
    fn merge(&mut self, to: u32, mut pending: BitSet) -> bool {
        while let Some(last) = self.components.pop_if(|last| last.first > to) {
            pending.intersect_with(&last.pending);
            if !self.step.context.has(Mistake::MergeIgnoresEntry) {
                pending.intersect_with(&last.entry);
            }
        }
        let component = self.components.last_mut().expect("the state is in an open component");
        component.pending.intersect_with(&pending);
        component.pending.is_empty()
    }

    /// Leaves the last state of the path. If its component is complete, no word starts there.
    fn leave(&mut self, top: u32) {
        self.path.pop();
        if self.components.pop_if(|last| last.first == top).is_none() {
            return;
        }
        let start = self.open.partition_point(|&state| state < top);
        for state in self.open.split_off(start) {
            let visit = &mut self.visits[state as usize];
            visit.edges = Vec::new();
            self.numbers.remove(&visit.state);
            let core = std::mem::take(&mut visit.core);
            let retired = !visit.active;
            self.step.context.clause(&[retired]);
            self.step.exclude(&core, &[]);
        }
    }

    /// The word that was found.
    fn word(&mut self, found: Found) -> Result<Witness, Stop> {
        let word = match found {
            Found::Component(entry) => {
                let first = self.components.last().map_or(entry, |component| component.first);
                let start = self.open.partition_point(|&state| state < first);
                let component = self.open[start..].to_vec();
                let FairLasso { prefix, cycle } = fair_lasso(self, &[0], &component)?;
                let letters = |path: Vec<Leaving<Letter>>| {
                    path.into_iter().map(|leaving| leaving.edge).collect()
                };
                Word::lasso(letters(prefix), letters(cycle))
            }
            Found::Nothing | Found::Repetition => {
                let last = self.step.letter();
                let onward = self.path.windows(2).map(|pair| {
                    let edges = &self.visits[pair[0] as usize].edges;
                    let edge = edges.iter().rfind(|edge| edge.to == pair[1]);
                    edge.map(|edge| edge.letter.clone()).unwrap_or_default()
                });
                Word::lasso(onward.collect(), vec![last])
            }
        };
        Ok(Witness::Word(word))
    }
}

impl MarkedGraph for LassoSearch<'_, '_> {
    type Edge = Letter;

    fn mark_count(&self) -> usize {
        self.promises
    }

    fn leaving(&mut self, node: u32) -> Result<Vec<Leaving<Letter>>, Stop> {
        self.budget.check()?;
        let edges = self.visits[node as usize].edges.iter().map(|edge| {
            let mut marks: BitSet = (0..self.promises).collect();
            marks.subtract(&edge.pending);
            let letter = edge.letter.clone();
            Leaving { from: node, to: edge.to, marks: Some(marks), edge: letter }
        });
        Ok(edges.collect())
    }
}
