//! Words of an explicit automaton: paths through pairs of a state and a position. The positions are
//! those of one word, or one position with all letters. An infinite word is a path to an accepting
//! state and a loop through it.

use std::convert::Infallible;

use kermode_base::components_of_edges;
use kermode_ltl::{Letter, Word, WordKind};

use super::Explicit;

/// Positions with the letters that may stand there.
pub(super) trait Positions {
    /// How many positions there are; the word begins at 0.
    fn count(&self) -> usize;
    /// The position behind one.
    fn next(&self, position: usize) -> usize;
    /// Whether a letter may be read at a position.
    fn reads(&self, position: usize, letter: &Letter) -> bool;
    /// Whether a finite word may end before the letter of a position.
    fn ends(&self, position: usize) -> bool;
}

/// All words: every letter at every position.
pub(super) struct AnyWord(pub(super) WordKind);

impl Positions for AnyWord {
    fn count(&self) -> usize {
        1
    }

    fn next(&self, _: usize) -> usize {
        0
    }

    fn reads(&self, _: usize, _: &Letter) -> bool {
        true
    }

    fn ends(&self, _: usize) -> bool {
        self.0 == WordKind::Finite
    }
}

impl Positions for Word {
    /// A finite word has a position behind its last letter.
    fn count(&self) -> usize {
        self.len() + 1
    }

    fn next(&self, position: usize) -> usize {
        self.successor(position).unwrap_or(self.len())
    }

    fn reads(&self, position: usize, letter: &Letter) -> bool {
        self.letters().get(position) == Some(letter)
    }

    fn ends(&self, position: usize) -> bool {
        position == self.len()
    }
}

/// A state at a position, and the letter that was read before.
type Step = (usize, usize);

impl Explicit {
    /// An accepted word among those that the positions allow.
    pub(super) fn find(&self, positions: &dyn Positions) -> Option<Word> {
        let count = positions.count();
        let start: Vec<Step> = (0..self.initial).map(|state| (state * count, usize::MAX)).collect();
        let leaving = |node: usize| self.leaving(node, positions);
        if self.words == WordKind::Finite {
            let goal = |node| self.accepting[node / count] && positions.ends(node % count);
            let path = path(&start, &leaving, &goal)?;
            return Some(Word::finite(self.letters_of(&path)));
        }
        let looping = self.looping(positions);
        let path_to = path(&start, &leaving, &|node| looping[node])?;
        let knot = path_to.last()?.0;
        let cycle = path(&leaving(knot), &leaving, &|node| node == knot)?;
        Some(Word::lasso(self.letters_of(&path_to), self.letters_of(&cycle)))
    }

    /// The steps from a node, which is a pair of a state and a position as one number.
    fn leaving(&self, node: usize, positions: &dyn Positions) -> Vec<Step> {
        let (state, position) = (node / positions.count(), node % positions.count());
        let readable =
            |&&(letter, _): &&(usize, usize)| positions.reads(position, &self.letters[letter]);
        let target = |&(letter, state): &(usize, usize)| {
            (state * positions.count() + positions.next(position), letter)
        };
        self.edges[state].iter().filter(readable).map(target).collect()
    }

    /// For each node, whether its state is accepting and a path leads back to it.
    fn looping(&self, positions: &dyn Positions) -> Vec<bool> {
        let nodes = self.accepting.len() * positions.count();
        let targets = |node| self.leaving(node, positions).into_iter().map(|(target, _)| target);
        let edges: Vec<(usize, usize)> =
            (0..nodes).flat_map(|node| targets(node).map(move |to| (node, to))).collect();
        let never = &mut || Ok::<(), Infallible>(());
        let Ok(component) = components_of_edges(nodes, edges.iter().copied(), never);
        let mut looping = vec![false; nodes];
        for (source, target) in edges {
            looping[source] |= component[source] == component[target]
                && self.accepting[source / positions.count()];
        }
        looping
    }

    fn letters_of(&self, path: &[Step]) -> Vec<Letter> {
        path.iter().filter_map(|&(_, letter)| self.letters.get(letter).cloned()).collect()
    }
}

/// A shortest path from one of `start` to a `goal`.
fn path(
    start: &[Step],
    leaving: &dyn Fn(usize) -> Vec<Step>,
    goal: &dyn Fn(usize) -> bool,
) -> Option<Vec<Step>> {
    // Steps in order of discovery, each with the index of its predecessor.
    let mut found: Vec<(Step, usize)> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut reach = |steps: &[Step], from: usize, found: &mut Vec<(Step, usize)>| {
        found
            .extend(steps.iter().filter(|&&(node, _)| seen.insert(node)).map(|&step| (step, from)));
    };
    reach(start, usize::MAX, &mut found);
    let mut next = 0;
    while let Some(&((node, _), _)) = found.get(next) {
        if goal(node) {
            let back = |&(_, place): &(Step, usize)| found.get(place).copied();
            let path = std::iter::successors(Some(found[next]), back);
            let mut path: Vec<Step> = path.map(|(step, _)| step).collect();
            path.reverse();
            return Some(path);
        }
        reach(&leaving(node), next, &mut found);
        next += 1;
    }
    None
}
