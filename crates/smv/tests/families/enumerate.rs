//! Breadth-first search of systems in plain Rust.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::hash::Hash;

pub(crate) trait System: Clone + Eq + Hash + Debug {
    /// The states after one step, possibly with repetitions.
    fn successors(&self) -> Vec<Self>;

    /// Whether the system may stop here.
    fn is_dead_end(&self) -> bool {
        false
    }
}

/// The numbers of a state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) initial: usize,
    pub(crate) states: usize,
    /// The number of breadth-first layers.
    pub(crate) depth: usize,
    /// The pairs of a state and a successor.
    pub(crate) edges: usize,
}

pub(crate) fn counts<S: System>(initial: Vec<S>) -> Counts {
    let mut seen: HashSet<S> = initial.into_iter().collect();
    let mut layer: Vec<S> = seen.iter().cloned().collect();
    let mut counts = Counts { initial: layer.len(), states: 0, depth: 0, edges: 0 };
    while !layer.is_empty() {
        counts.depth += 1;
        let mut new = Vec::new();
        for state in &layer {
            let successors: HashSet<S> = state.successors().into_iter().collect();
            assert_eq!(successors.is_empty(), state.is_dead_end(), "{state:?}");
            counts.edges += successors.len();
            new.extend(successors.into_iter().filter(|state| seen.insert(state.clone())));
        }
        layer = new;
    }
    Counts { states: seen.len(), ..counts }
}

/// All reachable states, each with its number.
pub(crate) fn reachable<S: System>(initial: Vec<S>) -> HashMap<S, usize> {
    let mut numbers = HashMap::new();
    let mut open = initial;
    while let Some(state) = open.pop() {
        let number = numbers.len();
        if let Entry::Vacant(new) = numbers.entry(state) {
            open.extend(new.key().successors());
            new.insert(number);
        }
    }
    numbers
}

/// All choices of one element of each list.
pub(crate) fn choices<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |chosen, list| {
        let with = |chosen: &Vec<T>| {
            let chosen = chosen.clone();
            list.iter().map(move |item| [chosen.clone(), vec![item.clone()]].concat())
        };
        chosen.iter().flat_map(with).collect()
    })
}
