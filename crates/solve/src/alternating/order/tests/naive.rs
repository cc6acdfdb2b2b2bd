//! The relations by their definitions: over all letters and all sets of locations, as explicit
//! games. Slow, for few locations.

use kermode_automata::{AlternatingAutomaton, Location};
use kermode_base::BitSet;
use kermode_ltl::{Letter, WordKind};

/// A set of locations, a bit each.
type Set = usize;

pub(super) struct Naive {
    pub(super) locations: usize,
    words: WordKind,
    alpha: Set,
    /// For each letter and set of successors, the locations whose transition they satisfy.
    satisfied: Vec<Vec<Set>>,
}

fn has(set: Set, element: usize) -> bool {
    set >> element & 1 == 1
}

/// A position of the game of delayed simulation, with its bit.
#[derive(Clone, Copy)]
enum Position {
    /// The first player picks a letter and successors for `k`.
    Pair(usize, usize, bool),
    /// The second player picks successors for `l`.
    Answer { l: usize, letter: usize, s: Set, bit: bool },
    /// The first player picks one of `t`.
    Challenge { s: Set, t: Set, bit: bool },
    /// The second player picks one of `s`.
    Match { s: Set, m: usize, bit: bool },
}

impl Naive {
    pub(super) fn new(automaton: &AlternatingAutomaton) -> Self {
        let locations = automaton.location_count();
        let letter = |chosen: usize| -> Letter {
            let propositions = automaton.propositions().iter().enumerate();
            propositions.filter(|&(i, _)| has(chosen, i)).map(|(_, &p)| p).collect()
        };
        let collect = |holds: &dyn Fn(Location) -> bool| -> Set {
            automaton.locations().filter(|&l| holds(l)).map(|l| 1 << l.index()).sum()
        };
        let satisfied = |letter: &Letter, set: Set| {
            let values = automaton.values(letter, |l| has(set, l.index()));
            collect(&|l| values[automaton.transition(l).index()])
        };
        let letters = (0..1 << automaton.propositions().len()).map(letter);
        Naive {
            locations,
            words: automaton.words(),
            alpha: collect(&|l| automaton.is_accepting(l)),
            satisfied: letters
                .map(|letter| (0..1 << locations).map(|set| satisfied(&letter, set)).collect())
                .collect(),
        }
    }

    fn sets(&self) -> std::ops::Range<Set> {
        0..1 << self.locations
    }

    /// The sets that follow a location on a letter.
    fn following(&self, letter: usize, location: usize) -> impl Iterator<Item = Set> {
        self.sets().filter(move |&set| has(self.satisfied[letter][set], location))
    }

    /// What each location implies by direct simulation.
    pub(super) fn direct(&self) -> Vec<BitSet> {
        let fits = |k: usize, l: usize| !has(self.alpha, k) || has(self.alpha, l);
        let row = |k| (0..self.locations).filter(|&l| fits(k, l)).collect();
        let mut implies: Vec<BitSet> = (0..self.locations).map(row).collect();
        loop {
            let before = implies.clone();
            for k in 0..self.locations {
                for l in before[k].iter() {
                    if !self.is_matched(k, l, &before) {
                        implies[k].remove(l);
                    }
                }
            }
            if implies == before {
                return implies;
            }
        }
    }

    fn is_matched(&self, k: usize, l: usize, implies: &[BitSet]) -> bool {
        let matches = |s: Set, t: Set| {
            let from_s = |m| (0..self.locations).any(|j| has(s, j) && implies[j].contains(m));
            (0..self.locations).all(|m| !has(t, m) || from_s(m))
        };
        let answered = |letter, s| self.following(letter, l).any(|t| matches(s, t));
        (0..self.satisfied.len())
            .all(|letter| self.following(letter, k).all(|s| answered(letter, s)))
    }

    /// What each location implies by delayed simulation: the pairs from which the game with a zero
    /// bit is won.
    pub(super) fn delayed(&self) -> Vec<BitSet> {
        let positions = self.positions();
        let mut won = vec![true; positions.len()];
        loop {
            let mut next = vec![false; positions.len()];
            loop {
                let before = next.clone();
                for (place, &position) in positions.iter().enumerate() {
                    next[place] = self.is_won(position, &won, &before);
                }
                if next == before {
                    break;
                }
            }
            if next == won {
                break;
            }
            won = next;
        }
        let wins = |k, l| won[self.place(Position::Pair(k, l, false))];
        (0..self.locations).map(|k| (0..self.locations).filter(|&l| wins(k, l)).collect()).collect()
    }

    /// Whether the next position is good: a zero bit from which the game was won, or one that is
    /// won already.
    fn is_won(&self, position: Position, zero: &[bool], one: &[bool]) -> bool {
        let good = |next: Position| {
            let place = self.place(next);
            one[place] || (matches!(next, Position::Pair(_, _, false)) && zero[place])
        };
        let letters = 0..self.satisfied.len();
        match position {
            Position::Pair(k, l, bit) => letters.into_iter().all(|letter| {
                self.following(letter, k).all(|s| good(Position::Answer { l, letter, s, bit }))
            }),
            Position::Answer { l, letter, s, bit } => {
                self.following(letter, l).any(|t| good(Position::Challenge { s, t, bit }))
            }
            Position::Challenge { s, t, bit } => {
                let mut challenges = (0..self.locations).filter(|&m| has(t, m));
                challenges.all(|m| good(Position::Match { s, m, bit }))
            }
            Position::Match { s, m, bit } => {
                let mut matches = (0..self.locations).filter(|&j| has(s, j));
                let becomes = |j| !has(self.alpha, m) && (has(self.alpha, j) || bit);
                matches.any(|j| good(Position::Pair(j, m, becomes(j))))
            }
        }
    }

    fn positions(&self) -> Vec<Position> {
        let (n, sets, letters) = (self.locations, self.sets().len(), self.satisfied.len());
        let mut positions = Vec::new();
        for bit in [false, true] {
            positions.extend((0..n * n).map(|i| Position::Pair(i / n, i % n, bit)));
            positions.extend((0..n * letters * sets).map(|i| Position::Answer {
                l: i / sets / letters,
                letter: i / sets % letters,
                s: i % sets,
                bit,
            }));
            positions.extend((0..sets * sets).map(|i| Position::Challenge {
                s: i / sets,
                t: i % sets,
                bit,
            }));
            positions.extend((0..sets * n).map(|i| Position::Match { s: i / n, m: i % n, bit }));
        }
        positions
    }

    /// The place of a position in the list of all.
    fn place(&self, position: Position) -> usize {
        let (n, sets, letters) = (self.locations, self.sets().len(), self.satisfied.len());
        let starts = [n * n, n * letters * sets, sets * sets, sets * n];
        let before = |kind: usize| starts[..kind].iter().sum::<usize>();
        let (bit, place) = match position {
            Position::Pair(k, l, bit) => (bit, k * n + l),
            Position::Answer { l, letter, s, bit } => {
                (bit, before(1) + (l * letters + letter) * sets + s)
            }
            Position::Challenge { s, t, bit } => (bit, before(2) + s * sets + t),
            Position::Match { s, m, bit } => (bit, before(3) + s * n + m),
        };
        usize::from(bit) * before(4) + place
    }

    /// What each location is incompatible with, every location that is not accepting taken for one
    /// that must not wait.
    pub(super) fn incompatible(&self) -> Vec<BitSet> {
        let everything: BitSet = (0..self.locations).collect();
        let mut compatible = match self.words {
            WordKind::Infinite => vec![everything.clone(); self.locations],
            WordKind::Finite => vec![BitSet::new(); self.locations],
        };
        loop {
            let relation = self.progressing(&compatible);
            let both = |k: usize, l: usize| relation[k].contains(l) && relation[l].contains(k);
            let row = |k| (0..self.locations).filter(|&l| both(k, l)).collect();
            let next: Vec<BitSet> = (0..self.locations).map(row).collect();
            if next == compatible {
                break;
            }
            compatible = next;
        }
        let complement = |row: BitSet| {
            let mut complement = everything.clone();
            complement.subtract(&row);
            complement
        };
        compatible.into_iter().map(complement).collect()
    }

    /// For each `t`, the `s` that go on with it; on infinite words in such a way that `t` is
    /// fulfilled.
    fn progressing(&self, compatible: &[BitSet]) -> Vec<BitSet> {
        let mut relation = vec![BitSet::new(); self.locations];
        loop {
            let before = relation.clone();
            for (t, related) in relation.iter_mut().enumerate() {
                let progresses = |&s: &usize| self.progresses(s, t, compatible, &before);
                related.extend((0..self.locations).filter(progresses));
            }
            if relation == before {
                return relation;
            }
        }
    }

    fn progresses(&self, s: usize, t: usize, compatible: &[BitSet], relation: &[BitSet]) -> bool {
        if self.words == WordKind::Finite && has(self.alpha, s) && has(self.alpha, t) {
            return true;
        }
        let members = |set: Set| (0..self.locations).filter(move |&m| has(set, m));
        let agree =
            |all: Set| members(all).all(|m| members(all).all(|n| compatible[m].contains(n)));
        let fulfilled = |all: Set, of_t: Set| {
            let obligations = if has(self.alpha, t) { 0 } else { of_t & !self.alpha };
            self.words == WordKind::Finite
                || members(obligations).all(|w| members(all).all(|m| relation[w].contains(m)))
        };
        (0..self.satisfied.len()).any(|letter| {
            self.following(letter, s).any(|of_s| {
                let mut sets = self.following(letter, t);
                sets.any(|of_t| agree(of_s | of_t) && fulfilled(of_s | of_t, of_t))
            })
        })
    }
}
