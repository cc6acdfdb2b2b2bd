//! The states of a property in a product with a model: numbered when they are discovered, with
//! their order and their steps by letters of the model.
//!
//! The steps are those of a space of an alternating automaton, in one direction of time: minimal
//! successors, or maximal predecessors. A step has a label, the condition on the steps of the model
//! on which it is possible. Labels of one state are computed together, once ([`classes`]).

use std::hash::Hash;
use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use kermode_automata::AlternatingAutomaton;
use kermode_base::BitSet;
use kermode_bdd::Bdd;
use kermode_system::Model;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::region::{Covers, Region};
use crate::alternating::by_letter::{Atom, ByLetter, classes};
use crate::alternating::miyano_hayashi::Pair;
use crate::compiled::label::Label;
use crate::compiled::states::SystemStates;
use crate::fixpoint::Direction;
use crate::frame::budget::Stop;

/// A step of the property.
pub(crate) struct LabelledStep {
    pub(crate) label: Label,
    /// The state at its other end.
    pub(crate) other: u32,
}

/// Which order of the states is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrderInUse {
    /// A state covers those that it subsumes. Enough for reachability.
    Subsumed,
    /// A state covers those that it simulates, with at least the same marks.
    Simulated,
}

/// An order on the states that were discovered.
#[derive(Default)]
pub(crate) struct DiscoveredOrder {
    representatives: Vec<u32>,
    covering: Vec<Vec<u32>>,
    covered: Vec<Vec<u32>>,
}

impl Covers for DiscoveredOrder {
    fn representative(&self, state: u32) -> u32 {
        self.representatives[state as usize]
    }

    fn covering(&self, state: u32) -> &[u32] {
        &self.covering[state as usize]
    }

    fn covered(&self, state: u32) -> &[u32] {
        &self.covered[state as usize]
    }
}

impl DiscoveredOrder {
    /// Adds the next state. `covers` compares it with an earlier one, both ways.
    fn push(&mut self, covers: impl Fn(u32) -> [bool; 2]) {
        let new = self.representatives.len() as u32;
        let (mut representative, mut above, mut below) = (new, Vec::new(), Vec::new());
        for other in (0..new).filter(|&other| self.representatives[other as usize] == other) {
            match covers(other) {
                [true, true] => representative = other,
                [true, false] => below.push(other),
                [false, true] => above.push(other),
                [false, false] => {}
            }
        }
        self.representatives.push(representative);
        if representative != new {
            (above, below) = (Vec::new(), Vec::new());
        }
        above.iter().for_each(|&other| self.covered[other as usize].push(new));
        below.iter().for_each(|&other| self.covering[other as usize].push(new));
        self.covering.push(above);
        self.covered.push(below);
    }
}

/// The discovered states of a property.
pub(crate) struct PropertyStates<S: ByLetter> {
    space: S,
    direction: Direction,
    atoms: Vec<Atom>,
    all: IndexSet<S::State, FxBuildHasher>,
    subsumed: DiscoveredOrder,
    simulated: DiscoveredOrder,
    /// The minimal steps of states on each letter, with their marks, if steps are forward.
    marked: FxHashMap<u32, Rc<FoundSteps<(u32, BitSet)>>>,
    /// The steps of states with a mark, or with any marks.
    steps: FxHashMap<(u32, Option<usize>), Rc<[LabelledStep]>>,
    /// The number of states whose steps were computed.
    pub(crate) expanded: u64,
}

impl<S: ByLetter> PropertyStates<S> {
    /// No state yet. Propositions of the automaton that are no atoms of the model are free.
    pub(crate) fn new(
        space: S,
        direction: Direction,
        automaton: &AlternatingAutomaton,
        model: &Model,
        system: &mut SystemStates,
    ) -> Result<Self, Stop> {
        let mut atoms = Vec::new();
        for proposition in automaton.propositions() {
            let Some(variable) = space.proposition(*proposition) else { continue };
            let holds = match model.atoms.get(proposition) {
                Some(&atom) => Some(system.compile(model, atom)?),
                None => None,
            };
            atoms.push(Atom { variable, holds });
        }
        Ok(PropertyStates {
            space,
            direction,
            atoms,
            all: IndexSet::default(),
            subsumed: DiscoveredOrder::default(),
            simulated: DiscoveredOrder::default(),
            marked: FxHashMap::default(),
            steps: FxHashMap::default(),
            expanded: 0,
        })
    }

    pub(crate) fn direction(&self) -> Direction {
        self.direction
    }

    /// The space that the states belong to.
    #[cfg(test)]
    pub(crate) fn space(&self) -> &S {
        &self.space
    }

    /// The locations and the obligations of a state.
    pub(super) fn sets(&self, state: u32) -> Pair {
        self.space.sets(&self.all[state as usize])
    }

    /// The number of the state with these locations and obligations.
    pub(super) fn number_of(&mut self, sets: Pair) -> u32 {
        let state = self.space.state_of(sets);
        self.number(state)
    }

    /// A state as text.
    pub(super) fn describe(&self, state: u32) -> String {
        self.space.describe(&self.all[state as usize])
    }

    /// The number of acceptance marks.
    pub(crate) fn mark_count(&self) -> usize {
        self.space.mark_count()
    }

    /// The number of discovered states.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The states that a search begins with: forward the initial ones, backward the maximal ones.
    pub(crate) fn first(&mut self) -> Result<Vec<u32>, Stop> {
        let first = match self.direction {
            Direction::Forward => self.space.initial()?,
            Direction::Backward => self.space.greatest()?,
        };
        Ok(first.into_iter().map(|state| self.number(state)).collect())
    }

    /// The maximal final states.
    pub(crate) fn greatest_final(&mut self) -> Result<Vec<u32>, Stop> {
        let last = self.space.greatest_final()?;
        Ok(last.into_iter().map(|state| self.number(state)).collect())
    }

    /// Whether a finite word that ends here is accepted.
    pub(crate) fn is_final(&self, state: u32) -> bool {
        self.space.is_final(&self.all[state as usize])
    }

    /// Whether an initial state is below this one.
    pub(crate) fn is_above_initial(&self, state: u32) -> bool {
        self.space.is_above_initial(&self.all[state as usize])
    }

    /// Whether the two orders differ.
    pub(crate) fn exchanges(&self) -> bool {
        self.space.exchanges()
    }

    /// An order on the states.
    pub(crate) fn order(&self, order: OrderInUse) -> &DiscoveredOrder {
        match order {
            OrderInUse::Subsumed if self.exchanges() => &self.subsumed,
            _ => &self.simulated,
        }
    }

    /// The number of a state.
    pub(super) fn number(&mut self, state: S::State) -> u32 {
        let (number, is_new) = self.all.insert_full(state);
        if is_new {
            let PropertyStates { space, direction, all, subsumed, simulated, .. } = self;
            let below = |order: OrderInUse, one: u32, other: u32| {
                let [one, other] = [one, other].map(|state| &all[state as usize]);
                match (order, *direction) {
                    (OrderInUse::Simulated, Direction::Forward) => space.simulates(one, other),
                    (OrderInUse::Simulated, Direction::Backward) => space.simulates(other, one),
                    (OrderInUse::Subsumed, Direction::Forward) => space.subsumes(one, other),
                    (OrderInUse::Subsumed, Direction::Backward) => space.subsumes(other, one),
                }
            };
            let new = number as u32;
            let both = |order, other| [below(order, new, other), below(order, other, new)];
            simulated.push(|other| both(OrderInUse::Simulated, other));
            if space.exchanges() {
                subsumed.push(|other| both(OrderInUse::Subsumed, other));
            }
        }
        number as u32
    }

    /// The steps of a state. If a mark is given, they have it.
    pub(crate) fn steps(
        &mut self,
        state: u32,
        mark: Option<usize>,
        system: &mut SystemStates,
    ) -> Result<Rc<[LabelledStep]>, Stop> {
        if let Some(known) = self.steps.get(&(state, mark)) {
            return Ok(known.clone());
        }
        self.expanded += 1;
        let found = match self.direction {
            Direction::Forward => self.successors(state, mark, system)?,
            Direction::Backward => self.predecessors(state, mark, system)?,
        };
        let mut steps = Vec::with_capacity(found.len());
        for (&other, condition) in &found {
            let condition = self.needed(other, condition, &found)?;
            if !condition.is_bottom() {
                steps.push(LabelledStep { label: Label::new(condition, system), other });
            }
        }
        let steps: Rc<[LabelledStep]> = steps.into();
        self.steps.insert((state, mark), steps.clone());
        Ok(steps)
    }

    /// The part of the condition of a step on which no other step of the same state covers it.
    fn needed(&self, other: u32, condition: &Bdd, found: &FoundSteps<u32>) -> Result<Bdd, Stop> {
        let mut needed = condition.clone();
        for covering in self.simulated.covering(other) {
            if let Some(same) = found.get(covering) {
                needed = needed.and_not(same)?;
            }
        }
        Ok(needed)
    }

    /// The successors by steps with a mark, or with any marks.
    fn successors(
        &mut self,
        state: u32,
        mark: Option<usize>,
        system: &mut SystemStates,
    ) -> Result<FoundSteps<u32>, Stop> {
        let mut found = FoundSteps::default();
        for ((other, marks), condition) in self.marked_steps(state, system)?.iter() {
            if mark.is_none_or(|mark| marks.contains(mark)) {
                join(&mut found, *other, condition)?;
            }
        }
        Ok(found)
    }

    /// The minimal successors of a state on each letter: the conditions of all pairs of a state and
    /// the marks of the step to it. Steps must be forward.
    pub(crate) fn marked_steps(
        &mut self,
        state: u32,
        system: &mut SystemStates,
    ) -> Result<Rc<FoundSteps<(u32, BitSet)>>, Stop> {
        if let Some(known) = self.marked.get(&state) {
            return Ok(known.clone());
        }
        let marked = Rc::new(self.marked_successors(state, system)?);
        self.marked.insert(state, marked.clone());
        Ok(marked)
    }

    fn marked_successors(
        &mut self,
        state: u32,
        system: &mut SystemStates,
    ) -> Result<FoundSteps<(u32, BitSet)>, Stop> {
        let from = self.all[state as usize].clone();
        let function = self.space.function_ahead(&from)?;
        let mut found = FoundSteps::default();
        let (any, budget) = (system.manager().top(), system.context().budget);
        for class in classes(function, any, &self.atoms, budget)? {
            for step in self.space.steps_on(&from, &class.function)? {
                let other = self.number(step.to);
                join(&mut found, (other, step.marks), &class.condition)?;
            }
        }
        Ok(found)
    }

    fn predecessors(
        &mut self,
        state: u32,
        mark: Option<usize>,
        system: &mut SystemStates,
    ) -> Result<FoundSteps<u32>, Stop> {
        let mut found = FoundSteps::default();
        for goal in self.space.goals(&self.all[state as usize], mark) {
            let function = self.space.function_behind(&goal)?;
            let (any, budget) = (system.manager().top(), system.context().budget);
            for class in classes(function, any, &self.atoms, budget)? {
                for from in self.space.predecessors_on(&goal, &class.function)? {
                    let other = self.number(from);
                    join(&mut found, other, &class.condition)?;
                }
            }
        }
        Ok(found)
    }

    /// The intersection of two regions under the order of simulation.
    pub(crate) fn intersection(&mut self, one: &Region, other: &Region) -> Result<Region, Stop> {
        let mut result = Region::default();
        for (left, states) in one.iter() {
            for (right, more) in other.iter() {
                let common = states.and(more)?;
                if common.is_bottom() {
                    continue;
                }
                if let Some(both) = self.covered_by_both(left, right) {
                    result.insert(&self.simulated, both, &common)?;
                }
            }
        }
        debug_assert!(result.is_in_form(&self.simulated));
        Ok(result)
    }

    /// The state that covers what two states both cover, if there is one.
    fn covered_by_both(&mut self, one: u32, other: u32) -> Option<u32> {
        let [left, right] = [one, other].map(|state| &self.all[state as usize]);
        let both = match self.direction {
            Direction::Forward => self.space.join(left, right),
            Direction::Backward => self.space.meet(left, right),
        };
        both.map(|state| self.number(state))
    }
}

/// Conditions by the other ends of steps.
pub(crate) type FoundSteps<T> = IndexMap<T, Bdd, FxBuildHasher>;

/// Adds letters to a step.
fn join<T: Eq + Hash>(found: &mut FoundSteps<T>, step: T, condition: &Bdd) -> Result<(), Stop> {
    match found.get_mut(&step) {
        Some(known) => *known = known.or(condition)?,
        None => drop(found.insert(step, condition.clone())),
    }
    Ok(())
}
