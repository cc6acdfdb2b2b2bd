//! `pdp/l2s`: the automaton `A''` of \[STV05\], section 3.5, which saves one of its states when
//! the model saves its own.
//!
//! The property is a Büchi automaton with accepting states `F`. Copy 0 is the automaton before the
//! model saves its state. When it saves, a run that is in a state of `F` moves to the copy of that
//! state, and stays there. The path is a lasso if the model has looped and the automaton is in the
//! state of its copy. One acceptance set is enough, because a state of `F` is saved.
//!
//! Departs from the paper: the printed rule compares the saved state with the *target* of the step
//! at which the model has looped; that misses loops and invents others. It is the source that has
//! to be equal. So no further step is needed, and the states `F x {1}` are left out: the search
//! ends at looped states of the parts `(b, b)`. Steps of copy 0 do not save, and a copy has only
//! states of the component of its own state, since others cannot return to it.

use kermode_bdd::Bdd;
use rustc_hash::FxHashMap;

use super::automaton::PropertyAutomaton;
use super::mistakes::Mistake;
use super::partition::{Edge, Partition, PropertyGraph};
use super::to_safety::SafetyModel;
use crate::compiled::label::Label;
use crate::compiled::states::SystemStates;
use crate::frame::budget::Stop;

/// The automaton, and the states of the product at which a path is a lasso.
pub(super) struct LoopingProperty {
    pub(super) graph: PropertyGraph,
    pub(super) looped: Partition,
}

/// A state of the automaton: a state of the property, and the saved one.
type CopyState = (usize, Option<usize>);

impl LoopingProperty {
    /// The automaton of a property whose only mark is on states.
    pub(super) fn new(
        property: &PropertyAutomaton,
        safety: &SafetyModel,
        system: &mut SystemStates,
        mistake: Option<Mistake>,
    ) -> Result<Self, Stop> {
        let labels: Vec<_> = property.edges.iter().map(|edge| edge.label).collect();
        let labels = system.compile_all(&safety.model, &labels)?;
        let looped = system.compile(&safety.model, safety.looped)?;
        let saves = system.compile(&safety.model, safety.saves)?;
        let mut copies = Copies::of(property);
        let mut edges = Vec::new();
        for (edge, label) in property.edges.iter().zip(&labels) {
            system.check_budget()?;
            let mut add = |source: usize, target: usize, condition: Bdd| {
                let label = Label::new(condition, system);
                edges.push(Edge { source, target, label, marks: Default::default() });
            };
            let (source, target) = (edge.source, edge.target);
            add(source, target, label.and_not(&saves)?);
            if !copies.are_together(source, target) {
                continue;
            }
            if copies.is_final[source] {
                add(source, copies.state((target, Some(source))), label.and(&saves)?);
            }
            for saved in copies.finals[property.component[source]].clone() {
                let states = [source, target].map(|state| copies.state((state, Some(saved))));
                add(states[0], states[1], label.clone());
            }
        }
        let closing = copies.closing(&looped, &labels, system, mistake)?;
        let component = copies.component();
        let graph = PropertyGraph::new(edges, property.initial.clone(), 0, &component);
        Ok(LoopingProperty { graph, looped: closing })
    }
}

/// The numbers of the states. Those of copy 0 come first.
struct Copies<'p> {
    property: &'p PropertyAutomaton,
    is_final: Vec<bool>,
    /// The accepting states of each component.
    finals: Vec<Vec<usize>>,
    numbers: FxHashMap<CopyState, usize>,
    all: Vec<CopyState>,
}

impl<'p> Copies<'p> {
    fn of(property: &'p PropertyAutomaton) -> Self {
        let mut is_final = vec![false; property.state_count];
        property.marked_sources().into_iter().for_each(|state| is_final[state] = true);
        let components = property.component.iter().max().map_or(0, |last| last + 1);
        let mut finals = vec![Vec::new(); components];
        for state in (0..property.state_count).filter(|&state| is_final[state]) {
            finals[property.component[state]].push(state);
        }
        let all: Vec<CopyState> = (0..property.state_count).map(|state| (state, None)).collect();
        let numbers = all.iter().enumerate().map(|(number, &copy)| (copy, number)).collect();
        Copies { property, is_final, finals, numbers, all }
    }

    fn state(&mut self, copy: CopyState) -> usize {
        let next = self.all.len();
        *self.numbers.entry(copy).or_insert_with(|| {
            self.all.push(copy);
            next
        })
    }

    fn are_together(&self, one: usize, other: usize) -> bool {
        self.property.component[one] == self.property.component[other]
    }

    /// The looped states of the parts in which the property has returned to its saved state.
    fn closing(
        &self,
        looped: &Bdd,
        labels: &[Bdd],
        system: &SystemStates,
        mistake: Option<Mistake>,
    ) -> Result<Partition, Stop> {
        let mut closing = vec![system.manager().bottom(); self.all.len()];
        for (number, &(state, saved)) in self.all.iter().enumerate() {
            let Some(saved) = saved else { continue };
            if mistake == Some(Mistake::ClosingComparesTarget) {
                let edges = self.property.edges.iter().zip(labels);
                for (_, label) in edges.filter(|(e, _)| (e.source, e.target) == (state, saved)) {
                    closing[number] = closing[number].or(&looped.and(label)?)?;
                }
            } else if state == saved {
                closing[number] = looped.clone();
            }
        }
        Ok(closing)
    }

    /// A number for each state, such that transitions lead to equal or smaller numbers.
    fn component(&self) -> Vec<usize> {
        let number = |&(state, saved): &CopyState| {
            let component = self.property.component[state];
            if saved.is_some() { component } else { component + self.finals.len() }
        };
        self.all.iter().map(number).collect()
    }
}
