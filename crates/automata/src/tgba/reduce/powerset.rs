//! The powerset of an automaton over its classes of letters: the sets of states that runs can be in
//! after a word.

use std::collections::VecDeque;

use indexmap::IndexSet;
use kermode_base::BitSet;
use kermode_base::components;
use kermode_bdd::OutOfNodes;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::letter_classes::LetterClasses;
use crate::tgba::graph::{Marks, Tgba};

/// The largest number of pairs of a set, or a state, and a class of letters.
const MOST_STEPS: usize = 1 << 16;
/// A powerset this many times larger than the automaton is not expected to become smaller than it.
const MOST_GROWTH: usize = 16;

/// The sets of states that words lead to, with one step per class of letters.
pub(super) struct Powerset {
    sets: IndexSet<BitSet, FxBuildHasher>,
    /// The target of each class of letters from each set, by number, row by row.
    steps: Vec<usize>,
    classes: usize,
    /// For each state and class of letters the steps of the automaton: marks and targets.
    moves: Vec<Vec<(Marks, usize)>>,
    mark_count: usize,
}

impl Powerset {
    /// The powerset of an automaton, unless it is large.
    pub(super) fn of<E: From<OutOfNodes>>(
        automaton: &Tgba,
        letters: &LetterClasses,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Self>, E> {
        let Some(classes) = letters.classes() else { return Ok(None) };
        let classes = classes.len();
        if automaton.state_count() * classes > MOST_STEPS {
            return Ok(None);
        }
        let most = (MOST_STEPS / classes).min(MOST_GROWTH * (automaton.state_count() + 4));
        let mut powerset = Powerset {
            sets: IndexSet::default(),
            steps: Vec::new(),
            classes,
            moves: moves(automaton, letters, classes),
            mark_count: automaton.mark_count(),
        };
        powerset.sets.insert(automaton.initial().iter().map(|state| state.index()).collect());
        let mut next = 0;
        while let Some(set) = powerset.sets.get_index(next).cloned() {
            interrupt()?;
            for class in 0..classes {
                let target = powerset.sets.insert_full(powerset.after(&set, class)).0;
                powerset.steps.push(target);
            }
            if powerset.sets.len() > most {
                return Ok(None);
            }
            next += 1;
        }
        Ok(Some(powerset))
    }

    /// The number of sets. The first has the initial states.
    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The targets of the classes of letters from a set.
    pub(super) fn steps(&self, set: usize) -> &[usize] {
        &self.steps[set * self.classes..(set + 1) * self.classes]
    }

    /// For each set its component. A step leads to its own component or to one with a smaller
    /// number.
    pub(super) fn components<E>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<usize>, E> {
        let start: Vec<usize> = (0..=self.len()).map(|set| set * self.classes).collect();
        components(&start, |step| self.steps[step], interrupt)
    }

    fn after(&self, set: &BitSet, class: usize) -> BitSet {
        let moves = |state: usize| &self.moves[state * self.classes + class];
        set.iter().flat_map(|state| moves(state).iter().map(|(_, target)| *target)).collect()
    }

    /// The letters, by class, of a shortest path from a set back to it, if there is one. It stays
    /// in the component.
    pub(super) fn loop_of(&self, set: usize, component: &[usize]) -> Option<Vec<usize>> {
        let mut before: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
        let mut todo = VecDeque::from([set]);
        while let Some(here) = todo.pop_front() {
            for (class, &target) in self.steps(here).iter().enumerate() {
                if component[target] == component[set] && !before.contains_key(&target) {
                    before.insert(target, (here, class));
                    todo.push_back(target);
                }
            }
            if before.contains_key(&set) {
                break;
            }
        }
        let mut letters = Vec::new();
        let mut place = set;
        while letters.is_empty() || place != set {
            let &(from, class) = before.get(&place)?;
            letters.push(class);
            place = from;
        }
        letters.reverse();
        Some(letters)
    }

    /// Whether the automaton accepts the repetition of these letters from some state of a set.
    pub(super) fn accepts(&self, set: usize, letters: &[usize]) -> bool {
        let mut nodes: IndexSet<(usize, usize), FxBuildHasher> =
            self.sets[set].iter().map(|state| (state, 0)).collect();
        let (mut start, mut edges) = (vec![0], Vec::new());
        let mut next = 0;
        while let Some(&(state, position)) = nodes.get_index(next) {
            let after = (position + 1) % letters.len();
            for (marks, target) in &self.moves[state * self.classes + letters[position]] {
                edges.push((nodes.insert_full((*target, after)).0, marks));
            }
            start.push(edges.len());
            next += 1;
        }
        has_all_marks(&start, &edges, self.mark_count)
    }
}

/// Whether some component of a graph has all marks on its inner edges.
fn has_all_marks(start: &[usize], edges: &[(usize, &Marks)], mark_count: usize) -> bool {
    let never = &mut || Ok::<(), std::convert::Infallible>(());
    let Ok(component) = components(start, |edge| edges[edge].0, never);
    let mut seen: Vec<Option<Marks>> = vec![None; component.len()];
    for (node, range) in start.windows(2).enumerate() {
        for &(target, marks) in &edges[range[0]..range[1]] {
            if component[target] == component[node] {
                seen[component[node]].get_or_insert_default().union_with(marks);
            }
        }
    }
    seen.iter().flatten().any(|marks| marks.len() == mark_count)
}

fn moves(automaton: &Tgba, letters: &LetterClasses, classes: usize) -> Vec<Vec<(Marks, usize)>> {
    let mut moves = vec![Vec::new(); automaton.state_count() * classes];
    for (source, transition) in automaton.transitions() {
        for class in letters.of_label(&transition.label).needed.iter() {
            let target = transition.target.index();
            moves[source.index() * classes + class].push((transition.marks.clone(), target));
        }
    }
    moves
}
