//! Words that violate few members, by local search.
//!
//! An engine finds a word for the members in question and does not care about the others. From this
//! word the search goes on: it takes a violated member and changes one of its propositions in the
//! way that helps most. A change that violates a member in question is not made. Members that are
//! hard to satisfy get heavier, so that the search leaves local minima \[Mor93\].
//!
//! The search is incomplete and proves nothing: its words are evaluated by the plain semantics.

use kermode_base::{BitSet, Rng};
use kermode_ltl::{Formula, Letter, Proposition, Store, Word};

use super::signals::{Program, Shape};
use crate::frame::budget::{Budget, Stop};

/// The largest number of steps, and of steps without success.
const MOST_STEPS: usize = 2_000;
const MOST_IN_VAIN: usize = 150;
/// The length to which prefix and loop are unrolled, if there is room.
const LONG_ENOUGH: usize = 8;
/// The longest word.
const LONGEST: usize = 60;
/// Larger sets are not repaired: the number of subformulas of all members.
const LARGEST: usize = 200_000;

/// The members as the local search sees them.
pub(super) struct Repair {
    programs: Vec<Program>,
    /// The propositions of each member, and the members of each proposition.
    propositions: Vec<Vec<Proposition>>,
    uses: Vec<Vec<usize>>,
    /// All propositions.
    known: Vec<Proposition>,
    rng: Rng,
}

/// A word and what it violates.
struct State<'s> {
    repair: &'s Repair,
    shape: Shape,
    signals: Vec<u64>,
    truth: Vec<bool>,
    weights: Vec<u32>,
    /// The members that count, and those that must hold.
    counted: &'s BitSet,
    hard: &'s BitSet,
    columns: Vec<u64>,
}

/// A new signal of a proposition.
struct Change {
    proposition: Proposition,
    signal: u64,
    gain: i64,
}

impl Repair {
    /// For these formulas, which later go by their numbers.
    pub(super) fn new(store: &Store, formulas: &[Formula]) -> Repair {
        let propositions: Vec<Vec<Proposition>> =
            formulas.iter().map(|&formula| store.propositions(formula)).collect();
        let mut uses = vec![Vec::new(); store.proposition_count()];
        for (index, propositions) in propositions.iter().enumerate() {
            propositions.iter().for_each(|proposition| uses[proposition.index()].push(index));
        }
        let programs = formulas.iter().map(|&formula| Program::of(store, formula)).collect();
        let mut known: Vec<Proposition> = propositions.iter().flatten().copied().collect();
        known.sort_unstable();
        known.dedup();
        Repair { programs, propositions, uses, known, rng: Rng::new(0) }
    }

    /// A word on which the `hard` formulas hold as on the given one, and more of those that count.
    pub(super) fn improve(
        &mut self,
        word: &Word,
        counted: &BitSet,
        hard: &BitSet,
        budget: &Budget,
    ) -> Result<Option<Word>, Stop> {
        let size: usize = self.programs.iter().map(Program::len).sum();
        let Some(word) = unrolled(word).filter(|_| size <= LARGEST) else { return Ok(None) };
        let loop_start = word.loop_start().map(|start| start as u32);
        let shape = Shape { length: word.len() as u32, loop_start };
        let mut signals = vec![0; self.uses.len()];
        for (position, letter) in word.letters().iter().enumerate() {
            letter.iter().for_each(|proposition| signals[proposition.index()] |= 1 << position);
        }
        let mut rng = self.rng.clone();
        let count = self.programs.len();
        let (truth, weights, columns) = (vec![true; count], vec![1; count], Vec::new());
        let mut state =
            State { repair: self, shape, signals, truth, weights, counted, hard, columns };
        state.evaluate();
        let best = state.search(&mut rng, budget)?;
        self.rng = rng;
        Ok(best.map(|signals| as_word(&self.known, &signals, shape)))
    }
}

impl State<'_> {
    fn evaluate(&mut self) {
        for index in self.counted.iter().chain(self.hard.iter()) {
            self.truth[index] =
                self.repair.programs[index].holds(self.shape, &self.signals, &mut self.columns);
        }
    }

    fn violated(&self) -> Vec<usize> {
        self.counted.iter().filter(|&index| !self.truth[index]).collect()
    }

    /// The signals that violate the fewest members, if these are fewer than at the start.
    fn search(&mut self, rng: &mut Rng, budget: &Budget) -> Result<Option<Vec<u64>>, Stop> {
        let mut violated = self.violated();
        let (mut fewest, mut best, mut in_vain) = (violated.len(), None, 0);
        for _ in 0..MOST_STEPS {
            budget.check()?;
            if violated.is_empty() || in_vain == MOST_IN_VAIN {
                break;
            }
            let member = rng.choose(&violated);
            match self.best_change(member, rng, budget)? {
                Some(change) if change.gain > 0 || rng.below(8) == 0 => self.make(&change),
                _ => violated.iter().for_each(|&index| self.weights[index] += 1),
            }
            violated = self.violated();
            in_vain += 1;
            if violated.len() < fewest {
                (fewest, in_vain) = (violated.len(), 0);
                best = Some(self.signals.clone());
            }
        }
        Ok(best)
    }

    /// The change of a proposition of the member with the largest gain.
    fn best_change(
        &mut self,
        member: usize,
        rng: &mut Rng,
        budget: &Budget,
    ) -> Result<Option<Change>, Stop> {
        let (mut best, mut ties): (Option<Change>, usize) = (None, 0);
        let repair = self.repair;
        for &proposition in &repair.propositions[member] {
            for signal in self.candidates(member, proposition) {
                budget.check()?;
                let Some(gain) = self.gain(proposition, signal) else { continue };
                let top = best.as_ref().map_or(i64::MIN, |change| change.gain);
                ties = if gain > top { 1 } else { ties + usize::from(gain == top) };
                if gain > top || (gain == top && rng.below(ties) == 0) {
                    best = Some(Change { proposition, signal, gain });
                }
            }
        }
        Ok(best)
    }

    /// Signals to try: one position flipped, constant, constant in the loop, and such that follow
    /// the other propositions of the member at the same position, one later or one earlier.
    fn candidates(&self, member: usize, proposition: Proposition) -> Vec<u64> {
        let (all, cycle) = (self.shape.all(), self.shape.cycle());
        let now = self.signals[proposition.index()];
        let mut signals: Vec<u64> =
            (0..self.shape.length).map(|position| now ^ 1 << position).collect();
        signals.extend([0, all, now | cycle, now & !cycle]);
        for other in &self.repair.propositions[member] {
            let other = self.signals[other.index()];
            let wrapped =
                self.shape.loop_start.map_or(0, |s| other >> (self.shape.length - 1) << s);
            let (later, earlier) = ((other << 1 | wrapped) & all, other >> 1);
            for column in [other, later, earlier] {
                signals.extend([now | column, now & !column, now | (all & !column)]);
            }
        }
        signals.retain(|&signal| signal != now);
        signals.sort_unstable();
        signals.dedup();
        signals
    }

    /// The weight that a change wins; `None` if it violates a hard member.
    fn gain(&mut self, proposition: Proposition, signal: u64) -> Option<i64> {
        let before = std::mem::replace(&mut self.signals[proposition.index()], signal);
        let mut gain = Some(0);
        for &index in &self.repair.uses[proposition.index()] {
            let is_hard = self.hard.contains(index);
            if !is_hard && !self.counted.contains(index) {
                continue;
            }
            let holds =
                self.repair.programs[index].holds(self.shape, &self.signals, &mut self.columns);
            let weight = i64::from(self.weights[index]);
            match (self.truth[index], holds) {
                (true, false) if is_hard => {
                    gain = None;
                    break;
                }
                (true, false) => gain = gain.map(|gain| gain - weight),
                (false, true) => gain = gain.map(|gain| gain + weight),
                _ => {}
            }
        }
        self.signals[proposition.index()] = before;
        gain
    }

    fn make(&mut self, change: &Change) {
        self.signals[change.proposition.index()] = change.signal;
        for &index in &self.repair.uses[change.proposition.index()] {
            self.truth[index] =
                self.repair.programs[index].holds(self.shape, &self.signals, &mut self.columns);
        }
    }
}

/// The same word with a longer prefix and loop, unless it is too long.
fn unrolled(word: &Word) -> Option<Word> {
    let cycle = word.cycle();
    if cycle.is_empty() {
        return Some(word.clone()).filter(|word| word.len() <= LONGEST);
    }
    let mut prefix = word.prefix().to_vec();
    let mut period = cycle.to_vec();
    while prefix.len() < LONG_ENOUGH && prefix.len() + 2 * cycle.len() <= LONGEST / 2 {
        prefix.extend_from_slice(cycle);
    }
    while period.len() < LONG_ENOUGH && period.len() + cycle.len() <= LONGEST / 2 {
        period.extend_from_slice(cycle);
    }
    (prefix.len() + period.len() <= LONGEST).then(|| Word::lasso(prefix, period))
}

fn as_word(propositions: &[Proposition], signals: &[u64], shape: Shape) -> Word {
    let letter = |position: u32| -> Letter {
        let holds = |p: &&Proposition| signals[p.index()] >> position & 1 == 1;
        propositions.iter().filter(holds).copied().collect()
    };
    let letters = (0..shape.length).map(letter).collect();
    Word::from_letters(letters, shape.loop_start.map(|start| start as usize))
}
