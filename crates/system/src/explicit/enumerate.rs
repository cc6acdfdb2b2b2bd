//! The solutions of constraints over a step, one batch of at most 64 after the other.
//!
//! Stages are a backtracking search: each evaluates all values of its choices at once, and those
//! that satisfy its conditions are *open*. The open lanes of the last stage are a batch. The search
//! can be stopped after a batch and resumed later from a [`Position`], which has two numbers per
//! stage.
//!
//! A search usually begins with known values that differ in few bits from those of the last one,
//! because explicit searches go from a state to its successors. The gates of the first stage that
//! read no changed bit keep their values.

use std::ops::Range;

use super::circuit::Wire;
use super::program::{Operation, Program, Stage};

/// The first stage is evaluated as a whole if more than one of so many gates would be evaluated by
/// itself.
const FEW: usize = 3;

/// A search for the solutions of a program.
#[derive(Clone, Debug)]
pub(super) struct Search {
    pub(super) program: Program,
    values: Vec<u64>,
    /// The open lanes of each stage.
    open: Vec<u64>,
    /// The picked lane of each stage but the last.
    picked: Vec<u32>,
    stage: usize,
    /// The known values that the gates of the first stage have seen, unless it was not evaluated.
    seen: Option<Vec<u32>>,
    /// The gates of the first stage, and those that read a changed leaf.
    gates: Vec<(Operation, [u32; 2])>,
    dirty: Vec<u64>,
}

/// Where a search is after a batch.
#[derive(Clone, Debug)]
pub struct Position {
    open: Vec<u64>,
    picked: Vec<u32>,
}

impl Search {
    pub(super) fn new(program: Program) -> Self {
        let mut values = vec![0; program.slot_count];
        for &(slot, word) in &program.constants {
            values[slot] = word;
        }
        let count = program.stages.len();
        let runs = program.stages[0].runs.iter();
        let gates: Vec<_> = runs
            .flat_map(|(kind, gates)| gates.iter().map(|&operands| (*kind, operands)))
            .collect();
        Search {
            program,
            values,
            open: vec![0; count],
            picked: vec![0; count],
            stage: 0,
            seen: None,
            dirty: vec![0; gates.len().div_ceil(64)],
            gates,
        }
    }

    /// Begins with these values of the known leaves, packed in bits.
    pub(super) fn start(&mut self, known: &[u32], count: usize) {
        self.give(known, count);
        self.stage = 0;
        // A search that was left has open lanes in later stages, too.
        self.open.fill(0);
        self.open[0] = self.conditions(0);
    }

    /// Continues at a position with the values that the search began with.
    pub(super) fn resume(&mut self, known: &[u32], count: usize, position: &Position) {
        self.give(known, count);
        let last = self.open.len() - 1;
        for stage in 0..=last {
            if stage > 0 {
                self.evaluate(stage);
            }
            if stage < last {
                self.pick(stage, position.picked[stage]);
            }
        }
        self.open.copy_from_slice(&position.open);
        self.picked.copy_from_slice(&position.picked);
        self.stage = last;
    }

    /// The position after a batch, unless it was the last one.
    pub(super) fn position(&self) -> Option<Position> {
        let last = self.open.len() - 1;
        let is_over = self.open[..last].iter().all(|&open| open == 0);
        (!is_over).then(|| Position { open: self.open.clone(), picked: self.picked.clone() })
    }

    /// The lanes of the next batch; none after the last one.
    pub(super) fn next_batch<E>(
        &mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<u64>, E> {
        let last = self.open.len() - 1;
        loop {
            let open = self.open[self.stage];
            if open == 0 {
                let Some(before) = self.stage.checked_sub(1) else { return Ok(None) };
                self.stage = before;
            } else if self.stage == last {
                self.open[last] = 0;
                return Ok(Some(open));
            } else {
                interrupt()?;
                self.open[self.stage] &= open - 1;
                self.pick(self.stage, open.trailing_zeros());
                self.stage += 1;
                self.evaluate(self.stage);
                self.open[self.stage] = self.conditions(self.stage);
            }
        }
    }

    /// Gives the known leaves their values, and evaluates the first stage.
    fn give(&mut self, known: &[u32], count: usize) {
        let words = &known[..count.div_ceil(32)];
        let is_whole = match self.seen.take() {
            Some(seen) => self.note_changes(words, seen),
            None => {
                for place in 0..count {
                    let bit = known[place / 32] >> (place % 32) & 1;
                    self.values[1 + place] = 0_u64.wrapping_sub(u64::from(bit));
                }
                self.seen = Some(words.to_vec());
                true
            }
        };
        match is_whole {
            true => self.evaluate(0),
            false => self.evaluate_dirty(),
        }
    }

    /// Changes known leaves and marks the gates that read them; whether these are many.
    fn note_changes(&mut self, known: &[u32], mut seen: Vec<u32>) -> bool {
        self.dirty.fill(0);
        for (word, (&new, old)) in known.iter().zip(&mut seen).enumerate() {
            let mut changed = new ^ *old;
            *old = new;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                changed &= changed - 1;
                let place = word * 32 + bit as usize;
                self.values[1 + place] = 0_u64.wrapping_sub(u64::from(new >> bit & 1));
                let readers = self.program.readers[place].words();
                self.dirty.iter_mut().zip(readers).for_each(|(dirty, readers)| *dirty |= readers);
            }
        }
        self.seen = Some(seen);
        let count: u32 = self.dirty.iter().map(|word| word.count_ones()).sum();
        count as usize * FEW > self.gates.len()
    }

    /// Evaluates the marked gates of the first stage, operands first.
    fn evaluate_dirty(&mut self) {
        let first = self.program.stages[0].first_slot;
        for (word, &dirty) in self.dirty.iter().enumerate() {
            let mut dirty = dirty;
            while dirty != 0 {
                let place = word * 64 + dirty.trailing_zeros() as usize;
                dirty &= dirty - 1;
                let (operation, [a, b]) = self.gates[place];
                let operands = (self.values[a as usize], self.values[b as usize]);
                self.values[first + place] = operation.apply(operands.0, operands.1);
            }
        }
    }

    /// Copies what later stages read from a lane.
    fn pick(&mut self, stage: usize, lane: u32) {
        self.picked[stage] = lane;
        for &(from, to) in &self.program.stages[stage].copies {
            self.values[to] = 0_u64.wrapping_sub(self.values[from] >> lane & 1);
        }
    }

    /// Evaluates the gates of a stage.
    fn evaluate(&mut self, stage: usize) {
        let Stage { runs, first_slot, .. } = &self.program.stages[stage];
        let mut slot = *first_slot;
        for (operation, gates) in runs {
            let (known, new) = self.values.split_at_mut(slot);
            let new = &mut new[..gates.len()];
            match operation {
                Operation::And => run(known, new, gates, |a, b| a & b),
                Operation::Without => run(known, new, gates, |a, b| !a & b),
                Operation::Neither => run(known, new, gates, |a, b| !(a | b)),
                Operation::Xor => run(known, new, gates, |a, b| a ^ b),
            }
            slot += gates.len();
        }
    }

    /// The lanes that satisfy the conditions of a stage.
    fn conditions(&self, stage: usize) -> u64 {
        let Stage { lanes, conditions, .. } = &self.program.stages[stage];
        let values = &self.values;
        conditions.iter().fold(*lanes, |open, &condition| open & read(values, condition))
    }

    /// The value of a result in all lanes of the batch.
    #[inline]
    pub(super) fn result(&self, number: usize) -> u64 {
        read(&self.values, self.program.results[number])
    }

    /// In which of some lanes results differ from given bits: a word for each result. Returns the
    /// results that differ in some of these lanes, as a word.
    #[inline]
    pub(super) fn changes(
        &self,
        results: Range<usize>,
        now: u32,
        lanes: u64,
        rows: &mut [u64],
    ) -> u64 {
        let mut changed = 0_u64;
        for (bit, (&result, row)) in self.program.results[results].iter().zip(rows).enumerate() {
            let now = 0_u64.wrapping_sub(u64::from(now >> bit & 1));
            *row = (read(&self.values, result) ^ now) & lanes;
            changed |= u64::from(*row != 0) << bit;
        }
        changed
    }
}

/// Evaluates gates of one kind.
#[inline]
fn run(known: &[u64], new: &mut [u64], gates: &[[u32; 2]], operation: impl Fn(u64, u64) -> u64) {
    for (value, &[a, b]) in new.iter_mut().zip(gates) {
        *value = operation(known[a as usize], known[b as usize]);
    }
}

/// The word of a wire.
#[inline]
fn read(values: &[u64], wire: Wire) -> u64 {
    values[wire.node()] ^ 0_u64.wrapping_sub(u64::from(wire.is_negated()))
}
