//! The oracle: an alternating automaton as an explicit nondeterministic one, by the definitions
//! alone.
//!
//! On infinite words this is Miyano and Hayashi's construction \[MH84\] as section 3 of \[DDMR08\]
//! prints it. A state is a pair `<s, o>` of sets of locations: `s` is a level of a run, `o` the
//! subset that still has to visit `alpha`. A state is accepting if `o` is empty. On finite words
//! `o` stays empty, and `<s, {}>` is final if `s` is a subset of `alpha`. All sets of locations and
//! all letters are tried, and larger sets than necessary are not left out: slow, for few locations
//! only, and hard to get wrong.
//!
//! Questions about words are searches in the graph of states and positions (`search.rs`).

mod search;

use indexmap::IndexSet;
use kermode_ltl::{Letter, Proposition, Word, WordKind};
use rustc_hash::FxBuildHasher;

use crate::alternating::{AlternatingAutomaton, Location};

/// The largest number of edges that is tried.
const LIMIT: u64 = 1 << 23;

/// The automaton has too many locations or propositions for trying all sets of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{locations} locations and {propositions} propositions are too many to try all sets of them"
)]
pub struct TooLarge {
    /// How many locations there are.
    pub locations: usize,
    /// How many propositions there are.
    pub propositions: usize,
}

/// A set of locations, one bit each.
type Set = u32;

/// A level of a run, and the subset that still has to visit `alpha`.
type State = (Set, Set);

/// An explicit nondeterministic automaton.
#[derive(Clone, Debug)]
pub struct Explicit {
    words: WordKind,
    propositions: Vec<Proposition>,
    letters: Vec<Letter>,
    /// The initial states come first.
    initial: usize,
    accepting: Vec<bool>,
    /// For each state, pairs of a letter and a successor.
    edges: Vec<Vec<(usize, usize)>>,
}

impl Explicit {
    /// The reachable part of the nondeterministic automaton of an alternating one.
    pub fn new(automaton: &AlternatingAutomaton) -> Result<Self, TooLarge> {
        let (locations, propositions) =
            (automaton.location_count(), automaton.propositions().len());
        // There are 3^n pairs, and each may have all as successors.
        let pairs = 9u64.checked_pow(locations as u32);
        let edges = pairs.and_then(|n| n.checked_mul(1 << propositions.min(32)));
        if edges.is_none_or(|edges| edges > LIMIT) {
            return Err(TooLarge { locations, propositions });
        }
        Ok(Construction::new(automaton).run())
    }

    /// The initial states; states are numbers.
    pub fn initial(&self) -> std::ops::Range<usize> {
        0..self.initial
    }

    /// The number of states.
    pub fn state_count(&self) -> usize {
        self.edges.len()
    }

    /// Whether a state is accepting.
    pub fn is_accepting(&self, state: usize) -> bool {
        self.accepting[state]
    }

    /// The successors of a state on a letter over the propositions of the automaton.
    pub fn successors(&self, state: usize, letter: &Letter) -> impl Iterator<Item = usize> {
        let number = self.letters.iter().position(|known| known == letter);
        let edges = self.edges[state].iter();
        edges.filter(move |(read, _)| Some(*read) == number).map(|&(_, target)| target)
    }

    /// An accepted word, if there is one.
    pub fn word(&self) -> Option<Word> {
        self.find(&search::AnyWord(self.words))
    }

    /// Whether a word is accepted.
    pub fn accepts(&self, word: &Word) -> bool {
        let mut propositions = self.propositions.clone();
        propositions.sort_unstable();
        word.kind() == self.words && self.find(&word.restricted(&propositions)).is_some()
    }
}

struct Construction<'a> {
    automaton: &'a AlternatingAutomaton,
    letters: Vec<Letter>,
    /// For each letter and set `s'`: the locations `l` such that `letter + s'` satisfies
    /// `delta(l)`.
    satisfied: Vec<Vec<Set>>,
    alpha: Set,
}

impl<'a> Construction<'a> {
    fn new(automaton: &'a AlternatingAutomaton) -> Self {
        let letters = all_letters(automaton.propositions());
        let collect = |holds: &dyn Fn(Location) -> bool| -> Set {
            automaton.locations().filter(|&l| holds(l)).fold(0, |set, l| set | 1 << l.index())
        };
        let satisfied_by = |letter: &Letter, set: Set| {
            let values = automaton.values(letter, |l| contains(set, l));
            collect(&|l| values[automaton.transition(l).index()])
        };
        let sets = 1 << automaton.location_count();
        let of_letter = |letter| (0..sets).map(|set| satisfied_by(letter, set)).collect();
        let satisfied = letters.iter().map(of_letter).collect();
        let alpha = collect(&|l| automaton.is_accepting(l));
        Construction { automaton, letters, satisfied, alpha }
    }

    fn run(self) -> Explicit {
        let mut states: IndexSet<State, FxBuildHasher> = self.initial().into_iter().collect();
        let initial = states.len();
        let mut edges = Vec::new();
        let mut next = 0;
        while let Some(&state) = states.get_index(next) {
            let mut leaving = Vec::new();
            for letter in 0..self.letters.len() {
                for successor in self.successors(state, letter) {
                    leaving.push((letter, states.insert_full(successor).0));
                }
            }
            edges.push(leaving);
            next += 1;
        }
        let accepting = states.iter().map(|&(s, o)| match self.automaton.words() {
            WordKind::Infinite => o == 0,
            WordKind::Finite => s & !self.alpha == 0,
        });
        Explicit {
            words: self.automaton.words(),
            propositions: self.automaton.propositions().to_vec(),
            accepting: accepting.collect(),
            letters: self.letters,
            initial,
            edges,
        }
    }

    fn sets(&self) -> impl Iterator<Item = Set> + use<> {
        0..1 << self.automaton.location_count()
    }

    /// All `<s, {}>` such that `s` satisfies the initial condition.
    fn initial(&self) -> Vec<State> {
        let initial = self.automaton.initial().index();
        let starts =
            |&s: &Set| self.automaton.values(&Letter::default(), |l| contains(s, l))[initial];
        self.sets().filter(starts).map(|s| (s, 0)).collect()
    }

    fn successors(&self, (s, o): State, letter: usize) -> Vec<State> {
        // A set is a successor of another if it is one of each of its locations.
        let follows = |set: Set, next: Set| set & !self.satisfied[letter][next as usize] == 0;
        let mut successors = Vec::new();
        for s_next in self.sets().filter(|&next| follows(s, next)) {
            match (self.automaton.words(), o) {
                (WordKind::Finite, _) => successors.push((s_next, 0)),
                (WordKind::Infinite, 0) => successors.push((s_next, s_next & !self.alpha)),
                (WordKind::Infinite, _) => {
                    let within = self.sets().filter(|o_next| o_next & !s_next == 0);
                    let owing = within.filter(|&o_next| follows(o, o_next));
                    successors.extend(owing.map(|o_next| (s_next, o_next & !self.alpha)));
                }
            }
        }
        successors
    }
}

fn contains(set: Set, location: Location) -> bool {
    set >> location.index() & 1 == 1
}

/// Every set of propositions.
fn all_letters(propositions: &[Proposition]) -> Vec<Letter> {
    let letter = |set: u32| {
        let held = propositions.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
        held.map(|(_, &p)| p).collect()
    };
    (0..1 << propositions.len()).map(letter).collect()
}
