//! What depth-first searches need of a graph: numbered states, and their steps one by one.
//!
//! Sets of marks are numbered as well. A search stores a set for each component on its path, and
//! there are few different ones.

use kermode_base::BitSet;
use rustc_hash::FxHashMap;

use super::traversal::SearchCounts;
use crate::frame::budget::Stop;

/// A graph on demand with marks on its steps, and the path of a search through it. States have the
/// numbers 0, 1, 2, ... in the order in which `next_initial` and `advance` return them for the
/// first time. The graph stores the path, because it knows how little a state takes there.
pub trait SearchGraph {
    /// The next initial state.
    fn next_initial(&mut self) -> Result<Option<u32>, Stop>;

    /// Puts a state at the end of the path, before its first step.
    fn enter(&mut self, state: u32) -> Result<(), Stop>;

    /// The number of states on the path.
    fn depth(&self) -> usize;

    /// The last state of the path, which has one.
    fn last(&self) -> u32;

    /// Takes the next step of the last state of the path, if it has one left.
    fn advance(&mut self) -> Result<Option<Taken>, Stop>;

    /// Removes the last state from the path.
    fn leave(&mut self);

    /// Whether a state is accepting, where one mark is on all steps that leave accepting states.
    fn is_accepting(&self, state: u32) -> bool;

    /// The sets of marks of steps.
    fn marks(&mut self) -> &mut MarkSets;

    /// The counters of the search.
    fn counts(&mut self) -> &mut SearchCounts;
}

/// Adds an element to a list that may get as long as the graph is large. Long lists grow by an
/// eighth, so that little memory is reserved in vain.
pub(crate) fn push_slowly<T>(list: &mut Vec<T>, element: T) {
    if list.len() == list.capacity() && list.len() >= 1 << 12 {
        list.reserve_exact(list.len() / 8);
    }
    list.push(element);
}

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// The target.
    pub to: u32,
    /// The marks.
    pub marks: MarkSet,
}

/// A set of marks, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MarkSet(u32);

impl MarkSet {
    /// The set without marks.
    pub const EMPTY: MarkSet = MarkSet(0);
}

/// Sets of marks, each with a number.
#[derive(Debug)]
pub struct MarkSets {
    /// The number of all marks.
    count: usize,
    sets: Vec<BitSet>,
    numbers: FxHashMap<BitSet, MarkSet>,
    unions: FxHashMap<(MarkSet, MarkSet), MarkSet>,
}

impl MarkSets {
    /// The sets of this many marks.
    pub fn new(count: usize) -> Self {
        let mut sets = MarkSets {
            count,
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            unions: FxHashMap::default(),
        };
        sets.number(BitSet::new());
        sets
    }

    /// The number of a set.
    pub fn number(&mut self, set: BitSet) -> MarkSet {
        if let Some(&known) = self.numbers.get(&set) {
            return known;
        }
        let number = MarkSet(self.sets.len() as u32);
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        number
    }

    /// The set with a number.
    pub fn get(&self, number: MarkSet) -> &BitSet {
        &self.sets[number.0 as usize]
    }

    /// Whether a set has all marks.
    pub fn is_complete(&self, number: MarkSet) -> bool {
        self.get(number).len() == self.count
    }

    /// The union of two sets.
    pub fn union(&mut self, a: MarkSet, b: MarkSet) -> MarkSet {
        match (a, b) {
            (MarkSet::EMPTY, other) | (other, MarkSet::EMPTY) => return other,
            _ if a == b => return a,
            _ => {}
        }
        if let Some(&known) = self.unions.get(&(a, b)) {
            return known;
        }
        let mut set = self.get(a).clone();
        set.union_with(self.get(b));
        let union = self.number(set);
        self.unions.insert((a, b), union);
        union
    }
}
