//! The product of an automaton with one of its complement, to ask whether a changed automaton still
//! has no word of the complement.
//!
//! Automata are copied to plain graphs: with few propositions a label is the set of its letters, a
//! bit each, and marks are bits of one word. The copies are quick to change and to multiply.

use kermode_base::components;

use crate::tgba::graph::{Tgba, Transition};
use crate::tgba::letter_set::{LetterSet, letter_set};

/// The largest number of propositions.
pub(super) const MOST_PROPOSITIONS: usize = 8;
/// The largest number of marks.
pub(super) const MOST_MARKS: usize = u64::BITS as usize;
/// A set of letters has a bit for each.
const WORDS: usize = 1 << (MOST_PROPOSITIONS - 6);

/// A transition, without its source.
#[derive(Clone, Debug)]
struct Edge {
    target: usize,
    letters: LetterSet<WORDS>,
    marks: u64,
}

/// An automaton as a plain graph.
#[derive(Clone, Debug)]
pub(super) struct LetterGraph {
    initial: Vec<usize>,
    edges: Vec<Vec<Edge>>,
    all_marks: u64,
}

impl LetterGraph {
    /// The graph of an automaton, whose marks are numbered from a given one on.
    pub(super) fn of(automaton: &Tgba, first_mark: usize) -> LetterGraph {
        let bits = |marks: &mut dyn Iterator<Item = usize>| {
            marks.fold(0, |bits, mark| bits | 1 << (first_mark + mark))
        };
        let edge = |t: &Transition| Edge {
            target: t.target.index(),
            letters: letter_set(&t.label),
            marks: bits(&mut t.marks.iter()),
        };
        let edges = |state| automaton.successors(state).iter().map(edge).collect();
        LetterGraph {
            initial: automaton.initial().iter().map(|state| state.index()).collect(),
            edges: automaton.states().map(edges).collect(),
            all_marks: bits(&mut (0..automaton.mark_count())),
        }
    }

    /// The graph in which one state takes the place of another, and has the steps of both.
    pub(super) fn merged(&self, kept: usize, gone: usize) -> LetterGraph {
        let mut merged = self.clone();
        let edges = std::mem::take(&mut merged.edges[gone]);
        merged.edges[kept].extend(edges);
        let targets = merged.edges.iter_mut().flatten().map(|edge| &mut edge.target);
        let states = targets.chain(&mut merged.initial);
        states.filter(|state| **state == gone).for_each(|state| *state = kept);
        merged
    }
}

fn have_common(a: &LetterSet<WORDS>, b: &LetterSet<WORDS>) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// The product of two graphs. The pair of states `a` and `b` has number `a * width + b`.
pub(super) struct ComplementProduct {
    width: usize,
    /// Whether the pair is reachable from initial states.
    reachable: Vec<bool>,
    /// Whether both states accept a common word.
    nonempty: Vec<bool>,
}

/// The steps of all pairs.
struct PairSteps {
    start: Vec<usize>,
    targets: Vec<usize>,
    marks: Vec<u64>,
}

impl ComplementProduct {
    /// The product of all pairs, reachable or not.
    pub(super) fn of<E>(
        a: &LetterGraph,
        b: &LetterGraph,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<ComplementProduct, E> {
        let width = b.edges.len();
        let steps = PairSteps::of(a, b, interrupt)?;
        let component = components(&steps.start, |edge| steps.targets[edge], interrupt)?;
        let nonempty = steps.nonempty(&component, a.all_marks | b.all_marks);
        let pairs = |&state: &usize| b.initial.iter().map(move |other| state * width + other);
        let reachable = steps.reachable(a.initial.iter().flat_map(pairs).collect());
        Ok(ComplementProduct { width, reachable, nonempty })
    }

    /// Whether there is no common word.
    pub(super) fn is_empty(&self) -> bool {
        !self.reachable.iter().zip(&self.nonempty).any(|(reached, accepts)| *reached && *accepts)
    }

    /// Whether a run that has come to one state of the first automaton and goes on from another one
    /// could accept a common word.
    pub(super) fn forbids(&self, state: usize, other: usize) -> bool {
        let pair = |state: usize| state * self.width;
        let clash = |c: usize| self.reachable[pair(state) + c] && self.nonempty[pair(other) + c];
        (0..self.width).any(clash)
    }
}

impl PairSteps {
    fn of<E>(
        a: &LetterGraph,
        b: &LetterGraph,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<PairSteps, E> {
        let mut steps = PairSteps { start: vec![0], targets: Vec::new(), marks: Vec::new() };
        for (here, there) in a.edges.iter().flat_map(|e| b.edges.iter().map(move |f| (e, f))) {
            interrupt()?;
            for (e, f) in here.iter().flat_map(|e| there.iter().map(move |f| (e, f))) {
                if have_common(&e.letters, &f.letters) {
                    steps.targets.push(e.target * b.edges.len() + f.target);
                    steps.marks.push(e.marks | f.marks);
                }
            }
            steps.start.push(steps.targets.len());
        }
        Ok(steps)
    }

    fn len(&self) -> usize {
        self.start.len() - 1
    }

    fn of_pair(&self, pair: usize) -> std::ops::Range<usize> {
        self.start[pair]..self.start[pair + 1]
    }

    /// For each pair whether a component with all marks is reachable from it.
    fn nonempty(&self, component: &[usize], all_marks: u64) -> Vec<bool> {
        let count = component.iter().max().map_or(0, |last| last + 1);
        let mut seen = vec![None; count];
        for pair in 0..self.len() {
            for step in self.of_pair(pair) {
                if component[self.targets[step]] == component[pair] {
                    *seen[component[pair]].get_or_insert(0) |= self.marks[step];
                }
            }
        }
        let mut nonempty: Vec<bool> = seen.iter().map(|&marks| marks == Some(all_marks)).collect();
        // Successors have smaller numbers, so one pass over pairs in that order is enough.
        let mut pairs: Vec<usize> = (0..self.len()).collect();
        pairs.sort_unstable_by_key(|&pair| component[pair]);
        for pair in pairs {
            let mut behind = self.of_pair(pair).map(|step| component[self.targets[step]]);
            nonempty[component[pair]] |= behind.any(|part| nonempty[part]);
        }
        component.iter().map(|&part| nonempty[part]).collect()
    }

    fn reachable(&self, mut todo: Vec<usize>) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        while let Some(pair) = todo.pop() {
            if !std::mem::replace(&mut reached[pair], true) {
                todo.extend(&self.targets[self.of_pair(pair)]);
            }
        }
        reached
    }
}
