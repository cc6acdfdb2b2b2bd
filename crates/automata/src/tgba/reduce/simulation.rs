//! Direct simulation between the states of an automaton, forward and reverse.
//!
//! A state `r` *simulates* `q` if it matches every step of `q`: on each letter, by a step of `r`
//! with at least its marks to a state that simulates its target. Then each run from `q` is matched
//! by one from `r` with at least its marks at every moment, so `r` accepts every word that `q`
//! accepts \[EWS05\]. Simulation is the greatest such relation. The algorithm starts with all pairs
//! and removes those that cannot match a step. When a state loses a pair, only its predecessors are
//! checked again.
//!
//! *Reverse* simulation is the same with all steps reversed, where only initial states simulate
//! initial states: each path to `q` is matched by one to `r`.

use kermode_base::BitSet;

use super::letter_classes::LetterClasses;
use crate::tgba::graph::{State, Tgba};

/// For each state the states that simulate it, itself included.
#[derive(Clone, Debug)]
pub(super) struct Simulation {
    above: Vec<BitSet>,
}

/// A transition, seen from one of its ends. A set of letters or marks is a `BitSet`, or one word if
/// all of the automaton fit.
struct Arrow<S> {
    needed: S,
    covered: S,
    marks: S,
    end: usize,
}

/// A set of letters or marks.
trait SmallSet: Clone + Default + Eq {
    /// The set of the given elements, if it is possible.
    fn of(set: &BitSet) -> Option<Self>;
    fn is_subset(&self, other: &Self) -> bool;
    fn subtract(&mut self, other: &Self);
    fn union_with(&mut self, other: &Self);
}

impl SmallSet for u64 {
    fn of(set: &BitSet) -> Option<u64> {
        match set.words() {
            [] => Some(0),
            &[word] => Some(word),
            _ => None,
        }
    }

    fn is_subset(&self, other: &u64) -> bool {
        self & !other == 0
    }

    fn subtract(&mut self, other: &u64) {
        *self &= !other;
    }

    fn union_with(&mut self, other: &u64) {
        *self |= other;
    }
}

impl SmallSet for BitSet {
    fn of(set: &BitSet) -> Option<BitSet> {
        Some(set.clone())
    }

    fn is_subset(&self, other: &BitSet) -> bool {
        self.is_subset(other)
    }

    fn subtract(&mut self, other: &BitSet) {
        self.subtract(other);
    }

    fn union_with(&mut self, other: &BitSet) {
        self.union_with(other);
    }
}

/// The direction in which steps are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepDirection {
    Forward,
    Reverse,
}

impl StepDirection {
    /// The start and the end of a step in this direction.
    pub(super) fn ends(self, source: State, target: State) -> (State, State) {
        match self {
            StepDirection::Forward => (source, target),
            StepDirection::Reverse => (target, source),
        }
    }
}

impl Simulation {
    /// The greatest simulation of an automaton.
    pub(super) fn of<E>(
        automaton: &Tgba,
        classes: &LetterClasses,
        time: StepDirection,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        if let Some(arrows) = arrows::<u64>(automaton, classes, time) {
            return Simulation::of_arrows(automaton, &arrows, time, interrupt);
        }
        let arrows = arrows::<BitSet>(automaton, classes, time).expect("any set is possible");
        Simulation::of_arrows(automaton, &arrows, time, interrupt)
    }

    fn of_arrows<E, S: SmallSet>(
        automaton: &Tgba,
        arrows: &[Vec<Arrow<S>>],
        time: StepDirection,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut simulation = Simulation { above: first(automaton, arrows, time, interrupt)? };
        simulation.strike_out(arrows, time, interrupt)?;
        Ok(simulation)
    }

    /// Whether the other state simulates this one.
    pub(super) fn is_simulated(&self, state: State, other: State) -> bool {
        self.above[state.index()].contains(other.index())
    }

    /// For each state how many it simulates.
    pub(super) fn below_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.above.len()];
        self.above.iter().flat_map(BitSet::iter).for_each(|state| counts[state] += 1);
        counts
    }

    /// The states equivalent to this one.
    pub(super) fn equals(&self, state: State) -> impl Iterator<Item = State> + '_ {
        let above = self.above[state.index()].iter().map(State::from_index);
        above.filter(move |&other| self.is_simulated(other, state))
    }

    /// Removes pairs until all remaining ones match.
    fn strike_out<E, S: SmallSet>(
        &mut self,
        arrows: &[Vec<Arrow<S>>],
        time: StepDirection,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut leading: Vec<Vec<usize>> = vec![Vec::new(); arrows.len()];
        for (state, arrows) in arrows.iter().enumerate() {
            arrows.iter().for_each(|arrow| leading[arrow.end].push(state));
        }
        // States are numbered in order of discovery, so successors usually have larger numbers.
        let mut todo: Vec<usize> = (0..arrows.len()).collect();
        if time == StepDirection::Reverse {
            todo.reverse();
        }
        let mut waits = vec![true; arrows.len()];
        while let Some(state) = todo.pop() {
            waits[state] = false;
            if self.strike_out_of(arrows, state, interrupt)? {
                for &before in &leading[state] {
                    if !std::mem::replace(&mut waits[before], true) {
                        todo.push(before);
                    }
                }
            }
        }
        Ok(())
    }

    /// Removes the pairs of a state that do not match. Returns whether there were any.
    fn strike_out_of<E, S: SmallSet>(
        &mut self,
        arrows: &[Vec<Arrow<S>>],
        state: usize,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        let mut kept = BitSet::new();
        for other in self.above[state].iter() {
            interrupt()?;
            if other == state || self.matches(arrows, state, other) {
                kept.insert(other);
            }
        }
        let changed = kept != self.above[state];
        self.above[state] = kept;
        Ok(changed)
    }

    /// Whether the other state can match every step of this one.
    fn matches<S: SmallSet>(&self, arrows: &[Vec<Arrow<S>>], state: usize, other: usize) -> bool {
        let matched = |arrow: &Arrow<S>| {
            let above = &self.above[arrow.end];
            let mut open = arrow.needed.clone();
            for answer in &arrows[other] {
                if above.contains(answer.end) && arrow.marks.is_subset(&answer.marks) {
                    open.subtract(&answer.covered);
                    if open == S::default() {
                        return true;
                    }
                }
            }
            false
        };
        arrows[state].iter().all(matched)
    }
}

/// The transitions from each state in this direction, if all sets are possible.
fn arrows<S: SmallSet>(
    automaton: &Tgba,
    classes: &LetterClasses,
    time: StepDirection,
) -> Option<Vec<Vec<Arrow<S>>>> {
    let mut arrows: Vec<Vec<Arrow<S>>> = automaton.states().map(|_| Vec::new()).collect();
    for (source, transition) in automaton.transitions() {
        let (from, to) = time.ends(source, transition.target);
        let letters = classes.of_label(&transition.label);
        arrows[from.index()].push(Arrow {
            needed: S::of(&letters.needed)?,
            covered: S::of(&letters.covered)?,
            marks: S::of(&transition.marks)?,
            end: to.index(),
        });
    }
    Some(arrows)
}

/// The initial pairs: the second state has a step on all letters of the first one.
fn first<E, S: SmallSet>(
    automaton: &Tgba,
    arrows: &[Vec<Arrow<S>>],
    time: StepDirection,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<BitSet>, E> {
    let is_initial: BitSet = automaton.initial().iter().map(|state| state.index()).collect();
    let all = |part: fn(&Arrow<S>) -> &S| -> Vec<S> {
        let union = |arrows: &Vec<Arrow<S>>| {
            let mut union = S::default();
            arrows.iter().for_each(|arrow| union.union_with(part(arrow)));
            union
        };
        arrows.iter().map(union).collect()
    };
    let (needed, covered) = (all(|arrow| &arrow.needed), all(|arrow| &arrow.covered));
    let may_simulate = |state: usize, other: usize| {
        let begins = time == StepDirection::Forward || !is_initial.contains(state);
        (begins || is_initial.contains(other)) && needed[state].is_subset(&covered[other])
    };
    let states = 0..automaton.state_count();
    let above = states.clone().map(|state| {
        interrupt()?;
        Ok(states.clone().filter(|&other| may_simulate(state, other)).collect())
    });
    above.collect()
}
