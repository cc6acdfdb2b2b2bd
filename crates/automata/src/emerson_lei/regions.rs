//! Where an automaton with an Emerson-Lei condition accepts: *regions*, each a strongly connected
//! part of its graph with a condition without `Fin`. A run is accepted exactly if it stays in some
//! region from some point on and satisfies the condition of that region.
//!
//! The regions are found as in the emptiness check of \[BBDKMS19\], by splitting components until
//! no `Fin` is left. In a component, `Inf` of a set that does not occur is false and its `Fin` is
//! true; of a set that is everywhere it is the other way round. Of what remains, each disjunct is
//! treated on its own. If it requires `Fin(x)`, the transitions of `x` are removed, which leaves
//! components of components. Otherwise it has some `Fin(x)` inside, and a run visits `x` finitely
//! often, as above, or satisfies the disjunct with `Fin(x)` replaced by false. So `n` Rabin pairs
//! have at most `n` regions per component, a parity condition one per colour, and `n` Streett pairs
//! at most `2^n`, but only for pairs that both occur in a component.
//!
//! A region lists its states and transitions, so many regions of a large component are much larger
//! than the graph. The search keeps count of what it stores and gives up at a limit.

use std::rc::Rc;

use indexmap::IndexMap;
use kermode_base::{BitSet, components_of_edges};
use rustc_hash::FxBuildHasher;

use super::clauses::{Clause, imply};
use super::condition::{Atom, Condition};
use super::to_generalised::TooManyRegions;
use crate::tgba::{Components, Marks, State, Tgba};

/// The largest number of regions, and of parts that are split.
const MOST_PARTS: usize = 1 << 16;
/// The largest number of states and transitions that regions and parts have beyond those of the
/// graph itself.
const MOST_COPIED: usize = 1 << 20;
/// The largest number of regions that are compared with each other.
const FEW_REGIONS: usize = 512;

/// Transitions by source and position there.
type InnerTransitions = Vec<(State, usize)>;

/// A strongly connected part of a graph.
pub(super) struct Region {
    pub(super) states: Vec<State>,
    /// Its transitions.
    pub(super) inner: InnerTransitions,
    /// A generalised Büchi condition over the sets of the automaton.
    pub(super) clauses: Vec<Clause>,
    /// Whether it is a component of the whole graph.
    pub(super) whole: bool,
}

/// A strongly connected part whose transitions avoid some sets, and a condition for it.
struct Part {
    states: Vec<State>,
    avoided: Marks,
    condition: Rc<Condition>,
}

/// The regions of an automaton whose marks are the sets of the condition.
pub(super) fn regions<E: From<TooManyRegions>>(
    graph: &Tgba,
    condition: &Condition,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<Region>, E> {
    let mut splitting = Splitting::new(graph);
    let condition = Rc::new(condition.clone());
    splitting.add(graph.states().collect(), &Marks::new(), &condition, interrupt)?;
    let mut left = MOST_PARTS;
    while let Some(part) = splitting.parts.pop() {
        interrupt()?;
        left = left.checked_sub(1).ok_or(TooManyRegions)?;
        splitting.room += part.states.len();
        splitting.split(part, interrupt)?;
    }
    splitting.regions(interrupt)
}

struct Splitting<'g> {
    graph: &'g Tgba,
    /// The number of the first transition of each state.
    first: Vec<usize>,
    parts: Vec<Part>,
    /// The parts whose conditions have no `Fin`.
    done: Vec<Part>,
    /// How many states of parts, and transitions of parts that are done, may still be added.
    room: usize,
}

impl<'g> Splitting<'g> {
    fn new(graph: &'g Tgba) -> Self {
        let mut first = vec![0];
        for state in graph.states() {
            first.push(first[state.index()] + graph.successors(state).len());
        }
        let room = MOST_COPIED + graph.state_count() + first[graph.state_count()];
        Splitting { graph, first, parts: Vec::new(), done: Vec::new(), room }
    }

    fn reserve(&mut self, size: usize) -> Result<(), TooManyRegions> {
        self.room = self.room.checked_sub(size).ok_or(TooManyRegions)?;
        Ok(())
    }

    fn add_part(&mut self, part: Part) -> Result<(), TooManyRegions> {
        self.reserve(part.states.len())?;
        self.parts.push(part);
        Ok(())
    }

    fn add_done(&mut self, part: Part) -> Result<(), TooManyRegions> {
        self.reserve(part.states.len() + self.inner(&part).count())?;
        self.done.push(part);
        Ok(())
    }

    /// Adds the components of some states that avoid some sets.
    fn add<E: From<TooManyRegions>>(
        &mut self,
        states: Vec<State>,
        avoided: &Marks,
        condition: &Rc<Condition>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut edges = Vec::new();
        for (place, &state) in states.iter().enumerate() {
            let kept = self.graph.successors(state).iter().filter(|t| t.marks.is_disjoint(avoided));
            let targets = kept.filter_map(|t| states.binary_search(&t.target).ok());
            edges.extend(targets.map(|target| (place, target)));
        }
        let component = components_of_edges(states.len(), edges.into_iter(), interrupt)?;
        let count = component.iter().max().map_or(0, |last| last + 1);
        let mut members = vec![Vec::new(); count];
        for (place, &state) in states.iter().enumerate() {
            members[component[place]].push(state);
        }
        for states in members {
            let (avoided, condition) = (avoided.clone(), Rc::clone(condition));
            self.add_part(Part { states, avoided, condition })?;
        }
        Ok(())
    }

    /// The inner transitions of a part, by source and position there, with their sets.
    fn inner<'p>(&'p self, part: &'p Part) -> impl Iterator<Item = (State, usize, &'p Marks)> {
        part.states.iter().flat_map(move |&state| {
            let transitions = self.graph.successors(state).iter().enumerate();
            let inner = transitions.filter(|(_, t)| {
                t.marks.is_disjoint(&part.avoided) && part.states.binary_search(&t.target).is_ok()
            });
            inner.map(move |(place, t)| (state, place, &t.marks))
        })
    }

    /// The condition of a part, simplified by the sets that occur in it; none if no run stays.
    fn simplified(&self, part: &Part) -> Option<Condition> {
        let mut inner = self.inner(part).map(|(_, _, marks)| marks);
        let first = inner.next()?;
        let (mut somewhere, mut everywhere) = (first.clone(), first.clone());
        for marks in inner {
            somewhere.union_with(marks);
            everywhere.intersect_with(marks);
        }
        let visited = |set| match everywhere.contains(set) {
            true => Some(true),
            false => (!somewhere.contains(set)).then_some(false),
        };
        Some(part.condition.assigned(|atom| match atom {
            Atom::Inf(set) => visited(set),
            Atom::Fin(set) => visited(set).map(|visited| !visited),
        }))
    }

    fn split<E: From<TooManyRegions>>(
        &mut self,
        part: Part,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(condition) = self.simplified(&part) else { return Ok(()) };
        let (with_fin, without): (Vec<Condition>, Vec<Condition>) =
            condition.disjuncts().into_iter().partition(|d| !d.fin_sets().is_empty());
        let without = Condition::any(without);
        if without.as_constant() != Some(false) {
            let (states, avoided) = (part.states.clone(), part.avoided.clone());
            self.add_done(Part { states, avoided, condition: Rc::new(without) })?;
        }
        for disjunct in with_fin.into_iter().map(Rc::new) {
            let required = disjunct.required_fin_sets();
            if !required.is_empty() {
                self.avoid(&part, &required, &disjunct, interrupt)?;
                continue;
            }
            let chosen: Marks = disjunct.fin_sets().iter().take(1).collect();
            self.avoid(&part, &chosen, &disjunct, interrupt)?;
            let condition = disjunct.assigned(|atom| match atom {
                Atom::Fin(set) if chosen.contains(set) => Some(false),
                _ => None,
            });
            let (states, avoided) = (part.states.clone(), part.avoided.clone());
            self.add_part(Part { states, avoided, condition: Rc::new(condition) })?;
        }
        Ok(())
    }

    /// Adds the components of a part without the transitions of some more sets.
    fn avoid<E: From<TooManyRegions>>(
        &mut self,
        part: &Part,
        sets: &Marks,
        condition: &Rc<Condition>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut avoided = part.avoided.clone();
        avoided.union_with(sets);
        self.add(part.states.clone(), &avoided, condition, interrupt)
    }

    /// The regions: of parts with the same transitions one, and none that another one covers.
    fn regions<E: From<TooManyRegions>>(
        self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<Region>, E> {
        let mut joined: IndexMap<InnerTransitions, (Vec<State>, Vec<Condition>), FxBuildHasher> =
            IndexMap::default();
        for part in &self.done {
            interrupt()?;
            let inner = self.inner(part).map(|(state, place, _)| (state, place)).collect();
            let entry = joined.entry(inner).or_insert((part.states.clone(), Vec::new()));
            entry.1.push(Condition::clone(&part.condition));
        }
        let sizes = self.component_sizes();
        let mut regions = Vec::new();
        for (inner, (states, conditions)) in joined {
            interrupt()?;
            let clauses = Condition::any(conditions).clauses().ok_or(TooManyRegions)?;
            let whole = sizes[states[0].index()] == inner.len();
            regions.push(Region { states, inner, clauses, whole });
        }
        self.without_covered(regions, interrupt)
    }

    /// For each state, the number of transitions inside of its component.
    fn component_sizes(&self) -> Vec<usize> {
        let components = Components::of(self.graph);
        let mut sizes = vec![0; components.len()];
        for (source, transition) in self.graph.transitions() {
            let inner = components.are_together(source, transition.target);
            sizes[components.component(source)] += usize::from(inner);
        }
        self.graph.states().map(|state| sizes[components.component(state)]).collect()
    }

    /// The regions whose accepted runs do not all satisfy the condition of a larger region.
    fn without_covered<E>(
        &self,
        regions: Vec<Region>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<Region>, E> {
        if regions.len() > FEW_REGIONS {
            return Ok(regions);
        }
        let number = |&(state, place): &(State, usize)| self.first[state.index()] + place;
        let sets: Vec<BitSet> =
            regions.iter().map(|region| region.inner.iter().map(number).collect()).collect();
        let covers = |other: usize, region: usize| {
            regions[other].inner.len() > regions[region].inner.len()
                && sets[region].is_subset(&sets[other])
                && imply(&regions[region].clauses, &regions[other].clauses)
        };
        let mut covered = Vec::with_capacity(regions.len());
        for region in 0..regions.len() {
            interrupt()?;
            covered.push((0..regions.len()).any(|other| covers(other, region)));
        }
        let kept = regions.into_iter().zip(covered).filter(|(_, covered)| !covered);
        Ok(kept.map(|(region, _)| region).collect())
    }
}
