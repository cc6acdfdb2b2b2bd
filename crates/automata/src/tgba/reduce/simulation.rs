//! Direct simulation between the states of an automaton, and against time.
//!
//! A state `r` *simulates* `q` if every step of `q` can be matched: on each letter of it, by a step of `r` with at least its
//! marks into a state that simulates where it leads to. Then each run from `q` is accompanied by one from `r` that has at
//! least its marks at every moment, so `r` accepts whatever `q` accepts \[EWS05\]. Simulation is the greatest such relation; it is found by starting
//! with all pairs and striking out those that cannot match a step.
//!
//! *Reverse* simulation is the same with all steps turned round, where an initial state is simulated by initial
//! states only: each way to come to `q` is accompanied by one to `r`.

use kermode_bdd::{BitSet, OutOfNodes};

use super::letter_classes::{LetterClasses, Letters};
use crate::tgba::graph::{Marks, State, Tgba};

/// For each state those that simulate it, itself among them.
#[derive(Clone, Debug)]
pub(super) struct Simulation {
    above: Vec<BitSet>,
}

/// A step, seen from one of its ends.
struct Arrow<'a> {
    letters: &'a Letters,
    marks: &'a Marks,
    end: usize,
}

/// Which way steps are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Time {
    Forward,
    Reverse,
}

impl Simulation {
    /// The greatest simulation of an automaton.
    pub(super) fn of<E: From<OutOfNodes>>(
        automaton: &Tgba,
        time: Time,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let classes = LetterClasses::of(automaton)?;
        let arrows = arrows(automaton, &classes, time);
        let mut simulation = Simulation { above: first(automaton, &arrows, time) };
        while simulation.strike_out(&arrows, interrupt)? {}
        Ok(simulation)
    }

    /// Whether the other state simulates this one.
    pub(super) fn is_simulated(&self, state: State, other: State) -> bool {
        self.above[state.index()].contains(other.index())
    }

    /// The states that simulate each other with this one.
    pub(super) fn equals(&self, state: State) -> impl Iterator<Item = State> + '_ {
        let above = self.above[state.index()].iter().map(State::from_index);
        above.filter(move |&other| self.is_simulated(other, state))
    }

    /// Looks at every pair once, and says whether one was struck out.
    fn strike_out<E>(
        &mut self,
        arrows: &[Vec<Arrow>],
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        let mut changed = false;
        for state in 0..arrows.len() {
            interrupt()?;
            let kept = self.above[state].iter();
            let kept = kept.filter(|&other| other == state || self.matches(arrows, state, other));
            let kept: BitSet = kept.collect();
            changed |= kept != self.above[state];
            self.above[state] = kept;
        }
        Ok(changed)
    }

    /// Whether the other state can match every step of this one.
    fn matches(&self, arrows: &[Vec<Arrow>], state: usize, other: usize) -> bool {
        let matched = |arrow: &Arrow| {
            let above = &self.above[arrow.end];
            let mut open = arrow.letters.needed.clone();
            for answer in &arrows[other] {
                if arrow.marks.is_subset(answer.marks) && above.contains(answer.end) {
                    open.subtract(&answer.letters.covered);
                    if open.is_empty() {
                        return true;
                    }
                }
            }
            false
        };
        arrows[state].iter().all(matched)
    }
}

fn arrows<'a>(automaton: &'a Tgba, classes: &'a LetterClasses, time: Time) -> Vec<Vec<Arrow<'a>>> {
    let mut arrows: Vec<Vec<Arrow>> = automaton.states().map(|_| Vec::new()).collect();
    for (source, transition) in automaton.transitions() {
        let (from, to) = match time {
            Time::Forward => (source, transition.target),
            Time::Reverse => (transition.target, source),
        };
        let letters = classes.of_label(&transition.label);
        arrows[from.index()].push(Arrow { letters, marks: &transition.marks, end: to.index() });
    }
    arrows
}

/// The pairs to begin with: those where the second state has a step on all letters of the first one.
fn first(automaton: &Tgba, arrows: &[Vec<Arrow>], time: Time) -> Vec<BitSet> {
    let is_initial: BitSet = automaton.initial().iter().map(|state| state.index()).collect();
    let all = |part: fn(&Letters) -> &BitSet| -> Vec<BitSet> {
        let union = |arrows: &Vec<Arrow>| {
            let mut union = BitSet::new();
            arrows.iter().for_each(|arrow| union.union_with(part(arrow.letters)));
            union
        };
        arrows.iter().map(union).collect()
    };
    let (needed, covered) = (all(|letters| &letters.needed), all(|letters| &letters.covered));
    let may_simulate = |state: usize, other: usize| {
        let begins = time == Time::Forward || !is_initial.contains(state);
        (begins || is_initial.contains(other)) && needed[state].is_subset(&covered[other])
    };
    let count = automaton.state_count();
    (0..count).map(|s| (0..count).filter(|&other| may_simulate(s, other)).collect()).collect()
}
