//! Degeneralisation, from many marks to one: copies of the states, one per *level*, in which a run
//! waits for one mark after the other \[GO01\].
//!
//! At level `l` the marks below `l` were seen in this round, and mark `l` is next. A transition
//! with mark `l` raises the level by as many levels as it has marks in a row. When it passes the
//! last level, the round is complete, the run is marked, and the next round begins. A run is marked
//! infinitely often exactly if it sees every mark infinitely often: a transition counts for two
//! rounds at most.
//!
//! Acceptance is on transitions, those that complete a round, or on states, those of an additional
//! level for complete rounds; then all transitions that leave such a state carry the mark.
//!
//! Four rules keep the number of levels small \[BBDKS13\]:
//! - only states of regions in which marks must be counted have levels (`regions.rs`, which departs
//!   from the paper in splitting components); any other state has one copy;
//! - a run that enters a region may begin at any level: either what it saw before is finite, or it
//!   visits states that always accept infinitely often. It takes an existing copy of the state,
//!   otherwise the lowest level, or the level of complete rounds if there is one;
//! - if all transitions that stay in the region have mark `l`, the state is equivalent at level
//!   `l + 1`;
//! - each region has its own order of marks.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::graph::{Marks, State, Tgba, Transition};
use super::regions::{Acceptance, Regions};

/// The place of the mark of a Büchi automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buchi {
    /// On some transitions.
    OnTransitions,
    /// On states: all transitions that leave a state have it, or none has it.
    OnStates,
}

/// A reachable automaton with the same language and one mark.
pub fn degeneralise<E>(
    automaton: &Tgba,
    form: Buchi,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let regions = Regions::of(automaton, interrupt)?;
    let orders = vec![(0..automaton.mark_count()).collect(); regions.len()];
    Ok(in_orders(automaton, &regions, &orders, form, interrupt)?.0)
}

/// The order in which a run waits for the marks.
pub(super) type MarkOrder = Vec<usize>;

/// The same with given regions and an order of marks for each. Also the number of copies in each
/// region.
pub(super) fn in_orders<E>(
    automaton: &Tgba,
    regions: &Regions,
    orders: &[MarkOrder],
    form: Buchi,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<(Tgba, Vec<usize>), E> {
    let copies = LevelCopies {
        degeneral: automaton.sibling(1),
        automaton,
        common: common_marks(automaton, regions, orders),
        regions,
        orders,
        form,
        states: IndexMap::default(),
        first_level: vec![None; automaton.state_count()],
    };
    copies.run(interrupt)
}

/// Marks as positions in an order.
fn ordered(marks: &Marks, order: &MarkOrder) -> Marks {
    let positions = order.iter().enumerate().filter(|(_, mark)| marks.contains(**mark));
    positions.map(|(position, _)| position).collect()
}

/// For each state, the marks that all its transitions within the region have, as positions in the
/// order of the region.
fn common_marks(automaton: &Tgba, regions: &Regions, orders: &[MarkOrder]) -> Vec<Marks> {
    let common = |state| {
        let region = regions.region(state);
        let mut common = automaton.all_marks();
        let stays = |t: &&Transition| regions.region(t.target) == region;
        let inner = automaton.successors(state).iter().filter(stays);
        inner.for_each(|t| common.intersect_with(&t.marks));
        ordered(&common, &orders[region])
    };
    automaton.states().map(common).collect()
}

/// The level after a transition with these marks. At the last level a round is complete and the
/// next begins.
pub(crate) fn raised(level: usize, marks: &Marks, last: usize) -> usize {
    let begin = if level == last { 0 } else { level };
    (begin..last).find(|&l| !marks.contains(l)).unwrap_or(last)
}

struct LevelCopies<'a> {
    automaton: &'a Tgba,
    regions: &'a Regions,
    orders: &'a [MarkOrder],
    common: Vec<Marks>,
    form: Buchi,
    degeneral: Tgba,
    /// The copies and their states in the new automaton.
    states: IndexMap<(State, usize), State, FxBuildHasher>,
    /// The level of the first copy of each state.
    first_level: Vec<Option<usize>>,
}

impl LevelCopies<'_> {
    fn run<E>(
        mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(Tgba, Vec<usize>), E> {
        for &state in self.automaton.initial() {
            let level = self.entry(state);
            let copy = self.copy(state, level);
            self.degeneral.add_initial(copy);
        }
        let mut next = 0;
        while let Some((&(state, level), &source)) = self.states.get_index(next) {
            interrupt()?;
            for transition in self.automaton.successors(state) {
                self.transition(state, level, source, transition);
            }
            next += 1;
        }
        let mut copies = vec![0; self.regions.len()];
        self.states.keys().for_each(|&(state, _)| copies[self.regions.region(state)] += 1);
        Ok((self.degeneral, copies))
    }

    fn transition(&mut self, state: State, level: usize, source: State, transition: &Transition) {
        let target = transition.target;
        let counts = self.regions.acceptance(state) == Acceptance::Marks;
        let (reached, complete) = match self.regions.region(state) == self.regions.region(target) {
            true if counts => self.advance(level, transition),
            _ => (self.entry(target), false),
        };
        let marked = match self.regions.acceptance(state) {
            Acceptance::Always => true,
            Acceptance::Never => false,
            Acceptance::Marks => match self.form {
                Buchi::OnTransitions => complete,
                Buchi::OnStates => level == self.automaton.mark_count(),
            },
        };
        let copy = self.copy(target, reached);
        let marks: Marks = marked.then_some(0).into_iter().collect();
        self.degeneral.add_transition(source, copy, transition.label.clone(), marks);
    }

    /// The level at which a run enters the region of a state.
    fn entry(&self, state: State) -> usize {
        match (self.first_level[state.index()], self.form) {
            (Some(level), _) => level,
            (None, _) if self.regions.acceptance(state) != Acceptance::Marks => 0,
            (None, Buchi::OnStates) => self.automaton.mark_count(),
            (None, Buchi::OnTransitions) => self.equivalent_level(0, state),
        }
    }

    /// The level after a transition inside of a region, and whether it completes a round.
    fn advance(&self, level: usize, transition: &Transition) -> (usize, bool) {
        let last = self.automaton.mark_count();
        let order = &self.orders[self.regions.region(transition.target)];
        let marks = ordered(&transition.marks, order);
        let reached = raised(level, &marks, last);
        if reached < last {
            return (self.equivalent_level(reached, transition.target), false);
        }
        if self.form == Buchi::OnStates {
            return (last, true);
        }
        // A transition that completes a round also counts for the next one, but does not complete
        // it.
        let again = raised(last, &marks, last);
        (self.equivalent_level(if again == last { 0 } else { again }, transition.target), true)
    }

    /// The highest equivalent level of the state, without completing a round.
    fn equivalent_level(&self, level: usize, state: State) -> usize {
        let last = self.automaton.mark_count().saturating_sub(1);
        let common = &self.common[state.index()];
        (level..last).find(|&l| !common.contains(l)).unwrap_or(last.max(level))
    }

    /// The copy of a state at a level.
    fn copy(&mut self, state: State, level: usize) -> State {
        if let Some(&copy) = self.states.get(&(state, level)) {
            return copy;
        }
        let copy = self.degeneral.add_state();
        if let Some(name) = self.automaton.name(state) {
            self.degeneral.set_name(copy, name);
        }
        self.states.insert((state, level), copy);
        self.first_level[state.index()].get_or_insert(level);
        copy
    }
}
